//! Births: pages that do not exist at the start.
//!
//! A page may be **born** at a time b > 0 (`born_s`). Links to it appear at that time on the pages
//! that have them, so a visit at time t sees exactly the links to pages born by t. Links that leave
//! the world exist all the time.
//!
//! A page's links are sorted by the birth of their targets, stably. So the links seen at any time
//! are a prefix of the row, and only its length must be found. Changes of a page before its birth
//! are ignored by the simulation.

#[cfg(test)]
mod tests;

use super::times::{NEVER, microseconds};
use crate::build::{not_negative, shortened};
use crate::order::{by_key, rising};
use crate::{BuildError, Column, Csr, PageId, World, WorldBuilder};

impl WorldBuilder {
    /// Sets the birth of a page, in seconds; the last call counts. 0 for the start.
    ///
    /// # Errors
    /// If the time is not finite or negative.
    pub fn set_born(&mut self, page: PageId, since_s: f64) -> Result<(), BuildError> {
        self.timetable_entries.born.push((page.0, not_negative("born_s", since_s)?));
        Ok(())
    }
}

impl World {
    /// The birth of a page, in seconds; `None` if it exists at the start.
    #[inline]
    pub fn born_s(&self, page: PageId) -> Option<f64> {
        self.timetable.born.get(page.index()).first().copied()
    }

    /// The birth of a page, in microseconds; 0 if it exists at the start.
    #[inline]
    pub fn born_us(&self, page: PageId) -> u64 {
        self.born_s(page).map_or(0, microseconds)
    }

    /// True if a page is born by that time; it may be gone again.
    #[inline]
    pub fn is_born_by(&self, page: PageId, t_us: u64) -> bool {
        self.born_us(page) <= t_us.min(NEVER - 1)
    }

    /// True if some page is born after the start.
    #[inline]
    pub fn has_births(&self) -> bool {
        !self.timetable.born.is_empty()
    }

    /// Number of a page's links, from the first on, that a visit at that time sees.
    #[inline]
    pub fn n_links_by(&self, page: PageId, t_us: u64) -> usize {
        let row = self.links(page);
        if !self.has_births() {
            return row.len();
        }
        let is_there = |to: &PageId| self.is_born_by(*to, t_us);
        // Most pages have no links to later pages; the last link tells.
        if row.last().is_none_or(is_there) { row.len() } else { row.partition_point(is_there) }
    }

    /// O(i) at that time: links that a visit sees, including those that leave the world.
    #[inline]
    pub fn n_out_by(&self, page: PageId, t_us: u64) -> u32 {
        self.n_links_by(page, t_us) as u32 + self.outside.len_of(page.index())
    }

    /// Sorts links by the birth of their targets, together with their texts.
    pub(crate) fn arrange_by_birth(&mut self) {
        if !self.has_births() {
            return;
        }
        let mut order: Vec<u32> = (0..self.n_links()).collect();
        let mut is_same = true;
        for page in self.pages().filter(|page| !self.is_arranged(*page)) {
            let (row, start) = (self.links(page), self.link_range(page).start);
            let sorted = by_key(row.len(), |i| self.birth_order(row[i]));
            for (at, i) in (start..).zip(sorted) {
                order[at] = start as u32 + i;
            }
            is_same = false;
        }
        if is_same {
            return;
        }
        let targets = order.iter().map(|link| self.links.targets()[*link as usize]).collect();
        self.links = Csr::new(self.links.offsets().to_vec(), targets);
        self.anchors = moved(&self.anchors, &order);
        self.contexts = moved(&self.contexts, &order);
        self.nofollow = moved(&self.nofollow, &order);
    }

    fn birth_order(&self, page: PageId) -> u64 {
        rising(self.born_s(page).unwrap_or(0.0))
    }

    fn is_arranged(&self, page: PageId) -> bool {
        self.links(page).is_sorted_by_key(|to| self.birth_order(*to))
    }

    /// Checks that seeds exist at the start, and that pages are gone only after their birth.
    pub(crate) fn ensure_births_fit(&self) -> Result<(), BuildError> {
        if !self.has_births() {
            return Ok(());
        }
        let url = |page| shortened(&self.url(page).escape_debug().to_string());
        for seed in self.seeds() {
            if let Some(born_s) = self.born_s(seed) {
                return Err(BuildError::BornSeed { url: url(seed), born_s });
            }
        }
        for page in self.pages() {
            if let (Some(born_s), Some(gone_s)) = (self.born_s(page), self.gone_s(page))
                && gone_s <= born_s
            {
                return Err(BuildError::GoneUnborn { url: url(page), born_s, gone_s });
            }
        }
        Ok(())
    }

    /// The first fault of deserialised births; the timetable itself must be sound.
    pub(crate) fn births_fault(&self) -> Option<&'static str> {
        if !self.has_births() {
            return None;
        }
        if self.seeds().iter().any(|seed| self.born_s(*seed).is_some()) {
            return Some("a seed does not exist at the start");
        }
        if !self.pages().all(|page| self.is_arranged(page)) {
            return Some("links are not in the order of their targets' births");
        }
        None
    }
}

/// A column over links in another order.
fn moved<T: Copy + Default + PartialEq>(column: &Column<T>, order: &[u32]) -> Column<T> {
    if column.stored().is_empty() {
        return Column::default();
    }
    Column::from(order.iter().map(|link| column.get(*link as usize)).collect::<Vec<T>>())
}
