//! Mean true PageRank of the pages fetched.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "mean-pagerank",
        "Mean PageRank",
        EntryTexts {
            family: "Importance",
            source: "Lebedeva 2013 (A)",
            summary: "Mean true PageRank of the pages fetched",
            description: "The quantity of document A's experiment, with PageRank for Toolbar rank: it \
                falls as a good ordering runs out of good pages.",
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
