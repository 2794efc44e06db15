//! Q-learning on the Web link graph (Zhang et al. 2010, section 3.3, Algorithm 3).
//!
//! The graph G_w holds the pages on the paths from result pages back to the seeds, and every known
//! link between them. States are vertices, actions are edges; an edge that ends in a result page
//! (a leaf) earns the reward rd:
//!
//! Q(u, ⟨u, v⟩) = r + γ · max over v's edges of Q(v, ·), r = rd if v is a result page, else 0;
//! Q(u) = max over u's edges of Q(u, ·).
//!
//! All Q start at 0. Sweeps are synchronous: a sweep computes every edge from the vertices' Q after
//! the previous sweep. It stops after k sweeps, or when a sweep changes nothing. In closed form
//! Q(u) = rd·γ^(d(u)−1), with d(u) the minimum number of clicks to a result page.
//!
//! Algorithm 3 ignores the edges of leaves, so Q(leaf) = 0 and links similar to known targets would
//! gain nothing. [`Leaf::Reward`] reports Q = rd for leaves instead (our choice); the sum above
//! does not use it.
//!
//! **Complexity.** Q only grows and the nearest target is reached first, so every vertex and edge
//! changes at most once, in the n-th sweep to rd·γ^(n−1). One breadth-first search back from the
//! leaves finds the sweep of each vertex: O(vertices + edges) for any number of sweeps. Edges,
//! picked edges and the state after any sweep are derived from it on demand.

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::{Direction, graph::Edge};
use thiserror::Error;

/// A vertex, numbered in the order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// An edge, numbered in the order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

impl VertexId {
    /// Its index in tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// Its index in tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The Web link graph. Vertices and edges are only added.
#[derive(Clone, Debug, Default)]
pub struct LinkGraph {
    graph: DiGraph<Vertex, ()>,
}

/// Data of a vertex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vertex {
    /// Whether it is a result page.
    pub is_result: bool,
}

/// Why the graph was not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// The vertex does not exist.
    #[error("vertex {0} does not exist; the graph has {1}")]
    NoSuchVertex(u32, usize),
    /// The maximum number of vertices or edges is reached.
    #[error("the graph is full")]
    Full,
}

/// The reported Q of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// rd (not in the paper).
    Reward,
    /// 0, as in the paper's formula.
    Zero,
}

/// Parameters of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// rd: reward of an edge into a result page.
    pub reward: f64,
    /// γ: discount per click, 0 to 1.
    pub discount: f64,
    /// k: maximum number of sweeps.
    pub max_sweeps: usize,
    /// Reported Q of leaves.
    pub leaf: Leaf,
}

impl Default for Settings {
    fn default() -> Self {
        Self { reward: 1.0, discount: 0.9, max_sweeps: 1000, leaf: Leaf::Reward }
    }
}

/// Error: a setting is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// rd is not finite or not above 0.
    #[error("the reward must be a finite number above 0")]
    Reward,
    /// γ is outside 0 to 1.
    #[error("the discount must be a number from 0 to 1")]
    Discount,
}

/// Change of an edge's Q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeUpdate {
    /// The edge.
    pub edge: EdgeId,
    /// Its Q before the sweep.
    pub before: f64,
    /// Its Q after the sweep.
    pub after: f64,
}

/// Change of a vertex's Q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexUpdate {
    /// The vertex.
    pub vertex: VertexId,
    /// Its Q before the sweep.
    pub before: f64,
    /// Its Q after the sweep.
    pub after: f64,
    /// The edge with the maximum Q, the first of equals.
    pub picked: EdgeId,
}

/// Changes of one sweep, sorted by edge and by vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// Edges whose Q changed.
    pub edges: Vec<EdgeUpdate>,
    /// Vertices whose Q changed.
    pub vertices: Vec<VertexUpdate>,
}

/// The Q of all edges and vertices after some sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct QValues {
    /// Q of every edge.
    pub edges: Vec<f64>,
    /// Q of every vertex.
    pub vertices: Vec<f64>,
    /// The first edge with the vertex's maximum Q; `None` while all of its edges have Q = 0.
    pub picked: Vec<Option<EdgeId>>,
}

/// The learned Q of a graph, with every sweep that led to it.
///
/// Stays valid when the graph grows: it describes the vertices and edges at the time of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// Q of every vertex after the last sweep.
    pub vertices: Vec<f64>,
    /// Number of sweeps.
    pub n_sweeps: usize,
    /// Whether the last sweep changed nothing; otherwise the maximum k was reached.
    pub settled: bool,
    /// The sweep that changed each vertex: 0 for a leaf, [`NEVER`] if none did.
    changed_in: Vec<u32>,
    n_edges: usize,
    /// The Q assigned by each sweep; 0 before the first.
    worth: Vec<f64>,
    of_a_leaf: f64,
}

/// Marks a vertex that no sweep changed.
const NEVER: u32 = u32::MAX;

