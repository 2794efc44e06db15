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
//! **Cost.** A sweep looks only at edges into vertices that the sweep before changed: all others
//! would get the number they have. Since Q only grows and the nearest target is met first, every
//! edge and every vertex changes once at most, so that all sweeps together cost about as much as
//! one look at every edge, and the history is as long as the graph is large.

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef as _;
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

/// What one sweep changed, in the order in which it was worked out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// Edges whose Q changed.
    pub edges: Vec<EdgeUpdate>,
    /// Vertices whose Q, or whose picked edge, changed.
    pub vertices: Vec<VertexUpdate>,
}

/// All Q at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct QValues {
    /// Q of every edge.
    pub edges: Vec<f64>,
    /// Q of every vertex.
    pub vertices: Vec<f64>,
    /// The edge that has a vertex's maximum; none while all of its edges are worth 0.
    pub picked: Vec<Option<EdgeId>>,
}

/// What was learned, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// As the last sweep left it.
    pub values: QValues,
    /// What each sweep changed.
    pub sweeps: Vec<Sweep>,
    /// Whether the last sweep changed nothing; otherwise k was reached.
    pub settled: bool,
    start: QValues,
}

impl Learned {
    /// All Q after the first `n_sweeps` sweeps: 0 is the start, more than there were the end.
    pub fn after(&self, n_sweeps: usize) -> QValues {
        let mut values = self.start.clone();
        for sweep in self.sweeps.iter().take(n_sweeps) {
            values.apply(sweep);
        }
        values
    }
}

impl QValues {
    /// Goes one sweep on.
    pub fn apply(&mut self, sweep: &Sweep) {
        for update in &sweep.edges {
            self.edges[update.edge.index()] = update.after;
        }
        for update in &sweep.vertices {
            self.vertices[update.vertex.index()] = update.after;
            self.picked[update.vertex.index()] = Some(update.picked);
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
    pub fn add_vertex(&mut self) -> Result<VertexId, GraphError> {
        let vertex = self.graph.try_add_node(Vertex::default()).map_err(|_| GraphError::Full)?;
        Ok(vertex_id(vertex))
    }

    /// Says that a vertex is a result page.
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

    /// Learns all Q anew.
    pub fn learn(&self, settings: &Settings) -> Result<Learned, SettingError> {
        let Settings { reward, discount, most_sweeps, leaf } = *settings;
        if !(reward.is_finite() && reward > 0.0) {
            return Err(SettingError::Reward);
        }
        if !(0.0..=1.0).contains(&discount) {
            return Err(SettingError::Discount);
        }
        let mut values = QValues {
            edges: vec![0.0; self.n_edges()],
            vertices: vec![0.0; self.n_vertices()],
            picked: vec![None; self.n_vertices()],
        };
        // What edges into a vertex are worth from the next sweep on.
        let mut news: Vec<(NodeIndex, f64)> = Vec::new();
        let leaves = self.graph.node_indices().filter(|&v| self.graph[v].is_result);
        for v in leaves {
            news.push((v, reward));
            values.vertices[v.index()] = if leaf == Leaf::Reward { reward } else { 0.0 };
        }
        let start = values.clone();

        let mut sweeps = Vec::new();
        let mut settled = false;
        // Where the sweep under way has a vertex's update.
        let mut place = vec![0_usize; self.n_vertices()];
        while sweeps.len() < most_sweeps && !settled {
            let sweep = self.sweep(&news, &mut values, &mut place);
            news.clear();
            let worth = |u: &VertexUpdate| (NodeIndex::new(u.vertex.index()), discount * u.after);
            news.extend(sweep.vertices.iter().filter(|u| u.after > u.before).map(worth));
            settled = sweep.edges.is_empty();
            sweeps.push(sweep);
        }
        Ok(Learned { values, sweeps, settled, start })
    }

    fn sweep(&self, news: &[(NodeIndex, f64)], values: &mut QValues, place: &mut [usize]) -> Sweep {
        let mut sweep = Sweep::default();
        for &(v, after) in news {
            for edge in self.graph.edges_directed(v, Direction::Incoming) {
                let (u, edge) = (edge.source(), edge_id(edge.id()));
                let before = values.edges[edge.index()];
                if after <= before || self.graph[u].is_result {
                    continue;
                }
                values.edges[edge.index()] = after;
                sweep.edges.push(EdgeUpdate { edge, before, after });

                let u = u.index();
                let q = values.vertices[u];
                let first_of_equals = after == q && values.picked[u].is_some_and(|p| edge < p);
                if after <= q && !first_of_equals {
                    continue;
                }
                values.vertices[u] = after;
                values.picked[u] = Some(edge);
                let vertex = VertexId(u as u32);
                match sweep.vertices.get_mut(place[u]).filter(|update| update.vertex == vertex) {
                    Some(update) => (update.after, update.picked) = (after, edge),
                    None => {
                        place[u] = sweep.vertices.len();
                        sweep.vertices.push(VertexUpdate {
                            vertex,
                            before: q,
                            after,
                            picked: edge,
                        });
                    }
                }
            }
        }
        sweep
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
