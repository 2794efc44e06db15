//! Sum of the true PageRank of the pages fetched.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "cumulative-pagerank",
        "PageRank gathered",
        EntryTexts {
            family: "Importance",
            source: "Salari, Derhami & Paksima (E)",
            summary: "Sum of the true PageRank of the pages fetched",
            description: "PageRank of the whole world (damping 0.85, sum 1) added up over the pages \
                fetched so far. It rises to the share of PageRank that can be reached; who \
                rises first finds important pages first.",
            formula: "Σ over fetched p of PageRank(p)",
            params: &[],
        },
    ),
    shown: &["cumulative-pagerank"],
    build: |_, _| Box::new(CumulativePageRank::default()),
};

#[derive(Default)]
struct CumulativePageRank {
    sum: f64,
}

impl Metric for CumulativePageRank {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        self.sum += at.rank();
        Some(self.sum)
    }
}
