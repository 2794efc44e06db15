//! What every ordering keeps where pages are visited again and show links that they did not show
//! before: explanations add up, nothing that is yet to come or to be seen has any influence, and any
//! step is the same however one came there.

use crate::{cases, explanations, random_rules, travel};
use crawl_core::revisit::RevisitRules;
use crawl_core::strategy::Strategy;
use crawl_core::{
    Aids, Explanation, Focus, Known, Rules, Scores, Simulator, Step, UrlId, VisitKind,
};
use crawl_tests::contender::{Contender, contender, contenders};
use crawl_tests::living::{Living, Trip, budget, visitor};
use crawl_tests::sketch::LinkSketch;
use crawl_world::{PageId, Rng, World};
use proptest::prelude::*;
use std::sync::Arc;

const HOURS: f64 = 12.0;

fn living(seed: u64, n_pages: usize) -> Living {
    let mut living = Living::random(seed, n_pages, HOURS);
    living.sketch.seeds.truncate(1 + (seed % 3) as usize);
    living.with_births(seed, HOURS)
}

/// Few new pages an hour, so that some are left to be scored while others are visited.
fn trip<'a>(world: &'a World, ordering: &'a str, seed: u64) -> Trip<'a> {
    let again = RevisitRules { new: [2.0, 5.0, 0.0][(seed % 3) as usize], ..budget(10.0, HOURS) };
    let mut rules = if seed.is_multiple_of(2) { Rules::default() } else { random_rules(seed) };
    rules.focus = [Focus::None, Focus::Topical][(seed % 5 / 4) as usize];
    Trip { ordering, rules, rng: seed, ..Trip::new(world, again) }
}

/// Visits to pages that showed more links than before.
fn n_grown(steps: &[Step], world: &World) -> usize {
    let grew = |(at, step): &(usize, &Step)| {
        let before = steps[..*at].iter().rev().find(|earlier| earlier.page == step.page);
        let shows = |step: &Step| world.n_links_by(step.page, step.at_us);
        step.visit != VisitKind::First && before.is_some_and(|before| shows(before) < shows(step))
    };
    steps.iter().enumerate().filter(grew).count()
}

/// Looks at all explanations after every few steps.
fn explained(trip: &Trip<'_>, every: usize) -> Result<usize, String> {
    let mut run = trip.start(&visitor("uniform"));
    let mut steps = Vec::new();
    while let Some(step) = run.step(trip.world) {
        steps.push(step);
        if steps.len() % every == 0
            && let Some(fault) = explanations::fault(run.session(), trip.world)
        {
            return Err(format!("at step {}: {fault}", steps.len()));
        }
    }
    Ok(n_grown(&steps, trip.world))
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn explanations_add_up(n_pages in 2_usize..30, seed in any::<u64>()) {
        let world = living(seed, n_pages).world();
        for contender in contenders() {
            let name = contender.name();
            let trip = trip(&world, &name, seed);
            let told = explained(&trip, 3);
            prop_assert!(told.is_ok(), "{name} {:?}: {}", trip.rules, told.unwrap_err());
        }
    }

    #[test]
    fn any_step_is_the_same_however_one_came_there(n_pages in 2_usize..30, seed in any::<u64>()) {
        let world = living(seed, n_pages).world();
        for contender in contenders() {
            let name = contender.name();
            let trip = trip(&world, &name, seed);
            let checked = travel::check(trip.start(&visitor("uniform")), &world, 8, seed);
            prop_assert_eq!(checked, Ok(()), "{} {:?}", name, trip.rules);
        }
    }

    #[test]
    fn what_is_yet_to_come_has_no_influence(
        n_pages in 2_usize..30,
        n_steps in 0_usize..80,
        seed in any::<u64>(),
    ) {
        let living = living(seed, n_pages);
        for contender in contenders().iter().filter(|c| !c.needs().is_oracle()) {
            let noticed = notices(&registered(contender, &living, seed), &living, n_steps, seed);
            prop_assert_eq!(noticed, None, "{} noticed", contender.name());
        }
    }
}

