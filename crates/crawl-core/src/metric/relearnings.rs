//! How often an ordering learnt on the Web link graph.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "relearnings",
        "Relearnings",
        EntryTexts {
            family: "Learning",
            source: "Zhang, Li, Yu & Zhang 2010 (B), Algorithm 3",
            summary: "How often the ordering has learnt on the Web link graph so far",
            description: "JLSE builds its graph of links anew and learns on it each time it has \
                found cf targets more. Orderings that do not learn so have none, and there is no \
                value before the first time.",
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
