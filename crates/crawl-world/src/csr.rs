//! Links as compressed sparse rows.

use crate::PageId;

/// A directed graph: for each page, its distinct targets in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr {
    offsets: Vec<u32>,
    targets: Vec<PageId>,
}

impl Csr {
    /// From row offsets (one more than there are pages) and all targets, row after row.
    ///
    /// # Panics
    /// If the offsets do not rise from 0 to the number of targets.
    pub fn new(offsets: Vec<u32>, targets: Vec<PageId>) -> Self {
        assert!(offsets.first() == Some(&0), "offsets start at 0");
        assert!(offsets.is_sorted(), "offsets rise");
        assert_eq!(offsets.last().copied(), Some(targets.len() as u32), "offsets end at the end");
        Self { offsets, targets }
    }

    /// Number of pages.
    pub fn n_pages(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    /// Number of links.
    pub fn n_links(&self) -> u32 {
        self.targets.len() as u32
    }

    /// The targets of a page.
    #[inline]
    pub fn links(&self, page: PageId) -> &[PageId] {
        &self.targets[self.range(page)]
    }

    /// Where a page's links stand in arrays over links.
    #[inline]
    pub fn range(&self, page: PageId) -> std::ops::Range<usize> {
        self.offsets[page.index()] as usize..self.offsets[page.index() + 1] as usize
    }

    /// The row offsets.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// All targets, row after row.
    pub fn targets(&self) -> &[PageId] {
        &self.targets
    }

    /// Every link turned round; sources of a page stand in rising order.
    pub fn transposed(&self) -> Self {
        let n = self.n_pages() as usize;
        let mut offsets = vec![0_u32; n + 1];
        for target in &self.targets {
            offsets[target.index() + 1] += 1;
        }
        for i in 0..n {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut targets = vec![PageId(0); self.targets.len()];
        for source in 0..n as u32 {
            for target in self.links(PageId(source)) {
                let at = &mut next[target.index()];
                targets[*at as usize] = PageId(source);
                *at += 1;
            }
        }
        Self { offsets, targets }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        (self.offsets.capacity() + self.targets.capacity()) * 4
    }
}
