//! Strategies in which a fetched page distributes its value over its links.

use crate::crawl::{History, Reference};

/// OPIC: the seeds share one unit of cash equally.
///
/// At every visit a page distributes the cash received since the last visit over its links,
/// including those that leave the world. `keep` leaves the cash with the page as well.
pub struct Opic {
    pub keep: bool,
}

/// The probability of reaching a page from the seeds; a page distributes its value once.
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
        let mut kept = vec![0.0; graph.n_pages()];
        for visit in &history.visits {
            let shared = std::mem::replace(&mut cash[visit.page], 0.0);
            kept[visit.page] += shared;
            for target in visit.links(graph) {
                cash[*target] += shared / visit.degree(graph) as f64;
            }
        }
        if self.keep {
            cash.iter_mut().zip(&kept).for_each(|(cash, kept)| *cash += kept);
        }
        cash
    }

    fn tolerance(&self) -> f64 {
        // With `keep`, the received cash is computed as a difference.
        if self.keep { 1e-9 } else { 0.0 }
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
        for visit in &history.visits {
            has_passed_on[visit.page] = true;
            let passed = self.damping * value[visit.page] / visit.degree(graph) as f64;
            for target in visit.new_links(graph).iter().filter(|to| !has_passed_on[**to]) {
                value[*target] += passed;
            }
        }
        value
    }
}
