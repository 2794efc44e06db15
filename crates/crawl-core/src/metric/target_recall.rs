//! Share of the targets that were found.

use super::targets::Targets;
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "target-recall",
        "Target recall",
        EntryTexts {
            family: "Focus",
            source: "Zhang, Li, Yu & Zhang 2010, section 4",
            summary: "Share of the targets that are in the result set",
            description: "T: pages labelled as targets that are reachable from the seeds and allowed to \
                be crawled. A target is found if it was fetched and the crawler judged it a result. \
                A focused crawl cannot find all of T: see the recall ceiling.",
            formula: "recall@N = |T ∩ results after N fetches| ÷ |T|",
            params: &[],
        },
    ),
    shown: &["target-recall"],
    build: |_, _| Box::new(TargetRecall::default()),
};

#[derive(Default)]
struct TargetRecall {
    targets: Option<Targets>,
    n_found: u32,
}

impl Metric for TargetRecall {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if at.step.number == 1 {
            self.targets = Targets::new(at);
        }
        let targets = self.targets.as_ref()?;
        self.n_found += u32::from(targets.is_found(at));
        Some(f64::from(self.n_found) / targets.n())
    }
}
