//! A number per URL: stored as its score, if the score is that number, or in a table.

use crate::{Scores, UrlId};

/// A number per URL.
pub(super) trait Values {
    /// A URL's number; 0 if it was never set.
    fn get(&self, url: UrlId) -> f64;
    /// Sets a URL's number.
    fn set(&mut self, url: UrlId, value: f64);
    /// Adds the same amount to many; each URL once.
    fn add_each(&mut self, urls: impl Iterator<Item = UrlId>, amount: f64);
    /// Sets many to the same number.
    fn set_each(&mut self, urls: impl Iterator<Item = UrlId>, value: f64);
}

impl Values for Scores<'_> {
    fn get(&self, url: UrlId) -> f64 {
        Scores::get(self, url)
    }

    #[inline]
    fn set(&mut self, url: UrlId, value: f64) {
        Scores::set(self, url, value);
    }

    #[inline]
    fn add_each(&mut self, urls: impl Iterator<Item = UrlId>, amount: f64) {
        Scores::add_each(self, urls, amount);
    }

    #[inline]
    fn set_each(&mut self, urls: impl Iterator<Item = UrlId>, value: f64) {
        Scores::set_each(self, urls, value);
    }
}

/// Numbers by URL.
#[derive(Clone, Default)]
pub(super) struct Table(Vec<f64>);

impl Table {
    /// Makes room for `n_urls` URLs.
    pub(super) fn make_room(&mut self, n_urls: u32) {
        if self.0.len() < n_urls as usize {
            self.0.resize(n_urls as usize, 0.0);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * 8
    }
}

impl Values for Table {
    #[inline]
    fn get(&self, url: UrlId) -> f64 {
        self.0.get(url.index()).copied().unwrap_or(0.0)
    }

    #[inline]
    fn set(&mut self, url: UrlId, value: f64) {
        self.make_room(url.0 + 1);
        self.0[url.index()] = value;
    }

    #[inline]
    fn add_each(&mut self, urls: impl Iterator<Item = UrlId>, amount: f64) {
        urls.for_each(|url| self.0[url.index()] += amount);
    }

    #[inline]
    fn set_each(&mut self, urls: impl Iterator<Item = UrlId>, value: f64) {
        urls.for_each(|url| self.0[url.index()] = value);
    }
}
