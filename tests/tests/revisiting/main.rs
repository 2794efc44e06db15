//! Visits to pages fetched before: what every policy keeps, what mathematics says of some, and a
//! slow, obvious crawl beside all of them.
//!
//! The tests walk the registry, so a new policy is tested with no new line here, but for a reference.
#![cfg(not(target_arch = "wasm32"))]

mod best;
mod closed_forms;
mod hostile;
mod kept;
mod measures;
mod plain;
mod reference;
mod unseen;

use crawl_core::Rules;
use crawl_core::revisit::{RevisitRules, Sees};
use crawl_tests::living::budget;
use crawl_world::Rng;
use proptest::prelude::ProptestConfig;

/// How many worlds a property is tried on; PROPTEST_CASES in the environment says otherwise.
fn cases(n: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").map_or(n, |_| config.cases);
    ProptestConfig { cases: asked, failure_persistence: None, ..config }
}

/// How long crawls of worlds drawn by lot go on.
const HOURS: f64 = 12.0;

/// Rules of revisiting drawn by lot.
fn random_budget(seed: u64) -> RevisitRules {
    let mut rng = Rng::new(seed, "budget");
    RevisitRules {
        new: *rng.pick(&[0.0, 0.0, 20.0]),
        sees: *rng.pick(&[Sees::Clean, Sees::Anything, Sees::LastModified]),
        boilerplate: *rng.pick(&[0.0, 0.2, 3.0]),
        not_modified: *rng.pick(&[1.0, 1.0, 0.3]),
        sitemap_us: rng.chance(0.3).then_some(5_000_000_000),
        ..budget(*rng.pick(&[0.7, 5.0, 40.0]), HOURS)
    }
}

/// Rules of every crawl drawn by lot, as far as they matter to visits.
fn random_rules(seed: u64) -> Rules {
    let mut rng = Rng::new(seed, "rules");
    let mut limit = |most: u32| rng.chance(0.3).then(|| rng.between(1, most));
    Rules {
        budget: limit(200),
        pages_per_site: limit(6),
        batch_per_site: limit(4),
        fetchers: *rng.pick(&[1, 1, 2, 5]),
        delay_us: *rng.pick(&[0, 0, 1_000_000, 400_000_000]),
        robots: rng.chance(0.5),
        batch: *rng.pick(&[1, 1, 2, 7]),
        latency_ms: *rng.pick(&[0.0, 100.0, 60_000.0]),
        ..Rules::default()
    }
}
