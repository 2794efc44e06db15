//! What a strategy keeps and learns, as it can be shown.

use super::Session;
use crate::strategy::{Learning, Learnt};
use crate::{UrlId, Web};

/// What every crawl has of a URL.
const SCORE: &str = "score";
const DEPTH: &str = "depth";

impl Session {
    /// How far the strategy is with learning on the Web link graph, if it learns there.
    pub fn learning(&self) -> Option<Learning> {
        self.strategy.learning()
    }

    /// What the strategy learnt last on the Web link graph, if it learns there.
    pub fn learnt(&self) -> Option<Learnt<'_>> {
        self.strategy.learnt()
    }

    /// Names of what can be shown on URLs: what every crawl has, then what its strategy keeps.
    pub fn keeps(&self) -> Vec<&'static str> {
        [&[SCORE, DEPTH], self.strategy.keeps().as_slice()].concat()
    }

    /// What a URL has by that name.
    pub fn kept(&self, web: &dyn Web, name: &str, url: UrlId) -> Option<f64> {
        let (score, known) = (self.score(url), self.known(web));
        match name {
            SCORE => Some(score),
            DEPTH => Some(f64::from(known.depth(url))),
            _ => self.strategy.kept(name, url, score, &known),
        }
        .filter(|value| value.is_finite())
    }

    /// A number by which the strategy learns, by its name in [`crate::strategy::RATES`].
    pub fn rate(&self, web: &dyn Web, name: &str) -> Option<f64> {
        self.strategy.rate(name, &self.known(web))
    }
}
