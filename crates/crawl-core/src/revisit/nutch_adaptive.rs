//! A fifth less after a change, a fifth more after none.

use super::multiplying::{Factors, Multiplying};
use super::{PolicyEntry, PolicyNeeds};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[
    Param::number("start", 720.0, 0.001, 1e6, "Hours until a page is visited for the second time."),
    Param::number("floor", 1.0 / 60.0, 0.0001, 1e6, "No interval is shorter, in hours."),
    Param::number_not_below(
        "floor",
        "ceiling",
        8760.0,
        0.001,
        1e7,
        "No interval is longer, in hours.",
    ),
];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "nutch-adaptive",
        "Nutch adaptive",
        EntryTexts {
            family: "Adaptive intervals",
            source: "Apache Nutch, AdaptiveFetchSchedule: its shipped increments and limits",
            summary: "A fifth less after a change, a fifth more after none",
            description: "The schedule that Nutch ships: intervals change by 0.2 of themselves, between 60 seconds and 365 days, and start at 30 days. Its step to the time of the last change (sync_delta) is left out (ours).",
            formula: "changed: T ← 0.8·T, unchanged: T ← 1.2·T",
            params: PARAMS,
        },
    ),
    needs: PolicyNeeds::not_below_floor,
    build: |params| {
        Box::new(Multiplying::new(Factors {
            start_h: params.number("start"),
            changed: 0.8,
            unchanged: 1.2,
            floor_h: params.number("floor"),
            ceiling_h: params.number("ceiling"),
            competes: false,
        }))
    },
};
