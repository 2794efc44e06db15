//! Share of the fetchers' time that was idle.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "idle",
        "Idle fetchers",
        EntryTexts {
            family: "Progress",
            source: "(ours)",
            summary: "Share of the fetchers' time that was idle",
            description: "Politeness makes fetchers wait: one connection per host, and a delay after \
                each fetch. A frontier with many hosts keeps them busy.",
            formula: "1 − busy time ÷ (fetchers × time)",
            params: &[],
        },
    ),
    shown: &["idle"],
    build: |_, _| Box::new(Idle),
};

struct Idle;

impl Metric for Idle {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        Some(at.run.idle_share())
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }
}
