//! Area under the curve of gathered PageRank, over the first N fetches.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "area",
        "Area",
        EntryTexts {
            family: "Importance",
            source: "(ours), after the curves of Salari, Derhami & Paksima",
            summary: "Mean of the PageRank gathered so far, over the first N fetches",
            description: "Sums up a curve in one number: the PageRank gathered so far, averaged over \
                the first N fetches, N = min(budget, reachable ÷ 5). Constant after step N.",
            formula: "(1/N) Σ n = 1…N of PageRank gathered after n fetches",
            params: &[],
        },
    ),
    shown: &["area"],
    build: |_, _| Box::new(Area::default()),
};

#[derive(Default)]
pub(super) struct Area {
    gathered: f64,
    sum: f64,
    mean: f64,
}

impl Area {
    /// The area after a step up to N; `None` after that.
    pub(super) fn step(&mut self, at: &Observation<'_>) -> Option<f64> {
        if at.step.number > at.setting.area_pages {
            return None;
        }
        self.gathered += at.rank();
        self.sum += self.gathered;
        self.mean = self.sum / f64::from(at.step.number);
        Some(self.mean)
    }
}

impl Metric for Area {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        self.step(at);
        Some(self.mean)
    }
}
