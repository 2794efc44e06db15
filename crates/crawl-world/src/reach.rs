//! Pages that a crawl can reach.

use crate::{Csr, PageId};

/// The pages reachable from some seeds, and their depths.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    depths: Vec<u32>,
    order: Vec<PageId>,
}

const UNREACHED: u32 = u32::MAX;

impl Reach {
    /// Breadth-first search from the seeds.
    pub fn new(graph: &Csr, seeds: &[PageId]) -> Self {
        let mut depths = vec![UNREACHED; graph.n_pages() as usize];
        let mut order = Vec::new();
        for seed in seeds {
            if depths[seed.index()] == UNREACHED {
                depths[seed.index()] = 0;
                order.push(*seed);
            }
        }
        let mut next = 0;
        while let Some(page) = order.get(next).copied() {
            next += 1;
            let depth = depths[page.index()] + 1;
            for target in graph.links(page) {
                if depths[target.index()] == UNREACHED {
                    depths[target.index()] = depth;
                    order.push(*target);
                }
            }
        }
        Self { depths, order }
    }

    /// Number of reachable pages, including seeds.
    pub fn n_pages(&self) -> u32 {
        self.order.len() as u32
    }

    /// The reachable pages, nearest first.
    pub fn pages(&self) -> &[PageId] {
        &self.order
    }

    /// Minimum number of clicks from a seed; `None` if unreachable.
    pub fn depth(&self, page: PageId) -> Option<u32> {
        Some(self.depths[page.index()]).filter(|d| *d != UNREACHED)
    }

    /// Maximum depth of a reachable page.
    pub fn max_depth(&self) -> u32 {
        self.order.last().map_or(0, |p| self.depths[p.index()])
    }
}
