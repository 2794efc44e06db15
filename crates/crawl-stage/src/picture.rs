//! What is drawn of a world: nodes, how large they are, and the links between them.
//!
//! The radius of a node goes from the smallest to the largest with its size (0 to 1), which is the root
//! of its importance, so that areas compare. Both grow with the distance of neighbours on the screen,
//! so that dense layouts do not clot and sparse ones do not vanish.

use crate::rows::MAX_ENTRIES;
use std::cell::OnceCell;

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

    /// The links in an order whose every beginning is spread over all of them, so that drawing fewer
    /// draws a fair sample.
    pub(crate) fn spread_edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let edges = self.edges.as_chunks::<2>().0;
        let n = edges.len() as u64;
        // A stride near the golden section of n that shares no divisor with it visits every link once.
        let mut stride = ((n as f64) * 0.618_034) as u64;
        while n > 1 && common_divisor(n, stride) != 1 {
            stride += 1;
        }
        let mut next = 0;
        (0..n).map(move |_| {
            let edge = edges[next as usize];
            next += stride;
            next -= if next >= n { n } else { 0 };
            edge
        })
    }
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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

/// Who links to whom.
#[derive(Debug, Default)]
pub(crate) struct Links {
    out: Csr,
    /// Made when it is first asked for: few ask, and it takes a while.
    back: OnceCell<Csr>,
}

impl Links {
    pub fn new(n_nodes: usize, edges: &[u32]) -> Self {
        let pairs = edges.as_chunks::<2>().0.iter().map(|&[from, to]| (from, to));
        Self { out: Csr::new(n_nodes, pairs), back: OnceCell::new() }
    }

    /// The nodes a node links to.
    pub fn from(&self, node: u32) -> &[u32] {
        self.out.row(node)
    }

    /// The nodes that link to a node.
    pub fn to(&self, node: u32) -> &[u32] {
        self.back.get_or_init(|| self.out.reversed()).row(node)
    }
}

#[derive(Debug, Default)]
struct Csr {
    /// Where each node's row starts; one more than there are nodes.
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Csr {
    fn new(n_nodes: usize, pairs: impl ExactSizeIterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; n_nodes + 1];
        for (node, _) in pairs.clone() {
            starts[node as usize] += 1;
        }
        let mut n_before = 0;
        for start in &mut starts {
            n_before += *start;
            *start = n_before;
        }
        let mut others = vec![0; pairs.len()];
        for (node, other) in pairs {
            let start = &mut starts[node as usize];
            *start -= 1;
            others[*start as usize] = other;
        }
        Self { starts, others }
    }

    fn reversed(&self) -> Self {
        let n_nodes = self.starts.len().saturating_sub(1);
        let ends: Vec<u32> = (0..n_nodes as u32)
            .flat_map(|node| std::iter::repeat_n(node, self.row(node).len()))
            .collect();
        Self::new(n_nodes, self.others.iter().copied().zip(ends.iter().copied()))
    }

    fn row(&self, node: u32) -> &[u32] {
        match self.starts.get(node as usize..) {
            Some(&[start, end, ..]) => &self.others[start as usize..end as usize],
            _ => &[],
        }
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
    fn links_are_known_from_both_ends() {
        let links = Links::new(4, &[0, 1, 2, 1, 0, 3, 1, 1]);
        let sorted = |nodes: &[u32]| {
            let mut nodes = nodes.to_vec();
            nodes.sort_unstable();
            nodes
        };
        assert_eq!(sorted(links.from(0)), [1, 3]);
        assert_eq!(sorted(links.to(1)), [0, 1, 2]);
        assert!(links.from(3).is_empty() && links.from(9).is_empty() && links.to(NONE).is_empty());
    }

    #[test]
    fn spreading_keeps_every_link() {
        for n in [0u32, 1, 2, 3, 10, 610, 1000] {
            let edges: Vec<u32> = (0..n).flat_map(|i| [i, i]).collect();
            let mut spread: Vec<u32> =
                picture(n as usize, &edges).spread_edges().map(|edge| edge[0]).collect();
            if n == 1000 {
                let halves = spread[..100].iter().filter(|&&i| i < 500).count();
                assert!((40..=60).contains(&halves), "{halves} of 100 from the first half");
            }
            spread.sort_unstable();
            assert!(spread.iter().copied().eq(0..n));
        }
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
