//! HITS by power iteration, over a whole graph and over the known part.

use crate::crawl::{Graph, History, Reference};
use std::collections::BTreeMap;

/// Iteration stops when the authorities change by less than this in total.
const STOP: f64 = 1e-10;
/// Convergence is very slow on some graphs.
const MOST_SWEEPS: usize = 1000;
/// Tolerance for values of another implementation with the same stopping rule.
const TOLERANCE: f64 = 1e-6;

/// Hub and authority values of some pages, each normalised to sum 1, and the last norms.
pub struct Values {
    pub hub: Vec<f64>,
    pub authority: Vec<f64>,
    pub hub_norm: f64,
    pub authority_norm: f64,
}

/// Computes hub and authority values; `None` if there are no links.
///
/// A good hub links to good authorities; a good authority is linked from good hubs. Starts with
/// equal authorities.
pub fn values<'a>(
    pages: &[usize],
    links: impl Fn(usize) -> &'a [usize],
    n_pages: usize,
) -> Option<Values> {
    let mut authority = vec![0.0; n_pages];
    for page in pages {
        authority[*page] = 1.0 / pages.len() as f64;
    }
    let mut sweep = 0;
    loop {
        sweep += 1;
        let mut hub = vec![0.0; n_pages];
        for page in pages {
            hub[*page] = links(*page).iter().map(|to| authority[*to]).sum();
        }
        let hub_norm: f64 = hub.iter().sum();
        if hub_norm == 0.0 {
            return None;
        }
        hub.iter_mut().for_each(|h| *h /= hub_norm);
        let before = authority;
        authority = vec![0.0; n_pages];
        for page in pages {
            for target in links(*page) {
                authority[*target] += hub[*page];
            }
        }
        let authority_norm: f64 = authority.iter().sum();
        authority.iter_mut().for_each(|a| *a /= authority_norm);
        let change: f64 = authority.iter().zip(&before).map(|(a, b)| (a - b).abs()).sum();
        if change < STOP || sweep == MOST_SWEEPS {
            return Some(Values { hub, authority, hub_norm, authority_norm });
        }
    }
}

/// Uses the true authority of every page.
pub struct Omniscient {
    authority: Vec<f64>,
}

impl Omniscient {
    pub fn new(graph: &Graph) -> Self {
        let pages: Vec<usize> = (0..graph.n_pages()).collect();
        let links = |page: usize| graph.links[page].as_slice();
        let values = values(&pages, links, graph.n_pages());
        let alike = vec![1.0 / graph.n_pages() as f64; graph.n_pages()];
        Self { authority: values.map_or(alike, |values| values.authority) }
    }
}

impl Reference for Omniscient {
    fn scores(&self, _: &History<'_>) -> Vec<f64> {
        self.authority.clone()
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }
}

/// Values over the known part, recomputed after every `every` fetches.
///
/// A URL scores the sum of the hub values of the fetched pages that link to it, divided by the
/// authority norm. The hub value of a page fetched since then is computed from the scores of its
/// links at its fetch; before the first computation every page has 1.
pub struct Refreshed {
    every: usize,
    /// The last norms of hub values and of authorities.
    norms: Option<(f64, f64)>,
    /// For every fetched page, its hub value for each of its links.
    hub: BTreeMap<usize, Vec<f64>>,
}

impl Refreshed {
    pub fn new(every: usize) -> Self {
        Self { every, norms: None, hub: BTreeMap::new() }
    }
}

impl Reference for Refreshed {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let authority_norm = self.norms.map_or(1.0, |(_, norm)| norm);
        let mut scores = vec![0.0; history.graph.n_pages()];
        for page in &history.fetched {
            // New links have no value yet.
            let hubs = self.hub.get(page).into_iter().flatten();
            for (target, hub) in history.links(*page).iter().zip(hubs) {
                scores[*target] += hub / authority_norm;
            }
        }
        scores
    }

    /// Links shown later get the value that their page would have then.
    fn revisited(&mut self, page: usize, _: usize, _: f64, history: &History<'_>) {
        let hub = match self.norms {
            None => 1.0,
            Some((hub_norm, _)) => {
                let scores = self.scores(history);
                history.links(page).iter().map(|to| scores[*to]).sum::<f64>() / hub_norm
            }
        };
        self.hub.entry(page).or_default().resize(history.links(page).len(), hub);
    }

    fn fetched(&mut self, page: usize, score: f64, history: &History<'_>) {
        self.revisited(page, 0, score, history);
        if history.fetched.len().is_multiple_of(self.every) {
            let links = |page: usize| history.links(page);
            let values = values(&history.discovered, links, history.graph.n_pages());
            if let Some(values) = values {
                self.norms = Some((values.hub_norm, values.authority_norm));
                let fetched = history.fetched.iter();
                let hubs = |page: &usize| (*page, vec![values.hub[*page]; links(*page).len()]);
                self.hub = fetched.map(hubs).collect();
            }
        }
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }
}
