//! Adaptive intervals with the defaults of Apache Nutch.

use super::adaptive_interval::{self, AdaptiveInterval};
use super::{PolicyEntry, PolicyNeeds};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &adaptive_interval::params(720.0, 1.0 / 60.0, 8760.0);

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "nutch-adaptive",
        "Nutch adaptive",
        EntryTexts {
            family: "Adaptive intervals",
            source: "Apache Nutch, AdaptiveFetchSchedule: its shipped increments and limits",
            summary: "Interval × 0.8 after a change, × 1.2 otherwise",
            description: "The defaults of Nutch: intervals change by 20 %, between 60 seconds and 365 days, starting at 30 days. Its adjustment to the time of the last change (sync_delta) is left out (our choice).",
            formula: "changed: T ← 0.8·T, unchanged: T ← 1.2·T",
            params: PARAMS,
        },
    ),
    needs: PolicyNeeds::not_below_floor,
    build: |params| AdaptiveInterval::boxed_from(params, 0.8, 1.2),
};
