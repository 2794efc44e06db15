//! Omniscient: an oracle that knows the true ranks. Greedy, not an upper bound.
//!
//! score(u) = true rank of u in the complete world

use super::{Needs, Strategy, StrategyEntry};
use crate::ranker::TOPIC;
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Kind, Param};

const PARAMS: &[Param] = &[Param::entry(
    "of",
    Kind::Ranker,
    "pagerank",
    "Ranker whose values over the complete world it knows; topic for the topic's labels.",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "omniscient",
        "Omniscient",
        EntryTexts {
            family: "Oracles",
            source: "Lebedeva 2013",
            summary: "The URL with the highest true rank; no real crawler can",
            description: "Knows the rank of every page in the complete world and always fetches the \
                best discovered URL. It is greedy: a good page behind a poor one waits until the \
                poor one is fetched, so another order can do better (see the world greedy-oracle). \
                The upper bound in charts is the ideal order, which ignores links. With of:topic it \
                knows the labels: 1 for a target, 0.5 for another page about the topic, 0 for the \
                rest.",
            formula: "score(u) = true rank(u)",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let of = params.entry("of");
        let (topic, truth) = (of.is_some_and(|of| of.id == TOPIC.id), of.map(ToString::to_string));
        let ranker = truth.clone().filter(|_| !topic);
        Needs { truth, topic, ranker, ..Needs::default() }
    },
    build: |_, _| Box::new(Omniscient),
};

/// Scores by true rank.
#[derive(Clone)]
pub(super) struct Omniscient;

impl Strategy for Omniscient {
    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        known.true_rank(url).unwrap_or(0.0)
    }

    fn explain(&self, _: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let note = match known.true_ranker() {
            Some(topic) if topic == TOPIC.id => {
                "1 for a target, 0.5 for a page about the topic: by labels, which no crawler knows"
                    .to_owned()
            }
            ranker => {
                let ranker = ranker.unwrap_or("none given");
                format!("{ranker} over the complete world, which no crawler knows")
            }
        };
        Explanation::given("true rank", score).with(Evidence::Note(note))
    }
}
