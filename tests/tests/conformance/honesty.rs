//! Honest orderings cannot peek: with other content behind every URL not yet fetched, they choose
//! the same URL next.

use crate::{cases, random_world};
use crawl_core::strategy::Strategy;
use crawl_core::{Aids, Explanation, Focus, Known, Rules, Scores, Session, UrlId};
use crawl_tests::contender::{Contender, contenders};
use crawl_tests::driver;
use crawl_tests::sketch::Sketch;
use crawl_world::{PageId, Rng, World};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Makes an ordering, with what it is given beyond what a crawler knows, for one of two worlds.
type Make<'a> = dyn Fn(&World) -> (Box<dyn Strategy>, Aids) + 'a;

/// Crawls a world for some steps, puts other content behind all that is unfetched, and looks where
/// the ordering notices: in what comes next, in the waiting URLs or in their scores.
fn notices(make: &Make<'_>, sketch: &Sketch, n_steps: usize, seed: u64) -> Option<String> {
    let world = sketch.world();
    let start = |world: &World| {
        let (strategy, aids) = make(world);
        Session::new(world, &sketch.seeds(), strategy, Rules::default(), aids)
    };
    let mut session = start(&world);
    let steps = driver::run(&mut session, &world, n_steps);
    let fetched: Vec<PageId> = steps.iter().map(|step| step.fetch.page).collect();
    let other = sketch.with_other_content(&fetched, &mut Rng::new(seed, "other content")).world();

    // The crawl goes on in the other world.
    if view(&session, &other) != view(&session, &world) {
        return Some("waiting URLs or their scores".to_owned());
    }
    let next = |session: &Session, world: &World| {
        let mut now_us = u64::MAX / 2;
        driver::ask(&mut session.clone(), world, &mut now_us).map(|fetch| fetch.page)
    };
    let expected = next(&session, &world);
    if next(&session, &other) != expected {
        return Some("the next URL".to_owned());
    }

    // The crawl was in the other world from its start: nothing it saw there is different.
    let mut session = start(&other);
    if driver::run(&mut session, &other, n_steps) != steps {
        return Some("the steps before".to_owned());
    }
    if next(&session, &other) != expected {
        return Some("the next URL of a crawl from the start".to_owned());
    }
    None
}

/// The first waiting URLs, with their scores to the bit and why they have them.
fn view(session: &Session, world: &World) -> Vec<(UrlId, u64, Explanation)> {
    let upcoming = session.upcoming(world, 100).into_iter();
    let seen = |url| {
        let score = session.score(url).to_bits();
        (url, score, session.explain(world, url))
    };
    upcoming.map(seen).collect()
}

/// What it remembers of earlier crawls and knows of its topic is older than the crawl, and is the
/// same whatever is there now.
fn make(
    contender: &Contender,
    sketch: &Sketch,
    focus: Focus,
) -> impl Fn(&World) -> (Box<dyn Strategy>, Aids) {
    let given = contender.given(&sketch.world(), &sketch.seeds());
    let rules = Rules { focus, ..Rules::default() };
    move |world| (contender.build(&given), contender.aids(world, &rules, &given))
}

/// The focused loop in one of three.
fn focus(seed: u64) -> Focus {
    [Focus::None, Focus::None, Focus::Topical][(seed % 3) as usize]
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn honest_orderings_cannot_peek(
        n_pages in 1_usize..40,
        n_steps in 0_usize..25,
        seed in any::<u64>(),
    ) {
        let sketch = random_world(seed, n_pages);
        for contender in contenders().iter().filter(|c| !c.needs().is_oracle()) {
            let make = make(contender, &sketch, focus(seed));
            let noticed = notices(&make, &sketch, n_steps, seed);
            prop_assert_eq!(noticed, None, "{} noticed", contender.name());
        }
    }
}

/// Scores a URL by the links behind it, which it finds in a world it should not have.
#[derive(Clone)]
struct Peeker {
    world: Arc<World>,
}

impl Strategy for Peeker {
    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        let page = self.world.find(&known.url(url)).expect("it has this page");
        f64::from(self.world.out_degree(page))
    }

    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn explain(&self, _: UrlId, score: f64, _: &Known<'_>) -> Explanation {
        Explanation::given("links behind it", score)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }
}

/// The test above has teeth: it catches one that peeks, and every registered oracle.
#[test]
fn peeking_is_caught() {
    let peeker = |world: &World| -> (Box<dyn Strategy>, Aids) {
        let world = Arc::new(world.clone());
        (Box::new(Peeker { world }), Aids::default())
    };
    let oracles: Vec<Contender> =
        contenders().into_iter().filter(|c| c.needs().is_oracle()).collect();
    assert!(!oracles.is_empty());
    let mut caught = BTreeSet::new();
    for seed in 0..40 {
        let sketch = random_world(seed, 30);
        if notices(&peeker, &sketch, 8, seed).is_some() {
            caught.insert("the peeker".to_owned());
        }
        for oracle in &oracles {
            if notices(&make(oracle, &sketch, Focus::None), &sketch, 8, seed).is_some() {
                caught.insert(oracle.name());
            }
        }
    }
    let expected: BTreeSet<String> =
        oracles.iter().map(Contender::name).chain(["the peeker".to_owned()]).collect();
    assert_eq!(caught, expected);
}

/// Generated worlds too, with all their texts.
#[test]
fn honest_orderings_cannot_peek_into_generated_worlds() {
    for (name, world) in crawl_tests::worlds::small_worlds() {
        let sketch = Sketch::of(&world);
        for contender in contenders().iter().filter(|c| !c.needs().is_oracle()) {
            let make = make(contender, &sketch, focus(name.len() as u64));
            let noticed = notices(&make, &sketch, 30, 1);
            assert_eq!(noticed, None, "{} noticed on {name}", contender.name());
        }
    }
}
