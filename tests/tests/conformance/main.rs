//! Invariants of every registry entry.
//!
//! The tests iterate over the registries, so a new entry is tested without new code.
#![cfg(not(target_arch = "wasm32"))]

mod batch;
mod births;
mod determinism;
mod explanations;
mod focused;
mod hygiene;
mod limits;
mod measures;
mod no_peeking;
mod seeking;
mod stored_values;

use crawl_core::{Focus, Rules};
use crawl_tests::sketch::{Richness, Sketch};
use crawl_world::Rng;
use proptest::prelude::ProptestConfig;

/// Number of cases per property; the environment variable PROPTEST_CASES overrides it.
fn cases(n: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").map_or(n, |_| config.cases);
    ProptestConfig { cases: asked, failure_persistence: None, ..config }
}

/// A random world.
fn random_world(seed: u64, n_pages: usize) -> Sketch {
    Sketch::random(&mut Rng::new(seed, "world"), n_pages, Richness::Everything)
}

/// Random rules; each limit is off in half of the cases.
fn random_rules(seed: u64) -> Rules {
    let mut rng = Rng::new(seed, "rules");
    let mut limit = |most: u32| rng.chance(0.5).then(|| rng.between(1, most));
    let (budget, sites) = (limit(40), limit(3));
    let (pages_per_site, batch_per_site) = (limit(6), limit(4));
    let (depth, repeats) = (limit(4), limit(3));
    Rules {
        budget,
        sites,
        pages_per_site,
        batch_per_site,
        depth,
        repeats,
        fetchers: *rng.pick(&[1, 1, 2, 5]),
        delay_us: *rng.pick(&[0, 0, 1_000_000, 3_500_000]),
        robots: rng.chance(0.5),
        nofollow: rng.chance(0.5),
        batch: *rng.pick(&[1, 1, 2, 7]),
        focus: *rng.pick(&[Focus::None, Focus::None, Focus::Topical, Focus::All]),
        ..Rules::default()
    }
}
