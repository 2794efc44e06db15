//! Rings by logarithmic distance from the seeds.
//!
//! A link of a page with O links is log O long, which is how FICA measures ways (document E,
//! equation 2, each way counted in full); a page stands as far from the middle as its shortest way is
//! long. Around the middle, every page has a sector as wide as what is reached through it, within that
//! of the page it is reached through. Pages that cannot be reached stand on a ring of their own,
//! outside.

use crate::{Layout, LayoutEntry, Picture, Progress, UNREACHED};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const ENTRY: LayoutEntry = LayoutEntry {
    id: "rings",
    title: "Rings",
    summary: "Distance from the middle: that from the seeds, where a link of a page with O links is \
              log O long; what cannot be reached stands outside",
    from_seeds: true,
    build: |picture, depths| Box::new(Rings::new(picture, depths)),
};

/// Where the ring of what cannot be reached stands; all else is within [`REACHED`].
const UNREACHED_AT: f32 = 1.0;
const REACHED: f32 = 0.92;
/// Where seeds stand that are not alone, as a share of [`REACHED`].
const SEEDS_AT: f32 = 0.03;
/// Rings drawn, at most.
const MOST_RINGS: f64 = 6.0;

/// No node.
const NONE: u32 = u32::MAX;

struct Rings {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    distances: Vec<f64>,
    /// The node each one is reached through.
    parents: Vec<u32>,
    /// Nodes in the order their distance was settled.
    settled: Vec<u32>,
    is_settled: Vec<bool>,
    /// Distances are not negative, so that their bits are in their order.
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

    /// The farthest that was reached.
    fn farthest(&self) -> f64 {
        self.settled.last().map_or(0.0, |node| self.distances[*node as usize])
    }

    /// How far from the middle a distance is drawn.
    fn radius(&self, distance: f64) -> f32 {
        let start = if self.n_seeds > 1 { SEEDS_AT } else { 0.0 };
        let share = (distance / self.farthest().max(f64::MIN_POSITIVE)) as f32;
        REACHED * (start + (1.0 - start) * share)
    }

    /// Where each node stands around the middle, 0 to 1: the middle of its sector.
    fn turns(&self) -> Vec<f32> {
        // How much is reached through each, leaves counted.
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
        // Where the next of what is reached through each begins, in leaves.
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
        let fits = |step: &f64| farthest / step <= MOST_RINGS;
        let step = steps.into_iter().find(fits).unwrap_or(farthest / MOST_RINGS);
        let n = (farthest / step) as u32;
        let at = (1..=n).map(|i| f64::from(i) * step);
        at.map(|distance| (self.radius(distance), distance)).collect()
    }
}

/// What cannot be reached has no depth either, so that both layouts set the same nodes apart.
const _: () = assert!(UNREACHED == NONE);
