//! Force-directed layout: hosts are clusters, linked pages are near each other.
//!
//! First the hosts are placed: each has the mass of its pages and is pulled by the links to other
//! hosts. Then their discs, sized by the number of pages, are pushed apart until none overlap. Last
//! the pages are placed around the centres of their hosts, pulled by all links, most strongly by
//! those within a host.

mod coarsen;
mod discs;
mod springs;
mod tree;

use crate::graph::Graph;
use crate::{Layout, LayoutEntry, Nodes, Picture, Progress, fitted};
use discs::Discs;
use springs::Springs;

pub(super) const ENTRY: LayoutEntry = LayoutEntry {
    id: "force",
    title: "Map",
    summary: "Linked pages near each other, each host a cluster",
    from_seeds: false,
    build: |picture, _| Box::new(Force::new(picture)),
};

/// Strength of links, relative to the pull of the host's centre.
const PULL: f32 = 6.0;
/// Strength of links between hosts, relative to links within a host.
const BETWEEN_HOSTS: f32 = 0.08;
/// Horizontal and vertical pull to the centre; makes the layout wider than high.
const GRAVITY: [f32; 2] = [0.8, 1.25];
/// Iterations on the pages' graph: for small and for large graphs.
const ITERATIONS: (u32, u32) = (60, 28);
/// Maximum number of pages of a small graph.
const SMALL_GRAPH: usize = 5000;

struct Force {
    phase: Phase,
    springs: Springs,
    done: u64,
    of: u64,
}

enum Phase {
    /// Hosts are placed; the pages' graph is kept for the last phase.
    Hosts { pages: Graph },
    /// The hosts' discs are pushed apart.
    Discs { pages: Graph, discs: Discs, round: u32 },
    /// Pages are placed, within the discs of their hosts if there are several.
    Pages { discs: Option<Discs> },
}

impl Force {
    fn new(picture: &Picture) -> Self {
        let pages = page_graph(picture);
        let n_groups = pages.groups.iter().max().map_or(0, |most| *most as usize + 1);
        if n_groups <= 1 {
            let rounds = rounds(&pages);
            let springs = Springs::new(pages, vec![[0.0; 2]; n_groups], GRAVITY, rounds);
            let of = springs.work();
            return Self { phase: Phase::Pages { discs: None }, springs, done: 0, of };
        }
        let hosts = host_graph(&pages, n_groups);
        let springs = Springs::new(hosts, vec![[0.0; 2]], GRAVITY, ITERATIONS.0);
        // Coarser levels cost about as much as the graph itself.
        let of = springs.work() + pages.n_nodes() as u64 * u64::from(rounds(&pages)) * 2;
        Self { phase: Phase::Hosts { pages }, springs, done: 0, of }
    }

    /// Starts the next phase.
    fn advance(&mut self) {
        let last = Phase::Pages { discs: None };
        self.phase = match std::mem::replace(&mut self.phase, last) {
            Phase::Hosts { pages } => {
                self.done = self.springs.work();
                let discs = Discs::new(self.springs.positions(), &pages.groups);
                Phase::Discs { pages, discs, round: 0 }
            }
            Phase::Discs { pages, mut discs, .. } => {
                discs.rotate_to_landscape();
                let rounds = rounds(&pages);
                self.springs = Springs::new(pages, discs.centres.clone(), [1.0; 2], rounds);
                self.of = self.done + self.springs.work();
                Phase::Pages { discs: Some(discs) }
            }
            last => last,
        };
    }
}

impl Layout for Force {
    fn step(&mut self, budget: u32) -> Progress {
        let mut left = budget.max(1);
        while left > 0 {
            if let Phase::Discs { discs, round, .. } = &mut self.phase {
                left = left.saturating_sub(discs.centres.len() as u32);
                *round += 1;
                if discs.push_apart() || *round == discs::MAX_ROUNDS {
                    self.advance();
                }
                continue;
            }
            left = self.springs.step(left);
            if self.springs.done() == self.springs.work() {
                if matches!(self.phase, Phase::Pages { .. }) {
                    break;
                }
                self.advance();
            }
        }
        match self.phase {
            Phase::Hosts { .. } => Progress { done: self.springs.done(), of: self.of },
            Phase::Discs { .. } => Progress { done: self.done, of: self.of },
            Phase::Pages { .. } => Progress { done: self.done + self.springs.done(), of: self.of },
        }
    }

    fn positions(&self) -> Vec<f32> {
        match &self.phase {
            Phase::Hosts { pages } => {
                fitted(&springs::around_anchors(pages, &self.springs.positions()))
            }
            Phase::Discs { pages, discs, .. } => {
                fitted(&springs::around_anchors(pages, &discs.centres))
            }
            Phase::Pages { discs: None } => fitted(&self.springs.positions()),
            Phase::Pages { discs: Some(discs) } => fitted(&discs.filled(self.springs.positions())),
        }
    }
}

fn rounds(graph: &Graph) -> u32 {
    if graph.n_nodes() <= SMALL_GRAPH { ITERATIONS.0 } else { ITERATIONS.1 }
}

/// The graph of a picture's nodes, grouped by host.
///
/// The strength of a link falls with the degree of its end that has fewer links.
fn page_graph(picture: &Picture) -> Graph {
    let n = picture.sizes.len();
    let by_host = picture.nodes != Nodes::Hosts && picture.hosts.len() > 1;
    let n_hosts = picture.hosts.len() as u32;
    // Pages without a host form one group.
    let group = |host: &u32| if by_host { (*host).min(n_hosts) } else { 0 };
    let groups = numbered(picture.host_of.iter().map(group).collect());
    let ends = || picture.edges.chunks_exact(2).map(|ends| (ends[0], ends[1]));
    let mut degrees = vec![0_u32; n];
    for (from, to) in ends() {
        degrees[from as usize] += 1;
        degrees[to as usize] += 1;
    }
    let strength = |(from, to): (u32, u32)| {
        let (a, b) = (from as usize, to as usize);
        let pull = PULL / degrees[a].min(degrees[b]) as f32;
        (from, to, if groups[a] == groups[b] { pull } else { pull * BETWEEN_HOSTS })
    };
    let edges: Vec<_> = ends().map(strength).collect();
    Graph::new(vec![1.0; n], groups, &edges)
}

/// Renumbers groups without gaps, in order of first appearance.
fn numbered(mut groups: Vec<u32>) -> Vec<u32> {
    let most = groups.iter().max().map_or(0, |most| *most as usize + 1);
    let mut numbers = vec![u32::MAX; most];
    let mut next = 0;
    for group in &mut groups {
        let number = &mut numbers[*group as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        *group = *number;
    }
    groups
}

/// The graph of hosts, one node per group.
///
/// The strength of a link is its share of all links of the host with fewer links.
fn host_graph(pages: &Graph, n_groups: usize) -> Graph {
    let merged = pages.merged(&pages.groups, n_groups);
    let all = |node: usize| merged.links(node).iter().map(|(_, strength)| strength).sum::<f32>();
    let totals: Vec<f32> = (0..n_groups).map(all).collect();
    let mut edges = Vec::new();
    for from in 0..n_groups {
        for (to, strength) in merged.links(from).iter().filter(|(to, _)| *to as usize > from) {
            let (a, b) = (from, *to as usize);
            let share = strength / totals[a].min(totals[b]);
            let pull = PULL * share * merged.masses[a].min(merged.masses[b]);
            edges.push((from as u32, *to, pull));
        }
    }
    Graph::new(merged.masses, vec![0; n_groups], &edges)
}
