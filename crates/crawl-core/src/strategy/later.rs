//! What is kept of pages that showed more links when they were visited again.
//!
//! A page's links stand in the order in which they were shown, so that what holds for those of one
//! visit holds from a place on. Crawls that visit no page again keep nothing here.

use crate::only::IS_WHOLE;
use crate::{Known, Scores, UrlId};
use std::ops::Range;

/// Something about a few pages.
#[derive(Clone)]
pub(super) struct Few<T> {
    /// By URL one more than its place among the items, or 0.
    place_of: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self { place_of: Vec::new(), items: Vec::new() }
    }
}

impl<T> Few<T> {
    pub(super) fn get(&self, page: UrlId) -> Option<&T> {
        self.items.get(self.place(page)?)
    }

    pub(super) fn get_mut(&mut self, page: UrlId) -> Option<&mut T> {
        let place = self.place(page)?;
        self.items.get_mut(place)
    }

    fn place(&self, page: UrlId) -> Option<usize> {
        let places = if IS_WHOLE { &self.place_of[..] } else { &[] };
        (*places.get(page.index())? as usize).checked_sub(1)
    }

    /// Adds a page that there is nothing about.
    pub(super) fn add(&mut self, page: UrlId, item: T) {
        if self.place_of.len() <= page.index() {
            self.place_of.resize(page.index() + 1, 0);
        }
        self.items.push(item);
        self.place_of[page.index()] = self.items.len() as u32;
    }

    /// Bytes of memory held; `within` are those behind an item.
    pub(super) fn bytes(&self, within: impl Fn(&T) -> usize) -> usize {
        if !IS_WHOLE {
            return 0;
        }
        let items = self.items.capacity() * size_of::<T>();
        self.place_of.capacity() * 4 + items + self.items.iter().map(within).sum::<usize>()
    }
}

/// By page that showed more links later: from which place on what holds.
#[derive(Clone)]
pub(super) struct Later<T> {
    pages: Few<Vec<(u32, T)>>,
}

impl<T> Default for Later<T> {
    fn default() -> Self {
        Self { pages: Few::default() }
    }
}

impl<T: Copy> Later<T> {
    /// Notes what holds for a page's links from a place on; `first` held for all it showed at first.
    pub(super) fn note(&mut self, page: UrlId, place: usize, first: T, now: T) {
        let now = (place as u32, now);
        match self.pages.get_mut(page) {
            Some(parts) => parts.push(now),
            None => self.pages.add(page, vec![(0, first), now]),
        }
    }

    /// What holds for a page's link to a URL; nothing where all its links are alike.
    pub(super) fn of_link(&self, page: UrlId, to: UrlId, known: &Known<'_>) -> Option<T> {
        let parts = self.pages.get(page)?;
        let place = known.links(page).position(|link| link == to)? as u32;
        parts.iter().rev().find(|(from, _)| *from <= place).map(|(_, what)| *what)
    }

    /// True when no page showed more links later.
    pub(super) fn is_empty(&self) -> bool {
        self.pages.items.is_empty()
    }

    /// Makes the links of each page alike.
    pub(super) fn clear(&mut self) {
        self.pages = Few::default();
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.bytes(|parts| parts.capacity() * size_of::<(u32, T)>())
    }
}

/// What each fetched page passes along each of its links, until all is computed anew.
#[derive(Clone)]
pub(super) struct Passed<T> {
    /// By fetch number, counted from zero.
    by_fetch: Vec<T>,
    /// For links shown at later visits.
    later: Later<T>,
}

impl<T> Default for Passed<T> {
    fn default() -> Self {
        Self { by_fetch: Vec::new(), later: Later::default() }
    }
}

impl<T: Copy + Default> Passed<T> {
    /// A page just fetched passes that along each of its links, which adds so much to their scores.
    #[inline]
    pub(super) fn fetched(
        &mut self,
        url: UrlId,
        (what, amount): (T, f64),
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.by_fetch.push(what);
        scores.add_each(known.links(url), amount);
    }

    /// A page visited again passes that along the links that it shows for the first time.
    pub(super) fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        (what, amount): (T, f64),
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.later.note(url, places.start, self.by(url, known), what);
        scores.add_each(known.links_at(url, places), amount);
    }

    /// What a page passes along the links that it showed first.
    pub(super) fn by(&self, page: UrlId, known: &Known<'_>) -> T {
        let number = known.fetch_number(page).unwrap_or(0) as usize;
        number.checked_sub(1).and_then(|at| self.by_fetch.get(at)).copied().unwrap_or_default()
    }

    /// What a page passes along its link to a URL.
    pub(super) fn along(&self, page: UrlId, to: UrlId, known: &Known<'_>) -> T {
        self.later.of_link(page, to, known).unwrap_or_else(|| self.by(page, known))
    }

    /// True when the links of some page are not alike, so that links were shown in the midst of those
    /// that the last computation knew.
    pub(super) fn has_grown(&self) -> bool {
        !self.later.is_empty()
    }

    /// What all pages fetched pass on by a computation, in that order.
    pub(super) fn computed(&mut self, all: impl Iterator<Item = T>) {
        self.by_fetch.clear();
        self.by_fetch.extend(all);
        self.later.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.by_fetch.capacity() * size_of::<T>() + self.later.bytes()
    }
}
