//! Hosts as clusters, linked pages near each other.
//!
//! First the hosts find their places, each as heavy as it has pages, pulled together by the links
//! between them; discs with room for their pages are pushed apart until none overlap. Then the pages
//! settle round the middles of their hosts, pulled by all links, those within a host most.

mod coarsen;
mod rooms;
mod springs;
mod tree;

use crate::graph::Graph;
use crate::{Layout, LayoutEntry, Nodes, Picture, Progress, fitted};
use rooms::Rooms;
use springs::Springs;

pub(super) const ENTRY: LayoutEntry = LayoutEntry {
    id: "force",
    title: "Map",
    summary: "Linked pages near each other, each host a cluster",
    from_seeds: false,
    build: |picture, _| Box::new(Force::new(picture)),
};

/// How much stronger links hold a page than the middle of its host does.
const PULL: f32 = 6.0;
/// The strength of links between hosts, compared with those within one.
const ABROAD: f32 = 0.08;
/// Wider than high, as the stage is: the pull towards the middle across, and up and down.
const GRAVITY: [f32; 2] = [0.8, 1.25];
/// Rounds on the pages' own graph, where there are few and where there are many.
const ROUNDS: (u32, u32) = (60, 28);
/// Up to how many pages are few.
const FEW_PAGES: usize = 5000;

struct Force {
    stage: Stage,
    springs: Springs,
    done: u64,
    of: u64,
}

enum Stage {
    /// The hosts find their places; afterwards the pages' graph is needed.
    Hosts { pages: Graph },
    /// The hosts' rooms are pushed apart.
    Rooms { pages: Graph, rooms: Rooms, round: u32 },
    /// The pages settle, in the rooms of their hosts if there are several.
    Pages { rooms: Option<Rooms> },
}

impl Force {
    fn new(picture: &Picture) -> Self {
        let pages = page_graph(picture);
        let n_groups = pages.groups.iter().max().map_or(0, |most| *most as usize + 1);
        if n_groups <= 1 {
            let rounds = rounds(&pages);
            let springs = Springs::new(pages, vec![[0.0; 2]; n_groups], GRAVITY, rounds);
            let of = springs.work();
            return Self { stage: Stage::Pages { rooms: None }, springs, done: 0, of };
        }
        let hosts = host_graph(&pages, n_groups);
        let springs = Springs::new(hosts, vec![[0.0; 2]], GRAVITY, ROUNDS.0);
        // Merged graphs take about as long again as the graph itself.
        let of = springs.work() + pages.n_nodes() as u64 * u64::from(rounds(&pages)) * 2;
        Self { stage: Stage::Hosts { pages }, springs, done: 0, of }
    }

    /// Begins the next stage.
    fn advance(&mut self) {
        let last = Stage::Pages { rooms: None };
        self.stage = match std::mem::replace(&mut self.stage, last) {
            Stage::Hosts { pages } => {
                self.done = self.springs.work();
                let rooms = Rooms::new(self.springs.positions(), &pages.groups);
                Stage::Rooms { pages, rooms, round: 0 }
            }
            Stage::Rooms { pages, mut rooms, .. } => {
                rooms.lie_down();
                let rounds = rounds(&pages);
                self.springs = Springs::new(pages, rooms.centres.clone(), [1.0; 2], rounds);
                self.of = self.done + self.springs.work();
                Stage::Pages { rooms: Some(rooms) }
            }
            last => last,
        };
    }
}

impl Layout for Force {
    fn step(&mut self, budget: u32) -> Progress {
        let mut left = budget.max(1);
        while left > 0 {
            if let Stage::Rooms { rooms, round, .. } = &mut self.stage {
                left = left.saturating_sub(rooms.centres.len() as u32);
                *round += 1;
                if rooms.push_apart() || *round == rooms::MAX_ROUNDS {
                    self.advance();
                }
                continue;
            }
            left = self.springs.step(left);
            if self.springs.done() == self.springs.work() {
                if matches!(self.stage, Stage::Pages { .. }) {
                    break;
                }
                self.advance();
            }
        }
        match self.stage {
            Stage::Hosts { .. } => Progress { done: self.springs.done(), of: self.of },
            Stage::Rooms { .. } => Progress { done: self.done, of: self.of },
            Stage::Pages { .. } => Progress { done: self.done + self.springs.done(), of: self.of },
        }
    }

    fn positions(&self) -> Vec<f32> {
        match &self.stage {
            Stage::Hosts { pages } => {
                fitted(&springs::around_anchors(pages, &self.springs.positions()))
            }
            Stage::Rooms { pages, rooms, .. } => {
                fitted(&springs::around_anchors(pages, &rooms.centres))
            }
            Stage::Pages { rooms: None } => fitted(&self.springs.positions()),
            Stage::Pages { rooms: Some(rooms) } => fitted(&rooms.filled(self.springs.positions())),
        }
    }
}

fn rounds(graph: &Graph) -> u32 {
    if graph.n_nodes() <= FEW_PAGES { ROUNDS.0 } else { ROUNDS.1 }
}

/// The picture's nodes, grouped by host. A link holds as firmly as its less linked end has few.
fn page_graph(picture: &Picture) -> Graph {
    let n = picture.sizes.len();
    let by_host = picture.nodes != Nodes::Hosts && picture.hosts.len() > 1;
    let n_hosts = picture.hosts.len() as u32;
    // Pages without a host are a group of their own.
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
        (from, to, if groups[a] == groups[b] { pull } else { pull * ABROAD })
    };
    let edges: Vec<_> = ends().map(strength).collect();
    Graph::new(vec![1.0; n], groups, &edges)
}

/// Groups numbered without gaps, in the order they appear.
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

/// One node a group; links as strong as their share of all links of the less linked one.
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
