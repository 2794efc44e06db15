//! Distances by their printed equations, all computed anew from the pages fetched so far.

use crate::crawl::{History, Reference};

/// FICA (eq. 2 in the form of eq. 13) and DistanceRank (eq. 13), which takes the shortest way.
pub struct Distance {
    pub gamma: f64,
    pub beta: f64,
    pub log: fn(f64) -> f64,
    pub shortest: bool,
}

impl Distance {
    pub fn fica() -> Self {
        Self { gamma: 0.5, beta: 0.01, log: libm::log, shortest: false }
    }

    pub fn distance_rank() -> Self {
        Self { shortest: true, ..Self::fica() }
    }
}

impl Reference for Distance {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let graph = history.graph;
        let n = graph.n_pages();
        let mut distance: Vec<Option<f64>> = vec![None; n];
        let mut ways: Vec<Vec<f64>> = vec![Vec::new(); n];
        for seed in &graph.seeds {
            distance[*seed] = Some(0.0);
            ways[*seed].push(0.0);
        }
        let mut is_fetched = vec![false; n];
        for (t, page) in history.fetched.iter().enumerate() {
            is_fetched[*page] = true;
            let own = distance[*page].expect("a page that was found");
            let length = (self.log)(graph.out_degree[*page].max(1) as f64) + self.gamma * own;
            let alpha = libm::exp(-self.beta * t as f64);
            for target in history.links(*page).iter().filter(|target| !is_fetched[**target]) {
                ways[*target].push(length);
                let least = ways[*target].iter().copied().fold(f64::INFINITY, f64::min);
                let way = if self.shortest { least } else { length };
                distance[*target] = Some(match distance[*target] {
                    None => length,
                    Some(before) => (1.0 - alpha) * before + alpha * way,
                });
            }
        }
        distance.into_iter().map(|distance| 0.0 - distance.unwrap_or(0.0)).collect()
    }

    fn tolerance(&self) -> f64 {
        1e-9
    }
}
