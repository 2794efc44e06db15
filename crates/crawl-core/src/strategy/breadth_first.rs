//! Breadth-first: URLs in order of discovery.
//!
//! score(u) = −(discovery number of u)

use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "breadth-first",
        "Breadth-first",
        EntryTexts {
            family: "Order of discovery",
            source: "Lebedeva 2013; Najork & Wiener 2001",
            summary: "Oldest URL first: layer by layer from the seeds",
            description: "Fetches URLs in order of discovery, so pages one click from the seeds come \
                before pages two clicks away. It ignores importance, yet finds good pages early on \
                real webs: good pages have many links and so are found soon.",
            formula: "score(u) = −discovery number(u)",
            params: &[],
        },
    ),
    needs: Needs::nothing,
    build: |_, _| Box::new(BreadthFirst),
};

#[derive(Clone)]
struct BreadthFirst;

impl Strategy for BreadthFirst {
    fn discovered(&mut self, url: UrlId, _: f64, _: &Known<'_>) -> f64 {
        0.0 - f64::from(url.0)
    }

    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn explain(&self, url: UrlId, _: f64, known: &Known<'_>) -> Explanation {
        let mut number = Explanation::given("discovery number", f64::from(url.0));
        number = match known.parent(url) {
            Some(parent) => number.with(Evidence::Fetched(parent)),
            None => number.with(Evidence::Note("a seed".into())),
        };
        Explanation::of("breadth-first score", Op::Negative, vec![number])
    }
}
