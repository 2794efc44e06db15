//! PageRank (Brin & Page 1998).
//!
//! A surfer follows a random link of the page with probability d, and otherwise jumps to a random
//! page; at a page without links, or at a link that leaves the graph, there is only the jump. The
//! rank of a page is the share of time spent on it:
//!
//! ```text
//! x(u) = d·Σ over p → u of x(p)/O(p) + (1 − d + d·lost)/n,   Σ x = 1
//! ```
//!
//! where `lost` is the rank that pages without links and links that leave the graph would pass on.
//! The last term is the same for all pages; measured in units of it, rank is the solution of
//!
//! ```text
//! y(u) = 1 + d·Σ over p → u of y(p)/O(p),   x = y/Σy
//! ```
//!
//! in which pages that are not linked are independent. So the graph is decomposed: pages with the
//! same links are lumped together (`lump`); the components of the rest are put in topological order
//! (`components`); and each is solved in turn (`relax`). Plain sweeps over the complete graph would
//! give the same ranks.
//!
//! The stopping criterion is that of a plain sweep: it would change the ranks by less than
//! `tolerance`, summed over all pages. The solution is more exact: every rank has a relative error
//! below a hundredth of the tolerance, so that pages of equal rank differ only in the last digits.
//! The change by another sweep is bounded afterwards, from the computed ranks.

use super::components::{Components, components};
use super::lump::{Group, Groups, groups};
use super::relax::{Flow, Node, Rule};
use super::{Graph, NONE, Ranker, RankerEntry, Ranking};
use crate::work::sweeps_to_settle;
use crawl_catalogue::{Entry, EntryTexts, Param};

pub use super::warm::Warm;

const USUAL_DAMPING: f64 = 0.85;
const USUAL_TOLERANCE: f64 = 1e-10;

const PARAMS: &[Param] = &[
    Param::number(
        "damping",
        USUAL_DAMPING,
        0.0,
        0.999,
        "d: probability that the surfer follows a link. At 0 all pages are equal; near 1 only links \
         count and convergence is slow.",
    ),
    Param::number(
        "tolerance",
        USUAL_TOLERANCE,
        1e-14,
        0.01,
        "Convergence threshold: change by another sweep, summed over all pages.",
    ),
];

pub(super) const ENTRY: RankerEntry = RankerEntry {
    entry: Entry::new(
        "pagerank",
        "PageRank",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013; Brin & Page 1998",
            summary: "Share of time that a random surfer spends on each page",
            description: "The surfer follows a random link of the page with probability d, and \
                otherwise jumps to a random page. A page is important if important pages with few \
                links link to it: each passes its rank on in equal parts. The rank that pages \
                without links and links that leave the graph would pass on is spread evenly over \
                all pages. Ranks have sum 1.",
            formula: "x(u) = d·Σ over p→u of x(p)/O(p) + (1 − d + d·lost)/n,  Σ x = 1",
            params: PARAMS,
        },
    ),
    sweeps: |params| sweeps_to_settle(params.number("tolerance"), params.number("damping")),
    build: |params| {
        Box::new(PageRank {
            damping: params.number("damping"),
            tolerance: params.number("tolerance"),
        })
    },
};

/// The ranks of a graph with default parameters.
pub(crate) fn usual(graph: &Graph<'_>) -> Vec<f64> {
    PageRank { damping: USUAL_DAMPING, tolerance: USUAL_TOLERANCE }.rank(graph).values
}

/// Stationary distribution of a surfer with the damping of RL-Rank.
pub(super) fn presence(graph: &Graph<'_>) -> Vec<f64> {
    PageRank { damping: super::rl_rank::DAMPING, tolerance: 1e-12 }.rank(graph).values
}

/// Accuracy of each page relative to the tolerance.
const CLOSER: f64 = 0.01;

struct PageRank {
    damping: f64,
    tolerance: f64,
}

impl Ranker for PageRank {
    fn rank(&self, graph: &Graph<'_>) -> Ranking {
        let lumped = Lumped::new(graph, self.damping);
        let solution = lumped.solve(Rule::new(self.damping, self.tolerance * CLOSER));
        solution.ranking(graph, &lumped, self.tolerance)
    }
}

/// A graph whose nodes are groups of pages, numbered so that most links lead forward.
struct Lumped {
    damping: f64,
    groups: Groups,
    /// Node of each group.
    node_of: Vec<u32>,
    /// First node of each component.
    starts: Vec<u32>,
    /// Links of all nodes: for each node first those within its component, then the others.
    targets: Vec<u32>,
    /// The nodes; `end` is the start of the links that leave the component.
    nodes: Vec<Node>,
    /// Initial amount of each node: one unit per page.
    bases: Vec<f64>,
}

