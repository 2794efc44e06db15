//! What is drawn of a world: nodes, how large they are, and the links between them.
//!
//! The radius of a node goes from the smallest to the largest with its size (0 to 1), which is the root
//! of its importance, so that areas compare. Both grow with the distance of neighbours on the screen,
//! so that dense layouts do not clot and sparse ones do not vanish.

use crate::rows::MAX_ENTRIES;

/// No node, or no host.
pub const NONE: u32 = u32::MAX;

/// What the nodes of a picture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nodes {
    /// Pages: all of them, or some.
    #[default]
    Pages,
    /// Hosts, each with all its pages.
    Hosts,
}

/// What is drawn of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// What its nodes are.
    pub nodes: Nodes,
    /// Size of each node, 0 to 1: its radius as a share of the largest.
    pub sizes: Vec<f32>,
    /// Host of each node, [`NONE`] where it has none; may be empty.
    pub hosts: Vec<u32>,
    /// Links as pairs of nodes, from and to.
    pub edges: Vec<u32>,
    /// Node of each page, [`NONE`] for pages not drawn; empty when nodes are the pages, by number.
    pub node_of_page: Vec<u32>,
}

/// Why something cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// More than a texture holds.
    #[error("{n} {what} are more than the {MAX_ENTRIES} that can be drawn")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        n: usize,
    },
    /// An array of the wrong length.
    #[error("{n} {what} do not fit {n_nodes} nodes")]
    Length {
        /// Of what.
        what: &'static str,
        /// How many.
        n: usize,
        /// How many nodes there are.
        n_nodes: usize,
    },
    /// A node that is not there.
    #[error("{what} name node {node}, but there are {n_nodes}")]
    NoSuchNode {
        /// What names it.
        what: &'static str,
        /// Its number.
        node: u32,
        /// How many nodes there are.
        n_nodes: usize,
    },
}

impl Picture {
    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.sizes.len()
    }

    /// The node that stands for a page, if one does.
    pub fn node_of(&self, page: u32) -> Option<u32> {
        if self.node_of_page.is_empty() {
            ((page as usize) < self.n_nodes()).then_some(page)
        } else {
            self.node_of_page.get(page as usize).copied().filter(|&node| node != NONE)
        }
    }

    /// Checks that all arrays fit together, and makes unusable sizes 0.
    ///
    /// # Errors
    /// Where they do not.
    pub(crate) fn checked(mut self) -> Result<Self, PictureError> {
        let n_nodes = self.n_nodes();
        for (what, n) in [("nodes", n_nodes), ("links", self.edges.len() / 2)] {
            if n > MAX_ENTRIES {
                return Err(PictureError::TooMany { what, n });
            }
        }
        if !self.hosts.is_empty() && self.hosts.len() != n_nodes {
            return Err(PictureError::Length { what: "hosts", n: self.hosts.len(), n_nodes });
        }
        let no_such_node =
            |what: &'static str, node: u32| PictureError::NoSuchNode { what, node, n_nodes };
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

/// The smallest and the largest radius of nodes, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radii {
    /// Of a node of size 0.
    pub min: f64,
    /// Of a node of size 1.
    pub max: f64,
    /// The smallest of a page that was found: the ring of those that wait needs room for a hole.
    pub ring: f64,
}

impl Radii {
    /// For neighbours half of whose usual distance is `spacing` units of the layout, at a scale.
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

    fn picture(n_nodes: usize, edges: &[u32]) -> Picture {
        Picture { sizes: vec![0.5; n_nodes], edges: edges.to_vec(), ..Picture::default() }
    }

    #[test]
    fn pictures_that_do_not_fit_together_are_refused() {
        let good = picture(3, &[0, 1, 2, 0]);
        assert!(good.clone().checked().is_ok());
        let wrong = [
            picture(3, &[0, 3]),
            Picture { hosts: vec![0, 0], ..good.clone() },
            Picture { node_of_page: vec![0, 3], ..good.clone() },
        ];
        for wrong in wrong {
            assert!(wrong.clone().checked().is_err(), "{wrong:?}");
        }
        let odd = Picture { sizes: vec![f32::NAN, -1.0, 7.0], node_of_page: vec![NONE, 2], ..good };
        let odd = odd.checked().expect("only the sizes were odd");
        assert_eq!(odd.sizes, [0.0, 0.0, 1.0]);
        assert_eq!([0, 1, 2].map(|page| odd.node_of(page)), [None, Some(2), None]);
        assert_eq!(picture(3, &[]).node_of(3), None);
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
