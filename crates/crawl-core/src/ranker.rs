//! Rankings of complete graphs: one file each, listed in [`RANKERS`].

mod components;
mod distance_rank;
pub mod hits;
mod lump;
mod opic;
pub mod pagerank;
mod relax;
pub(crate) mod rl_rank;
#[cfg(test)]
mod testing;
mod warm;

use crawl_catalogue::{Chosen, Entry, EntryTexts, Params};
use crawl_world::{Csr, PageId, World};

/// All rankers, in display order.
pub const RANKERS: &[&RankerEntry] =
    &[&pagerank::ENTRY, &hits::ENTRY, &opic::ENTRY, &distance_rank::ENTRY, &rl_rank::ENTRY];

/// Ranks by topic labels, for the strategy omniscient.
///
/// It ranks no links, so it is in the catalogue but not in [`RANKERS`]; a run computes its values
/// from labels by [`crate::topic::TopicTruth::ranks`].
pub static TOPIC: Entry = Entry::new(
    "topic",
    "Topic",
    EntryTexts {
        family: "Labels",
        source: "(ours)",
        summary: "Topic labels, for the strategy omniscient only",
        description: "1 for a target, 0.5 for another page about the topic, 0 for the rest. It is no \
            ranking of links: it needs a topic and a world with labels.",
        formula: "1 for a target, 0.5 for a page about the topic, 0 for all others",
        params: &[],
    },
);

/// A ranker in the registry.
pub struct RankerEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Builds the ranker.
    pub build: fn(&Params) -> Box<dyn Ranker>,
    /// Approximate number of sweeps over all links.
    pub sweeps: fn(&Params) -> f64,
}

/// The graph to rank: links between pages, and the number of links of each page that leave it.
pub struct Graph<'a> {
    /// The links.
    pub links: &'a Csr,
    /// Number of links that leave the graph, by page; empty if there are none.
    outside: Vec<u32>,
}

impl<'a> Graph<'a> {
    /// The graph of a world.
    pub fn of(world: &'a World) -> Self {
        let links = world.graph();
        let leaving = |page| world.out_degree(page) - links.links(page).len() as u32;
        let outside =
            if world.n_outside_links() > 0 { world.pages().map(leaving).collect() } else { vec![] };
        Self { links, outside }
    }

    /// A graph without links that leave it.
    pub fn new(links: &'a Csr) -> Self {
        Self { links, outside: Vec::new() }
    }

    /// A graph with `outside` links per page that leave it.
    pub(crate) fn leaving(links: &'a Csr, outside: Vec<u32>) -> Self {
        Self { links, outside }
    }

    /// Number of pages.
    pub fn n_pages(&self) -> u32 {
        self.links.n_pages()
    }

    /// O(i): number of distinct links of a page, including those that leave the graph.
    #[inline]
    pub fn out_degree(&self, page: PageId) -> u32 {
        let outside = self.outside.get(page.index()).copied().unwrap_or(0);
        self.links.links(page).len() as u32 + outside
    }
}

/// Result of a ranker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// One value per page, not negative, with sum 1.
    pub values: Vec<f64>,
    /// Residual after each sweep: the sum over all pages of the change by the next sweep. The last
    /// one is that of `values`.
    pub residuals: Vec<f64>,
    /// False if the maximum number of sweeps was reached.
    pub converged: bool,
}

/// Ranks all pages of a graph.
pub trait Ranker: Send + Sync {
    /// Computes the value of every page.
    fn rank(&self, graph: &Graph<'_>) -> Ranking;
}

/// Builds a chosen ranker; `None` if there is none of that id.
pub fn ranker(chosen: &Chosen) -> Option<Box<dyn Ranker>> {
    let entry = RANKERS.iter().find(|r| r.entry.id == chosen.id)?;
    Some((entry.build)(&chosen.params))
}

/// Scales values to sum 1; if all are 0, they become equal.
fn scale(values: &mut [f64]) {
    let sum: f64 = values.iter().sum();
    let n = values.len() as f64;
    values.iter_mut().for_each(|value| *value = if sum > 0.0 { *value / sum } else { 1.0 / n });
}

/// No page or group.
const NONE: u32 = u32::MAX;
