//! Settling a flow along links.
//!
//! Every node i is to have a value y(i) = b(i) + Σ over links j → i of y(j)·p(j), where p(j) is the
//! part of its value that a node passes on along each of its links. A node has its value so far and
//! an amount that still *waits*: what has arrived and is not yet counted. To relax a node is to add
//! what waits to its value, and pass its part on to wait elsewhere:
//!
//! ```text
//! step = ω·waiting(i);  y(i) += step;  waiting(i) −= step;  waiting(j) += step·p(i) for each i → j
//! ```
//!
//! Relaxing all nodes in turn is a Gauss–Seidel sweep. Three things make it fast:
//!
//! - Nodes of which little waits are skipped (Southwell 1940). The threshold falls in stages to
//!   the tolerance, so that the effort goes where most waits.
//! - Most of what a node passes on along a cycle comes back, so each step goes too far on purpose:
//!   over-relaxation, ω > 1 (Young 1950). On cycles of two links ω = 2 ÷ (1 + √(1 − d²)) is
//!   best; on long cycles any ω much above 1 runs away. Half-way is good on webs; should the
//!   sum of what waits grow, ω falls to 1, with which it cannot.
//! - All that waits is small in the end, so sums of it are exact where sums of values are not.
//!
//! The end: no node waits for more than `tolerance` times its value. All p and b being positive,
//! if |waiting(i)| ≤ t·b(i) for all i, then every value is right to the fraction t.

use std::ops::Range;

/// Nodes looked at together before any of them is looked at alone.
const LANES: usize = 8;
/// How far the threshold falls from one stage to the next.
const STAGE: f64 = 0.01;
/// Sweeps after which steps no longer go too far: where that helps, it is done long before.
const MOST_LONG_SWEEPS: u32 = 200;
/// Sweeps after which a flow counts as one that does not settle.
const MOST_SWEEPS: u32 = 100_000;

/// How a flow is settled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// How far steps go at first.
    over: f64,
    /// What may wait at a node, as a part of its value.
    tolerance: f64,
}

impl Rule {
    /// For a flow that passes on at most the part `damping` of any value.
    pub(super) fn new(damping: f64, tolerance: f64) -> Self {
        let best_on_pairs = 2.0 / (1.0 + (1.0 - damping * damping).sqrt());
        Self { over: (1.0 + best_on_pairs) / 2.0, tolerance }
    }
}

/// The state of a flow.
pub(super) struct Flow<'a> {
    /// The value of each node.
    pub(super) values: &'a mut [f64],
    /// What waits at each node.
    pub(super) waiting: &'a mut [f64],
    /// The part of its value that a node passes on along each link.
    pub(super) passes: &'a [f64],
}

impl Flow<'_> {
    /// Settles the flow among some nodes, whose links are given and lead to nodes among them. Adds
    /// to `left`, sweep by sweep, how much waited; says whether it settled.
    pub(super) fn settle<'a>(
        &mut self,
        nodes: Range<usize>,
        links: impl Fn(usize) -> &'a [u32],
        rule: Rule,
        left: &mut Vec<f64>,
    ) -> bool {
        let mut over = rule.over;
        let mut threshold = (self.worst(nodes.clone()) * 0.1).max(rule.tolerance);
        let mut before = f64::INFINITY;
        let mut n_sweeps = 0;
        while n_sweeps < MOST_SWEEPS {
            let (waited, any) = self.sweep(nodes.clone(), &links, over, threshold);
            if !any {
                if threshold <= rule.tolerance {
                    return true;
                }
                threshold = (threshold * STAGE).max(rule.tolerance);
                continue;
            }
            match left.get_mut(n_sweeps as usize) {
                Some(left) => *left += waited,
                None => left.push(waited),
            }
            n_sweeps += 1;
            if waited > before || n_sweeps == MOST_LONG_SWEEPS {
                over = 1.0;
            }
            before = waited;
        }
        false
    }

    /// Relaxes every node at which more waits than the threshold allows. Returns how much waited
    /// in all, and whether there was such a node.
    fn sweep<'a>(
        &mut self,
        nodes: Range<usize>,
        links: impl Fn(usize) -> &'a [u32],
        over: f64,
        threshold: f64,
    ) -> (f64, bool) {
        let mut waited = [0.0; LANES];
        let mut any = false;
        for start in nodes.clone().step_by(LANES) {
            let lanes = start..(start + LANES).min(nodes.end);
            let mut hot = false;
            let state = self.waiting[lanes.clone()].iter().zip(&self.values[lanes.clone()]);
            for ((waiting, value), sum) in state.zip(&mut waited) {
                *sum += waiting.abs();
                hot |= waiting.abs() > threshold * value;
            }
            if !hot {
                continue;
            }
            for node in lanes {
                let waiting = self.waiting[node];
                if waiting.abs() <= threshold * self.values[node] {
                    continue;
                }
                any = true;
                let step = over * waiting;
                self.values[node] += step;
                self.waiting[node] = waiting - step;
                let passed = step * self.passes[node];
                for to in links(node) {
                    self.waiting[*to as usize] += passed;
                }
            }
        }
        (waited.iter().sum(), any)
    }

    /// The largest amount that waits at a node, as a part of what its value would be.
    fn worst(&self, nodes: Range<usize>) -> f64 {
        let state = self.waiting[nodes.clone()].iter().zip(&self.values[nodes]);
        let part = |(waiting, value): (&f64, &f64)| waiting.abs() / (waiting.abs() + value);
        state.map(part).fold(0.0, f64::max)
    }
}
