//! JLSE, joint link similarity evaluation (Zhang, Li, Yu & Zhang 2010).
//!
//! priority(u) = sim(u) ÷ √(Σ over the page's links of sim²) · P(topic | page),
//! sim = max(sim_anchor, sim_predicted), sim_predicted = s·Q(v). Here v is the vertex of the Web link
//! graph with the highest similarity s to the link, by BM25 of anchor, URL and context, and
//! Q(v) = rd·γ^(d−1), where d is the minimum number of clicks from v to a result page.
//!
//! Links that do not name the topic but led to results some clicks later are followed again:
//! delayed benefit. [`super::joint`] has the parts.

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
        "γ: discount per click away from a result. The paper gives it only for an example.",
    ),
    Param::number("reward", 1.0, 0.001, 1e6, "rd: reward of a link to a result."),
    Param::integer(
        "sweeps",
        1000,
        1,
        100_000,
        "k: maximum number of sweeps. Learning ends earlier if a sweep changes nothing.",
    ),
    Param::integer(
        "cf",
        150,
        1,
        1_000_000,
        "Number of new results between two learnings. The Web link graph is rebuilt and learnt again \
         each time; nothing is predicted before the first. Use less for topics with few pages.",
    ),
    Param::vector(
        "w",
        &[0.5, 0.2, 0.3],
        0.0,
        1.0,
        "w: weights of anchor, URL and context in the match. The size of the context (δ, 4 to 6 in the \
         paper) is set when pages are imported.",
    ),
    Param::number("k1", 2.0, 0.0, 100.0, "k₁ of BM25: saturation of the word frequency."),
    Param::number("b", 0.75, 0.0, 1.0, "b of BM25: penalty for long texts."),
    Param::choice(
        "normalise",
        "l2",
        &[Cow::Borrowed("l2"), Cow::Borrowed("max")],
        "Normalisation of the match scores; the paper does not say. l2: by the root of the sum of \
         squares over all vertices (our choice); max: by the largest, so that any shared word gives a \
         match of at least half.",
    ),
    Param::choice(
        "leaf",
        "reward",
        &[Cow::Borrowed("reward"), Cow::Borrowed("zero")],
        "Q of a result page. zero: by the formula, since it has no edges, so that links similar to \
         those to results gain nothing; reward: rd (our choice).",
    ),
    Param::flag(
        "rescore",
        false,
        "Evaluate waiting links again after learning. In the paper they keep their priority.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "jlse",
        "JLSE",
        EntryTexts {
            family: "Focused",
            source: "Zhang, Li, Yu & Zhang 2010",
            summary: "The link that looks like the topic, or like links that led to it",
            description: "Joint link similarity evaluation. A link's similarity is that of its anchor \
                with the topic, or the value of similar links followed before, whichever is higher. \
                The second comes from the Web link graph: the pages on the paths to results, each \
                standing for the link that led to it. Q-learning propagates value back from the \
                results, by γ per click, and a new link gets the value of the vertex whose anchor, \
                URL and context are most similar. So \"Next\" and \"Show all\" are followed if they \
                led to results before. With the rule focus=topical it runs as a focused crawl.",
            formula: "score(u) = max(sim_anchor, s·Q(v)) ÷ √(Σ over the page's links of sim²) · \
                P(topic | page);  Q(u, ⟨u,v⟩) = r + γ·max Q(v, ·)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, context| {
        Box::new(JointLinks::new(context.topic(), Some(Learner::new(settings(params)))))
    },
};

fn settings(params: &Params) -> Settings {
    let weights = params.vector("w");
    let weight = |field: usize| weights.get(field).copied().unwrap_or(0.0);
    Settings {
        learning: link_graph::Settings {
            reward: params.number("reward"),
            discount: params.number("gamma"),
            max_sweeps: params.integer("sweeps") as usize,
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
