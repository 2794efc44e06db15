//! BestLink-first (Cho, Garcia-Molina & Page 1998; Voronov): links inherit the relevance of their
//! page.
//!
//! score(u) = max over fetched p → u of P(topic | p)

use super::best_link::{BestLink, LinkWorth};
use super::topical::{explain_relevance, relevance};
use super::{Needs, StrategyEntry};
use crate::topic::Topic;
use crate::{Explanation, Known, UrlId};
use crawl_catalogue::{Entry, EntryTexts};
use std::sync::Arc;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "best-first",
        "BestLink-first",
        EntryTexts {
            family: "Focused",
            source: "Voronov, Mail.Ru; Cho, Garcia-Molina & Page 1998",
            summary: "The URL found on the page most likely about the topic",
            description: "All links of a fetched page get the probability that the page is about the \
                topic; a URL found on several pages keeps the highest. Links of one page are \
                equal, whatever their text says. The target of a redirect gets the redirect's \
                score, and seeds score 1 (our choice).",
            formula: "score(u) = max over fetched p → u of P(topic | p)",
            params: &[],
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |_, context| Box::new(BestLink::new(BestFirst { topic: context.topic() })),
};

#[derive(Clone)]
struct BestFirst {
    topic: Arc<Topic>,
}

impl LinkWorth for BestFirst {
    const STORED: &'static [&'static str] = &["relevance"];

    fn worth(&self, page: UrlId, _: usize, _: UrlId, known: &Known<'_>) -> f64 {
        relevance(page, known)
    }

    fn explain(&self, page: UrlId, _: usize, _: UrlId, known: &Known<'_>) -> Explanation {
        explain_relevance(&self.topic, page, known)
    }

    fn stored(&self, _: &str, url: UrlId, known: &Known<'_>) -> Option<f64> {
        known.fetch_number(url).map(|_| relevance(url, known))
    }
}
