//! Formulas, with every variable recomputed from the state of the crawl.

use crate::crawl::{Graph, History, Reference};
use crate::distance::Distance;
use crate::flow::Opic;
use crate::simple::{BacklinkCount, DepthFirst};
use crawl_world::{PageId, World};
use std::collections::BTreeMap;

/// The values of all variables, for every page.
pub struct Facts {
    pub backlinks: Vec<f64>,
    pub depth: Vec<f64>,
    pub cash: Vec<f64>,
    pub distance: Vec<f64>,
    pub best_parent: Vec<f64>,
    pub parent_links: Vec<f64>,
    pub latest: Vec<f64>,
    pub host_fetched: Vec<f64>,
    pub age: Vec<f64>,
    pub url_length: Vec<f64>,
    pub digits: Vec<f64>,
}

/// A formula as Rust code.
pub struct Formula {
    of: fn(&Facts, usize) -> f64,
    urls: Vec<String>,
    hosts: Vec<Option<u32>>,
    /// Number of pages fetched when each page entered the frontier.
    came: Vec<Option<usize>>,
    /// The score of each page at its fetch.
    at_fetch: Vec<f64>,
}

impl Formula {
    pub fn boxed(graph: &Graph, world: &World, of: fn(&Facts, usize) -> f64) -> Box<dyn Reference> {
        let pages: Vec<PageId> = world.pages().collect();
        let mut came = vec![None; pages.len()];
        graph.seeds.iter().for_each(|seed| came[*seed] = Some(0));
        Box::new(Self {
            of,
            urls: pages.iter().map(|page| world.url(*page).into_owned()).collect(),
            hosts: pages.iter().map(|page| world.host_of(*page).map(|host| host.0)).collect(),
            came,
            at_fetch: vec![0.0; pages.len()],
        })
    }

    fn facts(&self, history: &History<'_>) -> Facts {
        let n = history.graph.n_pages();
        let mut parent: Vec<Option<usize>> = vec![None; n];
        let mut depth = vec![0.0; n];
        let (mut is_found, mut waits) = (vec![false; n], vec![false; n]);
        let mut best: Vec<Option<f64>> = vec![None; n];
        for seed in &history.graph.seeds {
            (is_found[*seed], waits[*seed]) = (true, true);
        }
        for visit in &history.visits {
            let page = &visit.page;
            for target in visit.new_links(history.graph) {
                // A nofollow link is no path, unless the page is already in the frontier.
                let is_way = history.follows(*page, *target) && !waits[*target];
                waits[*target] |= is_way;
                if !std::mem::replace(&mut is_found[*target], true) || is_way {
                    parent[*target] = Some(*page);
                    depth[*target] = depth[*page] + 1.0;
                }
                let score = self.at_fetch[*page];
                best[*target] = Some(best[*target].map_or(score, |best| best.max(score)));
            }
        }
        let mut of_host = BTreeMap::new();
        for host in history.fetched.iter().filter_map(|page| self.hosts[*page]) {
            *of_host.entry(host).or_insert(0.0) += 1.0;
        }
        let numbers = |number: &dyn Fn(usize) -> f64| (0..n).map(number).collect::<Vec<f64>>();
        let out_degree = |page: usize| history.out_degree(page) as f64;
        let n_fetched = history.fetched.len();
        let mut distances = Distance::fica(history.graph);
        history.visits.iter().for_each(|visit| distances.learn(visit, history));
        Facts {
            backlinks: BacklinkCount.scores(history),
            depth,
            cash: Opic { keep: false }.scores(history),
            distance: distances.scores(history).iter().map(|near| 0.0 - near).collect(),
            best_parent: best.iter().map(|best| best.unwrap_or(0.0)).collect(),
            parent_links: numbers(&|page| parent[page].map_or(0.0, out_degree)),
            latest: DepthFirst.scores(history),
            host_fetched: numbers(&|page| {
                self.hosts[page].and_then(|host| of_host.get(&host).copied()).unwrap_or(0.0)
            }),
            age: numbers(&|page| self.came[page].map_or(0.0, |came| (n_fetched - came) as f64)),
            url_length: numbers(&|page| self.urls[page].chars().count() as f64),
            digits: numbers(&|page| {
                self.urls[page].chars().filter(char::is_ascii_digit).count() as f64
            }),
        }
    }
}

impl Reference for Formula {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let facts = self.facts(history);
        let score = |page| {
            let value = (self.of)(&facts, page);
            if value.is_nan() { -1e300 } else { value.clamp(-1e300, 1e300) }
        };
        (0..history.graph.n_pages()).map(score).collect()
    }

    fn fetched(&mut self, page: usize, score: f64, _: &History<'_>) {
        self.at_fetch[page] = score;
    }

    fn admitted(&mut self, page: usize, _: usize, history: &History<'_>) {
        self.came[page] = Some(history.fetched.len());
    }

    fn tolerance(&self) -> f64 {
        1e-9
    }
}
