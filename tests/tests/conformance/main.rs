//! What every registry entry keeps, whatever it does.
//!
//! The tests walk the registries, so a new entry is tested with no new line here.
#![cfg(not(target_arch = "wasm32"))]

mod batch;
mod births;
mod explanations;
mod focused;
mod honesty;
mod hygiene;
mod kept;
mod limits;
mod measures;
mod sameness;
mod travel;

use crawl_core::{Focus, Rules};
use crawl_tests::sketch::{Richness, Sketch};
use crawl_world::Rng;
use proptest::prelude::ProptestConfig;

/// How many worlds a property is tried on; PROPTEST_CASES in the environment says otherwise.
fn cases(n: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").map_or(n, |_| config.cases);
    ProptestConfig { cases: asked, failure_persistence: None, ..config }
}

/// A world drawn by lot.
fn random_world(seed: u64, n_pages: usize) -> Sketch {
    Sketch::random(&mut Rng::new(seed, "world"), n_pages, Richness::Everything)
}

/// Rules drawn by lot; each limit is off in half of the draws.
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
