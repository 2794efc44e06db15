//! Share of the copies that equal the live page now.

use super::copied::{OF, group, stats};
use super::{Metric, MetricEntry, Observation};
use crate::CopyNumber;
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[OF];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "freshness",
        "Freshness",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2000; Wen & Lu 2004",
            summary: "Share of the copies that equal the live page now",
            description: "Counts only pages that have a copy. A copy is fresh right after a visit.",
            formula: "F = Σ w·[copy = page] ÷ Σ w",
            params: PARAMS,
        },
    ),
    shown: &["freshness", "freshness(of:importance)", "freshness(of:top)"],
    build: |params, _| Box::new(Freshness { group: group(params) }),
};

struct Freshness {
    group: &'static str,
}

impl Metric for Freshness {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        stats(at, self.group).map(|now| now.freshness)
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }

    fn in_time(&self) -> Option<(&'static str, CopyNumber)> {
        Some((self.group, CopyNumber::Freshness))
    }
}
