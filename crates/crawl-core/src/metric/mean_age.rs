//! Age of the copies, averaged over time, in hours.

use super::copied::{OF, group, stats};
use super::{Metric, MetricEntry, Observation};
use crate::CopyNumber;
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[OF];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "mean-age",
        "Mean age",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2000; Wen & Lu 2004",
            summary: "Age of the copies, averaged over time, in hours",
            description: "Averaged over the time during which copies exist. Exact, as is mean freshness.",
            formula: "Ā = (1/T)·∫ A dt",
            params: PARAMS,
        },
    ),
    shown: &["mean-age"],
    build: |params, _| Box::new(MeanAge { group: group(params) }),
};

struct MeanAge {
    group: &'static str,
}

impl Metric for MeanAge {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        stats(at, self.group).map(|now| now.mean_age_h)
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }

    fn in_time(&self) -> Option<(&'static str, CopyNumber)> {
        Some((self.group, CopyNumber::MeanAge))
    }
}
