//! True ranks of all pages, which a crawler cannot know.

use crawl_world::{PageId, order};

/// True ranks over a world. A strategy that uses them is an oracle.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// Spec of the ranker.
    pub ranker: String,
    /// Rank of each page.
    pub ranks: Vec<f64>,
}

impl Truth {
    /// The true rank of a page.
    #[inline]
    pub fn rank(&self, page: PageId) -> f64 {
        self.ranks[page.index()]
    }

    /// Pages by true rank, best first; ties keep their order.
    pub fn sorted(&self, pages: &[PageId]) -> Vec<PageId> {
        let rank = |page: &PageId| crate::rounded(self.rank(*page));
        order::arranged(pages.to_vec(), |page| order::falling(rank(page)))
    }
}
