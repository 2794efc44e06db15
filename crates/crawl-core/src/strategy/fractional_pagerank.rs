//! Fractional PageRank (Alam, Ha & Lee 2009): probability of all known paths from the seeds to a
//! page.
//!
//! value(u) = 1/|seeds| [u a seed] + Σ over fetched p → u of damping · value(p) ÷ O(p), where
//! value(p) is taken once, when p is fetched; what arrives at p later is dropped (our reading).

use super::flow::{AfterFetch, Flow};
use super::{Needs, Strategy, StrategyEntry};
use crate::{Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;

const PARAMS: &[Param] = &[Param::number(
    "damping",
    1.0,
    0.0,
    1.0,
    "Share of a page's value that follows its links; 0.85 as in PageRank.",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "fractional-pagerank",
        "Fractional PageRank",
        EntryTexts {
            family: "Link structure",
            source: "Alam, Ha & Lee 2009; Zhang, Li, Yu & Zhang 2010, reference 13",
            summary: "The URL that a random surfer from the seeds most probably reaches",
            description: "A page's value is the probability that a surfer starting at a seed reaches \
                it along known links. Each fetched page passes its value on once, divided by its \
                number of links; value that arrives later is dropped, so nothing is computed \
                twice. With damping 1 and without revisits, the order is that of OPIC; with less, \
                long paths count less.",
            formula: "value(u) = 1/|seeds| [u a seed] + Σ over fetched p → u of damping · value(p) ÷ O(p)",
            params: PARAMS,
        },
    ),
    needs: Needs::nothing,
    build: |params, _| {
        let damping = params.number("damping");
        Box::new(FractionalPageRank { value: Flow::default(), damping })
    },
};

#[derive(Clone)]
struct FractionalPageRank {
    value: Flow,
    damping: f64,
}

impl Strategy for FractionalPageRank {
    fn discovered(&mut self, _: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        self.value.discovered(so_far, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        self.value.fetched(url, known, scores, self.damping, AfterFetch::Dropped);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        let after = AfterFetch::Dropped;
        self.value.revisited(url, places, known, scores, self.damping, after);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        self.value.explain(
            url,
            score,
            known,
            "probability of the known paths to it",
            AfterFetch::Dropped,
        )
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["probability"]
    }

    fn kept(&self, _: &str, _: UrlId, score: f64, _: &Known<'_>) -> Option<f64> {
        Some(score)
    }

    fn bytes(&self) -> usize {
        self.value.bytes()
    }
}
