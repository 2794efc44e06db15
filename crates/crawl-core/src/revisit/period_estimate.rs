//! RVRank of document A: new pages and old ones compete for every fetch.
//!
//! VRank(p) = QRank(p) · RVRank(p), evaluated at the start of each round of K (the rule `batch`). The
//! document gives no formula for RVRank. It says: keep an estimate of each page's change period,
//! shorten it when a visit finds a change, not below a floor, lengthen it otherwise. Ours: RVRank =
//! time since the last visit ÷ estimated period, and 1 for a page never visited; QRank is the
//! ordering's score of the moment, whatever the ordering is.

use super::multiplying::{Factors, Multiplying};
use super::{PolicyEntry, PolicyNeeds};
use crate::Work;
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[
    Param::number(
        "start",
        24.0,
        0.001,
        1e6,
        "The estimated period of a page before its second visit, in hours.",
    ),
    Param::number(
        "shorten",
        0.5,
        0.01,
        1.0,
        "What the period is multiplied by when a visit finds a change.",
    ),
    Param::number("lengthen", 1.5, 1.0, 100.0, "What it is multiplied by when a visit finds none."),
    Param::number(
        "floor",
        0.25,
        0.0001,
        1e6,
        "No period is shorter, in hours, because of pages that are made anew for everyone.",
    ),
    Param::number_not_below(
        "floor",
        "ceiling",
        720.0,
        0.001,
        1e7,
        "No period is longer, in hours.",
    ),
];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "period-estimate",
        "Period estimate",
        EntryTexts {
            family: "New and old compete",
            source: "Lebedeva 2013 (A), VRank; the formula of RVRank is (ours)",
            summary: "Quality times staleness decides, for new pages and old ones alike",
            description: "One number joins both questions: which page is good, and which copy is \
                stale. Every round the best by it are fetched, new pages (RVRank = 1) and old ones \
                together, visits + new an hour. The period is shortened when a visit finds a \
                change and lengthened otherwise. Where a score is not above 0, 1 − (1 − QRank) ÷ \
                RVRank stands for the product (ours). With a round of 1 every fetch looks at all \
                pages: use batch for large crawls.",
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
        Box::new(Multiplying::new(Factors {
            start_h: params.number("start"),
            changed: params.number("shorten"),
            unchanged: params.number("lengthen"),
            floor_h: params.number("floor"),
            ceiling_h: params.number("ceiling"),
            competes: true,
        }))
    },
};
