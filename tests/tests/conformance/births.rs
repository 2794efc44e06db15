//! Invariants of every strategy if pages show new links on later visits.
//!
//! Explanations add up, unseen and future content has no influence, and seeking is exact.

use crate::{cases, explanations, random_rules, seeking};
use crawl_core::revisit::RevisitRules;
use crawl_core::strategy::Strategy;
use crawl_core::{
    Explanation, Focus, Known, Rules, Scores, SessionInputs, Simulator, Step, UrlId, VisitKind,
};
use crawl_tests::changing::{ChangingWorld, CrawlSetup, budget, policy_variant};
use crawl_tests::sketch::LinkSketch;
use crawl_tests::variants::{StrategyVariant, strategy_variant, strategy_variants};
use crawl_world::{PageId, Rng, World};
use proptest::prelude::*;
use std::sync::Arc;

const HOURS: f64 = 12.0;

fn changing(seed: u64, n_pages: usize) -> ChangingWorld {
    let mut changing = ChangingWorld::random(seed, n_pages, HOURS);
    changing.sketch.seeds.truncate(1 + (seed % 3) as usize);
    changing.with_births(seed, HOURS)
}

/// Few new pages per hour, so that URLs wait while others are visited.
fn setup<'a>(world: &'a World, ordering: &'a str, seed: u64) -> CrawlSetup<'a> {
    let again = RevisitRules { new: [2.0, 5.0, 0.0][(seed % 3) as usize], ..budget(10.0, HOURS) };
    let mut rules = if seed.is_multiple_of(2) { Rules::default() } else { random_rules(seed) };
    rules.focus = [Focus::None, Focus::Topical][(seed % 5 / 4) as usize];
    CrawlSetup { ordering, rules, rng: seed, ..CrawlSetup::new(world, again) }
}

/// Number of visits to pages that showed more links than before.
fn n_grown(steps: &[Step], world: &World) -> usize {
    let grew = |(at, step): &(usize, &Step)| {
        let before = steps[..*at].iter().rev().find(|earlier| earlier.page == step.page);
        let shows = |step: &Step| world.n_links_by(step.page, step.at_us);
        step.visit != VisitKind::First && before.is_some_and(|before| shows(before) < shows(step))
    };
    steps.iter().enumerate().filter(grew).count()
}

/// Checks all explanations after every few steps.
fn explained(setup: &CrawlSetup<'_>, every: usize) -> Result<usize, String> {
    let mut run = setup.start(&policy_variant("uniform"));
    let mut steps = Vec::new();
    while let Some(step) = run.step(setup.world) {
        steps.push(step);
        if steps.len() % every == 0
            && let Some(fault) = explanations::fault(run.session(), setup.world)
        {
            return Err(format!("at step {}: {fault}", steps.len()));
        }
    }
    Ok(n_grown(&steps, setup.world))
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn explanations_add_up(n_pages in 2_usize..30, seed in any::<u64>()) {
        let world = changing(seed, n_pages).world();
        for variant in strategy_variants() {
            let name = variant.name();
            let setup = setup(&world, &name, seed);
            let told = explained(&setup, 3);
            prop_assert!(told.is_ok(), "{name} {:?}: {}", setup.rules, told.unwrap_err());
        }
    }

    #[test]
    fn seeking_gives_the_same_state_by_any_path(n_pages in 2_usize..30, seed in any::<u64>()) {
        let world = changing(seed, n_pages).world();
        for variant in strategy_variants() {
            let name = variant.name();
            let setup = setup(&world, &name, seed);
            let checked = seeking::check(setup.start(&policy_variant("uniform")), &world, 8, seed);
            prop_assert_eq!(checked, Ok(()), "{} {:?}", name, setup.rules);
        }
    }

    #[test]
    fn future_links_have_no_influence(
        n_pages in 2_usize..30,
        n_steps in 0_usize..80,
        seed in any::<u64>(),
    ) {
        let changing = changing(seed, n_pages);
        for variant in strategy_variants().iter().filter(|c| !c.needs().is_oracle()) {
            let noticed = notices(&registered(variant, &changing, seed), &changing, n_steps, seed);
            prop_assert_eq!(noticed, None, "{} noticed", variant.name());
        }
    }
}

