//! RVRank (Lebedeva 2013): revisits and new pages compete for every fetch.
//!
//! VRank(p) = QRank(p) · RVRank(p), evaluated at the start of each batch of K (the rule `batch`). The
//! paper gives no formula for RVRank. It says: keep an estimate of each page's change period, shorten it
//! when a visit finds a change, not below a floor, and lengthen it otherwise. Our choice: RVRank = time
//! since the last visit ÷ estimated period, and 1 for a page never visited. QRank is the strategy's
//! current score.

use super::adaptive_interval::{AdaptiveInterval, Factors};
use super::{PolicyEntry, PolicyNeeds};
use crate::Work;
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[
    Param::number(
        "start",
        24.0,
        0.001,
        1e6,
        "Estimated period of a page before its second visit, in hours.",
    ),
    Param::number(
        "shorten",
        0.5,
        0.01,
        1.0,
        "Factor for the period after a visit that found a change.",
    ),
    Param::number(
        "lengthen",
        1.5,
        1.0,
        100.0,
        "Factor for the period after a visit that found none.",
    ),
    Param::number(
        "floor",
        0.25,
        0.0001,
        1e6,
        "Minimum period, in hours. Needed for dynamic pages, which differ at every visit.",
    ),
    Param::number_not_below("floor", "ceiling", 720.0, 0.001, 1e7, "Maximum period, in hours."),
];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "period-estimate",
        "Period estimate",
        EntryTexts {
            family: "New and old compete",
            source: "Lebedeva 2013, VRank; the formula of RVRank is (ours)",
            summary: "Quality times staleness, for new pages and revisits alike",
            description: "Combines page selection and revisiting in one number. Every batch takes the \
                best URLs by it, new pages (RVRank = 1) and revisits together, visits + new per hour. \
                The period is shortened when a visit finds a change and lengthened otherwise. If a \
                score is not above 0, 1 − (1 − QRank) ÷ RVRank replaces the product (not in the \
                paper). With batch=1 every fetch scans all pages: use a larger batch for large \
                crawls.",
            formula: "VRank = QRank · (time since the last visit ÷ estimated period)",
            params: PARAMS,
        },
    ),
    needs: |_| {
        // Each fetch is the best of all pages, old and new.
        let work = Work { scans_per_step: 1.0, ..Work::default() };
        PolicyNeeds { work, ..PolicyNeeds::default() }
    },
    build: |params| {
        Box::new(AdaptiveInterval::new(Factors {
            start_h: params.number("start"),
            changed: params.number("shorten"),
            unchanged: params.number("lengthen"),
            floor_h: params.number("floor"),
            ceiling_h: params.number("ceiling"),
            competes: true,
        }))
    },
};
