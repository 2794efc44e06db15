//! An undirected weighted graph.

/// Nodes with masses, and undirected links with strengths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// The mass of each node.
    pub(crate) masses: Vec<f32>,
    /// The group of each node; only nodes of one group are merged.
    pub(crate) groups: Vec<u32>,
    offsets: Vec<u32>,
    links: Vec<(u32, f32)>,
}

impl Graph {
    /// Builds a graph from links, each listed once; self-loops are dropped.
    pub(crate) fn new(masses: Vec<f32>, groups: Vec<u32>, edges: &[(u32, u32, f32)]) -> Self {
        let n = masses.len();
        let between = || edges.iter().filter(|(a, b, _)| a != b);
        let mut offsets = vec![0_u32; n + 1];
        for (a, b, _) in between() {
            offsets[*a as usize + 1] += 1;
            offsets[*b as usize + 1] += 1;
        }
        for i in 0..n {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut links = vec![(0, 0.0); offsets[n] as usize];
        for (a, b, strength) in between() {
            for (from, to) in [(*a, *b), (*b, *a)] {
                let at = &mut next[from as usize];
                links[*at as usize] = (to, *strength);
                *at += 1;
            }
        }
        Self { masses, groups, offsets, links }
    }

    /// Number of nodes.
    pub(crate) fn n_nodes(&self) -> usize {
        self.masses.len()
    }

    /// The neighbours of a node, with the strength of the link.
    #[inline]
    pub(crate) fn links(&self, node: usize) -> &[(u32, f32)] {
        &self.links[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    /// Merges nodes with the same number in `parents`; sums the strengths of parallel links.
    pub(crate) fn merged(&self, parents: &[u32], n_parents: usize) -> Self {
        let mut masses = vec![0.0; n_parents];
        let mut groups = vec![0; n_parents];
        let mut starts = vec![0_u32; n_parents + 1];
        for (node, parent) in parents.iter().enumerate() {
            masses[*parent as usize] += self.masses[node];
            groups[*parent as usize] = self.groups[node];
            starts[*parent as usize + 1] += 1;
        }
        for i in 0..n_parents {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut members = vec![0_u32; parents.len()];
        for (node, parent) in parents.iter().enumerate() {
            let at = &mut next[*parent as usize];
            members[*at as usize] = node as u32;
            *at += 1;
        }
        let mut offsets = Vec::with_capacity(n_parents + 1);
        offsets.push(0);
        let mut links: Vec<(u32, f32)> = Vec::new();
        // Index of the current node's link to each other node, plus one.
        let mut place = vec![0_u32; n_parents];
        for parent in 0..n_parents {
            let row = links.len();
            for member in &members[starts[parent] as usize..starts[parent + 1] as usize] {
                for (to, strength) in self.links(*member as usize) {
                    let to = parents[*to as usize];
                    if to as usize == parent {
                        continue;
                    }
                    let at = place[to as usize] as usize;
                    if at > row {
                        links[at - 1].1 += strength;
                    } else {
                        links.push((to, *strength));
                        place[to as usize] = links.len() as u32;
                    }
                }
            }
            offsets.push(links.len() as u32);
        }
        Self { masses, groups, offsets, links }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_adds_links_and_masses_up() {
        let edges = [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 4.0), (0, 3, 8.0), (3, 3, 9.0)];
        let graph = Graph::new(vec![1.0; 4], vec![0; 4], &edges);
        assert_eq!(graph.links(0), [(1, 1.0), (3, 8.0)]);
        let merged = graph.merged(&[0, 0, 1, 1], 2);
        assert_eq!(merged.masses, [2.0, 2.0]);
        assert_eq!(merged.links(0), [(1, 10.0)]);
        assert_eq!(merged.links(1), [(0, 10.0)]);
    }
}
