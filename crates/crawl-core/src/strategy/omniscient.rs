//! Omniscient: asks an oracle for the true rank. Greedy, not an upper bound.
//!
//! score(u) = true rank of u in the whole world

use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Kind, Param};

const PARAMS: &[Param] = &[Param::entry(
    "of",
    Kind::Ranker,
    "pagerank",
    "The ranker whose values over the whole world it knows.",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "omniscient",
        "Omniscient",
        EntryTexts {
            family: "Oracles",
            source: "Lebedeva 2013 (A)",
            summary: "The URL whose true rank is highest: no real crawler can",
            description: "Knows the rank of every page in the whole world and always fetches the \
                best URL it has discovered. It is greedy: a good page behind a poor one waits \
                until the poor one is fetched, so another order can do better (see the world \
                greedy-oracle). The bound drawn in charts is the ideal, which ignores links.",
            formula: "score(u) = true rank(u)",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let truth = params.entry("of").map(ToString::to_string);
        Needs { ranker: truth.clone(), truth, ..Needs::default() }
    },
    build: |_, _| Box::new(Omniscient),
};

/// Asks for the true rank.
#[derive(Clone)]
pub(super) struct Omniscient;

impl Strategy for Omniscient {
    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        known.true_rank(url).unwrap_or(0.0)
    }

    fn explain(&self, _: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let ranker = known.true_ranker().unwrap_or("none given");
        Explanation::given("true rank", score)
            .with(Evidence::Note(format!("{ranker} over the whole world, which no crawler knows")))
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }
}
