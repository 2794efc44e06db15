//! CFC, the context graph focused crawler (Diligenti, Coetzee, Lawrence, Giles & Gori 2000; a rival
//! in document B, section 4).
//!
//! A naive Bayes classifier tells of a page in which layer of the context graph it is: how many
//! clicks from a target, 0 to 4. A page goes to the layer of highest P(layer | page), or to «other»
//! if that is not above the threshold. Its links go to that layer's queue, the six queues are
//! emptied from the best on, and within a queue the likeliest comes first:
//!
//! score(u) = (L − layer) + P(layer | page), L = 5 layers; for «other» P alone.
//!
//! A URL found on several pages keeps its highest score (ours). Seeds come first (ours).

use super::{Needs, Strategy, StrategyEntry};
use crate::topic::Topic;
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;
use std::sync::Arc;

const PARAMS: &[Param] = &[Param::number(
    "confidence",
    0.5,
    0.0,
    1.0,
    "Pages go to «other» unless P(layer | page) of their best layer is above this (ours: 0.5).",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "context-graph",
        "Context graph",
        EntryTexts {
            family: "Focused",
            source: "Zhang, Li, Yu & Zhang 2010 (B), section 4; Diligenti et al. 2000",
            summary: "The link on a page that looks few clicks from a target",
            description: "The context graph has the targets in layer 0, the pages that link to them \
                in layer 1, and so on to layer 4, at most 300 pages each. It needs back-links, as a \
                search engine would give them: they are those of the pages that the topic is learnt \
                from, another web or other sites, not of the web that is crawled. A page's layer \
                decides the queue of all its links, whatever they say. A topic without sample pages \
                has no layers: then links have P(topic | page) as their score (ours).",
            formula: "score(u) = (5 − layer) + P(layer | page); other: P(layer | page)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, given| {
        Box::new(ContextGraph {
            topic: given.topic(),
            confidence: params.number("confidence"),
            pages: Vec::new(),
            best: Vec::new(),
        })
    },
};

/// What is kept of fetched pages, by name.
const LAYER: &str = "layer";

#[derive(Clone)]
struct ContextGraph {
    topic: Arc<Topic>,
    confidence: f64,
    /// In the order of fetching.
    pages: Vec<Class>,
    /// By URL the fetch number of the page that gives it the most, or 0.
    best: Vec<u32>,
}

/// Where a page was put.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    /// In a layer of the context graph, with that probability.
    Layer(u32, f64),
    /// In none: this is the most likely, and not likely enough.
    Other(u32, f64),
    /// There are no layers; this is P(topic | page).
    Unlayered(f64),
}

impl ContextGraph {
    fn class(&self, url: UrlId, known: &Known<'_>) -> Class {
        let words = Topic::page_words(&known.page_text(url));
        let Some(layers) = self.topic.of_layers(&words) else {
            return Class::Unlayered(known.judgement(url).map_or(1.0, |found| found.relevance));
        };
        // The first of equals is the nearest.
        let (mut layer, mut p) = (0, 0.0);
        for (at, of_layer) in (0..).zip(layers) {
            if of_layer > p {
                (layer, p) = (at, of_layer);
            }
        }
        if p > self.confidence { Class::Layer(layer, p) } else { Class::Other(layer, p) }
    }

    /// The queue's place among the queues, counted from the last.
    fn queue(&self, layer: u32) -> f64 {
        (self.topic.n_layers() as u32).saturating_sub(layer).into()
    }

    fn score_by(&self, class: Class) -> f64 {
        match class {
            Class::Layer(layer, p) => self.queue(layer) + p,
            Class::Other(_, p) | Class::Unlayered(p) => p,
        }
    }

    /// The page that gives a URL the most.
    fn best(&self, url: UrlId) -> Option<(u32, Class)> {
        let number = *self.best.get(url.index())?;
        Some((number, *self.pages.get(number.checked_sub(1)? as usize)?))
    }

    fn score(&self, url: UrlId, known: &Known<'_>) -> f64 {
        if known.is_seed(url) {
            return self.seed();
        }
        self.best(url).map_or(0.0, |(_, class)| self.score_by(class))
    }

    /// Puts links that a page shows into the queue of its class, as it was when it was fetched.
    fn found(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        let Some(number) = known.fetch_number(url).filter(|_| known.follows(url)) else { return };
        let Some(class) = self.pages.get(number as usize - 1) else { return };
        self.best.resize(known.n_discovered() as usize, 0);
        let score = self.score_by(*class);
        for link in known.links_at(url, places) {
            let waits = known.fetch_number(link).is_none() && !known.is_seed(link);
            if waits && self.best(link).is_none_or(|(_, class)| score > self.score_by(class)) {
                self.best[link.index()] = number;
                scores.set(link, score);
            }
        }
    }

    /// As much as any page can give.
    fn seed(&self) -> f64 {
        self.queue(0) + 1.0
    }
}

impl Strategy for ContextGraph {
    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        self.score(url, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        let class = self.class(url, known);
        self.pages.push(class);
        self.found(url, 0..known.links(url).len(), known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.found(url, places, known, scores);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let note = |text: &str| Evidence::Note(text.to_owned());
        if known.is_seed(url) {
            return Explanation::given("priority", score).with(note("a seed; seeds come first"));
        }
        let Some((number, class)) = self.best(url) else {
            return Explanation::given("priority", score)
                .with(note("no page whose links are followed links to it"));
        };
        let page = known.order()[number as usize - 1];
        let (queue, p) = match class {
            Class::Layer(layer, p) => {
                let queue = Explanation::given("queue", self.queue(layer));
                let why = format!("links of pages in layer {layer}: {layer} clicks from a target");
                (queue.with(note(&why)), Explanation::given("P(layer | page)", p))
            }
            Class::Other(layer, p) => {
                let queue = Explanation::given("queue", 0.0);
                let why = format!(
                    "«other»: layer {layer} is the likeliest, and not above {}",
                    self.confidence
                );
                (queue.with(note(&why)), Explanation::given("P(layer | page)", p))
            }
            Class::Unlayered(p) => {
                let queue = Explanation::given("queue", 0.0);
                let why = "there are no layers, because the topic has no sample pages: the page's \
                           relevance stands in for them";
                (queue.with(note(why)), Explanation::given("P(topic | page)", p))
            }
        };
        let p = p.with(Evidence::Fetched(page));
        Explanation::of("priority", Op::Sum, vec![queue, p]).valued(score)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec![LAYER]
    }

    fn kept(&self, _: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        let number = known.fetch_number(url)?;
        match self.pages.get(number as usize - 1)? {
            Class::Layer(layer, _) => Some(f64::from(*layer)),
            Class::Other(..) => Some(self.topic.n_layers() as f64),
            Class::Unlayered(_) => None,
        }
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Class>() + self.best.capacity() * 4
    }
}
