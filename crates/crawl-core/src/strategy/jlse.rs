//! JLSE, joint link similarity evaluation (Zhang, Li, Yu & Zhang 2010; document B).
//!
//! priority(u) = sim(u) ÷ √(Σ over the page's links of sim²) · P(topic | page),
//! sim = max(sim_anchor, sim_predicted), sim_predicted = s·Q(v): v is the vertex of the Web link
//! graph that the link resembles most by BM25 of anchor, URL and context, s how much, and
//! Q(v) = rd·γ^(d−1), d being the fewest clicks from v to a result page.
//!
//! Links that say nothing of the topic, and led to results a few clicks later, are worth following
//! again: delayed benefit. [`super::joint`] has the parts.

use super::joint::{JointLinks, Learner, Settings};
use super::{Needs, StrategyEntry};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};
use crawl_learn::bm25::{self, Normalise};
use crawl_learn::link_graph::{self, Leaf};
use std::borrow::Cow;

const PARAMS: &[Param] = &[
    Param::number(
        "gamma",
        0.9,
        0.0,
        1.0,
        "γ: what a click farther from a result leaves of its worth. Given only for the example.",
    ),
    Param::number("reward", 1.0, 0.001, 1e6, "rd: what a link to a result earns."),
    Param::integer(
        "sweeps",
        1000,
        1,
        100_000,
        "k: most sweeps of learning. It ends when a sweep changes nothing, as soon as the longest \
         path is done.",
    ),
    Param::integer(
        "cf",
        150,
        1,
        1_000_000,
        "The Web link graph is rebuilt and learnt anew each time the result set reaches a multiple \
         of this; nothing is predicted before the first. Where a topic has few pages, take less.",
    ),
    Param::vector(
        "w",
        &[0.5, 0.2, 0.3],
        0.0,
        1.0,
        "w: what anchor, URL and context count for in the match. How far around a link its context \
         reaches (δ, 4 to 6 in the paper) belongs to the reader of pages: a world comes with its \
         contexts.",
    ),
    Param::number(
        "k1",
        2.0,
        0.0,
        100.0,
        "k₁ of BM25: how soon more of the same word adds nothing.",
    ),
    Param::number("b", 0.75, 0.0, 1.0, "b of BM25: how much long texts are held back."),
    Param::choice(
        "normalise",
        "l2",
        &[Cow::Borrowed("l2"), Cow::Borrowed("max")],
        "What the scores of all vertices are divided by; the paper does not say. l2: the root of \
         their sum of squares (ours); max: the largest, with which any word shared makes a match of \
         at least half.",
    ),
    Param::choice(
        "leaf",
        "reward",
        &[Cow::Borrowed("reward"), Cow::Borrowed("zero")],
        "Q of a result page. zero: by the formula, since it has no edges, so that links most like \
         those to results gain nothing; reward: rd (ours).",
    ),
    Param::flag(
        "rescore",
        false,
        "Evaluate waiting links anew after learning. By the paper they keep their priority.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "jlse",
        "JLSE",
        EntryTexts {
            family: "Focused",
            source: "Zhang, Li, Yu & Zhang 2010 (B)",
            summary: "The link that looks like the topic, or like those that led to it",
            description: "Joint link similarity evaluation. A link is worth what its anchor says of \
                the topic, or what links like it led to, whichever is more. The second comes from \
                the Web link graph: the pages on the paths to what was found, each standing for the \
                link that led to it; Q-learning runs worth back from the results, γ for every click, \
                and a new link gets the worth of the vertex whose anchor, URL and context resemble \
                its own most. So «Next» and «Show all» are followed where they led to results \
                before. Runs in the focused loop with the rule focus=topical.",
            formula: "score(u) = max(sim_anchor, s·Q(v)) ÷ √(Σ over the page's links of sim²) · \
                P(topic | page);  Q(u, ⟨u,v⟩) = r + γ·max Q(v, ·)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, given| {
        Box::new(JointLinks::new(given.topic(), Some(Learner::new(settings(params)))))
    },
};

fn settings(params: &Params) -> Settings {
    let weights = params.vector("w");
    let weight = |field: usize| weights.get(field).copied().unwrap_or(0.0);
    Settings {
        learning: link_graph::Settings {
            reward: params.number("reward"),
            discount: params.number("gamma"),
            most_sweeps: params.integer("sweeps") as usize,
            leaf: if params.text("leaf") == "zero" { Leaf::Zero } else { Leaf::Reward },
        },
        matching: bm25::Settings {
            k1: params.number("k1"),
            b: params.number("b"),
            weights: std::array::from_fn(weight),
            normalise: if params.text("normalise") == "max" {
                Normalise::Max
            } else {
                Normalise::L2
            },
        },
        every: params.integer("cf"),
        rescore: params.flag("rescore"),
    }
}
