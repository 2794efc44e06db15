//! Share of revisits that were late by more than a tenth of their interval.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "late-visits",
        "Late visits",
        EntryTexts {
            family: "Freshness",
            source: "(ours)",
            summary: "Share of revisits that were late by more than a tenth of their interval",
            description: "Causes: the budget was spent, all fetchers were busy, or the host was resting.",
            formula: "|{late visits}| ÷ |{visits}|",
            params: &[],
        },
    ),
    shown: &["late-visits"],
    build: |_, _| Box::new(LateVisits),
};

struct LateVisits;

impl Metric for LateVisits {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let ledger = at.run.session().ledger()?;
        let n_visits = ledger.n_visits;
        (n_visits > 0).then(|| f64::from(ledger.n_late) / f64::from(n_visits))
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }
}
