//! Determinism: equal input gives equal runs to the bit, a clone continues as the original, and the
//! highest score is fetched, the earliest discovered on a tie.

use crate::{cases, random_rules, random_world};
use crawl_core::{Rules, Session, Simulator, Step, UrlId, rounded};
use crawl_tests::driver;
use crawl_tests::variants::strategy_variants;
use crawl_tests::worlds::small_worlds;
use crawl_world::{PageId, World};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn steps(simulator: &mut Simulator, world: &World, n: usize) -> Vec<Step> {
    std::iter::from_fn(|| simulator.step(world)).take(n).collect()
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn the_same_input_gives_the_same_digest(
        n_pages in 1_usize..50,
        seed in any::<u64>(),
        cut in 0_usize..30,
    ) {
        let sketch = random_world(seed, n_pages);
        let (world, again) = (sketch.world(), sketch.world());
        let rules = random_rules(seed);
        for variant in strategy_variants() {
            let start = |world| {
                Simulator::new(variant.session(world, &sketch.seeds(), &rules))
            };
            let mut whole = start(&world);
            let all = steps(&mut whole, &world, usize::MAX);

            let mut cloned = start(&again);
            let before = steps(&mut cloned, &again, cut);
            let mut original = cloned.clone();
            let after = steps(&mut cloned, &again, usize::MAX);
            prop_assert_eq!(&steps(&mut original, &again, usize::MAX), &after);
            prop_assert_eq!([before, after].concat(), all, "{}", variant.name());

            let digest = whole.session().digest(&world);
            prop_assert_eq!(cloned.session().digest(&again), digest);
            prop_assert_eq!(original.session().digest(&again), digest);
            prop_assert_eq!(original.session().counters(), whole.session().counters());
            prop_assert_eq!(original.now_us(), whole.now_us());
        }
    }

    #[test]
    fn each_url_is_requested_once_and_numbered_as_discovered(
        n_pages in 1_usize..50,
        seed in any::<u64>(),
    ) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        for variant in strategy_variants() {
            let rules = random_rules(seed);
            let mut simulator =
                Simulator::new(variant.session(&world, &sketch.seeds(), &rules));
            let mut requested = BTreeSet::new();
            let mut discovered: Vec<PageId> = sketch.seeds();
            for step in std::iter::from_fn(|| simulator.step(&world)) {
                prop_assert!(requested.insert(step.page), "{} again", world.url(step.page));
                prop_assert_eq!(step.known_before as usize, discovered.len());
                for target in sketch.targets(step.page.index()) {
                    let page = PageId(target as u32);
                    if !discovered.contains(&page) {
                        discovered.push(page);
                    }
                }
            }
            let book = simulator.session().book();
            let numbers: Vec<PageId> =
                (0..book.n_discovered()).map(|url| book.page(UrlId(url))).collect();
            prop_assert_eq!(numbers, discovered, "{}", variant.name());
        }
    }
}

/// Fetches up to `n` pages; returns the first that is not the best by score and discovery.
fn out_of_order(mut session: Session, world: &World, n: usize) -> Option<String> {
    let mut now_us = 0;
    for number in 1..=n {
        let waiting: Vec<UrlId> = session.frontier().waiting().collect();
        let best = waiting.iter().copied().max_by(|a, b| {
            let score = |url: &UrlId| rounded(session.score(*url));
            score(a).total_cmp(&score(b)).then(b.cmp(a))
        });
        let shown = session.upcoming(world, 1).first().copied();
        let expected = best.map(|url| session.score(url).to_bits());
        let step = driver::step(&mut session, world, &mut now_us);
        let fetched = step.map(|step| step.fetch.url);
        if fetched != best || shown != best {
            return Some(format!(
                "{fetched:?} was fetched at step {number}, {best:?} is best, {shown:?} was shown"
            ));
        }
        let n_known = session.book().n_discovered();
        if let Some(odd) = (0..n_known).map(UrlId).find(|url| !session.score(*url).is_finite()) {
            return Some(format!("{odd:?} has no score at step {number}"));
        }
        if step.map(|step| step.score.to_bits()) != expected {
            return Some(format!("the score at step {number} is not the one waited with"));
        }
        step?;
    }
    None
}

/// Rules without host delays, which would block the best URL for a while.
fn impolite() -> Rules {
    Rules { robots: false, ..Rules::default() }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_highest_score_is_fetched(n_pages in 1_usize..60, seed in any::<u64>()) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        for variant in strategy_variants() {
            let session = variant.session(&world, &sketch.seeds(), &impolite());
            let wrong = out_of_order(session, &world, usize::MAX);
            prop_assert_eq!(wrong, None, "{}", variant.name());
        }
    }
}

proptest! {
    /// The frontier compares scores to about nine digits.
    #[test]
    fn scores_are_compared_to_nine_digits(score in prop::num::f64::NORMAL) {
        prop_assume!((1e-290..1e290).contains(&score.abs()));
        prop_assert!((rounded(score) - score).abs() <= 1e-9 * score.abs());
        let other = score * (1.0 + 3e-9);
        prop_assert_eq!(rounded(score) < rounded(other), score < other);
        prop_assert_eq!(rounded(rounded(score)), rounded(score));
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// The URL shown as next is fetched next, if nothing has to wait.
    #[test]
    fn the_url_shown_as_next_is_fetched_next(n_pages in 1_usize..60, seed in any::<u64>()) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        let rules = Rules { fetchers: 1, delay_us: 0, robots: false, ..random_rules(seed) };
        for variant in strategy_variants() {
            let mut session = variant.session(&world, &sketch.seeds(), &rules);
            let mut now_us = 0;
            loop {
                let shown = session.upcoming(&world, 3);
                let step = driver::step(&mut session, &world, &mut now_us);
                if step.is_none() {
                    let at_budget = rules.budget == Some(session.n_steps());
                    prop_assert!(shown.is_empty() || at_budget, "{}", variant.name());
                    break;
                }
                let next = step.map(|step| step.fetch.url);
                prop_assert_eq!(shown.first().copied(), next, "{} {:?}", variant.name(), rules);
            }
        }
    }
}

#[test]
fn the_highest_score_is_fetched_on_generated_worlds() {
    for (name, world) in small_worlds() {
        for variant in strategy_variants() {
            let session = variant.session(&world, &world.seeds(), &impolite());
            let wrong = out_of_order(session, &world, 250);
            assert_eq!(wrong, None, "{} on {name}", variant.name());
        }
    }
}
