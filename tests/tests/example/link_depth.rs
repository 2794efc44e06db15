//! Link depth: URLs with many known links and a short path first.
//!
//! score(u) = weight · |{p fetched : p → u}| − path segments(u)

use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;

const PARAMS: &[Param] =
    &[Param::number("weight", 1.0, 0.0, 100.0, "Score of one link, in path segments.")];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "link-depth",
        "Link depth",
        EntryTexts {
            family: "Link structure",
            source: "(ours)",
            summary: "Many known links and a short path first",
            description: "Adds a weight for every fetched page that links to a URL and subtracts \
                the number of segments of its path.",
            formula: "score(u) = weight · links to u − path segments(u)",
            params: PARAMS,
        },
    ),
    needs: Needs::nothing,
    build: |params, _| Box::new(LinkDepth { weight: params.number("weight") }),
};

#[derive(Clone)]
struct LinkDepth {
    weight: f64,
}

/// Parts of the path: 2 for `http://a.example/b/c`.
fn segments(url: UrlId, known: &Known<'_>) -> f64 {
    let url = known.url(url);
    let n = url.split('/').skip(3).filter(|part| !part.is_empty()).count();
    n as f64
}

impl Strategy for LinkDepth {
    fn discovered(&mut self, url: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        so_far - segments(url, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        scores.add_each(known.links(url), self.weight);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        scores.add_each(known.links_at(url, places), self.weight);
    }

    fn explain(&self, url: UrlId, _: f64, known: &Known<'_>) -> Explanation {
        let link = |page| Explanation::given("link", self.weight).with(Evidence::Fetched(page));
        let links = known.linked_from(url).into_iter().map(link).collect();
        let links = Explanation::sum("links", links);
        let path = Explanation::given("path segments", segments(url, known));
        let path = Explanation::of("minus path segments", Op::Negative, vec![path]);
        Explanation::sum("score", vec![links, path])
    }
}
