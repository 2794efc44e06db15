//! Maps page numbers of a file to pages of a world.
//!
//! Files count from 0, from 1, or with gaps. The pages are the numbers that occur, in ascending order:
//! gaps take no memory and add no pages.

use crate::Problem;
use crawl_world::PageId;

/// A map from page numbers to pages.
#[derive(Debug)]
pub(crate) struct IdMap {
    ids: Ids,
    len: u32,
    first: u32,
    last: u32,
}

#[derive(Debug)]
enum Ids {
    /// Consecutive numbers.
    Run,
    /// Few gaps: the page of each number from the first on, or [`NONE`].
    Table(Vec<u32>),
    /// Large gaps: all numbers, sorted.
    Sorted(Vec<u32>),
}

const NONE: u32 = u32::MAX;

/// Maximum size of a table, relative to the number of pages.
const TABLE_FACTOR: usize = 4;
const SMALL_TABLE: usize = 1 << 16;

impl IdMap {
    /// From distinct numbers in ascending order.
    pub(crate) fn new(sorted: Vec<u32>) -> Self {
        let len = sorted.len();
        let first = sorted.first().copied().unwrap_or(0);
        let last = sorted.last().copied().unwrap_or(0);
        // u64, because the range 0 to `u32::MAX` has 2³² numbers.
        let span = u64::from(last - first) + 1;
        let ids = if span == len as u64 {
            Ids::Run
        } else if span <= len.saturating_mul(TABLE_FACTOR).max(SMALL_TABLE) as u64 {
            let mut pages = vec![NONE; span as usize];
            for (page, id) in sorted.iter().enumerate() {
                pages[(id - first) as usize] = page as u32;
            }
            Ids::Table(pages)
        } else {
            Ids::Sorted(sorted)
        };
        Self { ids, len: len as u32, first, last }
    }

    /// Distinct numbers of all links, in ascending order.
    pub(crate) fn distinct(from: &[u32], to: &[u32]) -> Vec<u32> {
        let ends = || from.iter().chain(to).copied();
        let Some(last) = ends().max() else {
            return Vec::new();
        };
        let words = last as usize / 64 + 1;
        if words > from.len() + SMALL_TABLE {
            let mut ids: Vec<u32> = ends().collect();
            ids.sort_unstable();
            ids.dedup();
            return ids;
        }
        let mut seen = vec![0_u64; words];
        for id in ends() {
            seen[id as usize / 64] |= 1 << (id % 64);
        }
        let count: u32 = seen.iter().map(|word| word.count_ones()).sum();
        let mut ids = Vec::with_capacity(count as usize);
        for (i, word) in seen.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                ids.push(i as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        ids
    }

    /// The page of a number.
    #[inline]
    pub(crate) fn page(&self, id: u32) -> Option<PageId> {
        match &self.ids {
            Ids::Run => id.checked_sub(self.first).filter(|page| *page < self.len),
            Ids::Table(pages) => {
                let at = id.checked_sub(self.first)? as usize;
                pages.get(at).copied().filter(|page| *page != NONE)
            }
            Ids::Sorted(ids) => ids.binary_search(&id).ok().map(|page| page as u32),
        }
        .map(PageId)
    }

    /// The page of a number, or an error.
    #[inline]
    pub(crate) fn known_page(&self, id: u32) -> Result<PageId, Problem> {
        self.page(id).ok_or(Problem::PageWithoutUrl {
            id,
            pages: self.len,
            first: self.first,
            last: self.last,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn maps_as_a_sorted_list_does(
            from in prop::collection::vec(prop_oneof![0_u32..90, any::<u32>()], 1..40),
            to in prop::collection::vec(0_u32..200_000, 1..40),
            probe in any::<u32>(),
        ) {
            let expected: BTreeSet<u32> = from.iter().chain(&to).copied().collect();
            let ids = IdMap::distinct(&from, &to);
            prop_assert!(ids.iter().eq(&expected));
            let map = IdMap::new(ids.clone());
            for (page, id) in ids.iter().enumerate() {
                prop_assert_eq!(map.page(*id), Some(PageId(page as u32)));
            }
            prop_assert_eq!(map.page(probe).is_some(), expected.contains(&probe));
        }
    }

    #[test]
    fn gaps_do_not_cost_memory() {
        let map = IdMap::new(IdMap::distinct(&[0], &[u32::MAX]));
        assert!(matches!(&map.ids, Ids::Sorted(ids) if ids.len() == 2));
        assert_eq!(map.page(u32::MAX), Some(PageId(1)));
        let map = IdMap::new(IdMap::distinct(&[1, 2], &[3, 1]));
        assert!(matches!(map.ids, Ids::Run));
        assert_eq!((map.page(0), map.page(4)), (None, None));
    }
}
