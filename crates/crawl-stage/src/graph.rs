//! The graph that is drawn: nodes with sizes, and links.
//!
//! A node's radius is interpolated between minimum and maximum by its size (0 to 1), the square
//! root of its importance, so that areas are proportional to importance. Minimum and maximum grow
//! with the distance between neighbours on the screen, so that nodes of dense layouts do not
//! overlap and those of sparse layouts stay visible.

use crate::texture_rows::MAX_ENTRIES;

/// Marks a missing node or host.
pub const NONE: u32 = u32::MAX;

/// The kind of the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nodes {
    /// All pages, or some.
    #[default]
    Pages,
    /// Hosts, each representing all its pages.
    Hosts,
}

/// The graph that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageGraph {
    /// The kind of the nodes.
    pub nodes: Nodes,
    /// Size of each node, 0 to 1.
    pub sizes: Vec<f32>,
    /// Host of each node, [`NONE`] if it has none; may be empty.
    pub hosts: Vec<u32>,
    /// Links as pairs of nodes, from and to.
    pub edges: Vec<u32>,
    /// Node of each page, [`NONE`] for pages not drawn; empty if nodes are all pages, in order.
    pub node_of_page: Vec<u32>,
}

/// Why a graph cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageGraphError {
    /// More entries than a texture can hold.
    #[error("{n} {what} exceed the maximum of {MAX_ENTRIES}")]
    TooMany {
        /// Kind of the entries.
        what: &'static str,
        /// Number of entries.
        n: usize,
    },
    /// An array with the wrong length.
    #[error("{n} {what} do not match {n_nodes} nodes")]
    Length {
        /// Kind of the entries.
        what: &'static str,
        /// Number of entries.
        n: usize,
        /// Number of nodes.
        n_nodes: usize,
    },
    /// A reference to a node that does not exist.
    #[error("{what}: node {node} does not exist; there are {n_nodes}")]
    NoSuchNode {
        /// Where the reference is.
        what: &'static str,
        /// The node's number.
        node: u32,
        /// Number of nodes.
        n_nodes: usize,
    },
}

impl StageGraph {
    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.sizes.len()
    }

    /// The node of a page, if it is drawn.
    pub fn node_of(&self, page: u32) -> Option<u32> {
        if self.node_of_page.is_empty() {
            ((page as usize) < self.n_nodes()).then_some(page)
        } else {
            self.node_of_page.get(page as usize).copied().filter(|&node| node != NONE)
        }
    }

    /// Checks that the arrays are consistent; sets invalid sizes to 0.
    ///
    /// # Errors
    /// Returns a [`StageGraphError`] if a length or a node number is wrong.
    pub(crate) fn checked(mut self) -> Result<Self, StageGraphError> {
        let n_nodes = self.n_nodes();
        for (what, n) in [("nodes", n_nodes), ("links", self.edges.len() / 2)] {
            if n > MAX_ENTRIES {
                return Err(StageGraphError::TooMany { what, n });
            }
        }
        if !self.hosts.is_empty() && self.hosts.len() != n_nodes {
            return Err(StageGraphError::Length { what: "hosts", n: self.hosts.len(), n_nodes });
        }
        let no_such_node =
            |what: &'static str, node: u32| StageGraphError::NoSuchNode { what, node, n_nodes };
        if let Some(&node) = self.edges.iter().find(|&&node| node as usize >= n_nodes) {
            return Err(no_such_node("links", node));
        }
        let is_wrong = |node: u32| node != NONE && node as usize >= n_nodes;
        if let Some(&node) = self.node_of_page.iter().find(|&&node| is_wrong(node)) {
            return Err(no_such_node("pages", node));
        }
        for size in &mut self.sizes {
            *size = if size.is_finite() { size.clamp(0.0, 1.0) } else { 0.0 };
        }
        Ok(self)
    }
}

/// Range of node radii, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radii {
    /// Radius of a node of size 0.
    pub min: f64,
    /// Radius of a node of size 1.
    pub max: f64,
    /// Minimum radius of a discovered page: large enough for a ring with a hole.
    pub ring: f64,
}

impl Radii {
    /// Radii for a spacing (half the distance of neighbours, in layout units) and a scale.
    pub fn new(nodes: Nodes, spacing: f64, scale: f64) -> Self {
        let room = (spacing * scale).clamp(0.0, 1e4);
        match nodes {
            Nodes::Pages => Self {
                min: (0.5 * room).clamp(0.9, 3.6),
                max: (2.4 * room).clamp(2.6, 15.0),
                ring: (1.3 * room).clamp(1.3, 2.2),
            },
            Nodes::Hosts => Self {
                min: (0.45 * room).clamp(2.0, 8.0),
                max: (1.9 * room).clamp(6.0, 48.0),
                ring: 0.0,
            },
        }
    }

    /// The radius of a node of a size.
    pub fn of(&self, size: f32) -> f64 {
        self.min + (self.max - self.min) * f64::from(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n_nodes: usize, edges: &[u32]) -> StageGraph {
        StageGraph { sizes: vec![0.5; n_nodes], edges: edges.to_vec(), ..StageGraph::default() }
    }

    #[test]
    fn pictures_that_do_not_fit_together_are_refused() {
        let good = graph(3, &[0, 1, 2, 0]);
        assert!(good.clone().checked().is_ok());
        let wrong = [
            graph(3, &[0, 3]),
            StageGraph { hosts: vec![0, 0], ..good.clone() },
            StageGraph { node_of_page: vec![0, 3], ..good.clone() },
        ];
        for wrong in wrong {
            assert!(wrong.clone().checked().is_err(), "{wrong:?}");
        }
        let odd =
            StageGraph { sizes: vec![f32::NAN, -1.0, 7.0], node_of_page: vec![NONE, 2], ..good };
        let odd = odd.checked().expect("only the sizes were odd");
        assert_eq!(odd.sizes, [0.0, 0.0, 1.0]);
        assert_eq!([0, 1, 2].map(|page| odd.node_of(page)), [None, Some(2), None]);
        assert_eq!(graph(3, &[]).node_of(3), None);
    }

    #[test]
    fn radii_follow_size_and_spacing() {
        assert_eq!(
            [0.0, 0.5, 1.0].map(|size| Radii { min: 1.0, max: 9.0, ring: 0.0 }.of(size)),
            [1.0, 5.0, 9.0]
        );
        let (near, far) =
            (Radii::new(Nodes::Pages, 0.01, 900.0), Radii::new(Nodes::Pages, 0.01, 90.0));
        assert!(near.max > far.max && near.min > far.min);
    }
}
