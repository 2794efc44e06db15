//! Radial layout: distance from the centre is logarithmic distance from the seeds.
//!
//! A link of a page with O links has length log O, as in FICA (Salari, Derhami & Paksima, eq. 2,
//! without discount); a page's radius is the length of its shortest path. Its angle is within a
//! sector proportional to the number of leaves of its subtree in the shortest-path tree, inside the
//! sector of its parent. Unreachable pages are on a separate outer circle.

use crate::{Layout, LayoutEntry, Picture, Progress, UNREACHED};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const ENTRY: LayoutEntry = LayoutEntry {
    id: "rings",
    title: "Rings",
    summary: "Distance from the centre is distance from the seeds; a link of a page with O links \
              has length log O; unreachable pages outside",
    from_seeds: true,
    build: |picture, depths| Box::new(Rings::new(picture, depths)),
};

/// Radius of the circle of unreachable pages; all others are within [`REACHED`].
const UNREACHED_AT: f32 = 1.0;
const REACHED: f32 = 0.92;
/// Radius of several seeds, as a fraction of [`REACHED`].
const SEEDS_AT: f32 = 0.03;
/// Maximum number of circles.
const MAX_RINGS: f64 = 6.0;

/// Marks a node without parent.
const NONE: u32 = u32::MAX;

struct Rings {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    distances: Vec<f64>,
    /// The parent of each node in the shortest-path tree.
    parents: Vec<u32>,
    /// Nodes in the order of settling (Dijkstra's algorithm).
    settled: Vec<u32>,
    is_settled: Vec<bool>,
    /// Keyed by the bits of the distance, whose order is that of the distances: none is negative.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    n_seeds: usize,
}

impl Rings {
    fn new(picture: &Picture, depths: &[u32]) -> Self {
        let n = picture.n_nodes();
        let mut offsets = vec![0_u32; n + 1];
        for link in picture.edges.chunks_exact(2) {
            offsets[link[0] as usize + 1] += 1;
        }
        (0..n).for_each(|node| offsets[node + 1] += offsets[node]);
        let mut next = offsets.clone();
        let mut targets = vec![0_u32; offsets[n] as usize];
        for link in picture.edges.chunks_exact(2) {
            let at = &mut next[link[0] as usize];
            targets[*at as usize] = link[1];
            *at += 1;
        }
        let seeds = || (0..n as u32).filter(|node| depths.get(*node as usize) == Some(&0));
        let mut distances = vec![f64::INFINITY; n];
        seeds().for_each(|seed| distances[seed as usize] = 0.0);
        Self {
            offsets,
            targets,
            distances,
            parents: vec![NONE; n],
            settled: Vec::with_capacity(n),
            is_settled: vec![false; n],
            queue: seeds().map(|seed| Reverse((0, seed))).collect(),
            n_seeds: seeds().count(),
        }
    }

    fn links(&self, node: u32) -> std::ops::Range<usize> {
        self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize
    }

    fn settle(&mut self, node: u32) {
        if std::mem::replace(&mut self.is_settled[node as usize], true) {
            return;
        }
        self.settled.push(node);
        let links = self.links(node);
        let through = self.distances[node as usize] + libm::log(links.len().max(1) as f64);
        for at in links {
            let to = self.targets[at];
            if through < self.distances[to as usize] {
                self.distances[to as usize] = through;
                self.parents[to as usize] = node;
                self.queue.push(Reverse((through.to_bits(), to)));
            }
        }
    }

    /// The largest distance of a reachable node.
    fn farthest(&self) -> f64 {
        self.settled.last().map_or(0.0, |node| self.distances[*node as usize])
    }

    /// The radius at which a distance is drawn.
    fn radius(&self, distance: f64) -> f32 {
        let start = if self.n_seeds > 1 { SEEDS_AT } else { 0.0 };
        let share = (distance / self.farthest().max(f64::MIN_POSITIVE)) as f32;
        REACHED * (start + (1.0 - start) * share)
    }

    /// The angle of each node, in turns (0 to 1): the middle of its sector.
    fn turns(&self) -> Vec<f32> {
        // Number of leaves in each node's subtree.
        let mut weights = vec![0_u32; self.distances.len()];
        for node in self.settled.iter().rev() {
            let weight = weights[*node as usize].max(1);
            weights[*node as usize] = weight;
            if let Some(parent) = weights.get_mut(self.parents[*node as usize] as usize) {
                *parent += weight;
            }
        }
        let seeds = self.settled.iter().filter(|node| self.parents[**node as usize] == NONE);
        let whole: u32 = seeds.map(|seed| weights[*seed as usize]).sum();
        // Start of the next child's sector, in leaves.
        let mut next = vec![0_u32; self.distances.len()];
        let (mut at, mut turns) = (0, vec![0.0; self.distances.len()]);
        for node in &self.settled {
            let parent = self.parents[*node as usize];
            let begin = next.get_mut(parent as usize).unwrap_or(&mut at);
            let start = *begin;
            *begin += weights[*node as usize];
            next[*node as usize] = start;
            let middle = start as f32 + weights[*node as usize] as f32 / 2.0;
            turns[*node as usize] = middle / whole.max(1) as f32;
        }
        turns
    }
}

impl Layout for Rings {
    fn step(&mut self, budget: u32) -> Progress {
        for _ in 0..budget.max(1) {
            let Some(Reverse((_, node))) = self.queue.pop() else { break };
            self.settle(node);
        }
        let of = self.distances.len() as u64;
        let done = if self.queue.is_empty() { of } else { self.settled.len() as u64 };
        Progress { done, of }
    }

    fn positions(&self) -> Vec<f32> {
        let turns = self.turns();
        let n_outside = self.is_settled.iter().filter(|is_settled| !**is_settled).count().max(1);
        let mut outside = 0;
        let mut positions = Vec::with_capacity(2 * turns.len());
        for (node, turn) in turns.iter().enumerate() {
            let (radius, turn) = if self.is_settled[node] {
                (self.radius(self.distances[node]), *turn)
            } else {
                outside += 1;
                (UNREACHED_AT, outside as f32 / n_outside as f32)
            };
            // From the top, clockwise.
            let angle = std::f32::consts::TAU * turn;
            positions.extend([radius * libm::sinf(angle), radius * libm::cosf(angle)]);
        }
        positions
    }

    fn rings(&self) -> Vec<(f32, f64)> {
        let farthest = self.farthest();
        if farthest <= 0.0 || !self.queue.is_empty() {
            return Vec::new();
        }
        let steps = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let fits = |step: &f64| farthest / step <= MAX_RINGS;
        let step = steps.into_iter().find(fits).unwrap_or(farthest / MAX_RINGS);
        let n = (farthest / step) as u32;
        let at = (1..=n).map(|i| f64::from(i) * step);
        at.map(|distance| (self.radius(distance), distance)).collect()
    }
}

/// Nodes without distance have no depth either, so both layouts separate the same nodes.
const _: () = assert!(UNREACHED == NONE);
