//! Internal values of a strategy, for display.

use super::Session;
use crate::strategy::{Learning, Learnt};
use crate::{UrlId, Web};

/// Values that every crawl has.
const SCORE: &str = "score";
const DEPTH: &str = "depth";

impl Session {
    /// Progress of learning on the Web link graph, if the strategy learns there.
    pub fn learning(&self) -> Option<Learning> {
        self.strategy.learning()
    }

    /// The latest result of learning on the Web link graph, if the strategy learns there.
    pub fn learnt(&self) -> Option<Learnt<'_>> {
        self.strategy.learnt()
    }

    /// Names of the values that can be shown per URL: common ones, then those of the strategy.
    pub fn keeps(&self) -> Vec<&'static str> {
        [&[SCORE, DEPTH], self.strategy.keeps().as_slice()].concat()
    }

    /// A URL's value by name.
    pub fn kept(&self, web: &dyn Web, name: &str, url: UrlId) -> Option<f64> {
        let (score, known) = (self.score(url), self.known(web));
        match name {
            SCORE => Some(score),
            DEPTH => Some(f64::from(known.depth(url))),
            _ => self.strategy.kept(name, url, score, &known),
        }
        .filter(|value| value.is_finite())
    }

    /// A learning rate of the strategy, by its name in [`crate::strategy::RATES`].
    pub fn rate(&self, web: &dyn Web, name: &str) -> Option<f64> {
        self.strategy.rate(name, &self.known(web))
    }
}
