//! Values of links that pages gained at revisits.
//!
//! A page's links are ordered by first appearance, so a value of the links of one visit holds from
//! a position on. Without revisits these maps stay empty.

use crate::{Known, Scores, UrlId};
use std::ops::Range;

/// A map from pages to values, for few pages.
#[derive(Clone)]
pub(super) struct SparseMap<T> {
    /// By URL, index into `items` plus one; 0 for none.
    place_of: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for SparseMap<T> {
    fn default() -> Self {
        Self { place_of: Vec::new(), items: Vec::new() }
    }
}

impl<T> SparseMap<T> {
    pub(super) fn get(&self, page: UrlId) -> Option<&T> {
        self.items.get(self.place(page)?)
    }

    pub(super) fn get_mut(&mut self, page: UrlId) -> Option<&mut T> {
        let place = self.place(page)?;
        self.items.get_mut(place)
    }

    fn place(&self, page: UrlId) -> Option<usize> {
        (*self.place_of.get(page.index())? as usize).checked_sub(1)
    }

    /// Adds a value of a page that has none.
    pub(super) fn add(&mut self, page: UrlId, item: T) {
        if self.place_of.len() <= page.index() {
            self.place_of.resize(page.index() + 1, 0);
        }
        self.items.push(item);
        self.place_of[page.index()] = self.items.len() as u32;
    }

    /// Memory in bytes; `within` returns the heap memory of an item.
    pub(super) fn bytes(&self, within: impl Fn(&T) -> usize) -> usize {
        let items = self.items.capacity() * size_of::<T>();
        self.place_of.capacity() * 4 + items + self.items.iter().map(within).sum::<usize>()
    }
}

/// By page that gained links: the position from which on each value holds.
#[derive(Clone)]
pub(super) struct GrownLinks<T> {
    pages: SparseMap<Vec<(u32, T)>>,
}

impl<T> Default for GrownLinks<T> {
    fn default() -> Self {
        Self { pages: SparseMap::default() }
    }
}

impl<T: Copy> GrownLinks<T> {
    /// Sets the value of a page's links from a position on; `first` is the value of its initial
    /// links.
    pub(super) fn note(&mut self, page: UrlId, place: usize, first: T, now: T) {
        let now = (place as u32, now);
        match self.pages.get_mut(page) {
            Some(parts) => parts.push(now),
            None => self.pages.add(page, vec![(0, first), now]),
        }
    }

    /// The value of a page's link to a URL; `None` if all its links have the same value.
    pub(super) fn of_link(&self, page: UrlId, to: UrlId, known: &Known<'_>) -> Option<T> {
        let parts = self.pages.get(page)?;
        let place = known.links(page).position(|link| link == to)? as u32;
        parts.iter().rev().find(|(from, _)| *from <= place).map(|(_, what)| *what)
    }

    /// True if no page gained links.
    pub(super) fn is_empty(&self) -> bool {
        self.pages.items.is_empty()
    }

    /// Removes all values.
    pub(super) fn clear(&mut self) {
        self.pages = SparseMap::default();
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.bytes(|parts| parts.capacity() * size_of::<(u32, T)>())
    }
}

/// The share that each fetched page passes along each of its links, until the next computation.
#[derive(Clone)]
pub(super) struct LinkShares<T> {
    /// By fetch number, from 0.
    by_fetch: Vec<T>,
    /// For links shown at later visits.
    grown: GrownLinks<T>,
}

impl<T> Default for LinkShares<T> {
    fn default() -> Self {
        Self { by_fetch: Vec::new(), grown: GrownLinks::default() }
    }
}

impl<T: Copy + Default> LinkShares<T> {
    /// Records the share of a page just fetched and adds `amount` to the scores of its links.
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

    /// Records the share of a revisited page for its new links.
    pub(super) fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        (what, amount): (T, f64),
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.grown.note(url, places.start, self.by(url, known), what);
        scores.add_each(known.links_at(url, places), amount);
    }

    /// The share of the links that a page showed first.
    pub(super) fn by(&self, page: UrlId, known: &Known<'_>) -> T {
        let number = known.fetch_number(page).unwrap_or(0) as usize;
        number.checked_sub(1).and_then(|at| self.by_fetch.get(at)).copied().unwrap_or_default()
    }

    /// The share of a page's link to a URL.
    pub(super) fn along(&self, page: UrlId, to: UrlId, known: &Known<'_>) -> T {
        self.grown.of_link(page, to, known).unwrap_or_else(|| self.by(page, known))
    }

    /// True if some page gained links since the last computation, in between those it used.
    pub(super) fn has_grown(&self) -> bool {
        !self.grown.is_empty()
    }

    /// Sets the shares of all fetched pages after a computation, in order of fetching.
    pub(super) fn computed(&mut self, all: impl Iterator<Item = T>) {
        self.by_fetch.clear();
        self.by_fetch.extend(all);
        self.grown.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.by_fetch.capacity() * size_of::<T>() + self.grown.bytes()
    }
}
