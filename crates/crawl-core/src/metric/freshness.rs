//! Share of the copies that equal their pages now.

use super::copied::{OF, group, standing};
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
            source: "Cho & Garcia-Molina 2000; Wen & Lu 2004 (C)",
            summary: "Share of the copies that equal their pages now",
            description: "Only pages of which there is a copy count; what a visit just brought in is fresh.",
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
        standing(at, self.group).map(|now| now.freshness)
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
