//! IECA, the intelligent effective crawling algorithm (Derhami, Zareh Bidoki & Golshani 2011).
//!
//! After Salari, Derhami & Paksima, eq. 4 to 6. Like DistanceRank, and every link counts by itself:
//! d(j) ← (1−δ)·[(1−α)·d(j) + α·min over fetched i → j of (log O(i) + γ·d(i))] − δ.

use super::distance::{self, BETA, Discount, Distances, GAMMA};
use super::distance_rank::DistanceRank;
use super::{Needs, StrategyEntry};
use crawl_catalogue::{Entry, EntryTexts, Param};

const LOG: Param = Param::choice(
    "log",
    "e",
    distance::LOGS,
    "Base of the logarithm. The authors' figures use 10, and here it matters: δ is subtracted in the \
     unit of the distances.",
);

const PARAMS: &[Param] = &[
    GAMMA,
    Param::number(
        "delta",
        0.4,
        0.0,
        0.99,
        "δ at the start. The paper prints 0.39·share + 0.4, which grows, but the text says that it \
         decreases to almost 0: 0.4 − 0.39·share is meant.",
    ),
    Param::number(
        "end",
        0.01,
        0.0,
        0.99,
        "δ at the end, when the budget is spent. Without a budget, the share is the share of known URLs \
         that were fetched (our choice).",
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
            source: "Salari, Derhami & Paksima, eq. 4 to 6; Derhami, Zareh Bidoki & Golshani 2011",
            summary: "The nearest URL by logarithmic distance, reduced by every link found",
            description: "Improves FICA by the idea of backlink count: each link found to a URL \
                subtracts δ from its distance. At the start, when little is known of the web, δ is \
                large and links count most; it decreases as the budget is spent, because learnt \
                distances are then more reliable. The paper prints the equation of δ with the wrong \
                sign. That δ follows the budget is our choice: no crawler knows the size of the web.",
            formula: "score(u) = −d(u); d(j) ← (1−δ)·[(1−α)·d(j) + α·min over i → j of (log O(i) + \
                γ·d(i))] − δ for each i → j, α = e^(−β·t), δ = 0.4 − 0.39·share",
            params: PARAMS,
        },
    ),
    needs: |params| Needs::near(distance::ranker(params)),
    build: |params, context| {
        let mut distances = Distances::new(params);
        let from = params.number("delta");
        let to = params.number("end").min(from);
        distances.discount = Discount { from, to, budget: context.budget };
        Box::new(DistanceRank::new(distances))
    },
};
