//! Distances by their printed equations: all paths to a page are stored, and each link is processed
//! when its page is fetched.

use crate::crawl::{Graph, History, Reference, Visit};

/// FICA (eq. 2 in the form of eq. 13) and DistanceRank (eq. 13), which uses the shortest path.
pub struct Distance {
    pub gamma: f64,
    pub beta: f64,
    pub log: fn(f64) -> f64,
    pub shortest: bool,
    /// δ at the start and at the end of a crawl without budget, by the fetched share of known
    /// pages.
    pub delta: (f64, f64),
    /// Distance of every discovered page.
    pub distance: Vec<Option<f64>>,
    pub ways: Vec<Vec<f64>>,
}

impl Distance {
    pub fn fica(graph: &Graph) -> Self {
        let n = graph.n_pages();
        let mut new = Self {
            gamma: 0.5,
            beta: 0.01,
            log: libm::log,
            shortest: false,
            delta: (0.0, 0.0),
            distance: vec![None; n],
            ways: vec![Vec::new(); n],
        };
        for seed in &graph.seeds {
            new.distance[*seed] = Some(0.0);
            new.ways[*seed] = vec![0.0];
        }
        new
    }

    pub fn distance_rank(graph: &Graph) -> Self {
        Self { shortest: true, ..Self::fica(graph) }
    }

    /// IECA (eq. 4, with the sign of eq. 6 reversed).
    pub fn ieca(graph: &Graph) -> Self {
        Self { delta: (0.4, 0.01), ..Self::distance_rank(graph) }
    }
}

impl Reference for Distance {
    fn scores(&self, _: &History<'_>) -> Vec<f64> {
        self.distance.iter().map(|distance| 0.0 - distance.unwrap_or(0.0)).collect()
    }

    fn fetched(&mut self, _: usize, _: f64, history: &History<'_>) {
        self.learn(history.visits.last().expect("a page that was visited"), history);
    }

    fn revisited(&mut self, page: usize, _: usize, score: f64, history: &History<'_>) {
        self.fetched(page, score, history);
    }

    fn tolerance(&self) -> f64 {
        1e-9
    }
}

impl Distance {
    /// Updates distances from the new links of a visit.
    pub fn learn(&mut self, visit: &Visit, history: &History<'_>) {
        let (page, t) = (visit.page, visit.t());
        let own = self.distance[page].expect("a page that was found");
        let degree = visit.degree(history.graph).max(1) as f64;
        let length = (self.log)(degree) + self.gamma * own;
        let alpha = libm::exp(-self.beta * t as f64);
        let n_known = self.distance.iter().flatten().count().max(1);
        let (first, last) = self.delta;
        let delta = first - (first - last) * (t as f64 / n_known as f64).min(1.0);
        let waits = |page: &&usize| !history.fetched[..visit.n_fetched].contains(page);
        for target in visit.new_links(history.graph).iter().filter(waits) {
            self.ways[*target].push(length);
            let least = self.ways[*target].iter().copied().fold(f64::INFINITY, f64::min);
            let way = if self.shortest { least } else { length };
            let learnt = match self.distance[*target] {
                None => length,
                Some(before) => (1.0 - alpha) * before + alpha * way,
            };
            self.distance[*target] = Some((1.0 - delta) * learnt - delta);
        }
    }
}

/// True distances of the whole graph (eq. 13 with α = 1).
pub struct Everywhere(Vec<f64>);

impl Everywhere {
    pub fn new(graph: &Graph, gamma: f64) -> Self {
        let n = graph.n_pages();
        let length = |page: usize| libm::log(graph.out_degree[page].max(1) as f64);
        let farthest = (0..n).map(length).fold(0.0, f64::max) / (1.0 - gamma);
        let mut distance = vec![0.0; n];
        loop {
            let mut next = vec![farthest; n];
            for (page, links) in graph.links.iter().enumerate() {
                for target in links {
                    next[*target] = f64::min(next[*target], length(page) + gamma * distance[page]);
                }
            }
            let change = distance.iter().zip(&next).map(|(a, b): (&f64, &f64)| (a - b).abs());
            let is_settled = change.fold(0.0, f64::max) <= 1e-13 * farthest;
            distance = next;
            if is_settled {
                break;
            }
        }
        let nearness: Vec<f64> = distance.iter().map(|d| 1.0 / (1.0 + d)).collect();
        let sum: f64 = nearness.iter().sum();
        Self(nearness.iter().map(|x| x / sum).collect())
    }
}

impl Reference for Everywhere {
    fn scores(&self, _: &History<'_>) -> Vec<f64> {
        self.0.clone()
    }

    fn tolerance(&self) -> f64 {
        1e-9
    }
}
