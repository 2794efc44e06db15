//! The lives of fish (De Bra & Post 1994): how many more pages off the topic a search goes on
//! through before it dies.
//!
//! depth(seed) = D; depth(u) = max over fetched p → u of D where p is relevant, else depth(p) − 1.
//! What has none left is not fetched; found again on a relevant page, it lives again. A redirect
//! gives its own depth on (ours).

use super::topical::Best;
use crate::{Evidence, Explanation, Known, UrlId};
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

/// What a seed is worth.
const SEED: f64 = 1.0;

/// Fish: what is worth most to them, and how long they live.
#[derive(Clone)]
pub(super) struct School {
    pub(super) best: Best,
    pub(super) lives: Lives,
}

impl School {
    pub(super) fn new(depth: u32) -> Self {
        Self { best: Best::default(), lives: Lives::new(depth) }
    }

    /// The score of a URL that enters the frontier.
    pub(super) fn discovered(url: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        Best::discovered(url, so_far, SEED, known)
    }

    /// Whether a URL still lives.
    pub(super) fn wants(&self, url: UrlId, known: &Known<'_>) -> bool {
        self.lives.left(url, known) > 0
    }

    /// The best of what was found for a URL, and what it has left.
    pub(super) fn explain(
        &self,
        url: UrlId,
        score: f64,
        known: &Known<'_>,
        part: impl Fn(UrlId, usize) -> Explanation,
    ) -> Explanation {
        let left = format!("depth {} of {}", self.lives.left(url, known), self.lives.most);
        self.best.explain(url, score, SEED, known, part).with(Evidence::Note(left))
    }

    pub(super) fn bytes(&self) -> usize {
        self.best.bytes() + self.lives.bytes()
    }
}

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

    /// Passes lives on along links that a page shows.
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
