//! Depth limits of fish search (De Bra & Post 1994): pages off the topic in a row before giving up.
//!
//! depth(seed) = D; depth(u) = max over fetched p → u of D if p is relevant, else depth(p) − 1. A URL at
//! depth 0 is not fetched; if it is found on a relevant page later, it is. A redirect passes on its own
//! depth (our choice).

use crate::{Evidence, Known, UrlId};
use crawl_catalogue::Param;
use std::ops::Range;

/// Parameter D.
pub(super) const DEPTH: Param = Param::integer(
    "depth",
    3,
    1,
    1_000,
    "D: maximum number of consecutive pages off the topic on a path.",
);

/// Remaining depth of each URL.
#[derive(Clone)]
pub(super) struct RemainingDepth {
    most: u32,
    left: Vec<u32>,
}

impl RemainingDepth {
    pub(super) fn new(most: u32) -> Self {
        Self { most, left: Vec::new() }
    }

    /// Remaining depth of a URL.
    pub(super) fn left(&self, url: UrlId, known: &Known<'_>) -> u32 {
        let left = self.left.get(url.index()).copied().unwrap_or(0);
        if known.is_seed(url) { self.most } else { left }
    }

    /// Evidence: the remaining depth of a URL.
    pub(super) fn explain(&self, url: UrlId, known: &Known<'_>) -> Evidence {
        Evidence::Note(format!("depth {} of {}", self.left(url, known), self.most))
    }

    /// Remaining depth that a fetched page passes to its links.
    fn passed(&self, page: UrlId, is_relevant: bool, known: &Known<'_>) -> u32 {
        match is_relevant {
            _ if known.is_redirect(page) => self.left(page, known),
            true => self.most,
            false => self.left(page, known).saturating_sub(1),
        }
    }

    /// Passes the remaining depth along links of a page.
    pub(super) fn found(
        &mut self,
        page: UrlId,
        places: Range<usize>,
        is_relevant: bool,
        known: &Known<'_>,
    ) {
        if !known.follows(page) {
            return;
        }
        let passed = self.passed(page, is_relevant, known);
        if self.left.len() < known.n_discovered() as usize {
            self.left.resize(known.n_discovered() as usize, 0);
        }
        for link in known.links_at(page, places) {
            let left = &mut self.left[link.index()];
            *left = passed.max(*left);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.left.capacity() * 4
    }
}