/// On a larger world, often enough for computations that are made every so often.
#[test]
fn explanations_add_up_in_a_newsroom() {
    let world = crawl_tests::worlds::world("newsroom(pages:200,coming:200)");
    let mut n_shown = 0;
    for contender in contenders() {
        let name = contender.name();
        let again = RevisitRules { new: 8.0, ..budget(60.0, 36.0) };
        let told = explained(&Trip { ordering: &name, ..Trip::new(&world, again) }, 97);
        n_shown += told.unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
    assert!(n_shown > 1000, "only {n_shown} visits showed new links");
}

type Make<'a> = dyn Fn(&World) -> Simulator + 'a;

/// A registered ordering. What it remembers is older than the crawl, and the same whatever comes.
fn registered(
    contender: &Contender,
    living: &Living,
    seed: u64,
) -> impl Fn(&World) -> Simulator + use<> {
    let (name, original) = (contender.name(), living.world());
    let given = contender.given(&original, &living.sketch.seeds());
    move |world| {
        let trip = trip(world, &name, seed);
        let ordering = self::contender(&name);
        let aids = ordering.aids(world, &trip.rules, &given);
        let policy = visitor("uniform");
        trip.start_as(ordering.build(&given), aids, policy.build(), policy.given(world))
    }
}

/// The same up to a moment at which these pages were fetched and those discovered. What nobody has seen
/// by then is another: the content of unfetched pages, the links that fetched ones will show, and when
/// pages not discovered come.
fn other_future(living: &Living, world: &World, run: &Simulator, seed: u64) -> Living {
    let mut rng = Rng::new(seed, "other births");
    let book = run.session().book();
    let fetched: Vec<PageId> = book.order().iter().map(|url| book.page(*url)).collect();
    let mut other = living.clone();
    other.sketch = living.sketch.with_other_content(&fetched, &mut rng);
    let now_s = run.now_us() as f64 / 1e6;
    let is_found = |page: usize| book.url_of(PageId(page as u32)).is_some();
    let unseen: Vec<usize> = (0..living.born.len()).filter(|page| !is_found(*page)).collect();
    for page in &unseen {
        other.born[*page] = Some(now_s + 60.0 + rng.fraction() * 36_000.0);
        other.gone[*page] = None;
    }
    for page in &fetched {
        let content = &mut other.sketch.pages[page.index()].content;
        let status = world.status(*page);
        let was_gone = living.gone[page.index()].is_some_and(|at_s| at_s <= now_s);
        // An error or a redirect shows no links, now or later; what went will not come back.
        if !(200..300).contains(&status) || was_gone {
            continue;
        }
        content.links.retain(|link| is_found(link.to) || rng.chance(0.3));
        for _ in 0..rng.below(4) {
            if unseen.is_empty() {
                break;
            }
            let to = *rng.pick(&unseen);
            let (anchor, context) = ("phone battery".to_owned(), "a phone to call".to_owned());
            content.links.push(LinkSketch { to, anchor, context, nofollow: false });
        }
    }
    other
}

/// Where an ordering tells two futures apart before they come, if it does.
fn notices(make: &Make<'_>, living: &Living, n_steps: usize, seed: u64) -> Option<String> {
    let world = living.world();
    let go = |world: &World| {
        let mut run = make(world);
        let steps: Vec<Step> = (0..n_steps).map_while(|_| run.step(world)).collect();
        (run, steps)
    };
    let (run, steps) = go(&world);
    let other = other_future(living, &world, &run, seed).world();
    let (again, found) = go(&other);
    if let Some((one, two)) = steps.iter().zip(&found).find(|(one, two)| one != two) {
        return Some(format!("{one:?} is not {two:?}"));
    }
    let view = |run: &Simulator, world: &World| -> Vec<(UrlId, u64, Explanation)> {
        let session = run.session();
        let waiting = session.frontier().top(100).into_iter();
        waiting
            .map(|url| (url, session.score(url).to_bits(), session.explain(world, url)))
            .collect()
    };
    (view(&run, &world) != view(&again, &other)).then(|| "waiting URLs or their scores".to_owned())
}

/// Scores a URL by all the links that the page has, or will have, on which it was found.
#[derive(Clone)]
struct Peeker {
    world: Arc<World>,
}

impl Strategy for Peeker {
    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        let parent = known.parent(url).and_then(|parent| self.world.find(&known.url(parent)));
        parent.map_or(0.0, |parent| self.world.links(parent).len() as f64)
    }

    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn explain(&self, _: UrlId, score: f64, _: &Known<'_>) -> Explanation {
        Explanation::given("links that its page will have", score)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }
}

/// The test above has teeth.
#[test]
fn peeking_at_links_to_come_is_caught() {
    let caught = (0..20_u64).filter(|seed| {
        let peek = |world: &World| {
            let peeker = Box::new(Peeker { world: Arc::new(world.clone()) });
            let policy = visitor("uniform");
            let trip = trip(world, "breadth-first", seed * 2);
            trip.start_as(peeker, Aids::default(), policy.build(), policy.given(world))
        };
        notices(&peek, &living(seed * 2, 25), 30, *seed).is_some()
    });
    assert!(caught.count() > 5);
}
