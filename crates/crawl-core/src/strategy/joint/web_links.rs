//! The Web link graph G_w (Zhang, Li, Yu & Zhang 2010, Definition 5), and learning on it.
//!
//! V = all pages on the paths from result pages back to the seeds by discovering parent; a vertex
//! stands for the link through which its page was found, a seed for its URL alone. E = every known
//! link between members of V; result pages have no out-edges. G_w grows, and all Q are learnt
//! again, each time the result set reaches a multiple of cf.
//!
//! Vertices are numbered in order of addition: results in order of fetching, each path from its
//! seed on, so that of equally similar vertices the one found first is taken (our choice). A page
//! in V keeps its parent, even if a depth limit gives it another one later (our choice).

use super::{Predicted, Words};
use crate::strategy::{Learning, Learnt, LinkVertex};
use crate::{Known, UrlId};
use crawl_learn::bm25::{self, LinkIndex, N_FIELDS, WordScore};
use crawl_learn::link_graph::{self, Learned, LinkGraph, VertexId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Parameters of learning and matching.
#[derive(Clone, Copy, Debug)]
pub(in crate::strategy) struct Settings {
    pub learning: link_graph::Settings,
    pub matching: bm25::Settings,
    /// cf: number of new results between two learnings.
    pub every: u32,
    /// True if waiting links are evaluated again after learning.
    pub rescore: bool,
}

/// Builds G_w and learns on it.
#[derive(Clone)]
pub(in crate::strategy) struct Learner {
    pub settings: Settings,
    /// Result pages in order of fetching.
    results: Vec<UrlId>,
    /// The latest G_w. Shared between checkpoints.
    latest: Option<Arc<Generation>>,
}

/// G_w at one learning.
struct Generation {
    number: u32,
    step: u32,
    graph: LinkGraph,
    learned: Learned,
    vertices: Vec<LinkVertex>,
    /// By URL, its vertex or [`NO_VERTEX`].
    vertex_of: Vec<u32>,
    /// Number of links of each vertex's page that were processed.
    n_links: Vec<u32>,
    /// Number of results in it.
    n_results: usize,
    /// Matching updates caches inside; results do not depend on them.
    index: Mutex<LinkIndex>,
}

const NO_VERTEX: u32 = u32::MAX;

impl Learner {
    pub(in crate::strategy) fn new(settings: Settings) -> Self {
        Self { settings, results: Vec::new(), latest: None }
    }

    /// Records a page just fetched; returns true if it learnt.
    pub(super) fn fetched(&mut self, url: UrlId, known: &Known<'_>) -> bool {
        if !known.judgement(url).is_some_and(|judgement| judgement.is_result) {
            return false;
        }
        self.results.push(url);
        if !self.results.len().is_multiple_of(self.settings.every.max(1) as usize) {
            return false;
        }
        // If no checkpoint shares it, it can grow without a copy.
        let so_far = self.latest.take().map(|latest| match Arc::try_unwrap(latest) {
            Ok(generation) => generation,
            Err(shared) => shared.copy(),
        });
        let grown = so_far.or_else(|| Generation::new(&self.settings));
        self.latest = grown
            .and_then(|generation| generation.grown(&self.results, &self.settings, known))
            .map(Arc::new);
        self.latest.is_some()
    }

    /// Predicts a link's value; `None` before the first learning, or if no vertex is similar.
    pub(super) fn predict(&self, words: &Words) -> Option<Predicted> {
        let latest = self.latest.as_deref()?;
        let matched = latest.index().best(&words.link())?;
        let q = latest.learned.vertices.get(matched.vertex as usize).copied()?;
        let n_vertices = latest.vertices.len() as u32;
        Some(Predicted { matched, q, number: latest.number, n_vertices })
    }

    /// The words by which a link matched a vertex, by field, when there were `n_vertices` vertices.
    pub(super) fn words(
        &self,
        words: &Words,
        vertex: u32,
        n_vertices: u32,
    ) -> Option<[Vec<WordScore>; N_FIELDS]> {
        let latest = self.latest.as_deref()?;
        Some(latest.index().words_as_of(&words.link(), vertex, n_vertices))
    }

    /// A vertex of G_w; numbers are stable.
    pub(super) fn vertex(&self, vertex: u32) -> Option<LinkVertex> {
        self.latest.as_ref()?.vertices.get(vertex as usize).copied()
    }

    /// Q of a page's vertex, if it has one.
    pub(super) fn q(&self, url: UrlId) -> Option<f64> {
        let latest = self.latest.as_ref()?;
        let vertex = *latest.vertex_of.get(url.index())?;
        latest.learned.vertices.get(vertex as usize).copied()
    }

    pub(super) fn n_results(&self) -> usize {
        self.results.len()
    }

    pub(super) fn learnt(&self) -> Option<Learnt<'_>> {
        let latest = self.latest.as_deref()?;
        Some(Learnt {
            number: latest.number,
            step: latest.step,
            graph: &latest.graph,
            learned: &latest.learned,
            settings: &self.settings.learning,
            vertices: &latest.vertices,
        })
    }

    pub(super) fn learning(&self) -> Learning {
        let (every, n_results) = (self.settings.every.max(1), self.results.len() as u32);
        let (number, step) = self.latest.as_ref().map_or((0, 0), |l| (l.number, l.step));
        let next_at = (n_results / every).saturating_add(1).saturating_mul(every);
        Learning { number, step, n_results, next_at }
    }

    pub(super) fn bytes(&self) -> usize {
        self.results.capacity() * 4 + self.latest.as_ref().map_or(0, |latest| latest.bytes())
    }
}

