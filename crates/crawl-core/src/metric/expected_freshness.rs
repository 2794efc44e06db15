//! Long-run freshness under the planned visits.

use super::copied::{CachedNumber, has_formulas, long_run};
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "expected-freshness",
        "Expected freshness",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2000; Wen & Lu 2004",
            summary: "Long-run freshness under the planned visits",
            description: "Computed by the formulas for evenly spaced visits, with true rates. Defined only for policies whose plan does not depend on what visits find, and for worlds without recorded changes.",
            formula: "mean of (f/λ)·(1 − e^(−λ/f))",
            params: &[],
        },
    ),
    shown: &["expected-freshness"],
    build: |_, setting| {
        let has_formulas = has_formulas(setting.world);
        Box::new(ExpectedFreshness { has_formulas, cached: CachedNumber::of_plans() })
    },
};

struct ExpectedFreshness {
    has_formulas: bool,
    cached: CachedNumber,
}

impl Metric for ExpectedFreshness {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let session = at.run.session();
        session.ledger().filter(|ledger| ledger.is_stationary && self.has_formulas)?;
        let world = at.setting.world;
        self.cached.value(at, |known| {
            let mut sum = 0.0;
            let mut n = 0_u32;
            for url in known.order() {
                let Some(plan) = session.visit_plan(*url) else { continue };
                if plan.per_hour.is_none() {
                    continue;
                }
                sum += long_run(world, session.book().page(*url), &plan)?;
                n += 1;
            }
            (n > 0).then(|| sum / f64::from(n))
        })
    }

    fn follows_visits(&self) -> bool {
        true
    }
}
