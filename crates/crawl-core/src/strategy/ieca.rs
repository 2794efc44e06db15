//! IECA, the intelligent effective crawling algorithm (Derhami, Zareh Bidoki & Golshani 2011; document
//! E, eq. 4 to 6).
//!
//! As DistanceRank, and every link found counts by itself:
//! d(j) ← (1−δ)·[(1−α)·d(j) + α·min over fetched i → j of (log O(i) + γ·d(i))] − δ.

use super::distance::{self, BETA, Discount, Distances, GAMMA};
use super::distance_rank::DistanceRank;
use super::{Needs, StrategyEntry};
use crawl_catalogue::{Entry, EntryTexts, Param};

const LOG: Param = Param::choice(
    "log",
    "e",
    distance::LOGS,
    "The base of the logarithm. The authors' own figures use 10, and here it matters: δ is taken off \
     in the unit of the distances.",
);

const PARAMS: &[Param] = &[
    GAMMA,
    Param::number(
        "delta",
        0.4,
        0.0,
        0.99,
        "δ at the start. Printed as 0.39·share + 0.4, which grows, while the text has it fall to \
         almost nothing: 0.4 − 0.39·share is meant.",
    ),
    Param::number(
        "end",
        0.01,
        0.0,
        0.99,
        "δ at the end, when the share of the budget that is spent is 1. Without a budget: the share of \
         the URLs known that were fetched (ours).",
    ),
    BETA,
    LOG,
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "ieca",
        "IECA",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima (E), eq. 4 to 6; Derhami, Zareh Bidoki & Golshani 2011",
            summary: "The URL near in logarithmic distance, where every link found counts",
            description: "Mends two weaknesses of FICA by adding what backlink count knows: each \
                link found to a URL takes δ off its distance. At the start, when nothing is known of \
                the web, δ is large and links count most; it falls as the budget is spent, because \
                what was learnt is then worth more. The equation of δ is printed with the wrong sign. \
                That it is the budget that is spent is ours: no crawler knows how large the web is.",
            formula: "score(u) = −d(u); d(j) ← (1−δ)·[(1−α)·d(j) + α·min over i → j of (log O(i) + \
                γ·d(i))] − δ for each i → j, α = e^(−β·t), δ = 0.4 − 0.39·share",
            params: PARAMS,
        },
    ),
    needs: |params| Needs::near(distance::ranker(params)),
    build: |params, given| {
        let mut distances = Distances::new(params);
        let from = params.number("delta");
        let to = params.number("end").min(from);
        distances.discount = Discount { from, to, budget: given.budget };
        Box::new(DistanceRank::new(distances))
    },
};
