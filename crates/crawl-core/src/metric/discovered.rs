//! Number of known URLs.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "discovered",
        "URLs discovered",
        EntryTexts {
            family: "Progress",
            source: "(ours)",
            summary: "Number of known URLs",
            description: "Distinct URLs seen: seeds and link targets of fetched pages, including those \
                that the rules refuse.",
            formula: "|discovered|",
            params: &[],
        },
    ),
    shown: &["discovered"],
    build: |_, _| Box::new(Discovered),
};

struct Discovered;

impl Metric for Discovered {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        Some(f64::from(at.run.session().book().n_discovered()))
    }
}
