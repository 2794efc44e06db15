//! Number of times a strategy learnt on the Web link graph.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "relearnings",
        "Relearnings",
        EntryTexts {
            family: "Learning",
            source: "Zhang, Li, Yu & Zhang 2010, Algorithm 3",
            summary: "Number of times the strategy learnt on the Web link graph",
            description: "JLSE rebuilds its link graph and learns on it after every cf new targets. \
                Undefined before the first time and for other strategies.",
            formula: "⌊targets found ÷ cf⌋",
            params: &[],
        },
    ),
    shown: &["relearnings"],
    build: |_, _| Box::new(Relearnings),
};

struct Relearnings;

impl Metric for Relearnings {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        at.run.session().learnt().map(|learnt| f64::from(learnt.number))
    }
}
