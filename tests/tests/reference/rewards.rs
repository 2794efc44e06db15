//! RL-Rank by its printed equation (9), over a whole graph and over the known part.

use crate::crawl::{Graph, History, Reference};
use crate::pagerank;
use std::collections::BTreeMap;

/// Damping of the surfer's presence (PageRank).
const DAMPING: f64 = 0.85;
/// Iteration stops when the values change by less than this, relatively.
const STOP: f64 = 1e-12;
/// Tolerance for values of another implementation with another stopping rule.
const TOLERANCE: f64 = 1e-6;

/// Iterates equation 9 over some pages until convergence.
fn rewards<'a>(
    pages: &[usize],
    links: impl Fn(usize) -> &'a [usize],
    degree: impl Fn(usize) -> usize,
    gamma: f64,
    prob: &[f64],
) -> Vec<f64> {
    let mut values = vec![0.0; prob.len()];
    for _ in 0..2_000 {
        let mut next = vec![0.0; prob.len()];
        for page in pages {
            let degree = degree(*page) as f64;
            for target in links(*page) {
                next[*target] += prob[*page] / degree * (1.0 / degree + gamma * values[*page]);
            }
        }
        let change: f64 = next.iter().zip(&values).map(|(a, b)| (a - b).abs()).sum();
        values = next;
        if change <= STOP * values.iter().sum::<f64>() {
            break;
        }
    }
    values
}

/// Uses the values of the whole graph.
pub struct Everywhere(Vec<f64>);

impl Everywhere {
    pub fn new(graph: &Graph, gamma: f64, is_stationary: bool) -> Self {
        let pages: Vec<usize> = (0..graph.n_pages()).collect();
        let links = |page: usize| graph.links[page].as_slice();
        let prob = match is_stationary {
            true => pagerank::whole(graph, DAMPING, STOP),
            false => vec![1.0; graph.n_pages()],
        };
        Self(rewards(&pages, links, |page| graph.out_degree[page], gamma, &prob))
    }
}

impl Reference for Everywhere {
    fn scores(&self, _: &History<'_>) -> Vec<f64> {
        // Normalised like a ranker's values; without links all are equal.
        let sum: f64 = self.0.iter().sum();
        let n = self.0.len() as f64;
        self.0.iter().map(|value| if sum > 0.0 { value / sum } else { 1.0 / n }).collect()
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }
}

/// Values over the known part, recomputed after every `every` fetches.
///
/// A page fetched since then passes on its current value, at the presence it had.
pub struct Refreshed {
    gamma: f64,
    every: usize,
    is_stationary: bool,
    /// Presence at the last computation, and that of pages unknown then.
    presence: BTreeMap<usize, f64>,
    base: f64,
    /// For every fetched page, the value it passes along each link.
    sent: BTreeMap<usize, Vec<f64>>,
}

impl Refreshed {
    pub fn new(gamma: f64, every: usize, is_stationary: bool, graph: &Graph) -> Self {
        let base = 1.0 / graph.seeds.len() as f64;
        let (presence, sent) = (BTreeMap::new(), BTreeMap::new());
        Self { gamma, every, is_stationary, presence, base, sent }
    }

    fn send(&self, page: usize, value: f64, history: &History<'_>) -> f64 {
        let known = self.presence.get(&page).copied().unwrap_or(self.base);
        let prob = if self.is_stationary { known } else { 1.0 };
        let degree = history.out_degree(page) as f64;
        if degree == 0.0 { 0.0 } else { prob / degree * (1.0 / degree + self.gamma * value) }
    }
}

impl Reference for Refreshed {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; history.graph.n_pages()];
        for page in &history.fetched {
            for (target, sent) in history.links(*page).iter().zip(&self.sent[page]) {
                scores[*target] += sent;
            }
        }
        scores
    }

    /// Links shown later get the value the page would pass on if it were fetched then.
    fn revisited(&mut self, page: usize, _: usize, score: f64, history: &History<'_>) {
        let sent = self.send(page, score, history);
        self.sent.entry(page).or_default().resize(history.links(page).len(), sent);
    }

    fn fetched(&mut self, page: usize, score: f64, history: &History<'_>) {
        let graph = history.graph;
        self.revisited(page, 0, score, history);
        if history.fetched.len().is_multiple_of(self.every) {
            let links = |page: usize| history.links(page);
            let degree = |page: usize| history.out_degree(page);
            let (how, n) = ((DAMPING, STOP), graph.n_pages());
            let ranks = pagerank::ranks(&history.discovered, links, degree, n, how);
            let known = history.discovered.iter();
            self.presence = known.map(|page| (*page, ranks.rank[*page])).collect();
            self.base = ranks.base;
            let prob: Vec<f64> = match self.is_stationary {
                true => ranks.rank.clone(),
                false => vec![1.0; graph.n_pages()],
            };
            let values = rewards(&history.fetched, links, degree, self.gamma, &prob);
            let fetched = history.fetched.iter();
            let sent = |page: &usize| {
                let sent = self.send(*page, values[*page], history);
                (*page, vec![sent; links(*page).len()])
            };
            self.sent = fetched.map(sent).collect();
        }
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }
}