/// A larger world, with enough steps for periodic computations.
#[test]
fn explanations_add_up_in_a_newsroom() {
    let world = crawl_tests::worlds::world("newsroom(pages:200,coming:200)");
    let mut n_shown = 0;
    for variant in strategy_variants() {
        let name = variant.name();
        let again = RevisitRules { new: 8.0, ..budget(60.0, 36.0) };
        let told = explained(&CrawlSetup { ordering: &name, ..CrawlSetup::new(&world, again) }, 97);
        n_shown += told.unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
    assert!(n_shown > 1000, "only {n_shown} visits showed new links");
}

type Make<'a> = dyn Fn(&World) -> Simulator + 'a;

/// A registered strategy. Data of earlier crawls is the same for all futures.
fn registered(
    variant: &StrategyVariant,
    changing: &ChangingWorld,
    seed: u64,
) -> impl Fn(&World) -> Simulator + use<> {
    let (name, original) = (variant.name(), changing.world());
    let given = variant.given(&original, &changing.sketch.seeds());
    move |world| {
        let setup = setup(world, &name, seed);
        let ordering = strategy_variant(&name);
        let inputs = ordering.inputs(world, &setup.rules, &given);
        let policy = policy_variant("uniform");
        setup.start_as(ordering.build(&given), inputs, policy.build(), policy.given(world))
    }
}

/// A world that equals another one in everything seen so far.
///
/// Different are the content of unfetched pages, future links of fetched pages, and the appearance
/// of undiscovered pages.
fn other_future(
    changing: &ChangingWorld,
    world: &World,
    run: &Simulator,
    seed: u64,
) -> ChangingWorld {
    let mut rng = Rng::new(seed, "other births");
    let book = run.session().book();
    let fetched: Vec<PageId> = book.order().iter().map(|url| book.page(*url)).collect();
    let mut other = changing.clone();
    other.sketch = changing.sketch.with_other_content(&fetched, &mut rng);
    let now_s = run.now_us() as f64 / 1e6;
    let is_found = |page: usize| book.url_of(PageId(page as u32)).is_some();
    let unseen: Vec<usize> = (0..changing.born.len()).filter(|page| !is_found(*page)).collect();
    for page in &unseen {
        other.born[*page] = Some(now_s + 60.0 + rng.fraction() * 36_000.0);
        other.gone[*page] = None;
    }
    for page in &fetched {
        let content = &mut other.sketch.pages[page.index()].content;
        let status = world.status(*page);
        let was_gone = changing.gone[page.index()].is_some_and(|at_s| at_s <= now_s);
        // Errors and redirects show no links, now or later; gone pages stay gone.
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

/// The first difference between two futures before they diverge.
fn notices(make: &Make<'_>, changing: &ChangingWorld, n_steps: usize, seed: u64) -> Option<String> {
    let world = changing.world();
    let go = |world: &World| {
        let mut run = make(world);
        let steps: Vec<Step> = (0..n_steps).map_while(|_| run.step(world)).collect();
        (run, steps)
    };
    let (run, steps) = go(&world);
    let other = other_future(changing, &world, &run, seed).world();
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

/// A cheating strategy: scores a URL by all present and future links of its parent.
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
}

/// Checks the test itself.
#[test]
fn peeking_at_links_to_come_is_caught() {
    let caught = (0..20_u64).filter(|seed| {
        let peek = |world: &World| {
            let peeker = Box::new(Peeker { world: Arc::new(world.clone()) });
            let policy = policy_variant("uniform");
            let setup = setup(world, "breadth-first", seed * 2);
            setup.start_as(peeker, SessionInputs::default(), policy.build(), policy.given(world))
        };
        notices(&peek, &changing(seed * 2, 25), 30, *seed).is_some()
    });
    assert!(caught.count() > 5);
}
