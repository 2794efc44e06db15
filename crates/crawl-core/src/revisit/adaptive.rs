//! Interval halved after a change, doubled otherwise.

use super::adaptive_interval::{self, AdaptiveInterval};
use super::{PolicyEntry, PolicyNeeds};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &adaptive_interval::params(24.0, 1.0 / 60.0, 8760.0);

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "adaptive",
        "Adaptive",
        EntryTexts {
            family: "Adaptive intervals",
            source: "Voronov, Mail.Ru",
            summary: "Interval halved after a change, doubled otherwise",
            description: "Each page has its own interval. Needs no change rates and adapts to pages whose rate changes. But it settles where every second visit finds a change, so visits are again proportional to the change rate.",
            formula: "changed: T ← T ÷ 2, unchanged: T ← 2·T",
            params: PARAMS,
        },
    ),
    needs: PolicyNeeds::not_below_floor,
    build: |params| AdaptiveInterval::boxed_from(params, 0.5, 2.0),
};
