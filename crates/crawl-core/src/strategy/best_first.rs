//! Best-first (Cho, Garcia-Molina & Page 1998; document D, priority-based): pages that link to each
//! other are about the same, so a link is worth as much as its page is relevant.
//!
//! score(u) = max over fetched p → u of P(topic | p)

use super::topical::{Best, explain_relevance, relevance};
use super::{Needs, Strategy, StrategyEntry};
use crate::topic::Topic;
use crate::{Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts};
use std::ops::Range;
use std::sync::Arc;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "best-first",
        "Best-first",
        EntryTexts {
            family: "Focused",
            source: "Voronov, Mail.Ru (D); Cho, Garcia-Molina & Page 1998",
            summary: "The URL found on the page most likely about the topic",
            description: "When a page is fetched, it is found how likely it is about the topic, and \
                all its links get that priority; a URL found on several pages keeps the highest. \
                Links of one page are all alike, whatever their text says. What a redirect leads to \
                has the redirect's score, and seeds score 1 (ours).",
            formula: "score(u) = max over fetched p → u of P(topic | p)",
            params: &[],
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |_, given| Box::new(BestFirst { topic: given.topic(), best: Best::default() }),
};

/// What a seed is worth.
const SEED: f64 = 1.0;

#[derive(Clone)]
struct BestFirst {
    topic: Arc<Topic>,
    best: Best,
}

impl Strategy for BestFirst {
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
        let relevance = relevance(url, known);
        self.best.found(url, places, known, scores, |_, _| relevance);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page, _| explain_relevance(&self.topic, page, known);
        self.best.explain(url, score, SEED, known, part)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["relevance"]
    }

    fn kept(&self, _: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        known.fetch_number(url).map(|_| relevance(url, known))
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.best.bytes()
    }
}
