//! PageRank by plain sweeps, over a whole graph and over what a crawl has seen of it.

use crate::crawl::{Graph, History, Reference};
use crawl_core::{Rules, UrlId};
use crawl_tests::contender::contender;
use crawl_tests::driver;
use crawl_world::{PageId, World};
use std::collections::BTreeMap;

/// Sweeps stop when all ranks together change by less than this.
const STOP: f64 = 1e-10;
/// The same, for ranks to compare others with.
const EXACT: f64 = 1e-16;
const MOST_SWEEPS: usize = 2000;
/// Ranks computed by other sweeps to the same stop differ by little more than that.
pub const TOLERANCE: f64 = 1e-6;

/// PageRank over some pages, and what each page has without any link to it: its share of the
/// surfer's jumps, and of the rank that follows no link within the pages.
pub struct Ranks {
    pub rank: Vec<f64>,
    pub base: f64,
}

/// Every page's rank flows over its links; what is left over (jumps, pages without links, links
/// that leave) is spread evenly, so that all ranks add up to 1.
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

/// Crawls by true rank, and looks that of the best the first discovered comes first. Counts the
/// choices between equals.
pub fn ties(graph: &Graph, world: &World) -> usize {
    let rank = whole(graph, 0.85, EXACT);
    let seeds: Vec<PageId> = graph.seeds.iter().map(|seed| PageId(*seed as u32)).collect();
    let mut session = contender("omniscient").session(world, &seeds, &Rules::default());
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

/// Knows the true rank of every page.
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

/// Ranks over what is known, computed after every so many fetches. A URL scores what its fetched
/// parents pass on: by rank if the ranks knew them fetched; a page fetched since passes on its rank,
/// if it was known then, and what came to it after that.
pub struct Refreshed {
    damping: f64,
    every: usize,
    /// What every page known at the last computation has without any link to it.
    base: f64,
    ranked: Vec<usize>,
    /// What each fetched page hands along each of its links, by place.
    share: BTreeMap<usize, Vec<f64>>,
}

impl Refreshed {
    pub fn new(damping: f64, every: usize, graph: &Graph) -> Self {
        // Before the first ranks only the seeds were known, and all alike.
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

    /// Links shown later have of what the page has by then as if it were fetched then.
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
