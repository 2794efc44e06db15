//! Number of fetches that ended in an error.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "errors",
        "Fetch errors",
        EntryTexts {
            family: "Progress",
            source: "Voronov, Mail.Ru",
            summary: "Number of fetches that ended in an error",
            description: "Responses with status 400 or above. They cost a fetch and bring no links.",
            formula: "|{fetched p : status(p) ≥ 400}|",
            params: &[],
        },
    ),
    shown: &["errors"],
    build: |_, _| Box::new(Errors),
};

struct Errors;

impl Metric for Errors {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        Some(f64::from(at.run.session().counters().errors))
    }
}
