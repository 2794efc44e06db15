//! Fractional PageRank (Alam, Ha & Lee 2009): the sum over all known paths from the seeds to a page
//! of the probability that a surfer walks them.
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
    "Share of a page's value that follows its links; 0.85 is PageRank's surfer.",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "fractional-pagerank",
        "Fractional PageRank",
        EntryTexts {
            family: "Link structure",
            source: "Zhang et al. 2010 (B), reference 13: Alam, Ha & Lee 2009",
            summary: "The URL a surfer from the seeds most probably reaches along known paths",
            description: "A page's value is the probability that a surfer starting at a seed walks \
                to it along links seen so far. Each fetched page passes its value on once, divided \
                by its links; what arrives after that is dropped, so nothing is ever computed \
                twice. With damping 1 and without revisiting this orders URLs exactly as OPIC \
                does; with less, long paths count for less.",
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

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.value.bytes()
    }
}
