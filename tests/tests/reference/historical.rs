//! Ranks from an earlier crawl.
//!
//! The earlier world is random and taken from its generator; its crawl, its ranks and the scores of
//! new pages are computed here.

use crate::crawl::{Graph, History, Reference};
use crate::pagerank;
use crate::simple::Random;
use crawl_world::{Drift, Earlier, PageId, World};

/// The score of pages that were unknown in the earlier crawl.
#[derive(Clone, Copy, PartialEq)]
pub enum New {
    Oracle,
    Random,
    Zero,
    Parent,
}

pub struct Historical {
    new: New,
    /// The earlier rank of each current page, if it was known.
    remembered: Vec<Option<f64>>,
    /// The ranks of all known pages, in discovery order.
    ranks: Vec<f64>,
    /// For each current page its true rank, and the random number of its URL.
    truth: Vec<f64>,
    drawn: Vec<f64>,
    /// The page on which each page was found first.
    parents: Vec<Option<usize>>,
    /// The score of each page at its fetch.
    at_fetch: Vec<Option<f64>>,
}

/// The default drift.
pub const USUAL: Drift = Drift { born: 0.2, died: 0.1, changed: 0.1, seed: 1 };

impl Historical {
    pub fn boxed(
        graph: &Graph,
        world: &World,
        new: New,
        drift: Drift,
        memory: f64,
    ) -> Box<dyn Reference> {
        let seeds: Vec<PageId> = graph.seeds.iter().map(|seed| PageId(*seed as u32)).collect();
        let earlier = Earlier::new(world, &seeds, &drift);
        let n_then = earlier.links().n_pages();
        let row = |page: u32| {
            let links = earlier.links().links(PageId(page)).iter();
            links.map(|to| to.index()).collect::<Vec<usize>>()
        };
        let links: Vec<Vec<usize>> = (0..n_then).map(row).collect();
        let outside = |page: usize| {
            let page = earlier.like(PageId(page as u32)).index();
            graph.out_degree[page] - graph.links[page].len()
        };
        let out_degree = (0..links.len()).map(|page| links[page].len() + outside(page)).collect();
        let then = Graph::of_rows(links, out_degree, graph.seeds.clone());

        // First count the reachable pages, then fetch the given share of them.
        let reachable = breadth_first(&then, usize::MAX).0.len();
        let n_fetched = ((memory * reachable as f64 + 0.5).floor() as usize).max(1);
        let (fetched, found) = breadth_first(&then, n_fetched);
        let [is_fetched, is_found] = [&fetched, &found].map(|pages| {
            let mut among = vec![false; then.n_pages()];
            pages.iter().for_each(|page| among[*page] = true);
            among
        });
        let links = |page: usize| if is_fetched[page] { then.links[page].as_slice() } else { &[] };
        let degree = |page: usize| then.out_degree[page];
        let rank = pagerank::ranks(&found, links, degree, then.n_pages(), (0.85, 1e-10)).rank;
        let n_pages = graph.n_pages();
        let remembered = (0..n_pages).map(|page| is_found[page].then(|| rank[page]));
        Box::new(Self {
            new,
            remembered: remembered.collect(),
            ranks: found.iter().map(|page| rank[*page]).collect(),
            truth: if new == New::Oracle { pagerank::whole(graph, 0.85, 1e-10) } else { vec![] },
            drawn: if new == New::Random { Random::new(world).drawn } else { vec![] },
            parents: vec![None; n_pages],
            at_fetch: vec![None; n_pages],
        })
    }
}

/// The fetched and the discovered pages, each in order, after `n_fetched` fetches.
fn breadth_first(graph: &Graph, n_fetched: usize) -> (Vec<usize>, Vec<usize>) {
    let mut found = graph.seeds.clone();
    let mut is_found = vec![false; graph.n_pages()];
    found.iter().for_each(|seed| is_found[*seed] = true);
    let mut fetched = Vec::new();
    while fetched.len() < n_fetched.min(found.len()) {
        let page = found[fetched.len()];
        fetched.push(page);
        for to in &graph.links[page] {
            if !std::mem::replace(&mut is_found[*to], true) {
                found.push(*to);
            }
        }
    }
    (fetched, found)
}

impl Historical {
    /// A fetched page keeps its score; a waiting page's depends on its parent's current links.
    fn score(&self, page: usize, history: &History<'_>) -> f64 {
        let new = || match self.new {
            New::Oracle => self.truth[page],
            New::Random => self.ranks[(self.drawn[page] * self.ranks.len() as f64) as usize],
            New::Zero => 0.0,
            New::Parent => self.parents[page].map_or(0.0, |parent| {
                let score = self.at_fetch[parent].expect("a parent was fetched");
                score / history.out_degree(parent) as f64
            }),
        };
        self.at_fetch[page].or(self.remembered[page]).unwrap_or_else(new)
    }
}

impl Reference for Historical {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        (0..history.graph.n_pages()).map(|page| self.score(page, history)).collect()
    }

    fn fetched(&mut self, page: usize, _: f64, history: &History<'_>) {
        self.at_fetch[page] = Some(self.score(page, history));
        self.revisited(page, 0, f64::NAN, history);
    }

    fn revisited(&mut self, page: usize, _: usize, _: f64, history: &History<'_>) {
        for to in history.links(page) {
            if history.follows(page, *to) && !history.graph.seeds.contains(to) {
                self.parents[*to].get_or_insert(page);
            }
        }
    }

    fn tolerance(&self) -> f64 {
        pagerank::TOLERANCE
    }
}
