//! The lives of fish (De Bra & Post 1994): how many more pages off the topic a search goes on
//! through before it dies.
//!
//! depth(seed) = D; depth(u) = max over fetched p → u of D where p is relevant, else depth(p) − 1.
//! What has none left is not fetched; found again on a relevant page, it lives again. A redirect
//! gives its own depth on (ours).

use crate::{Known, UrlId};
use crawl_catalogue::Param;
use std::ops::Range;

/// D.
pub(super) const DEPTH: Param = Param::integer(
    "depth",
    3,
    1,
    1_000,
    "D: how many pages off the topic in a row a search goes through before it dies.",
);

/// What each URL has left.
#[derive(Clone)]
pub(super) struct Lives {
    most: u32,
    left: Vec<u32>,
}

impl Lives {
    pub(super) fn new(most: u32) -> Self {
        Self { most, left: Vec::new() }
    }

    /// D.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// What a URL has left.
    pub(super) fn left(&self, url: UrlId, known: &Known<'_>) -> u32 {
        let left = self.left.get(url.index()).copied().unwrap_or(0);
        if known.is_seed(url) { self.most } else { left }
    }

    /// What the links of a fetched page have left by it.
    pub(super) fn passed(&self, page: UrlId, is_relevant: bool, known: &Known<'_>) -> u32 {
        match is_relevant {
            _ if known.is_redirect(page) => self.left(page, known),
            true => self.most,
            false => self.left(page, known).saturating_sub(1),
        }
    }

    /// Passes lives on along the links of a fetched page.
    pub(super) fn fetched(&mut self, page: UrlId, is_relevant: bool, known: &Known<'_>) {
        self.found(page, 0..known.links(page).len(), is_relevant, known);
    }

    /// The same along links that it shows at a later visit, or at its fetch.
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
