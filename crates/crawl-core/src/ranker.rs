//! Whole-graph rankings: one file each, one line in [`RANKERS`].

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

/// Every ranker, in the order they are shown.
pub const RANKERS: &[&RankerEntry] =
    &[&pagerank::ENTRY, &hits::ENTRY, &opic::ENTRY, &distance_rank::ENTRY, &rl_rank::ENTRY];

/// The one that measures take for the truth; the program of a first visit holds no others.
pub const FIRST: &[&RankerEntry] = &[&pagerank::ENTRY];

/// What is true of the topic that is looked for, which the omniscient may know in place of a ranker's
/// values. It ranks no links, so it is in the catalogue and not in the registry; a run makes its
/// values of labels, by [`crate::topic::TopicTruth::ranks`].
pub static TOPIC: Entry = Entry::new(
    "topic",
    "Topic",
    EntryTexts {
        family: "Labels",
        source: "(ours)",
        summary: "What labels say of the topic that is looked for, for the omniscient alone",
        description: "A page that is looked for has 1, another page about the topic 0.5, all others \
            0. It is no ranking of links: it needs a topic and a world whose labels say what is \
            true of it.",
        formula: "1 for a target, 0.5 for a page about the topic, 0 for all others",
        params: &[],
    },
);

/// A ranker in the registry.
pub struct RankerEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Makes it.
    pub build: fn(&Params) -> Box<dyn Ranker>,
    /// Sweeps over all links that it takes, about.
    pub sweeps: fn(&Params) -> f64,
}

/// What is ranked: the links between pages, and how many links of each page lead elsewhere.
pub struct Graph<'a> {
    /// The links.
    pub links: &'a Csr,
    /// Links that leave the graph, by page; empty when there are none.
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

    /// A graph that no link leaves.
    pub fn new(links: &'a Csr) -> Self {
        Self { links, outside: Vec::new() }
    }

    /// A graph that so many links of each page leave.
    pub(crate) fn leaving(links: &'a Csr, outside: Vec<u32>) -> Self {
        Self { links, outside }
    }

    /// Number of pages.
    pub fn n_pages(&self) -> u32 {
        self.links.n_pages()
    }

    /// O(i): the distinct links of a page, those that leave the graph included.
    #[inline]
    pub fn out_degree(&self, page: PageId) -> u32 {
        let outside = self.outside.get(page.index()).copied().unwrap_or(0);
        self.links.links(page).len() as u32 + outside
    }
}

/// What a ranker says of a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// One value a page, not negative, together 1.
    pub values: Vec<f64>,
    /// After each sweep, how far the values were from settled: the sum over all pages of what the
    /// next sweep would change. The last is that of `values`.
    pub residuals: Vec<f64>,
    /// False when the limit of sweeps was reached first.
    pub converged: bool,
}

/// Ranks every page of a graph.
pub trait Ranker: Send + Sync {
    /// The value of every page.
    fn rank(&self, graph: &Graph<'_>) -> Ranking;
}

/// The ranker chosen, if there is one of that name.
pub fn ranker(chosen: &Chosen) -> Option<Box<dyn Ranker>> {
    let entry = RANKERS.iter().find(|r| r.entry.id == chosen.id)?;
    Some((entry.build)(&chosen.params))
}

/// Scales values so that all together are 1; where all are 0, nothing tells pages apart.
fn scale(values: &mut [f64]) {
    let sum: f64 = values.iter().sum();
    let n = values.len() as f64;
    values.iter_mut().for_each(|value| *value = if sum > 0.0 { *value / sum } else { 1.0 / n });
}

/// No page, no group.
const NONE: u32 = u32::MAX;
