//! Share of revisits that found no change.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "wasted-visits",
        "Wasted visits",
        EntryTexts {
            family: "Freshness",
            source: "(ours)",
            summary: "Share of revisits that found no change",
            description: "Visits to pages that did not change since the previous visit.",
            formula: "|{visits to fresh copies}| ÷ |{visits}|",
            params: &[],
        },
    ),
    shown: &["wasted-visits"],
    build: |_, _| Box::new(WastedVisits),
};

struct WastedVisits;

impl Metric for WastedVisits {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let copies = at.run.copies()?;
        let n_visits = copies.n_visits();
        (n_visits > 0).then(|| f64::from(copies.n_wasted()) / f64::from(n_visits))
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }
}
