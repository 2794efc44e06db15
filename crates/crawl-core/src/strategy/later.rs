//! What is kept of pages that showed more links when they were visited again.
//!
//! A page's links stand in the order in which they were shown, so that what holds for those of one
//! visit holds from a place on. Crawls that visit no page again keep nothing here.

use crate::{Known, UrlId};

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
        (*self.place_of.get(page.index())? as usize).checked_sub(1)
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
