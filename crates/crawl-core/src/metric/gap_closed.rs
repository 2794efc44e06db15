//! Share of the area between random and ideal that the run covers.

use super::area::Area;
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "gap-closed",
        "Gap closed",
        EntryTexts {
            family: "Importance",
            source: "(ours)",
            summary: "Share of the area between random and ideal that the run covers",
            description: "0 is the mean of 20 random crawls under the same rules, 1 the ideal order, \
                which ignores links and cannot be beaten; below 0 is worse than random. Evaluated \
                at N = min(budget, reachable ÷ 5). Undefined if the gap is less than three standard \
                deviations of random.",
            formula: "(area − random) ÷ (ideal − random)",
            params: &[],
        },
    ),
    shown: &["gap-closed"],
    build: |_, _| Box::new(GapClosed::default()),
};

#[derive(Default)]
struct GapClosed {
    area: Area,
    last: Option<f64>,
}

impl Metric for GapClosed {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if let Some(area) = self.area.step(at) {
            self.last = at.setting.bounds.and_then(|b| b.gap_closed(at.step.number, area));
        }
        self.last
    }
}
