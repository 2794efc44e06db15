//! Q-learning on the Web link graph (document B, section 3.3, Algorithm 3).
//!
//! The graph G_w holds the pages on the paths from result pages back to the seeds, and every known
//! link between them. States are vertices, actions are edges; an edge that ends in a result page
//! (a leaf) earns the reward rd:
//!
//! Q(u, ⟨u, v⟩) = r + γ · max over v's edges of Q(v, ·), r = rd if v is a result page, else 0;
//! Q(u) = max over u's edges of Q(u, ·).
//!
//! All Q start at 0. Sweeps are synchronous: every edge is computed from the vertices as the sweep
//! before left them. At most k sweeps, or until one changes nothing. In closed form
//! Q(u) = rd·γ^(d(u)−1), with d(u) the fewest clicks to a result page: γ is what a click costs.
//!
//! A leaf's own edges are not used (Algorithm 3 leaves leaves out), so by the formula Q(leaf) = 0,
//! and links that resemble known targets most would gain nothing. [`Leaf::Reward`] gives leaves
//! Q = rd instead (ours); it is what others read from a leaf and never part of the sum above.
//!
//! **Cost.** Q only grows and the nearest target is met first, so every vertex and every edge
//! changes once at most, and all that change in the n-th sweep change to rd·γ^(n−1). It is enough
//! to keep in which sweep each vertex changed: one walk back from the leaves finds it, whatever the
//! number of sweeps, and edges, picks and the state after any sweep follow from it when asked for.

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::{Direction, graph::Edge};
use thiserror::Error;

/// A vertex, numbered as added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// An edge, numbered as added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

impl VertexId {
    /// Its place in tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// Its place in tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The Web link graph. It only grows.
#[derive(Clone, Debug, Default)]
pub struct LinkGraph {
    graph: DiGraph<Vertex, ()>,
}

/// What is kept of a vertex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vertex {
    /// Whether it is a result page.
    pub is_result: bool,
}

/// Why the graph stayed as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// A vertex was named that is not there.
    #[error("vertex {0} is not one of the graph's {1}")]
    NoSuchVertex(u32, usize),
    /// No number is left for another vertex or edge.
    #[error("the graph is full")]
    Full,
}

/// What a leaf is worth to whoever asks for its Q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// rd (ours).
    Reward,
    /// 0, as the document's formula says.
    Zero,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// rd: what an edge into a result page earns.
    pub reward: f64,
    /// γ.
    pub discount: f64,
    /// k.
    pub most_sweeps: usize,
    /// What leaves are worth.
    pub leaf: Leaf,
}

impl Default for Settings {
    fn default() -> Self {
        Self { reward: 1.0, discount: 0.9, most_sweeps: 1000, leaf: Leaf::Reward }
    }
}

/// A setting with which nothing can be learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// rd is not finite or not above 0.
    #[error("the reward must be a finite number above 0")]
    Reward,
    /// γ is not in 0…1.
    #[error("the discount must be a number from 0 to 1")]
    Discount,
}

/// An edge's new Q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeUpdate {
    /// Which edge.
    pub edge: EdgeId,
    /// Its Q before the sweep.
    pub before: f64,
    /// Its Q after it.
    pub after: f64,
}

/// A vertex's new Q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexUpdate {
    /// Which vertex.
    pub vertex: VertexId,
    /// Its Q before the sweep.
    pub before: f64,
    /// Its Q after it.
    pub after: f64,
    /// The edge that has the maximum, the first of equals.
    pub picked: EdgeId,
}

/// What one sweep changed, in the order of edges and of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// Edges whose Q changed.
    pub edges: Vec<EdgeUpdate>,
    /// Vertices whose Q changed.
    pub vertices: Vec<VertexUpdate>,
}

/// All Q at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct QValues {
    /// Q of every edge.
    pub edges: Vec<f64>,
    /// Q of every vertex.
    pub vertices: Vec<f64>,
    /// The first edge that brought a vertex its maximum; none while all of its edges are worth 0.
    pub picked: Vec<Option<EdgeId>>,
}

