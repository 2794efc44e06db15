//! Adaptive intervals with the defaults of Apache StormCrawler.

use super::adaptive_interval::{self, AdaptiveInterval};
use super::{PolicyEntry, PolicyNeeds};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &adaptive_interval::params(24.0, 1.0, 336.0);

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "storm-adaptive",
        "StormCrawler adaptive",
        EntryTexts {
            family: "Adaptive intervals",
            source: "Apache StormCrawler, AdaptiveScheduler: its shipped increments and limits",
            summary: "Interval × 0.5 after a change, × 1.5 otherwise",
            description: "The defaults of StormCrawler: intervals change by 50 %, between 60 and 20,160 minutes, starting at one day.",
            formula: "changed: T ← 0.5·T, unchanged: T ← 1.5·T",
            params: PARAMS,
        },
    ),
    needs: PolicyNeeds::not_below_floor,
    build: |params| AdaptiveInterval::boxed_from(params, 0.5, 1.5),
};
