//! CFC, the context graph focused crawler (Diligenti, Coetzee, Lawrence, Giles & Gori 2000).
//!
//! A rival of JLSE in Zhang, Li, Yu & Zhang 2010, section 4. A naive Bayes classifier estimates the
//! layer of a page in the context graph: its number of clicks from a target, 0 to 4. A page goes to
//! the layer of highest P(layer | page), or to "other" if that is not above the threshold. Its
//! links go to that layer's queue. The six queues are emptied in order, and within a queue the most
//! likely link comes first:
//!
//! score(u) = (L − layer) + P(layer | page), L = 5 layers; for "other" P alone.
//!
//! A URL found on several pages keeps its highest score, and seeds come first (our choice).

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
    "Minimum of P(layer | page); pages below go to the queue \"other\". The default is our choice.",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "context-graph",
        "Context graph",
        EntryTexts {
            family: "Focused",
            source: "Zhang, Li, Yu & Zhang 2010, section 4; Diligenti et al. 2000",
            summary: "The link on a page that looks few clicks from a target",
            description: "The context graph has the targets in layer 0, the pages that link to them in \
                layer 1, and so on to layer 4, at most 300 pages each. It needs back-links, as a \
                search engine would give them. These come from the training data, another web or \
                other sites, not from the web that is crawled. A page's layer decides the queue of \
                all its links, whatever they say. A topic without sample pages has no layers: then \
                the score is P(topic | page) (our choice).",
            formula: "score(u) = (5 − layer) + P(layer | page); other: P(layer | page)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, context| {
        Box::new(ContextGraph {
            topic: context.topic(),
            confidence: params.number("confidence"),
            pages: Vec::new(),
            best: Vec::new(),
        })
    },
};

/// Name of the stored value.
const LAYER: &str = "layer";

#[derive(Clone)]
struct ContextGraph {
    topic: Arc<Topic>,
    confidence: f64,
    /// In order of fetching.
    pages: Vec<Class>,
    /// By URL, fetch number of the page that gives it the highest score; 0 for none.
    best: Vec<u32>,
}

/// The class of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    /// Layer of the context graph, and its probability.
    Layer(u32, f64),
    /// No layer: the most likely one, and its probability, which is too low.
    Other(u32, f64),
    /// No context graph; the value is P(topic | page).
    Unlayered(f64),
}

impl ContextGraph {
    fn class(&self, url: UrlId, known: &Known<'_>) -> Class {
        let words = Topic::page_words(&known.page_text(url));
        let Some(layers) = self.topic.of_layers(&words) else {
            return Class::Unlayered(known.judgement(url).map_or(1.0, |found| found.relevance));
        };
        // Of equals, the layer nearest to the targets.
        let (mut layer, mut p) = (0, 0.0);
        for (at, of_layer) in (0..).zip(layers) {
            if of_layer > p {
                (layer, p) = (at, of_layer);
            }
        }
        if p > self.confidence { Class::Layer(layer, p) } else { Class::Other(layer, p) }
    }

    /// Position of a layer's queue, counted from the last.
    fn queue(&self, layer: u32) -> f64 {
        (self.topic.n_layers() as u32).saturating_sub(layer).into()
    }

    fn score_by(&self, class: Class) -> f64 {
        match class {
            Class::Layer(layer, p) => self.queue(layer) + p,
            Class::Other(_, p) | Class::Unlayered(p) => p,
        }
    }

    /// The page that gives a URL its highest score.
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

    /// Puts links of a page into the queue of its class, as it was when the page was fetched.
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

    /// Score of seeds: the highest that a page can give.
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
                .with(note("no link from a page whose links are followed"));
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
                    "\"other\": layer {layer} is the most likely, but not above {}",
                    self.confidence
                );
                (queue.with(note(&why)), Explanation::given("P(layer | page)", p))
            }
            Class::Unlayered(p) => {
                let queue = Explanation::given("queue", 0.0);
                let why = "no layers, because the topic has no sample pages: the page's relevance \
                           is used instead";
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

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Class>() + self.best.capacity() * 4
    }
}
