//! HITS by plain sweeps, over a whole graph and over what a crawl has seen of it.

use crate::crawl::{Graph, History, Reference};
use std::collections::BTreeMap;

/// Sweeps stop when all authorities together change by less than this.
const STOP: f64 = 1e-10;
/// On some graphs that takes very long.
const MOST_SWEEPS: usize = 1000;
/// Values computed by other sweeps to the same stop differ by little more than that.
const TOLERANCE: f64 = 1e-6;

/// Hubs and authorities over some pages, each adding up to 1, and what they were divided by for
/// that in the last sweep.
pub struct Values {
    pub hub: Vec<f64>,
    pub authority: Vec<f64>,
    pub hub_norm: f64,
    pub authority_norm: f64,
}

/// A good hub links to good authorities, a good authority is linked to by good hubs. All
/// authorities start alike; hubs follow from them, and authorities from hubs. Nothing where no page
/// links.
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

/// Knows the true authority of every page.
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

/// Values over what is known, computed after every so many fetches. A URL has the hub values of
/// the fetched pages that link to it, divided as authorities were. A page fetched since then is as
/// good a hub as the scores of its links were when it was fetched; before the first values were
/// computed every page counts 1.
pub struct Refreshed {
    every: usize,
    /// What hub values, and what authorities, were last divided by.
    norms: Option<(f64, f64)>,
    /// Of every page fetched, as each of its links has it, by place.
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
            // Links that were just found have not been given a value yet.
            let hubs = self.hub.get(page).into_iter().flatten();
            for (target, hub) in history.links(*page).iter().zip(hubs) {
                scores[*target] += hub / authority_norm;
            }
        }
        scores
    }

    /// Links shown later have the value that their page would be given then.
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
