//! Orderings in which a fetched page hands on what it has.

use crate::crawl::{History, Reference};

/// Equal cash for the seeds; a fetched page shares its cash over its links, those that leave the
/// world included, and keeps it or not.
pub struct Opic {
    pub keep: bool,
}

/// The probability of reaching a page from the seeds; a page hands its value on once.
pub struct FractionalPageRank {
    pub damping: f64,
}

impl Reference for Opic {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let graph = history.graph;
        let mut cash = vec![0.0; graph.n_pages()];
        for seed in &graph.seeds {
            cash[*seed] = 1.0 / graph.seeds.len() as f64;
        }
        for page in &history.fetched {
            let shared = cash[*page];
            if !self.keep {
                cash[*page] = 0.0;
            }
            for target in &graph.links[*page] {
                cash[*target] += shared / graph.out_degree[*page] as f64;
            }
        }
        cash
    }
}

impl Reference for FractionalPageRank {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let graph = history.graph;
        let mut value = vec![0.0; graph.n_pages()];
        for seed in &graph.seeds {
            value[*seed] = 1.0 / graph.seeds.len() as f64;
        }
        let mut has_passed_on = vec![false; graph.n_pages()];
        for page in &history.fetched {
            has_passed_on[*page] = true;
            let passed = self.damping * value[*page] / graph.out_degree[*page] as f64;
            for target in graph.links[*page].iter().filter(|to| !has_passed_on[**to]) {
                value[*target] += passed;
            }
        }
        value
    }
}
