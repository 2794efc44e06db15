//! Share of the changes that no visit could see.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "missed-changes",
        "Missed changes",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2003",
            summary: "Share of the changes that no visit could see",
            description: "Several changes between two visits look like one. If more than 10,000 are expected between two visits, their number is estimated from the rate.",
            formula: "|{changes before another, unseen}| ÷ |{changes by the last visits}|",
            params: &[],
        },
    ),
    shown: &["missed-changes"],
    build: |_, _| Box::new(MissedChanges),
};

struct MissedChanges;

impl Metric for MissedChanges {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let (n_missed, n_seen) = at.run.copies()?.n_missed();
        let all = n_missed + n_seen;
        (all > 0).then(|| n_missed as f64 / all as f64)
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }
}
