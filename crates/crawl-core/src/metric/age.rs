//! Mean age of the copies now, in hours.

use super::copied::{OF, group, stats};
use super::{Metric, MetricEntry, Observation};
use crate::CopyNumber;
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[OF];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "age",
        "Age",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2000; Wen & Lu 2004",
            summary: "Mean age of the copies now, in hours",
            description: "The age of a stale copy is the time since the first change it misses; a fresh copy has age 0.",
            formula: "A = Σ w·(now − first change missed) ÷ Σ w",
            params: PARAMS,
        },
    ),
    shown: &["age"],
    build: |params, _| Box::new(Age { group: group(params) }),
};

struct Age {
    group: &'static str,
}

impl Metric for Age {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        stats(at, self.group).map(|now| now.age_h)
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }

    fn in_time(&self) -> Option<(&'static str, CopyNumber)> {
        Some((self.group, CopyNumber::Age))
    }
}
