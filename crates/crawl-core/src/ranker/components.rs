//! Strongly connected components, in topological order.
//!
//! Two nodes are in one component if each can be reached from the other. Links between components
//! never form a cycle, so components can be ordered such that all these links lead forward; then
//! each component needs to be solved only once, in order.
//!
//! Pearce's (2016) variant of Tarjan's algorithm, depth first without recursion. A node is pushed
//! on a stack when its walk is complete, and a component is popped at once. So within a component,
//! too, most links lead forward: only those that close a cycle of the walk lead back. Sweeps in
//! this order converge fastest.

use super::NONE;
use std::ops::Range;

/// Nodes grouped into components.
#[derive(Debug, PartialEq)]
pub(super) struct Components {
    /// All nodes, by component; links between components lead forward.
    pub(super) order: Vec<u32>,
    /// Start of each component in `order`, and the end of the last one.
    pub(super) starts: Vec<u32>,
}

/// A node whose walk is in progress.
struct Walk {
    node: u32,
    /// The next link to process.
    link: u32,
    /// True if no link so far leads back above this node.
    is_root: bool,
}

/// The components of a graph, given by each node's range of links and each link's target, which may
/// be [`NONE`].
pub(super) fn components(
    n_nodes: u32,
    links: impl Fn(u32) -> Range<u32>,
    target: impl Fn(u32) -> u32,
) -> Components {
    /// Number of a node whose component is complete: above all others, so that nothing leads to it.
    const DONE: u32 = u32::MAX;
    // Number of a node by first visit, lowered to that of the first node it leads back to; 0 before
    // the visit.
    let mut reached = vec![0_u32; n_nodes as usize];
    let mut n_reached = 0;
    let mut walks: Vec<Walk> = Vec::new();
    let mut pile: Vec<u32> = Vec::new();
    let mut found: Vec<u32> = Vec::with_capacity(n_nodes as usize);
    let mut ends: Vec<u32> = Vec::new();
    for start in 0..n_nodes {
        if reached[start as usize] != 0 {
            continue;
        }
        n_reached += 1;
        reached[start as usize] = n_reached;
        walks.push(Walk { node: start, link: links(start).start, is_root: true });
        'walk: while let Some(walk) = walks.last_mut() {
            let node = walk.node;
            let mut lowest = reached[node as usize];
            for link in walk.link..links(node).end {
                let next = target(link);
                if next == NONE {
                    continue;
                }
                let number = &mut reached[next as usize];
                if *number == 0 {
                    // After returning, this link is processed again, for the result of the walk.
                    n_reached += 1;
                    *number = n_reached;
                    reached[node as usize] = lowest;
                    walk.link = link;
                    walks.push(Walk { node: next, link: links(next).start, is_root: true });
                    continue 'walk;
                }
                if *number < lowest {
                    lowest = *number;
                    walk.is_root = false;
                }
            }
            reached[node as usize] = lowest;
            let is_root = walk.is_root;
            walks.pop();
            if !is_root {
                pile.push(node);
                continue;
            }
            let size = pile.iter().rev().take_while(|n| reached[**n as usize] >= lowest).count();
            reached[node as usize] = DONE;
            found.push(node);
            for member in pile.drain(pile.len() - size..).rev() {
                reached[member as usize] = DONE;
                found.push(member);
            }
            ends.push(found.len() as u32);
        }
    }
    backwards(&found, &ends)
}

/// Reverses the order of components, since the walk completes a component after all it leads to.
/// Keeps the order of nodes within them.
fn backwards(found: &[u32], ends: &[u32]) -> Components {
    let mut order = Vec::with_capacity(found.len());
    let mut starts = Vec::with_capacity(ends.len() + 1);
    starts.push(0);
    for (i, end) in ends.iter().enumerate().rev() {
        let start = if i == 0 { 0 } else { ends[i - 1] };
        order.extend_from_slice(&found[start as usize..*end as usize]);
        starts.push(order.len() as u32);
    }
    Components { order, starts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranker::testing::{random_graph, rows};
    use crawl_world::Csr;
    use proptest::prelude::*;

    fn of(graph: &Csr) -> Components {
        components(
            graph.n_pages(),
            |node| graph.offsets()[node as usize]..graph.offsets()[node as usize + 1],
            |link| graph.targets()[link as usize].0,
        )
    }

    /// Reachability matrix, by repeated squaring.
    fn reachable(graph: &Csr) -> Vec<Vec<bool>> {
        let n = graph.n_pages() as usize;
        let mut reach = vec![vec![false; n]; n];
        for (from, links) in rows(graph) {
            reach[from as usize][from as usize] = true;
            links.iter().for_each(|to| reach[from as usize][to.index()] = true);
        }
        for via in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        reach
    }

    #[test]
    fn nothing_has_no_components() {
        let empty = components(0, |_| 0..0, |_| 0);
        assert_eq!(empty, Components { order: vec![], starts: vec![0] });
    }

    #[test]
    fn a_chain_of_a_million_needs_no_deep_recursion() {
        let n = 1_000_000;
        let chain = components(n, |node| node..(node + 1).min(n - 1), |link| link + 1);
        assert!(chain.order.iter().copied().eq(0..n));
        let ring = components(n, |node| node..node + 1, |link| (link + 1) % n);
        assert_eq!(ring.starts, [0, n]);
        assert!(ring.order.iter().copied().eq(0..n));
    }

    proptest! {
        #[test]
        fn members_reach_each_other_and_links_lead_forward(graph in random_graph(24)) {
            let n = graph.n_pages() as usize;
            let Components { order, starts } = of(&graph);
            let mut component = vec![usize::MAX; n];
            for (i, range) in starts.windows(2).enumerate() {
                for node in &order[range[0] as usize..range[1] as usize] {
                    prop_assert_eq!(component[*node as usize], usize::MAX);
                    component[*node as usize] = i;
                }
            }
            let reach = reachable(&graph);
            for a in 0..n {
                for b in 0..n {
                    prop_assert_eq!(component[a] == component[b], reach[a][b] && reach[b][a]);
                    prop_assert!(!reach[a][b] || component[a] <= component[b]);
                }
            }
        }
    }
}
