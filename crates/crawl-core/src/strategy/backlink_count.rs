//! Backlink count: number of fetched pages that link to the URL.
//!
//! score(u) = |{p fetched : p → u}|

use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts};
use std::ops::Range;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "backlink-count",
        "Backlink count",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013; Cho, Garcia-Molina & Page 1998",
            summary: "The URL with most links from fetched pages",
            description: "Counts the fetched pages that link to each URL. Simple and often strong, but \
                it counts every link alike: a site whose pages all link to each other traps the \
                crawler.",
            formula: "score(u) = number of fetched pages linking to u",
            params: &[],
        },
    ),
    needs: Needs::nothing,
    build: |_, _| Box::new(BacklinkCount),
};

#[derive(Clone)]
struct BacklinkCount;

impl Strategy for BacklinkCount {
    fn discovered(&mut self, _: UrlId, so_far: f64, _: &Known<'_>) -> f64 {
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        scores.add_each(known.links(url), 1.0);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        scores.add_each(known.links_at(url, places), 1.0);
    }

    fn explain(&self, url: UrlId, _: f64, known: &Known<'_>) -> Explanation {
        explain(url, known)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["backlinks"]
    }

    fn kept(&self, _: &str, _: UrlId, score: f64, _: &Known<'_>) -> Option<f64> {
        Some(score)
    }
}

/// Lists the fetched pages that link to a URL.
pub(super) fn explain(url: UrlId, known: &Known<'_>) -> Explanation {
    let one = |page: UrlId| Explanation::given("link", 1.0).with(Evidence::Fetched(page));
    let links = known.linked_from(url).into_iter().map(one).collect();
    Explanation::sum("fetched pages linking to it", links)
}