impl Learned {
    /// The Q after `n_sweeps` sweeps: 0 gives the start, too large a number the end.
    pub fn after(&self, graph: &LinkGraph, n_sweeps: usize) -> QValues {
        let n_sweeps = n_sweeps.min(self.n_sweeps);
        let mut values = QValues {
            edges: vec![0.0; self.n_edges],
            vertices: self.changed_in.iter().map(|&n| self.vertex_after(n, n_sweeps)).collect(),
            picked: vec![None; self.changed_in.len()],
        };
        for (edge, changed_in, u) in self.changes(graph) {
            if changed_in as usize <= n_sweeps {
                values.edges[edge.index()] = self.worth[changed_in as usize];
                if self.picks(u, changed_in) {
                    values.picked[u.index()].get_or_insert(edge);
                }
            }
        }
        values
    }

    /// Changes of the n-th sweep, counted from 1; empty if there was no such sweep.
    pub fn sweep(&self, graph: &LinkGraph, n: usize) -> Sweep {
        let mut sweep = Sweep::default();
        let Some(&after) = self.worth.get(n) else { return sweep };
        for (edge, changed_in, u) in self.changes(graph) {
            if changed_in as usize == n {
                sweep.edges.push(EdgeUpdate { edge, before: 0.0, after });
                if self.picks(u, changed_in) {
                    let update = VertexUpdate { vertex: u, before: 0.0, after, picked: edge };
                    sweep.vertices.push(update);
                }
            }
        }
        // By vertex; of a vertex's edges with equal Q the first.
        sweep.vertices.sort_by_key(|update| (update.vertex, update.picked));
        sweep.vertices.dedup_by_key(|update| update.vertex);
        sweep
    }

    /// The sweep that changed a vertex: 0 for a leaf, `None` if none did.
    pub fn changed_in(&self, vertex: VertexId) -> Option<u32> {
        self.changed_in.get(vertex.index()).copied().filter(|sweep| *sweep != NEVER)
    }

    /// The Q assigned by each sweep; 0 before the first.
    pub fn worth(&self) -> &[f64] {
        &self.worth
    }

    /// The reported Q of a leaf.
    pub fn of_a_leaf(&self) -> f64 {
        self.of_a_leaf
    }

    /// The changed edges in order, each with its sweep and start vertex.
    pub fn changes<'a>(
        &'a self,
        graph: &'a LinkGraph,
    ) -> impl Iterator<Item = (EdgeId, u32, VertexId)> + 'a {
        let of = |v: VertexId| self.changed_in.get(v.index()).copied().unwrap_or(NEVER);
        graph.edges().take(self.n_edges).zip(0..).filter_map(move |((u, v), edge)| {
            let next = of(v).checked_add(1)?;
            let changes = of(u) != 0 && self.worth.get(next as usize).is_some_and(|w| *w > 0.0);
            changes.then_some((EdgeId(edge), next, u))
        })
    }

    /// Whether an edge out of u that changed in this sweep gave u its Q.
    fn picks(&self, u: VertexId, changed_in: u32) -> bool {
        self.changed_in[u.index()] == changed_in
    }

    fn vertex_after(&self, changed_in: u32, n_sweeps: usize) -> f64 {
        match changed_in {
            0 => self.of_a_leaf,
            n if n as usize <= n_sweeps => self.worth[n as usize],
            _ => 0.0,
        }
    }
}

impl QValues {
    /// Applies the next sweep's changes.
    pub fn apply(&mut self, sweep: &Sweep) {
        for update in &sweep.edges {
            if let Some(q) = self.edges.get_mut(update.edge.index()) {
                *q = update.after;
            }
        }
        for update in &sweep.vertices {
            let at = update.vertex.index();
            if let (Some(q), Some(picked)) = (self.vertices.get_mut(at), self.picked.get_mut(at)) {
                (*q, *picked) = (update.after, Some(update.picked));
            }
        }
    }
}

impl LinkGraph {
    /// An empty graph.
    ///
    /// ```
    /// use crawl_learn::link_graph::{LinkGraph, Settings};
    ///
    /// let mut graph = LinkGraph::new();
    /// let (seed, hub, target) = (graph.add_vertex()?, graph.add_vertex()?, graph.add_vertex()?);
    /// graph.add_edge(seed, hub)?;
    /// graph.add_edge(hub, target)?;
    /// graph.mark_result(target)?;
    /// let settings = Settings { reward: 100.0, discount: 0.9, ..Settings::default() };
    /// let learned = graph.learn(&settings)?;
    /// assert_eq!(learned.vertices[hub.index()], 100.0);
    /// assert_eq!(learned.vertices[seed.index()], 90.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of vertices.
    pub fn n_vertices(&self) -> usize {
        self.graph.node_count()
    }

    /// Number of edges.
    pub fn n_edges(&self) -> usize {
        self.graph.edge_count()
    }

