//! Division score (document D, structure-based): how much of the topic's dictionary stands in a
//! link.
//!
//! score(u) = max over fetched p → u of c(p) · Σ of the weights of the dictionary's words among those
//! of the link ÷ Σ of all its weights
//!
//! The words of a link are those of its anchor, its URL and its context (ours). Words of titles weigh
//! more in the dictionary, as the document asks. Each topic has a coefficient c there, and a link
//! belongs to the topic of its page: with one topic that is one coefficient for links of pages about
//! it and one for all others (ours).

use super::topical::{Best, is_relevant, spoken};
use super::{Needs, Strategy, StrategyEntry};
use crate::topic::{PIPELINE, Topic};
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;
use std::sync::Arc;

const PARAMS: &[Param] = &[
    Param::number("coefficient", 1.0, 0.0, 10.0, "c of links on pages about the topic."),
    Param::number("other", 0.5, 0.0, 10.0, "c of links on all other pages (ours)."),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "division-score",
        "Division score",
        EntryTexts {
            family: "Focused",
            source: "Voronov, Mail.Ru (D)",
            summary: "The URL whose links have most of the topic's dictionary in them",
            description: "Each topic (a division) has a dictionary, in which words of titles weigh \
                more than words of texts, and a coefficient. A link scores the share of its topic's \
                dictionary that stands in its anchor, its URL and the text around it. A link \
                belongs to the topic of its page; links of pages about something else have a \
                coefficient of their own (ours). A URL found on several pages keeps its highest \
                score, what a redirect leads to has at least the redirect's, and seeds score 1 \
                (ours).",
            formula: "score(u) = max over links to u of c · weight(words of the link ∩ dictionary) ÷ \
                weight(dictionary)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, given| {
        Box::new(DivisionScore {
            topic: given.topic(),
            coefficient: params.number("coefficient"),
            other: params.number("other"),
            best: Best::default(),
        })
    },
};

/// What a seed is worth.
const SEED: f64 = 1.0;

#[derive(Clone)]
struct DivisionScore {
    topic: Arc<Topic>,
    coefficient: f64,
    other: f64,
    best: Best,
}

impl DivisionScore {
    fn coefficient(&self, page: UrlId, known: &Known<'_>) -> f64 {
        if is_relevant(page, known) { self.coefficient } else { self.other }
    }

    /// The words of the link at a place on a page.
    fn words(page: UrlId, place: usize, to: UrlId, known: &Known<'_>) -> Vec<String> {
        let mut words = PIPELINE.words(known.anchor(page, place));
        words.extend(PIPELINE.url_words(&known.url(to)));
        words.extend(PIPELINE.words(known.context(page, place)));
        words
    }

    /// What the link at a place on a page is worth.
    fn worth(&self, page: UrlId, place: usize, to: UrlId, known: &Known<'_>) -> f64 {
        self.coefficient(page, known) * self.overlap(&Self::words(page, place, to, known))
    }

    /// How much of the dictionary stands among words.
    fn overlap(&self, words: &[String]) -> f64 {
        let dictionary = self.topic.dictionary();
        let shared: f64 = dictionary.shared(words).iter().map(|(_, weight)| weight).sum();
        // A topic that has no words has no dictionary that anything could stand in.
        if shared > 0.0 { shared / dictionary.total() } else { 0.0 }
    }
}

impl Strategy for DivisionScore {
    fn discovered(&mut self, url: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        Best::discovered(url, so_far, SEED, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        self.best.came(url, known, scores);
        self.revisited(url, 0..known.links(url).len(), known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        let worth = |place, link| self.worth(url, place, link, known);
        self.best.found(url, places, known, scores, worth);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page: UrlId, place: usize| {
            let label = match is_relevant(page, known) {
                true => "coefficient of the topic",
                false => "coefficient of pages off the topic",
            };
            let coefficient = Explanation::given(label, self.coefficient(page, known));
            let words = Self::words(page, place, url, known);
            let dictionary = self.topic.dictionary();
            let shared = dictionary.shared(&words).into_iter();
            let shared = shared.map(|(word, weight)| Explanation::given(word, weight)).collect();
            let overlap = if dictionary.is_empty() {
                Explanation::given("overlap with a dictionary without words", 0.0)
            } else {
                let shared = Explanation::sum("weight of its words in the dictionary", shared);
                let total = Explanation::given("weight of the dictionary", dictionary.total());
                Explanation::of("overlap with the dictionary", Op::Quotient, vec![shared, total])
            };
            Explanation::of("division score of a link", Op::Product, vec![coefficient, overlap])
                .with(Evidence::Fetched(page))
                .with(spoken(&self.topic, &words))
        };
        self.best.explain(url, score, SEED, known, part)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.best.bytes()
    }
}
