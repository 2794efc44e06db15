//! Fish search (De Bra & Post 1994, as restated by Hersovici et al. 1998; Voronov).
//!
//! The search is like a school of fish: on a relevant page they find food and multiply, on others
//! they weaken, and after D pages off the topic in a row they die.
//!
//! potential(p → u) = 1 if p is relevant and u among its first a·width links; 0.5 if p is not
//! and u among its first width; else 0
//! score(u) = max over fetched p → u of potential(p → u)
//! depth(u) = max over fetched p → u of D if p is relevant, and with `parent` the page on which p
//! was found too, else depth(p) − 1; a URL at depth 0 is not fetched

use super::best_link::{BestLink, LinkWorth};
use super::fish::{DEPTH, RemainingDepth};
use super::topical::{is_relevant, page_words, spoken};
use super::{Needs, StrategyEntry};
use crate::topic::Topic;
use crate::{Evidence, Explanation, Known, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;
use std::sync::Arc;

const PARAMS: &[Param] = &[
    DEPTH,
    Param::integer(
        "width",
        5,
        0,
        100_000,
        "Number of links followed from a page off the topic; the rest scores 0.",
    ),
    Param::number(
        "a",
        1.5,
        0.0,
        100.0,
        "Factor for the number of links followed from a relevant page.",
    ),
    Param::flag(
        "parent",
        true,
        "Renew the depth only if the page and the page it was found on are both relevant, as Voronov \
         asks; De Bra asks for the page alone.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "fish-search",
        "Fish search",
        EntryTexts {
            family: "Focused",
            source: "Voronov, Mail.Ru; De Bra & Post 1994",
            summary: "Links of relevant pages first; paths without relevant pages are given up",
            description: "The first links of a relevant page score 1, the first links of a page off the \
                topic 0.5, all others 0. Each URL has a depth: D if found on a relevant page, else one \
                less than its page. At 0 it is given up until it is found on a relevant page. De Bra \
                fetches URLs at depth 0 and ignores their links; here, as in Voronov's lecture, they \
                are not fetched, which is the same with D one larger. A redirect passes on its own \
                score and depth, and seeds score 1 (our choice).",
            formula: "score(u) = 1, 0.5 or 0 by the best page; depth(u) = D or depth(page) − 1",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, context| {
        let width = params.integer("width");
        Box::new(BestLink::new(FishSearch {
            topic: context.topic(),
            depths: RemainingDepth::new(params.integer("depth")),
            n_taken: [width as usize, (f64::from(width) * params.number("a")) as usize],
            asks_parent: params.flag("parent"),
        }))
    },
};

#[derive(Clone)]
struct FishSearch {
    topic: Arc<Topic>,
    depths: RemainingDepth,
    /// Number of links followed from a page off the topic, and from a relevant one.
    n_taken: [usize; 2],
    asks_parent: bool,
}

impl FishSearch {
    fn potential(&self, page: UrlId, place: usize, known: &Known<'_>) -> f64 {
        let is_relevant = is_relevant(page, known);
        let is_taken = place < self.n_taken[usize::from(is_relevant)];
        match (is_taken, is_relevant) {
            (false, _) => 0.0,
            (true, true) => 1.0,
            (true, false) => 0.5,
        }
    }

    /// True if a fetched page renews the depth of its links.
    fn feeds(&self, page: UrlId, known: &Known<'_>) -> bool {
        let parent = known.parent(page).filter(|_| self.asks_parent);
        is_relevant(page, known) && parent.is_none_or(|parent| is_relevant(parent, known))
    }
}

impl LinkWorth for FishSearch {
    const STORED: &'static [&'static str] = &["depth-left"];

    fn worth(&self, page: UrlId, place: usize, _: UrlId, known: &Known<'_>) -> f64 {
        self.potential(page, place, known)
    }

    fn explain(&self, page: UrlId, place: usize, _: UrlId, known: &Known<'_>) -> Explanation {
        let is_relevant = is_relevant(page, known);
        let n_taken = self.n_taken[usize::from(is_relevant)];
        let kind = if is_relevant { "relevant" } else { "off the topic" };
        let why = format!("link {} of a page {kind}, of which {n_taken} are followed", place + 1);
        Explanation::given("potential score", self.potential(page, place, known))
            .with(Evidence::Fetched(page))
            .with(Evidence::Note(why))
            .with(spoken(&self.topic, &page_words(page, known)))
    }

    fn shown(&mut self, url: UrlId, places: Range<usize>, known: &Known<'_>) {
        let feeds = self.feeds(url, known);
        self.depths.found(url, places, feeds, known);
    }

    fn depths(&self) -> Option<&RemainingDepth> {
        Some(&self.depths)
    }

    fn stored(&self, _: &str, url: UrlId, known: &Known<'_>) -> Option<f64> {
        Some(f64::from(self.depths.left(url, known)))
    }

    fn bytes(&self) -> usize {
        self.depths.bytes()
    }
}
