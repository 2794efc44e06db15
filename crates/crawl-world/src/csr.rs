//! Graph in compressed sparse row format.

use crate::PageId;
use serde::{Deserialize, Serialize, Serializer};

/// A directed graph: for each page, its distinct targets in order of first appearance.
///
/// Serialised as the out-degree of each page and the differences between consecutive targets, which
/// are small numbers. Deserialising validates.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Rows")]
pub struct Csr {
    offsets: Vec<u32>,
    targets: Vec<PageId>,
}

impl Csr {
    /// From row offsets (one more than pages) and all targets, by row.
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

    /// Positions of a page's links in arrays over links.
    #[inline]
    pub fn range(&self, page: PageId) -> std::ops::Range<usize> {
        self.offsets[page.index()] as usize..self.offsets[page.index() + 1] as usize
    }

    /// The row offsets.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// All targets, by row.
    pub fn targets(&self) -> &[PageId] {
        &self.targets
    }

    /// The graph with all links reversed; sources of a page are in ascending order.
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

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        (self.offsets.capacity() + self.targets.capacity()) * 4
    }
}

/// Serialised form of a graph.
#[derive(Serialize, Deserialize)]
struct Rows {
    degrees: Vec<u32>,
    /// Difference from a page to its first target, and from each target to the next.
    ways: Vec<i32>,
}

impl Serialize for Csr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut ways = Vec::with_capacity(self.targets.len());
        for page in 0..self.n_pages() {
            let mut from = page;
            for target in self.links(PageId(page)) {
                ways.push(target.0.wrapping_sub(from) as i32);
                from = target.0;
            }
        }
        let degrees = self.offsets.windows(2).map(|ends| ends[1] - ends[0]).collect();
        Rows { degrees, ways }.serialize(serializer)
    }
}

impl TryFrom<Rows> for Csr {
    type Error = &'static str;

    fn try_from(rows: Rows) -> Result<Self, Self::Error> {
        let Rows { degrees, ways } = rows;
        let mut ends = 0_u32;
        let mut offsets = Vec::with_capacity(degrees.len() + 1);
        offsets.push(0);
        for degree in &degrees {
            ends = ends.checked_add(*degree).ok_or("too many links")?;
            offsets.push(ends);
        }
        if ends as usize != ways.len() {
            return Err("the pages' links are not as many as the links");
        }
        let n_pages = degrees.len() as u32;
        let mut ways = ways.into_iter();
        let mut targets = Vec::with_capacity(ends as usize);
        for (page, degree) in (0..n_pages).zip(degrees) {
            let mut target = page;
            for way in ways.by_ref().take(degree as usize) {
                target = target.wrapping_add_signed(way);
                if target >= n_pages {
                    return Err("a link leads to a page that is not there");
                }
                targets.push(PageId(target));
            }
        }
        Ok(Self { offsets, targets })
    }
}
