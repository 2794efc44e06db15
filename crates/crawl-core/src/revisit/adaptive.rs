//! Half the time after a change, twice the time after none.

use super::multiplying::{Factors, Multiplying};
use super::{PolicyEntry, PolicyNeeds};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[
    Param::number("start", 24.0, 0.001, 1e6, "Hours until a page is visited for the second time."),
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
        "adaptive",
        "Adaptive",
        EntryTexts {
            family: "Adaptive intervals",
            source: "Voronov, Mail.Ru (D)",
            summary: "Half the time after a change, twice the time after none",
            description: "Each page has an interval of its own. It needs no rates and no estimates, and follows pages that change their habits; but it settles where a change is found on every second visit, which is proportional visiting in disguise.",
            formula: "changed: T ← T ÷ 2, unchanged: T ← 2·T",
            params: PARAMS,
        },
    ),
    needs: PolicyNeeds::not_below_floor,
    build: |params| {
        Box::new(Multiplying::new(Factors {
            start_h: params.number("start"),
            changed: 0.5,
            unchanged: 2.0,
            floor_h: params.number("floor"),
            ceiling_h: params.number("ceiling"),
            competes: false,
        }))
    },
};