impl Generation {
    /// An empty G_w; `None` if the settings are invalid.
    fn new(settings: &Settings) -> Option<Self> {
        let graph = LinkGraph::new();
        Some(Self {
            number: 0,
            step: 0,
            learned: graph.learn(&settings.learning).ok()?,
            graph,
            vertices: Vec::new(),
            vertex_of: Vec::new(),
            n_links: Vec::new(),
            n_results: 0,
            index: Mutex::new(LinkIndex::new(settings.matching).ok()?),
        })
    }

    fn copy(&self) -> Self {
        Self {
            number: self.number,
            step: self.step,
            graph: self.graph.clone(),
            learned: self.learned.clone(),
            vertices: self.vertices.clone(),
            vertex_of: self.vertex_of.clone(),
            n_links: self.n_links.clone(),
            n_results: self.n_results,
            index: Mutex::new(self.index().clone()),
        }
    }

    fn index(&self) -> MutexGuard<'_, LinkIndex> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the paths to results found since, and learns again.
    fn grown(mut self, results: &[UrlId], settings: &Settings, known: &Known<'_>) -> Option<Self> {
        self.vertex_of.resize(known.n_discovered() as usize, NO_VERTEX);
        let n_before = self.vertices.len();
        for result in &results[self.n_results..] {
            self.add_path(*result, known)?;
        }
        self.n_results = results.len();
        self.add_edges(n_before, known)?;
        self.number += 1;
        self.step = known.n_fetched();
        self.learned = self.graph.learn(&settings.learning).ok()?;
        Some(self)
    }

    fn add_path(&mut self, result: UrlId, known: &Known<'_>) -> Option<()> {
        let mut path = Vec::new();
        let mut next = Some(result);
        while let Some(url) = next.filter(|url| self.vertex_of[url.index()] == NO_VERTEX) {
            path.push(url);
            // Parents are nearer to the seeds, so this ends.
            next = known.parent(url);
        }
        for url in path.into_iter().rev() {
            let found = known.parent(url).and_then(|parent| {
                let place = known.links(parent).position(|to| to == url)?;
                Some((parent, place as u32))
            });
            let words = match found {
                Some((parent, place)) => Words::of_link(parent, place as usize, url, known),
                None => Words::of_seed(url, known),
            };
            let vertex = self.graph.add_vertex().ok()?;
            if known.judgement(url).is_some_and(|judgement| judgement.is_result) {
                self.graph.mark_result(vertex).ok()?;
            }
            self.index().add(&words.link());
            self.vertices.push(LinkVertex { url, found });
            self.vertex_of[url.index()] = vertex.0;
        }
        Some(())
    }

    /// Adds links of new vertices to all, and links of older ones that are new or lead to new
    /// vertices.
    fn add_edges(&mut self, n_before: usize, known: &Known<'_>) -> Option<()> {
        self.n_links.resize(self.vertices.len(), 0);
        for (u, vertex) in self.vertices.iter().enumerate() {
            let from = VertexId(u as u32);
            if self.graph.is_result(from) {
                continue;
            }
            let n_seen = self.n_links[u] as usize;
            for (place, to) in known.links(vertex.url).enumerate() {
                let v = self.vertex_of[to.index()];
                if v != NO_VERTEX && (place >= n_seen || v as usize >= n_before) {
                    self.graph.add_edge(from, VertexId(v)).ok()?;
                }
            }
            self.n_links[u] = known.links(vertex.url).len() as u32;
        }
        Some(())
    }

    fn bytes(&self) -> usize {
        let vertices = self.vertices.capacity() * size_of::<LinkVertex>();
        let learned = self.learned.vertices.capacity() * 12;
        let numbers = (self.vertex_of.capacity() + self.n_links.capacity()) * 4;
        let tables = vertices + learned + numbers;
        tables + self.graph.bytes() + self.index().bytes()
    }
}
