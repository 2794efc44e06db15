//! PageRank by power iteration, over a whole graph and over the known part.

use crate::crawl::{Graph, History, Reference};
use crawl_core::{Rules, UrlId};
use crawl_tests::driver;
use crawl_tests::variants::strategy_variant;
use crawl_world::{PageId, World};
use std::collections::BTreeMap;

/// Iteration stops when the ranks change by less than this in total.
const STOP: f64 = 1e-10;
/// The stopping rule for ranks that others are compared with.
const EXACT: f64 = 1e-16;
const MOST_SWEEPS: usize = 2000;
/// Tolerance for ranks of another implementation with the same stopping rule.
pub const TOLERANCE: f64 = 1e-6;

/// PageRank of some pages, and the base rank of a page without incoming links.
pub struct Ranks {
    pub rank: Vec<f64>,
    pub base: f64,
}

/// Computes PageRank. Rank that follows no link (jumps, dangling pages, links that leave) is spread
/// evenly, so the ranks sum to 1.
pub fn ranks<'a>(
    pages: &[usize],
    links: impl Fn(usize) -> &'a [usize],
    degree: impl Fn(usize) -> usize,
    n_pages: usize,
    (damping, stop): (f64, f64),
) -> Ranks {
    let n = pages.len() as f64;
    let mut rank = vec![0.0; n_pages];
    for page in pages {
        rank[*page] = 1.0 / n;
    }
    let mut sweep = 0;
    loop {
        sweep += 1;
        let mut next = vec![0.0; n_pages];
        let mut flown = 0.0;
        for page in pages {
            for target in links(*page) {
                let share = damping * rank[*page] / degree(*page) as f64;
                next[*target] += share;
                flown += share;
            }
        }
        let base = (1.0 - flown) / n;
        for page in pages {
            next[*page] += base;
        }
        let change: f64 = pages.iter().map(|page| (next[*page] - rank[*page]).abs()).sum();
        rank = next;
        if change < stop || sweep == MOST_SWEEPS {
            return Ranks { rank, base };
        }
    }
}

/// The ranks of a whole graph.
pub fn whole(graph: &Graph, damping: f64, stop: f64) -> Vec<f64> {
    let pages: Vec<usize> = (0..graph.n_pages()).collect();
    let links = |page: usize| graph.links[page].as_slice();
    ranks(&pages, links, |page| graph.out_degree[page], graph.n_pages(), (damping, stop)).rank
}

/// Crawls by true rank and checks that ties go to the earliest discovered; counts the ties.
pub fn ties(graph: &Graph, world: &World) -> usize {
    let rank = whole(graph, 0.85, EXACT);
    let seeds: Vec<PageId> = graph.seeds.iter().map(|seed| PageId(*seed as u32)).collect();
    let mut session = strategy_variant("omniscient").session(world, &seeds, &Rules::default());
    let mut now_us = 0;
    let mut n_ties = 0;
    loop {
        let mut waiting: Vec<UrlId> = session.frontier().waiting().collect();
        waiting.sort();
        let rank = |url: &UrlId| rank[session.book().page(*url).index()];
        let best = waiting.iter().map(rank).fold(0.0, f64::max);
        let equal = |url: &UrlId| rank(url) >= best * (1.0 - 1e-12);
        let first = waiting.iter().copied().find(equal);
        n_ties += usize::from(waiting.iter().filter(|url| equal(url)).count() > 1);
        let fetched = driver::step(&mut session, world, &mut now_us);
        assert_eq!(fetched.map(|f| f.fetch.url), first);
        if first.is_none() {
            return n_ties;
        }
    }
}

/// Uses the true rank of every page.
pub struct Omniscient {
    rank: Vec<f64>,
}

impl Omniscient {
    pub fn new(graph: &Graph, damping: f64) -> Self {
        Self { rank: whole(graph, damping, STOP) }
    }
}

impl Reference for Omniscient {
    fn scores(&self, _: &History<'_>) -> Vec<f64> {
        self.rank.clone()
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }
}

/// Ranks over the known part, recomputed after every `every` fetches.
///
/// A URL scores the sum of its fetched parents' shares. Parents fetched before the last computation
/// pass on their rank; those fetched since pass on their rank, if known then, plus later gains.
pub struct Refreshed {
    damping: f64,
    every: usize,
    /// The base rank of the last computation.
    base: f64,
    ranked: Vec<usize>,
    /// For every fetched page, its share for each of its links.
    share: BTreeMap<usize, Vec<f64>>,
}

impl Refreshed {
    pub fn new(damping: f64, every: usize, graph: &Graph) -> Self {
        // Before the first computation only the seeds are known, with equal ranks.
        let base = 1.0 / graph.seeds.len() as f64;
        Self { damping, every, base, ranked: graph.seeds.clone(), share: BTreeMap::new() }
    }
}

impl Reference for Refreshed {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; history.graph.n_pages()];
        for page in &history.fetched {
            for (target, share) in history.links(*page).iter().zip(&self.share[page]) {
                scores[*target] += share;
            }
        }
        scores
    }

    /// Links shown later get the share the page would have if it were fetched then.
    fn revisited(&mut self, page: usize, _: usize, score: f64, history: &History<'_>) {
        let base = if self.ranked.contains(&page) { self.base } else { 0.0 };
        let share = self.damping * (base + score) / history.out_degree(page) as f64;
        let shares = self.share.entry(page).or_default();
        shares.resize(history.links(page).len(), share);
    }

    fn fetched(&mut self, page: usize, score: f64, history: &History<'_>) {
        self.revisited(page, 0, score, history);
        if history.fetched.len().is_multiple_of(self.every) {
            let links = |page: usize| history.links(page);
            let degree = |page: usize| history.out_degree(page);
            let how = (self.damping, STOP);
            let ranks = ranks(&history.discovered, links, degree, history.graph.n_pages(), how);
            let shares = |page: &usize| {
                let share = self.damping * ranks.rank[*page] / degree(*page) as f64;
                (*page, vec![share; links(*page).len()])
            };
            self.share = history.fetched.iter().map(shares).collect();
            self.base = ranks.base;
            self.ranked = history.discovered.clone();
        }
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }
}
