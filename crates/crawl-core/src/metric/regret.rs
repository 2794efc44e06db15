//! Best true rank in the frontier minus the rank just fetched.

use super::{Metric, MetricEntry, Observation};
use crate::UrlId;
use crawl_catalogue::{Entry, EntryTexts};
use crawl_world::PageId;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "regret",
        "Regret",
        EntryTexts {
            family: "Importance",
            source: "(ours)",
            summary: "Best true rank in the frontier minus the rank just fetched",
            description: "How much better, by true PageRank, the best waiting URL was than the chosen \
                one. 0 means the best was taken; a long stretch above 0 means that a good page is \
                left waiting.",
            formula: "max over waiting w of PageRank(w) − PageRank(fetched)",
            params: &[],
        },
    ),
    shown: &["regret"],
    build: |_, _| Box::new(Regret::default()),
};

#[derive(Default)]
struct Regret {
    /// Pages by true rank, best first; those no longer waiting are removed lazily.
    waiting: BinaryHeap<Ranked>,
    has_begun: bool,
}

impl Regret {
    fn push(&mut self, url: UrlId, at: &Observation<'_>) {
        let page = at.run.session().book().page(url);
        self.waiting.push(Ranked { rank: at.setting.truth.rank(page), page });
    }

    /// True rank of the best waiting page minus that of the fetched one, at least 0.
    fn regret(&mut self, at: &Observation<'_>) -> f64 {
        let fetched = at.rank();
        while let Some(best) = self.waiting.peek() {
            if best.rank <= fetched {
                break;
            }
            if at.waits(best.page) {
                return best.rank - fetched;
            }
            self.waiting.pop();
        }
        0.0
    }
}

struct Ranked {
    rank: f64,
    page: PageId,
}

impl Metric for Regret {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if !std::mem::replace(&mut self.has_begun, true) {
            // Seeds wait from the start, except refused ones.
            (0..at.step.known_before).for_each(|seed| self.push(UrlId(seed), at));
        }
        let regret = self.regret(at);
        // URLs that this page admitted could not have been chosen instead. They need not be first
        // found on it: a URL may have been refused before.
        at.run.session().entered().iter().for_each(|url| self.push(*url, at));
        Some(regret)
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.total_cmp(&other.rank).then(other.page.cmp(&self.page))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}
