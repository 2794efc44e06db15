//! Division score (Voronov, structure-based): share of the topic's dictionary that occurs in a
//! link.
//!
//! score(u) = max over fetched p → u of c(p) · Σ of the weights of the dictionary's words among those
//! of the link ÷ Σ of all its weights
//!
//! The words of a link are those of its anchor, its URL and its context (our choice). Words of
//! titles have a higher weight in the dictionary, as in the lecture. Each topic has a coefficient c
//! there, and a link belongs to the topic of its page. With one topic, this is one coefficient for
//! links of pages about it and one for all others (our choice).

use super::best_link::{BestLink, LinkWorth};
use super::topical::{is_relevant, spoken};
use super::{Needs, StrategyEntry};
use crate::topic::{PIPELINE, Topic};
use crate::{Evidence, Explanation, Known, Op, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::sync::Arc;

const PARAMS: &[Param] = &[
    Param::number("coefficient", 1.0, 0.0, 10.0, "c of links on pages about the topic."),
    Param::number("other", 0.5, 0.0, 10.0, "c of links on all other pages (our choice)."),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "division-score",
        "Division score",
        EntryTexts {
            family: "Focused",
            source: "Voronov, Mail.Ru",
            summary: "The URL whose links contain most of the topic's dictionary",
            description: "Each topic (a division) has a dictionary, in which words of titles have a \
                higher weight than words of texts, and a coefficient. A link scores the share of its \
                topic's dictionary that occurs in its anchor, its URL and the text around it. A link \
                belongs to the topic of its page; links of other pages have their own coefficient \
                (our choice). A URL found on several pages keeps its highest score, the target of a \
                redirect gets at least the redirect's score, and seeds score 1 (our choice).",
            formula: "score(u) = max over links to u of c · weight(words of the link ∩ dictionary) ÷ \
                weight(dictionary)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, context| {
        Box::new(BestLink::new(DivisionScore {
            topic: context.topic(),
            coefficient: params.number("coefficient"),
            other: params.number("other"),
        }))
    },
};

#[derive(Clone)]
struct DivisionScore {
    topic: Arc<Topic>,
    coefficient: f64,
    other: f64,
}

impl DivisionScore {
    fn coefficient(&self, page: UrlId, known: &Known<'_>) -> f64 {
        if is_relevant(page, known) { self.coefficient } else { self.other }
    }

    /// The words of a page's link, by position.
    fn words(page: UrlId, place: usize, to: UrlId, known: &Known<'_>) -> Vec<String> {
        let mut words = PIPELINE.words(known.anchor(page, place));
        words.extend(PIPELINE.url_words(&known.url(to)));
        words.extend(PIPELINE.words(known.context(page, place)));
        words
    }

    /// Share of the dictionary's weight that occurs among the words.
    fn overlap(&self, words: &[String]) -> f64 {
        let dictionary = self.topic.dictionary();
        let shared: f64 = dictionary.shared(words).iter().map(|(_, weight)| weight).sum();
        // The dictionary may be empty.
        if shared > 0.0 { shared / dictionary.total() } else { 0.0 }
    }
}

impl LinkWorth for DivisionScore {
    const STORED: &'static [&'static str] = &[];

    fn worth(&self, page: UrlId, place: usize, link: UrlId, known: &Known<'_>) -> f64 {
        self.coefficient(page, known) * self.overlap(&Self::words(page, place, link, known))
    }

    fn explain(&self, page: UrlId, place: usize, link: UrlId, known: &Known<'_>) -> Explanation {
        let label = match is_relevant(page, known) {
            true => "coefficient of the topic",
            false => "coefficient of pages off the topic",
        };
        let coefficient = Explanation::given(label, self.coefficient(page, known));
        let words = Self::words(page, place, link, known);
        let dictionary = self.topic.dictionary();
        let shared = dictionary.shared(&words).into_iter();
        let shared = shared.map(|(word, weight)| Explanation::given(word, weight)).collect();
        let overlap = if dictionary.is_empty() {
            Explanation::given("overlap with an empty dictionary", 0.0)
        } else {
            let shared = Explanation::sum("weight of its words in the dictionary", shared);
            let total = Explanation::given("weight of the dictionary", dictionary.total());
            Explanation::of("overlap with the dictionary", Op::Quotient, vec![shared, total])
        };
        Explanation::of("division score of a link", Op::Product, vec![coefficient, overlap])
            .with(Evidence::Fetched(page))
            .with(spoken(&self.topic, &words))
    }
}
