//! Mean true PageRank of the fetched pages.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "mean-pagerank",
        "Mean PageRank",
        EntryTexts {
            family: "Importance",
            source: "Lebedeva 2013",
            summary: "Mean true PageRank of the fetched pages",
            description: "The metric of Lebedeva's experiment, with PageRank in place of Toolbar rank. \
                It falls as a good strategy runs out of good pages.",
            formula: "Σ over fetched p of PageRank(p) ÷ fetches",
            params: &[],
        },
    ),
    shown: &["mean-pagerank"],
    build: |_, _| Box::new(MeanPageRank::default()),
};

#[derive(Default)]
struct MeanPageRank {
    sum: f64,
}

impl Metric for MeanPageRank {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        self.sum += at.rank();
        Some(self.sum / f64::from(at.step.number))
    }
}
