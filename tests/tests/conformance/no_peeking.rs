//! Strategies cannot use unseen content: with other content behind all unfetched URLs, the next
//! choice is the same.

use crate::{cases, random_world};
use crawl_core::strategy::Strategy;
use crawl_core::{Explanation, Focus, Known, Rules, Scores, Session, SessionInputs, UrlId};
use crawl_tests::driver;
use crawl_tests::sketch::Sketch;
use crawl_tests::variants::{StrategyVariant, strategy_variants};
use crawl_world::{PageId, Rng, World};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Makes a strategy and its session inputs for one of two worlds.
type Make<'a> = dyn Fn(&World) -> (Box<dyn Strategy>, SessionInputs) + 'a;

/// Crawls for some steps, replaces all unfetched content, and returns what the strategy notices.
///
/// Compares the next fetch, the waiting URLs and their scores.
fn notices(make: &Make<'_>, sketch: &Sketch, n_steps: usize, seed: u64) -> Option<String> {
    let world = sketch.world();
    let start = |world: &World| {
        let (strategy, inputs) = make(world);
        Session::new(world, &sketch.seeds(), strategy, Rules::default(), inputs)
    };
    let mut session = start(&world);
    let steps = driver::run(&mut session, &world, n_steps);
    let fetched: Vec<PageId> = steps.iter().map(|step| step.fetch.page).collect();
    let other = sketch.with_other_content(&fetched, &mut Rng::new(seed, "other content")).world();

    // The crawl continues in the other world.
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

    // A crawl of the other world from its start sees the same content so far.
    let mut session = start(&other);
    if driver::run(&mut session, &other, n_steps) != steps {
        return Some("the steps before".to_owned());
    }
    if next(&session, &other) != expected {
        return Some("the next URL of a crawl from the start".to_owned());
    }
    None
}

/// The first waiting URLs, with score bits and explanations.
fn view(session: &Session, world: &World) -> Vec<(UrlId, u64, Explanation)> {
    let upcoming = session.upcoming(world, 100).into_iter();
    let seen = |url| {
        let score = session.score(url).to_bits();
        (url, score, session.explain(world, url))
    };
    upcoming.map(seen).collect()
}

/// Data of earlier crawls and the topic are older than the crawl, and equal for both worlds.
fn make(
    variant: &StrategyVariant,
    sketch: &Sketch,
    focus: Focus,
) -> impl Fn(&World) -> (Box<dyn Strategy>, SessionInputs) {
    let given = variant.given(&sketch.world(), &sketch.seeds());
    let rules = Rules { focus, ..Rules::default() };
    move |world| (variant.build(&given), variant.inputs(world, &rules, &given))
}

/// The focused loop in one of three cases.
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
        for variant in strategy_variants().iter().filter(|c| !c.needs().is_oracle()) {
            let make = make(variant, &sketch, focus(seed));
            let noticed = notices(&make, &sketch, n_steps, seed);
            prop_assert_eq!(noticed, None, "{} noticed", variant.name());
        }
    }
}

/// A cheating strategy: scores a URL by the links of its unfetched page.
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
}

/// Checks the test itself: it detects a cheating strategy and every registered oracle.
#[test]
fn peeking_is_caught() {
    let peeker = |world: &World| -> (Box<dyn Strategy>, SessionInputs) {
        let world = Arc::new(world.clone());
        (Box::new(Peeker { world }), SessionInputs::default())
    };
    let oracles: Vec<StrategyVariant> =
        strategy_variants().into_iter().filter(|c| c.needs().is_oracle()).collect();
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
        oracles.iter().map(StrategyVariant::name).chain(["the peeker".to_owned()]).collect();
    assert_eq!(caught, expected);
}

/// On generated worlds, with all their texts.
#[test]
fn honest_orderings_cannot_peek_into_generated_worlds() {
    for (name, world) in crawl_tests::worlds::small_worlds() {
        let sketch = Sketch::of(&world);
        for variant in strategy_variants().iter().filter(|c| !c.needs().is_oracle()) {
            let make = make(variant, &sketch, focus(name.len() as u64));
            let noticed = notices(&make, &sketch, 30, 1);
            assert_eq!(noticed, None, "{} noticed on {name}", variant.name());
        }
    }
}
