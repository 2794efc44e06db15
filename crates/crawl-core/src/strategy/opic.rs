//! OPIC, on-line page importance computation (Abiteboul, Preda & Cobena 2003).
//!
//! Each seed starts with an equal share of cash 1. Fetching page p shares its cash equally over its
//! O(p) links, including links to fetched pages; a page without links keeps nothing and its cash
//! leaves the crawl. The richest URL is fetched next.
//!
//! In the paper, pages are read repeatedly and share the cash received since the last read. So a
//! revisit shares the cash received since the last visit over the current links, whether any of
//! them is new or not. A page that keeps its cash shares the same amount: Nutch would share all of
//! it again at each visit, so that visits would create cash (our choice).

use super::flow::{AfterFetch, Flow};
use super::{Needs, Strategy, StrategyEntry};
use crate::{Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;

const PARAMS: &[Param] = &[Param::flag(
    "keep",
    false,
    "A fetched page keeps its cash when it shares it, as in Apache Nutch.",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "opic",
        "OPIC",
        EntryTexts {
            family: "Link structure",
            source: "Salari, Derhami & Paksima; Abiteboul, Preda & Cobena 2003",
            summary: "The richest URL: fetched pages share their cash over their links",
            description: "Every seed starts with an equal share of cash (the papers give it to all \
                pages, but a crawler knows only its seeds). Fetching a page shares its cash equally \
                over its links, including links to fetched pages; cash of a page without links \
                leaves the crawl. No rank is computed: cash accumulates where links lead. A \
                revisited page shares the cash received since its last visit. Keeping cash changes \
                the value shown on a page, not what it hands out.",
            formula: "cash(u) = 1/|seeds| [u a seed] + Σ over fetched p → u of cash(p) ÷ O(p)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs::near("opic"),
    build: |params, _| {
        let keep = params.flag("keep");
        let after = if keep { AfterFetch::Stays } else { AfterFetch::StartsAnew };
        Box::new(Opic { cash: Flow::default(), after })
    },
};

#[derive(Clone)]
struct Opic {
    cash: Flow,
    after: AfterFetch,
}

impl Strategy for Opic {
    fn discovered(&mut self, _: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        self.cash.discovered(so_far, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        self.cash.fetched(url, known, scores, 1.0, self.after);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.cash.revisited(url, places, known, scores, 1.0, self.after);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        self.cash.explain(url, score, known, "cash", self.after)
    }

    fn keeps(&self) -> Vec<&'static str> {
        Flow::keeps()
    }

    fn kept(&self, name: &str, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        self.cash.kept(name, url, score, known)
    }

    fn bytes(&self) -> usize {
        self.cash.bytes()
    }
}
