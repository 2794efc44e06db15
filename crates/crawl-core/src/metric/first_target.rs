//! Number of fetches until the first target.

use super::targets::Targets;
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "first-target",
        "First target",
        EntryTexts {
            family: "Focus",
            source: "(ours)",
            summary: "Number of fetches until the first target was found",
            description: "The first fetch of a page that is labelled as a target and that the crawler \
                judged a result. Undefined before, constant after.",
            formula: "min {N : recall@N > 0}",
            params: &[],
        },
    ),
    shown: &["first-target"],
    build: |_, _| Box::new(FirstTarget::default()),
};

#[derive(Default)]
struct FirstTarget {
    targets: Option<Targets>,
    first: Option<u32>,
}

impl Metric for FirstTarget {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if at.step.number == 1 {
            self.targets = Targets::new(at);
        }
        if self.first.is_none() && self.targets.as_ref().is_some_and(|t| t.is_found(at)) {
            self.first = Some(at.step.number);
        }
        self.first.map(f64::from)
    }
}
