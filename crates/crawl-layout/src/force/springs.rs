//! Force simulation: repulsion between nodes, attraction by links, gravity.
//!
//! A node of mass m is repelled by every other with m·m′ / distance, attracted by each link with
//! strength · length, and pulled to its group's anchor with m · distance. Without links the
//! equilibrium is a uniform disc of radius √(total mass), as for charges in a plane with a uniform
//! background. Each iteration moves every node by force / stiffness, with a decreasing step limit.

use super::coarsen;
use super::tree::Tree;
use crate::graph::Graph;

/// Graphs with fewer nodes are not coarsened further.
const MIN_NODES: usize = 24;
/// Iterations on a coarsened graph.
const MERGED_ROUNDS: u32 = 32;
/// Softening of the repulsion between close nodes, as a fraction of a node's mass.
const SOFTNESS: f32 = 0.05;

/// A simulation of a graph, from the coarsest level to the finest.
pub(crate) struct Springs {
    /// The graph itself, then each coarser level.
    levels: Vec<Level>,
    anchors: Vec<[f32; 2]>,
    gravity: [f32; 2],
    /// The current level, and the positions of its nodes.
    level: usize,
    positions: Vec<[f32; 2]>,
    moves: Vec<[f32; 2]>,
    tree: Tree,
    round: u32,
    phase: Phase,
    done: u64,
    of: u64,
}

struct Level {
    graph: Graph,
    /// The node of the next level that each node is merged into.
    parents: Vec<u32>,
    rounds: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Sorting,
    Pushing(usize),
}

impl Springs {
    /// Starts a simulation; each group is pulled to its anchor.
    pub(crate) fn new(
        graph: Graph,
        anchors: Vec<[f32; 2]>,
        gravity: [f32; 2],
        rounds: u32,
    ) -> Self {
        let mut levels = vec![Level { graph, parents: Vec::new(), rounds }];
        loop {
            let last = levels.len() - 1;
            let graph = &levels[last].graph;
            if graph.n_nodes() <= MIN_NODES {
                break;
            }
            let (parents, n_parents) = coarsen::pairs(graph);
            // If groups have one node each, merging does not progress.
            if n_parents * 10 > graph.n_nodes() * 9 {
                break;
            }
            let merged = graph.merged(&parents, n_parents);
            levels[last].parents = parents;
            levels.push(Level { graph: merged, parents: Vec::new(), rounds: MERGED_ROUNDS });
        }
        let work = |level: &Level| u64::from(level.rounds) * level.graph.n_nodes() as u64;
        let of = levels.iter().map(work).sum();
        let level = levels.len() - 1;
        let positions = around_anchors(&levels[level].graph, &anchors);
        let phase = Phase::Sorting;
        let (moves, tree) = (Vec::new(), Tree::default());
        let mut springs = Self {
            levels,
            anchors,
            gravity,
            level,
            positions,
            moves,
            tree,
            round: 0,
            phase,
            done: 0,
            of,
        };
        springs.moves = vec![[0.0; 2]; springs.positions.len()];
        springs
    }

    /// Total node visits.
    pub(crate) fn work(&self) -> u64 {
        self.of
    }

    /// Node visits done.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Continues for at most `budget` node visits; returns the unused rest.
    pub(crate) fn step(&mut self, mut budget: u32) -> u32 {
        while budget > 0 && self.done < self.of {
            match self.phase {
                Phase::Sorting => {
                    self.tree.build(&self.positions, &self.levels[self.level].graph.masses);
                    self.phase = Phase::Pushing(0);
                }
                Phase::Pushing(from) => {
                    let to = self.positions.len().min(from + budget as usize);
                    (from..to).for_each(|place| self.push(place));
                    budget -= (to - from) as u32;
                    self.done += (to - from) as u64;
                    self.phase = Phase::Pushing(to);
                    if to == self.positions.len() {
                        self.end_round();
                    }
                }
            }
        }
        budget
    }

    /// Positions of the finest level's nodes, expanded from the current level.
    pub(crate) fn positions(&self) -> Vec<[f32; 2]> {
        let mut positions = self.positions.clone();
        for level in (0..self.level).rev() {
            positions = expanded(&self.levels[level], &positions);
        }
        positions
    }

    /// Computes the move of the node at an index of the tree's sorted list.
    fn push(&mut self, place: usize) {
        let graph = &self.levels[self.level].graph;
        let node = self.tree.node(place);
        let mass = graph.masses[node];
        let [x, y] = self.positions[node];
        let away = self.tree.push(place, SOFTNESS * mass);
        let mut force = [away[0] * mass, away[1] * mass];
        let mut stiffness = 0.0;
        for (to, strength) in graph.links(node) {
            let [to_x, to_y] = self.positions[*to as usize];
            force[0] += (to_x - x) * strength;
            force[1] += (to_y - y) * strength;
            stiffness += strength;
        }
        let anchor = self.anchors[graph.groups[node] as usize];
        force[0] += (anchor[0] - x) * mass * self.gravity[0];
        force[1] += (anchor[1] - y) * mass * self.gravity[1];
        // At typical distances, neighbours hold a node about twice as firmly as gravity.
        stiffness += 3.0 * mass;
        self.moves[node] = [force[0] / stiffness, force[1] / stiffness];
    }

    fn end_round(&mut self) {
        let level = &self.levels[self.level];
        let left = 1.0 - self.round as f32 / level.rounds as f32;
        for (node, [x, y]) in self.moves.iter().enumerate() {
            let longest = (0.05 + left) * level.graph.masses[node].sqrt();
            let length = (x * x + y * y).sqrt();
            let share = if length > longest { longest / length } else { 1.0 };
            self.positions[node][0] += x * share;
            self.positions[node][1] += y * share;
        }
        self.phase = Phase::Sorting;
        self.round += 1;
        if self.round == level.rounds && self.level > 0 {
            self.level -= 1;
            self.round = 0;
            self.positions = expanded(&self.levels[self.level], &self.positions);
            self.moves = vec![[0.0; 2]; self.positions.len()];
        }
    }
}

/// Places nodes on an even spiral around their group's anchor.
pub(crate) fn around_anchors(graph: &Graph, anchors: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let mut inside = vec![0.0_f32; anchors.len()];
    let place = |node: usize| {
        let group = graph.groups[node] as usize;
        let radius = (inside[group] + graph.masses[node] / 2.0).sqrt();
        inside[group] += graph.masses[node];
        let [dx, dy] = direction(node as u32);
        [anchors[group][0] + dx * radius, anchors[group][1] + dy * radius]
    };
    (0..graph.n_nodes()).map(place).collect()
}

/// Places each node near the position of the node it was merged into.
fn expanded(level: &Level, merged: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let place = |(node, parent): (usize, &u32)| {
        let [x, y] = merged[*parent as usize];
        let [dx, dy] = direction(node as u32);
        let radius = 0.6 * level.graph.masses[node].sqrt();
        [x + dx * radius, y + dy * radius]
    };
    level.parents.iter().enumerate().map(place).collect()
}

/// A direction for each number; consecutive numbers have distant directions.
fn direction(number: u32) -> [f32; 2] {
    // The golden angle, in turns.
    let turns = (f64::from(number) * 0.381_966_011_250_105) % 1.0;
    let (sin, cos) = libm::sincos(turns * std::f64::consts::TAU);
    [cos as f32, sin as f32]
}
