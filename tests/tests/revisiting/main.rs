//! Tests of revisiting: invariants of every policy, closed forms, and a simple reference crawl.
//!
//! The tests iterate over the registry, so a new policy is tested without new code, except for its
//! reference.
#![cfg(not(target_arch = "wasm32"))]

mod closed_forms;
mod comparisons;
mod hostile;
mod invariants;
mod measures;
mod no_peeking;
mod reference;
mod simple_crawl;

use crawl_core::Rules;
use crawl_core::revisit::{RevisitRules, Sees};
use crawl_tests::changing::budget;
use crawl_world::Rng;
use proptest::prelude::ProptestConfig;

/// Number of cases per property; the environment variable PROPTEST_CASES overrides it.
fn cases(n: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").map_or(n, |_| config.cases);
    ProptestConfig { cases: asked, failure_persistence: None, ..config }
}

/// Duration of crawls of random worlds.
const HOURS: f64 = 12.0;

/// Random revisit rules.
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

/// Random crawl rules, those that affect visits.
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
