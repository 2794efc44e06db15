//! What a crawler cannot know: the true rank of every page.

use crawl_world::{PageId, order};

/// True ranks over a whole world. A run whose strategy is given this is an oracle's.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The ranker, as a spec.
    pub ranker: String,
    /// Its value for every page.
    pub ranks: Vec<f64>,
}

impl Truth {
    /// The true rank of a page.
    #[inline]
    pub fn rank(&self, page: PageId) -> f64 {
        self.ranks[page.index()]
    }

    /// Pages in order of true rank, best first; of equals the one earlier in the list.
    pub fn sorted(&self, pages: &[PageId]) -> Vec<PageId> {
        let rank = |page: &PageId| crate::rounded(self.rank(*page));
        order::arranged(pages.to_vec(), |page| order::falling(rank(page)))
    }
}
