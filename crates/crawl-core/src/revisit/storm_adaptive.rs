//! Half less after a change, half more after none.

use super::multiplying::{Factors, Multiplying};
use super::{PolicyEntry, PolicyNeeds};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[
    Param::number("start", 24.0, 0.001, 1e6, "Hours until a page is visited for the second time."),
    Param::number("floor", 1.0, 0.0001, 1e6, "No interval is shorter, in hours."),
    Param::number_not_below(
        "floor",
        "ceiling",
        336.0,
        0.001,
        1e7,
        "No interval is longer, in hours.",
    ),
];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "storm-adaptive",
        "StormCrawler adaptive",
        EntryTexts {
            family: "Adaptive intervals",
            source: "Apache StormCrawler, AdaptiveScheduler: its shipped increments and limits",
            summary: "Half less after a change, half more after none",
            description: "The schedule that StormCrawler ships: intervals change by 0.5 of themselves, between 60 and 20,160 minutes, and start at a day.",
            formula: "changed: T ← 0.5·T, unchanged: T ← 1.5·T",
            params: PARAMS,
        },
    ),
    needs: PolicyNeeds::not_below_floor,
    build: |params| {
        Box::new(Multiplying::new(Factors {
            start_h: params.number("start"),
            changed: 0.5,
            unchanged: 1.5,
            floor_h: params.number("floor"),
            ceiling_h: params.number("ceiling"),
            competes: false,
        }))
    },
};
