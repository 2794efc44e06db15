//! Sum of the true PageRank of the fetched pages.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "cumulative-pagerank",
        "PageRank gathered",
        EntryTexts {
            family: "Importance",
            source: "Salari, Derhami & Paksima",
            summary: "Sum of the true PageRank of the fetched pages",
            description: "PageRank of the complete world (damping 0.85, sum 1), summed over the fetched \
                pages. It rises to the total PageRank of the reachable pages; the strategy that \
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
