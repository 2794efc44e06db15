//! Share of the gap between random and ideal that the area closes.

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
            summary: "Share of the gap between random and ideal that the area closes",
            description: "0 is the mean of 20 random crawls under the same rules, 1 the ideal order, \
                which ignores links and cannot be beaten; below 0 is worse than chance. Read \
                at N = min(budget, reachable ÷ 5). Not shown where the gap is under three \
                standard deviations of random's.",
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
