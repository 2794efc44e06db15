//! Strategies by a ranking of the known pages that is recomputed at regular intervals.
//!
//! A URL's score is the sum of the shares that fetched pages pass along their links to it. A
//! computation sets all scores. In between, a newly fetched page adds its current share to the
//! scores of its links, and so does a page for links that it shows at a later visit.

use super::Strategy;
use super::grown_links::LinkShares;
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use std::ops::Range;

/// A ranking of the known pages.
pub(super) trait Ranking: Clone + Send + Sync + 'static {
    /// What a page passes along each of its links.
    type Share: Copy + Default + Send + Sync;
    /// Label of a score in explanations.
    const LABEL: &'static str;
    /// Names of the values it stores per URL.
    const STORED: &'static [&'static str];

    /// Called before the first fetch, when only seeds are known.
    fn start(&mut self, _n_seeds: u32) {}

    /// The share of a page if fetched or visited now, and what it adds to the scores of its links.
    fn share(&self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) -> (Self::Share, f64);

    /// Ranks the known pages. `has_grown`: some page gained links since the last computation.
    fn refresh(&mut self, known: &Known<'_>, has_grown: bool) -> Ranked<Self::Share>;

    /// Explains what a share adds to a score.
    fn explain(&self, share: Self::Share) -> Explanation;

    /// A stored value of a URL by name, or `None`.
    fn stored(
        &self,
        name: &str,
        url: UrlId,
        score: f64,
        own_share: Option<Self::Share>,
    ) -> Option<f64>;

    /// Memory in bytes.
    fn bytes(&self) -> usize;
}

/// Result of a computation.
pub(super) struct Ranked<S> {
    /// Share of each fetched page, in order of fetching.
    pub(super) shares: Vec<S>,
    /// Score of each known URL; `None` to keep the scores.
    pub(super) scores: Option<Vec<f64>>,
}

/// A strategy by a ranking that is recomputed every `every` fetches.
#[derive(Clone)]
pub(super) struct Refreshed<R: Ranking> {
    every: u32,
    shares: LinkShares<R::Share>,
    ranking: R,
}

impl<R: Ranking> Refreshed<R> {
    pub(super) fn new(every: u32, ranking: R) -> Self {
        Self { every, shares: LinkShares::default(), ranking }
    }

    fn refresh(&mut self, known: &Known<'_>, scores: &mut Scores<'_>) {
        let ranked = self.ranking.refresh(known, self.shares.has_grown());
        self.shares.computed(ranked.shares.into_iter());
        let Some(values) = ranked.scores else { return };
        for (url, value) in (0..).map(UrlId).zip(&values) {
            if !scores.waits(url) {
                scores.set(url, *value);
            }
        }
        scores.set_all(|url| values[url.index()]);
    }
}

impl<R: Ranking> Strategy for Refreshed<R> {
    fn discovered(&mut self, _: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        if known.n_fetched() == 0 {
            self.ranking.start(known.n_seeds());
        }
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        if known.n_fetched().is_multiple_of(self.every) {
            self.refresh(known, scores);
            return;
        }
        let share = self.ranking.share(url, known, scores);
        self.shares.fetched(url, share, known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        if !places.is_empty() {
            let share = self.ranking.share(url, known, scores);
            self.shares.revisited(url, places, share, known, scores);
        }
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page: UrlId| {
            let share = self.shares.along(page, url, known);
            self.ranking.explain(share).with(Evidence::Fetched(page))
        };
        let parts = known.linked_from(url).into_iter().map(part).collect();
        Explanation::sum(R::LABEL, parts).valued(score)
    }

    fn keeps(&self) -> Vec<&'static str> {
        R::STORED.to_vec()
    }

    fn kept(&self, name: &str, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        let own_share = known.fetch_number(url).map(|_| self.shares.by(url, known));
        self.ranking.stored(name, url, score, own_share)
    }

    fn bytes(&self) -> usize {
        self.shares.bytes() + self.ranking.bytes()
    }
}