/// What was learned of a graph as it then was, and how it came about. The graph may grow
/// meanwhile; what it held then keeps its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// Q of every vertex as the last sweep left it.
    pub vertices: Vec<f64>,
    /// How many sweeps were made.
    pub n_sweeps: usize,
    /// Whether the last sweep changed nothing; otherwise k was reached.
    pub settled: bool,
    /// The sweep that changed each vertex: 0 for a leaf, [`NEVER`] where none did.
    changed_in: Vec<u32>,
    n_edges: usize,
    /// What changes in a sweep changes to this; 0 before the first.
    worth: Vec<f64>,
    of_a_leaf: f64,
}

/// The sweep of what no sweep changed.
const NEVER: u32 = u32::MAX;

impl Learned {
    /// All Q after the first `n_sweeps` sweeps: 0 is the start, more than there were the end.
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

    /// What the n-th sweep changed, counted from 1; nothing in a sweep that was not made.
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
        // By vertex, and of its equal edges the first.
        sweep.vertices.sort_by_key(|update| (update.vertex, update.picked));
        sweep.vertices.dedup_by_key(|update| update.vertex);
        sweep
    }

    /// The sweep that changed a vertex: 0 for a leaf, nothing where none did.
    pub fn changed_in(&self, vertex: VertexId) -> Option<u32> {
        self.changed_in.get(vertex.index()).copied().filter(|sweep| *sweep != NEVER)
    }

    /// What changes in a sweep changes to this, by sweep; 0 before the first.
    pub fn worth(&self) -> &[f64] {
        &self.worth
    }

    /// What a leaf is worth to whoever asks for its Q.
    pub fn of_a_leaf(&self) -> f64 {
        self.of_a_leaf
    }

    /// The edges that some sweep changed, with that sweep and where they start, in order.
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
    /// Goes one sweep on.
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
    /// A graph without vertices.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many vertices it has.
    pub fn n_vertices(&self) -> usize {
        self.graph.node_count()
    }

    /// How many edges it has.
    pub fn n_edges(&self) -> usize {
        self.graph.edge_count()
    }

    /// Adds a vertex, not yet a result page.
    ///
    /// # Errors
    /// The graph is full.
    pub fn add_vertex(&mut self) -> Result<VertexId, GraphError> {
        let vertex = self.graph.try_add_node(Vertex::default()).map_err(|_| GraphError::Full)?;
        Ok(vertex_id(vertex))
    }

    /// Says that a vertex is a result page.
    ///
    /// # Errors
    /// There is no such vertex.
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

    /// Adds an edge. Edges out of result pages are kept and not used.
    ///
    /// # Errors
    /// There is no such vertex, or the graph is full.
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

    /// Where an edge leads from and to.
    pub fn ends(&self, edge: EdgeId) -> Option<(VertexId, VertexId)> {
        let (from, to) = self.graph.edge_endpoints(EdgeIndex::new(edge.index()))?;
        Some((vertex_id(from), vertex_id(to)))
    }

    /// All edges with their ends, in order.
    pub fn edges(&self) -> impl Iterator<Item = (VertexId, VertexId)> + '_ {
        let ends = |edge: &Edge<()>| (vertex_id(edge.source()), vertex_id(edge.target()));
        self.graph.raw_edges().iter().map(ends)
    }

    /// The graph itself, for whoever draws or searches it.
    pub fn graph(&self) -> &DiGraph<Vertex, ()> {
        &self.graph
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let (vertices, edges) = self.graph.capacity();
        vertices * size_of::<petgraph::graph::Node<Vertex>>() + edges * size_of::<Edge<()>>()
    }

    /// Learns all Q anew.
    ///
    /// # Errors
    /// A setting is out of its range.
    pub fn learn(&self, settings: &Settings) -> Result<Learned, SettingError> {
        let Settings { reward, discount, most_sweeps, leaf } = *settings;
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
        while worth.len() <= most_sweeps && !settled {
            let n = worth.len() as u32;
            worth.push(match n {
                1 => reward,
                _ => discount * worth[worth.len() - 1],
            });
            let mut changes = false;
            // A worth of 0 is what every edge has already.
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