    /// Adds a vertex that is not a result page.
    ///
    /// # Errors
    /// Returns [`GraphError::Full`] at the maximum number of vertices.
    pub fn add_vertex(&mut self) -> Result<VertexId, GraphError> {
        let vertex = self.graph.try_add_node(Vertex::default()).map_err(|_| GraphError::Full)?;
        Ok(vertex_id(vertex))
    }

    /// Marks a vertex as a result page.
    ///
    /// # Errors
    /// Returns [`GraphError::NoSuchVertex`] if the vertex does not exist.
    pub fn mark_result(&mut self, vertex: VertexId) -> Result<(), GraphError> {
        let n = self.n_vertices();
        let node = self.graph.node_weight_mut(NodeIndex::new(vertex.index()));
        node.ok_or(GraphError::NoSuchVertex(vertex.0, n))?.is_result = true;
        Ok(())
    }

    /// Whether a vertex is a result page.
    pub fn is_result(&self, vertex: VertexId) -> bool {
        self.graph.node_weight(NodeIndex::new(vertex.index())).is_some_and(|v| v.is_result)
    }

    /// Adds an edge. Learning ignores edges out of result pages.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if a vertex does not exist or the graph is full.
    pub fn add_edge(&mut self, from: VertexId, to: VertexId) -> Result<EdgeId, GraphError> {
        for end in [from, to] {
            if end.index() >= self.n_vertices() {
                return Err(GraphError::NoSuchVertex(end.0, self.n_vertices()));
            }
        }
        let (from, to) = (NodeIndex::new(from.index()), NodeIndex::new(to.index()));
        let edge = self.graph.try_add_edge(from, to, ()).map_err(|_| GraphError::Full)?;
        Ok(edge_id(edge))
    }

    /// The start and end vertex of an edge.
    pub fn ends(&self, edge: EdgeId) -> Option<(VertexId, VertexId)> {
        let (from, to) = self.graph.edge_endpoints(EdgeIndex::new(edge.index()))?;
        Some((vertex_id(from), vertex_id(to)))
    }

    /// The start and end vertices of all edges, in order.
    pub fn edges(&self) -> impl Iterator<Item = (VertexId, VertexId)> + '_ {
        let ends = |edge: &Edge<()>| (vertex_id(edge.source()), vertex_id(edge.target()));
        self.graph.raw_edges().iter().map(ends)
    }

    /// The underlying `petgraph` graph.
    pub fn graph(&self) -> &DiGraph<Vertex, ()> {
        &self.graph
    }

    /// Approximate memory use in bytes.
    pub fn bytes(&self) -> usize {
        let (vertices, edges) = self.graph.capacity();
        vertices * size_of::<petgraph::graph::Node<Vertex>>() + edges * size_of::<Edge<()>>()
    }

    /// Computes all Q from scratch.
    ///
    /// # Errors
    /// Returns a [`SettingError`] if a setting is out of range.
    pub fn learn(&self, settings: &Settings) -> Result<Learned, SettingError> {
        let Settings { reward, discount, max_sweeps, leaf } = *settings;
        if !(reward.is_finite() && reward > 0.0) {
            return Err(SettingError::Reward);
        }
        if !(0.0..=1.0).contains(&discount) {
            return Err(SettingError::Discount);
        }
        let mut changed_in = vec![NEVER; self.n_vertices()];
        let leaves = self.graph.node_indices().filter(|&v| self.graph[v].is_result);
        let mut news: Vec<NodeIndex> = leaves.collect();
        news.iter().for_each(|v| changed_in[v.index()] = 0);

        let mut worth = vec![0.0];
        let mut settled = false;
        let mut next = Vec::new();
        while worth.len() <= max_sweeps && !settled {
            let n = worth.len() as u32;
            worth.push(match n {
                1 => reward,
                _ => discount * worth[worth.len() - 1],
            });
            let mut changes = false;
            // A Q of 0 changes nothing.
            if worth[n as usize] > 0.0 {
                for &v in &news {
                    for u in self.graph.neighbors_directed(v, Direction::Incoming) {
                        let changed_in = &mut changed_in[u.index()];
                        changes |= *changed_in != 0;
                        if *changed_in == NEVER {
                            *changed_in = n;
                            next.push(u);
                        }
                    }
                }
            }
            settled = !changes;
            std::mem::swap(&mut news, &mut next);
            next.clear();
        }

        let n_sweeps = worth.len() - 1;
        let of_a_leaf = if leaf == Leaf::Reward { reward } else { 0.0 };
        let n_edges = self.n_edges();
        let vertices = Vec::new();
        let mut learned =
            Learned { vertices, n_sweeps, settled, changed_in, n_edges, worth, of_a_leaf };
        let last = |&n: &u32| learned.vertex_after(n, n_sweeps);
        learned.vertices = learned.changed_in.iter().map(last).collect();
        Ok(learned)
    }
}

fn vertex_id(vertex: NodeIndex) -> VertexId {
    VertexId(vertex.index() as u32)
}

fn edge_id(edge: EdgeIndex) -> EdgeId {
    EdgeId(edge.index() as u32)
}

#[cfg(test)]
mod tests;