impl Lumped {
    fn new(graph: &Graph<'_>, damping: f64) -> Self {
        let groups = groups(graph);
        let n_nodes = groups.groups.len();
        let offsets = graph.links.offsets();
        let targets = graph.links.targets();
        let Components { order, starts } = components(
            n_nodes as u32,
            |group| {
                let page = groups.groups[group as usize].first.index();
                offsets[page]..offsets[page + 1]
            },
            |link| groups.of[targets[link as usize].index()],
        );
        let mut node_of = vec![0; n_nodes];
        for (node, group) in order.iter().enumerate() {
            node_of[*group as usize] = node as u32;
        }
        let mut lumped = Self {
            damping,
            node_of,
            targets: Vec::with_capacity(groups.groups.iter().map(|g| degree(graph, g)).sum()),
            nodes: Vec::with_capacity(n_nodes),
            bases: Vec::with_capacity(n_nodes),
            groups,
            starts,
        };
        for component in 0..lumped.starts.len() - 1 {
            let nodes = lumped.starts[component]..lumped.starts[component + 1];
            for node in nodes.clone() {
                lumped.add(graph, order[node as usize], nodes.end);
            }
        }
        lumped
    }

    /// Adds the next node; its component ends at `end`.
    fn add(&mut self, graph: &Graph<'_>, group: u32, end: u32) {
        let node = self.nodes.len() as u32;
        let group = self.groups.groups[group as usize];
        let share = share(graph, self.damping, &group);
        // In a closed group each member gets back a part of what it passes to the others. So its
        // value is what arrives from elsewhere times a constant, which `passes` includes.
        let returned = if group.closed { f64::from(group.size - 1) * share } else { 0.0 };
        let passes = share / (1.0 - returned);
        let start = self.targets.len();
        let mut leaving = start;
        for to in graph.links.links(group.first) {
            let to = self.groups.of[to.index()];
            if to == NONE {
                continue;
            }
            let to = self.node_of[to as usize];
            if to == node {
                continue;
            }
            self.targets.push(to);
            if to < end {
                let last = self.targets.len() - 1;
                self.targets.swap(leaving, last);
                leaving += 1;
            }
        }
        self.nodes.push(Node { value: 0.0, passes, start: start as u32, end: leaving as u32 });
        self.bases.push(f64::from(group.size));
    }

    /// Solves the components in order.
    fn solve(&self, rule: Rule) -> Solution {
        let mut nodes = self.nodes.clone();
        let mut waiting = self.bases.clone();
        let mut left = Vec::new();
        let mut settled = true;
        for component in self.starts.windows(2) {
            let range = component[0] as usize..component[1] as usize;
            if range.len() > 1 {
                let mut flow =
                    Flow { nodes: &mut nodes, waiting: &mut waiting, targets: &self.targets };
                settled &= flow.settle(range.clone(), rule, &mut left);
            }
            for at in range {
                let end = nodes.get(at + 1).map_or(self.targets.len(), |next| next.start as usize);
                let node = &mut nodes[at];
                node.value += waiting[at];
                let passed = node.value * node.passes;
                for to in &self.targets[node.end as usize..end] {
                    waiting[*to as usize] += passed;
                }
            }
        }
        Solution { nodes, left, settled }
    }
}

/// d/O: share of its value that each page of a group passes along each link.
fn share(graph: &Graph<'_>, damping: f64, group: &Group) -> f64 {
    damping / f64::from(graph.out_degree(group.first))
}

fn degree(graph: &Graph<'_>, group: &Group) -> usize {
    graph.links.links(group.first).len()
}

/// The value of each node, up to the constants of closed groups.
struct Solution {
    nodes: Vec<Node>,
    left: Vec<f64>,
    settled: bool,
}

impl Solution {
    fn ranking(self, graph: &Graph<'_>, lumped: &Lumped, tolerance: f64) -> Ranking {
        let n = graph.n_pages() as usize;
        if n == 0 {
            return Ranking { converged: true, ..Ranking::default() };
        }
        let (mut values, change) = self.pages(graph, lumped);
        let scale = 1.0 / values.iter().sum::<f64>();
        values.iter_mut().for_each(|value| *value *= scale);
        let mut residuals: Vec<f64> = self.left.iter().map(|left| left * scale).collect();
        residuals.push(change * scale);
        let converged = self.settled && change * scale < tolerance;
        Ranking { values, residuals, converged }
    }

