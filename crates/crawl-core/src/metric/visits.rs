//! Number of revisits.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "visits",
        "Visits",
        EntryTexts {
            family: "Freshness",
            source: "(ours)",
            summary: "Number of revisits",
            description: "Visits to pages fetched before. Each counts once, whatever it cost of the budget.",
            formula: "number of visits after the first of each page",
            params: &[],
        },
    ),
    shown: &["visits"],
    build: |_, _| Box::new(Visits),
};

struct Visits;

impl Metric for Visits {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        at.run.copies().map(|copies| f64::from(copies.n_visits()))
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }
}
