//! Freshness of the copies, averaged over time.

use super::copied::{OF, group, stats};
use super::{Metric, MetricEntry, Observation};
use crate::CopyNumber;
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[OF];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "mean-freshness",
        "Mean freshness",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2000; Wen & Lu 2004",
            summary: "Freshness of the copies, averaged over time",
            description: "Averaged over the time during which copies exist. Exact: freshness is constant between two events, and every event counts. After the last visit, copies continue to age until the crawl's hours are over.",
            formula: "F̄ = (1/T)·∫ F dt",
            params: PARAMS,
        },
    ),
    shown: &["mean-freshness", "mean-freshness(of:importance)"],
    build: |params, _| Box::new(MeanFreshness { group: group(params) }),
};

/// Mean freshness of a group of copies.
pub(super) struct MeanFreshness {
    pub(super) group: &'static str,
}

impl Metric for MeanFreshness {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        stats(at, self.group).map(|now| now.mean_freshness)
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }

    fn in_time(&self) -> Option<(&'static str, CopyNumber)> {
        Some((self.group, CopyNumber::MeanFreshness))
    }
}