    /// The value of each page, by one sweep over the links of all groups, so that pages with the
    /// same incoming links have bitwise equal values; and a bound on the change by another sweep of
    /// all pages.
    ///
    /// That sweep adds to each page what the change of the groups' sums passes on to it. Since
    /// ranks have sum 1, changes by δ in units of 1/n become changes by δ minus the mean of all δ:
    /// at most twice the sum of |δ|.
    fn pages(&self, graph: &Graph<'_>, lumped: &Lumped) -> (Vec<f64>, f64) {
        let Groups { of, groups } = &lumped.groups;
        let passed: Vec<f64> = (lumped.node_of.iter())
            .map(|node| self.nodes[*node as usize])
            .map(|node| node.value * node.passes)
            .collect();
        let mut values = vec![1.0; graph.n_pages() as usize];
        for (group, passed) in groups.iter().zip(&passed) {
            for to in graph.links.links(group.first) {
                values[to.index()] += passed;
            }
            if group.closed {
                values[group.first.index()] += passed;
            }
        }
        let mut sums = vec![0.0; groups.len()];
        for (value, group) in values.iter_mut().zip(of).filter(|(_, group)| **group != NONE) {
            // So far, members of a closed group received from all members, including themselves.
            if groups[*group as usize].closed {
                *value /= 1.0 + share(graph, lumped.damping, &groups[*group as usize]);
            }
            sums[*group as usize] += *value;
        }
        let change = |((group, passed), sum): ((&Group, &f64), &f64)| {
            let links = degree(graph, group) + usize::from(group.closed);
            (sum * share(graph, lumped.damping, group) - passed).abs() * links as f64
        };
        let change: f64 = groups.iter().zip(&passed).zip(&sums).map(change).sum();
        (values, 2.0 * change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranker::testing::*;
    use crawl_world::{Csr, PageId};
    use proptest::prelude::*;

    fn rank(graph: &Graph<'_>, damping: f64) -> Ranking {
        PageRank { damping, tolerance: 1e-10 }.rank(graph)
    }

    fn renumbered(graph: &Csr, numbers: &[u32]) -> Csr {
        let mut all = vec![vec![]; numbers.len()];
        for (page, links) in rows(graph) {
            all[numbers[page as usize] as usize] =
                links.iter().map(|to| numbers[to.index()]).collect();
        }
        graph_of(&all)
    }

    #[test]
    fn small_graphs_rank_as_they_should() {
        assert_eq!(
            rank(&Graph::new(&Csr::default()), 0.85),
            Ranking { converged: true, ..Ranking::default() }
        );
        let cases: [(&[&[u32]], &[f64]); 5] = [
            (&[&[]], &[1.0]),
            (&[&[], &[], &[], &[]], &[0.25, 0.25, 0.25, 0.25]),
            (&[&[1], &[0]], &[0.5, 0.5]),
            // x₀ = b, x₁ = b + 0.85·b with 2.85·b = 1.
            (&[&[1], &[]], &[1.0 / 2.85, 1.85 / 2.85]),
            (&[&[1, 2], &[0, 2], &[0, 1]], &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]),
        ];
        for (links, expected) in cases {
            let ranking = rank(&Graph::new(&graph_of(links)), 0.85);
            assert!(distance(&ranking.values, expected) < 1e-12, "{links:?}: {ranking:?}");
            assert!(ranking.converged);
        }
    }

    #[test]
    fn links_that_leave_the_graph_spread_their_share_evenly() {
        let links = graph_of(&[vec![1], vec![0]]);
        let graph = Graph { links: &links, outside: vec![1, 0] };
        // y₀ = 1 + d·y₁, y₁ = 1 + d/2·y₀.
        let y0 = 1.85 / (1.0 - 0.85 * 0.425);
        let y1 = 1.0 + 0.425 * y0;
        let expected = [y0 / (y0 + y1), y1 / (y0 + y1)];
        assert!(distance(&rank(&graph, 0.85).values, &expected) < 1e-12);
    }

    #[test]
    fn without_damping_all_pages_are_equal_and_near_one_ranks_still_settle() {
        let graph = graph_of(&[vec![1], vec![2, 3], vec![0], vec![]]);
        assert_eq!(rank(&Graph::new(&graph), 0.0).values, [0.25; 4]);
        let ring: Vec<Vec<u32>> = (0..50).map(|page| vec![(page + 1) % 50]).collect();
        let ring = graph_of(&ring);
        let near_one = rank(&Graph::new(&ring), 0.999);
        assert!(near_one.converged);
        assert!(distance(&near_one.values, &[0.02; 50]) < 1e-9);
    }

    /// Over-relaxation diverges on a long ring with a menu.
    #[test]
    fn long_cycles_settle() {
        let n = 3_000;
        let rows: Vec<Vec<u32>> = (0..n)
            .map(|page| if page % 10 == 0 { vec![(page + 1) % n, 0] } else { vec![(page + 1) % n] })
            .collect();
        let graph = graph_of(&rows);
        let graph = Graph::new(&graph);
        for damping in [0.5, 0.85, 0.99] {
            let ranking = rank(&graph, damping);
            assert!(ranking.converged);
            assert!(ranking.residuals.len() < 600, "{} sweeps", ranking.residuals.len());
            let next = power_sweep(&graph, damping, &ranking.values);
            assert!(distance(&ranking.values, &next) < 1e-10);
        }
    }

    #[test]
    fn greedy_oracle_has_the_areas_of_the_papers_digest() {
        // s, b, a, H, K1, K2, K3
        let links: [&[u32]; 7] = [&[1, 2], &[], &[3], &[4, 5, 6], &[3], &[3], &[3, 1]];
        let ranks = rank(&Graph::new(&graph_of(&links)), 0.85).values;
        let area = |order: [usize; 7]| -> f64 {
            let ranks = order.iter().enumerate().map(|(i, page)| (7 - i) as f64 * ranks[*page]);
            ranks.sum()
        };
        assert_eq!(format!("{:.3}", area([0, 2, 3, 4, 5, 6, 1])), "3.826");
        assert_eq!(format!("{:.3}", area([0, 1, 2, 3, 4, 5, 6])), "3.521");
    }

    #[test]
    fn agrees_with_plain_sweeps_on_webs() {
        assert_plain_sweeps(&fixture_graph("town.edges.tsv", 120));
        assert_plain_sweeps(&fixture_graph("village.dat", 241));
    }

    #[test]
    fn agrees_with_plain_sweeps_on_harvard500() {
        let test = "agrees_with_plain_sweeps_on_harvard500";
        if let Some(links) = real_graph(test, "harvard500/edges.tsv", 500) {
            assert_plain_sweeps(&links);
        }
    }

    #[test]
    fn agrees_with_plain_sweeps_on_hollins() {
        let test = "agrees_with_plain_sweeps_on_hollins";
        if let Some(links) = real_graph(test, "hollins/hollins.dat", 6_013) {
            assert_plain_sweeps(&links);
        }
    }

    fn assert_plain_sweeps(links: &Csr) {
        let graph = Graph::new(links);
        let ranking = rank(&graph, 0.85);
        let expected = power_iteration(&graph, 0.85, 300);
        assert!(ranking.converged && ranking.values.len() == expected.len());
        for (rank, expected) in ranking.values.iter().zip(&expected) {
            assert!((rank - expected).abs() < 1e-11 * expected, "{rank} {expected}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_plain_sweeps(
            links in random_graph(40),
            damping in 0.0..0.95,
            leaving in prop::collection::vec(0_u32..3, 40),
        ) {
            let outside = leaving[..links.n_pages() as usize].to_vec();
            let graph = Graph { links: &links, outside };
            let ranking = rank(&graph, damping);
            prop_assert!(ranking.converged);
            prop_assert!(ranking.values.iter().all(|value| *value >= 0.0));
            let expected = power_iteration(&graph, damping, 600);
            prop_assert!(distance(&ranking.values, &expected) < 1e-9);
            if links.n_pages() > 0 {
                prop_assert!((ranking.values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                let next = power_sweep(&graph, damping, &ranking.values);
                let change = distance(&ranking.values, &next);
                prop_assert!(change < 1e-10);
                let bound = ranking.residuals.last().copied().unwrap_or(f64::NAN);
                prop_assert!(change <= bound + 1e-14, "{change} > {bound}");
            }
        }

        #[test]
        fn numbering_does_not_matter(
            (links, numbers) in random_graph(30).prop_flat_map(|links| {
                let numbers: Vec<u32> = (0..links.n_pages()).collect();
                (Just(links), Just(numbers).prop_shuffle())
            }),
        ) {
            let there = rank(&Graph::new(&renumbered(&links, &numbers)), 0.85).values;
            let here = rank(&Graph::new(&links), 0.85).values;
            for (page, number) in numbers.iter().enumerate() {
                prop_assert!((here[page] - there[*number as usize]).abs() < 1e-11);
            }
        }

        #[test]
        fn pages_with_the_same_links_to_them_have_the_same_rank_to_the_last_bit(
            links in random_graph(30),
        ) {
            let back = links.transposed();
            let values = rank(&Graph::new(&links), 0.85).values;
            for a in 0..links.n_pages() {
                for b in 0..a {
                    if back.links(PageId(a)) == back.links(PageId(b)) {
                        prop_assert_eq!(values[a as usize], values[b as usize]);
                    }
                }
            }
        }
    }
}
