//! Graph coarsening: nodes are merged in pairs, level by level (Walshaw 2003).
//!
//! A layout that starts from the coarsest graph and expands it level by level finds the overall
//! shape first, and needs few iterations per level. Each node is merged with its closest neighbour.
//! Nodes without a free neighbour, such as the leaves of a hub, are merged with another node that
//! has the same closest neighbour, or with any node of their group.

use crate::graph::Graph;
use crawl_world::order;

/// Marks a node without partner.
const NONE: u32 = u32::MAX;

/// Pairs nodes for merging: the new number of each node, and the number of merged nodes.
pub(crate) fn pairs(graph: &Graph) -> (Vec<u32>, usize) {
    let n = graph.n_nodes();
    let mut parents = vec![NONE; n];
    let mut n_parents = 0_u32;
    let mut merge = |parents: &mut Vec<u32>, a: usize, b: usize| {
        (parents[a], parents[b]) = (n_parents, n_parents);
        n_parents += 1;
    };
    // Nodes with few neighbours have the fewest options, so they choose first.
    let order = order::by_key(n, |node| graph.links(node).len() as u64);
    let closest = |node: usize, free: &dyn Fn(usize) -> bool| {
        let group = graph.groups[node];
        let fits = |to: usize| graph.groups[to] == group && free(to);
        let links = graph.links(node).iter().filter(|(to, _)| fits(*to as usize));
        // Divided by mass, so that all merged nodes grow evenly.
        let tie = |to: u32, strength: f32| strength / graph.masses[to as usize];
        links
            .map(|(to, strength)| (tie(*to, *strength), *to))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, to)| to as usize)
    };
    for node in &order {
        let node = *node as usize;
        if parents[node] == NONE {
            let free = |to: usize| parents[to] == NONE;
            if let Some(to) = closest(node, &free) {
                merge(&mut parents, node, to);
            }
        }
    }
    // An unpaired node for each closest neighbour, then for each group.
    let mut waits_at = vec![NONE; n];
    for node in order.iter().map(|node| *node as usize) {
        if parents[node] == NONE {
            let Some(hub) = closest(node, &|_| true) else { continue };
            match std::mem::replace(&mut waits_at[hub], NONE) {
                NONE => waits_at[hub] = node as u32,
                other => merge(&mut parents, node, other as usize),
            }
        }
    }
    let n_groups = graph.groups.iter().max().map_or(0, |most| *most as usize + 1);
    let mut waits_in = vec![NONE; n_groups];
    for node in order.iter().map(|node| *node as usize) {
        if parents[node] == NONE {
            let group = graph.groups[node] as usize;
            match std::mem::replace(&mut waits_in[group], NONE) {
                NONE => waits_in[group] = node as u32,
                other => merge(&mut parents, node, other as usize),
            }
        }
    }
    for parent in parents.iter_mut().filter(|parent| **parent == NONE) {
        *parent = n_parents;
        n_parents += 1;
    }
    (parents, n_parents as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_paths_and_isolated_nodes_are_halved() {
        let star: Vec<_> = (1..100).map(|leaf| (0, leaf, 1.0)).collect();
        let path: Vec<_> = (1..100).map(|next| (next - 1, next, 1.0)).collect();
        for edges in [star, path, Vec::new()] {
            let graph = Graph::new(vec![1.0; 100], vec![0; 100], &edges);
            let (parents, n) = pairs(&graph);
            assert!(n <= 67, "{n}");
            let mut sizes = vec![0; n];
            parents.iter().for_each(|parent| sizes[*parent as usize] += 1);
            assert!(sizes.iter().all(|size| (1..=2).contains(size)));
        }
    }

    #[test]
    fn groups_stay_apart() {
        let edges: Vec<_> = (0..50).map(|i| (i, i + 50, 9.0)).collect();
        let groups: Vec<u32> = (0..100).map(|i| i / 50).collect();
        let graph = Graph::new(vec![1.0; 100], groups.clone(), &edges);
        let (parents, n) = pairs(&graph);
        assert_eq!(n, 50);
        let merged = graph.merged(&parents, n);
        for (node, parent) in parents.iter().enumerate() {
            assert_eq!(merged.groups[*parent as usize], groups[node]);
        }
    }
}
