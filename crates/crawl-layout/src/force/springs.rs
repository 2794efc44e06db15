//! Nodes that push each other away, links that pull, and a pull towards the middle.
//!
//! A node of mass m at x is pushed by every other with m·m′ ÷ distance, pulled by each link with its
//! strength times its length, and pulled to its group's anchor with m times the distance. Without
//! links these forces settle in an even disc of radius √(all mass): push and pull towards the middle
//! are those of charges in the plane in an even background. Links then bring together what belongs
//! together. Each round moves every node by its force ÷ the stiffness of what holds it, and by less
//! and less.

use super::coarsen;
use super::tree::Tree;
use crate::graph::Graph;

/// Fewer nodes than this are not merged further.
const FEW: usize = 24;
/// Rounds on a merged graph.
const MERGED_ROUNDS: u32 = 32;
/// A share of a node's mass that softens how it pushes what comes close.
const SOFTNESS: f32 = 0.05;

/// A graph, settling from few merged nodes to all of its own.
pub(crate) struct Springs {
    /// The graph itself, then each merged from the one before.
    levels: Vec<Level>,
    anchors: Vec<[f32; 2]>,
    gravity: [f32; 2],
    /// The level at work, and where its nodes stand.
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
    /// Begins with a graph whose groups are held at their anchors.
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
            if graph.n_nodes() <= FEW {
                break;
            }
            let (parents, n_parents) = coarsen::pairs(graph);
            // Groups of one node each cannot be merged.
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

    /// Node visits in all.
    pub(crate) fn work(&self) -> u64 {
        self.of
    }

    /// Node visits so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Works on for so many node visits at most; gives back those it did not need.
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

    /// Where the nodes of the graph itself stand; those not yet taken apart, near each other.
    pub(crate) fn positions(&self) -> Vec<[f32; 2]> {
        let mut positions = self.positions.clone();
        for level in (0..self.level).rev() {
            positions = taken_apart(&self.levels[level], &positions);
        }
        positions
    }

    /// Finds the move of the node at a place of the tree's list.
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
        // Neighbours at the usual distance hold a node about twice as firmly as the middle does.
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
            self.positions = taken_apart(&self.levels[self.level], &self.positions);
            self.moves = vec![[0.0; 2]; self.positions.len()];
        }
    }
}

/// Nodes in an even spiral round their group's anchor.
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

/// Each node beside the place where the node stood that it was merged into.
fn taken_apart(level: &Level, merged: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let place = |(node, parent): (usize, &u32)| {
        let [x, y] = merged[*parent as usize];
        let [dx, dy] = direction(node as u32);
        let radius = 0.6 * level.graph.masses[node].sqrt();
        [x + dx * radius, y + dy * radius]
    };
    level.parents.iter().enumerate().map(place).collect()
}

/// A direction for each number, none near that of the numbers around it.
fn direction(number: u32) -> [f32; 2] {
    // The golden angle, in turns.
    let turns = (f64::from(number) * 0.381_966_011_250_105) % 1.0;
    let (sin, cos) = libm::sincos(turns * std::f64::consts::TAU);
    [cos as f32, sin as f32]
}
