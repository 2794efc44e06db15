//! Fish search (De Bra & Post 1994, as Hersovici et al. 1998 restate it; document D).
//!
//! The search is a school of fish: where a page is relevant they find food and have offspring, where
//! it is not they weaken, and after D pages off the topic in a row they die.
//!
//! potential(p → u) = 1 where p is relevant and u among its first a·width links; 0.5 where p is not
//! and u among its first width; else 0
//! score(u) = max over fetched p → u of potential(p → u)
//! depth(u) = max over fetched p → u of D where p is relevant, and by `parent` the page on which p
//! was found too, else depth(p) − 1; what comes to 0 is not fetched

use super::fish::{DEPTH, School};
use super::topical::{is_relevant, page_words, spoken};
use super::{Needs, Strategy, StrategyEntry};
use crate::topic::Topic;
use crate::{Evidence, Explanation, Known, Scores, UrlId};
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
        "How many links of a page off the topic are taken up; the rest score 0.",
    ),
    Param::number(
        "a",
        1.5,
        0.0,
        100.0,
        "How many times as many links of a relevant page are taken up.",
    ),
    Param::flag(
        "parent",
        true,
        "Depth is renewed only where the page and the page it was found on are both relevant, as \
         document D asks; De Bra asks for the page alone.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "fish-search",
        "Fish search",
        EntryTexts {
            family: "Focused",
            source: "Voronov, Mail.Ru (D); De Bra & Post 1994",
            summary: "Links of relevant pages first; a search that finds none for long dies",
            description: "The first links of a relevant page score 1, the first of a page off the \
                topic 0.5, all others 0. Each URL has a depth: D where it was found on relevant \
                pages, one less than its page otherwise; at 0 it is given up, until it is found on \
                a relevant page. De Bra fetches what is at 0 and leaves out its links; here, as \
                document D tells it, it is dead, which is the same with D one larger. A redirect \
                passes on its own score and depth, and seeds score 1 (ours).",
            formula: "score(u) = 1, 0.5 or 0 by the best page; depth(u) = D or depth(page) − 1",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, given| {
        let width = params.integer("width");
        Box::new(FishSearch {
            topic: given.topic(),
            school: School::new(params.integer("depth")),
            n_taken: [width as usize, (f64::from(width) * params.number("a")) as usize],
            asks_parent: params.flag("parent"),
        })
    },
};

#[derive(Clone)]
struct FishSearch {
    topic: Arc<Topic>,
    school: School,
    /// How many links are taken up of a page off the topic, and of a relevant one.
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

    /// Whether a fetched page renews the depth of what it links to.
    fn feeds(&self, page: UrlId, known: &Known<'_>) -> bool {
        let parent = known.parent(page).filter(|_| self.asks_parent);
        is_relevant(page, known) && parent.is_none_or(|parent| is_relevant(parent, known))
    }
}

impl Strategy for FishSearch {
    fn discovered(&mut self, url: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        School::discovered(url, so_far, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        self.school.best.came(url, known, scores);
        self.revisited(url, 0..known.links(url).len(), known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        let feeds = self.feeds(url, known);
        self.school.lives.found(url, places.clone(), feeds, known);
        let potential = |place, _| self.potential(url, place, known);
        self.school.best.found(url, places, known, scores, potential);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page: UrlId, place: usize| {
            let is_relevant = is_relevant(page, known);
            let n_taken = self.n_taken[usize::from(is_relevant)];
            let kind = if is_relevant { "relevant" } else { "off the topic" };
            let why = format!("link {} of a page {kind}, of which {n_taken} are taken", place + 1);
            Explanation::given("potential score", self.potential(page, place, known))
                .with(Evidence::Fetched(page))
                .with(Evidence::Note(why))
                .with(spoken(&self.topic, &page_words(page, known)))
        };
        self.school.explain(url, score, known, part)
    }

    fn gives_up(&self) -> bool {
        true
    }

    fn wants(&self, url: UrlId, known: &Known<'_>) -> bool {
        self.school.wants(url, known)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["depth-left"]
    }

    fn kept(&self, _: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        Some(f64::from(self.school.lives.left(url, known)))
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.school.bytes()
    }
}
