//! Solver of a flow along links, by over-relaxation.
//!
//! The value of node i is y(i) = b(i) + Σ over links j → i of y(j)·p(j), where p(j) is the share of
//! its value that a node passes along each of its links. Each node has a value so far and a
//! *waiting* amount that has arrived but is not counted yet. Relaxing a node adds the waiting
//! amount to its value and passes the share on:
//!
//! ```text
//! step = ω·waiting(i);  y(i) += step;  waiting(i) −= step;  waiting(j) += step·p(i) for each i → j
//! ```
//!
//! Relaxing all nodes in turn is a Gauss–Seidel sweep. Three things make it fast:
//!
//! - Nodes with a small waiting amount are skipped (Southwell 1940). The threshold decreases in
//!   stages to the tolerance, so that work goes where most is waiting.
//! - Most of what a node passes along a cycle comes back, so each step is made longer:
//!   over-relaxation, ω > 1 (Young 1950). If d is the maximum that a node passes on, ω = 2 ÷ (1 +
//!   √(1 − d²)) is optimal on cycles of two links, and any ω > 1 is too much on long ones. The mean
//!   works well on webs, as long as ω·d < 1, so that no chain amplifies. If the sum of waiting
//!   amounts grows nevertheless, ω drops to 1, with which it cannot grow.
//! - All waiting amounts are small in the end, so their sums are more exact than sums of values.
//!
//! The iteration ends when the waiting amount of every node is at most the tolerance t. All p are
//! positive and every b(i) ≥ 1, so every value then has a relative error of at most t: if t waited
//! at each node, its value would grow by t times the solution for b = 1, which is at most t times
//! its own.

use std::ops::Range;

/// Number of nodes checked together, for SIMD.
const LANES: usize = 8;
/// The first threshold, relative to the largest waiting amount.
const FIRST_STAGE: f64 = 0.1;
/// Factor of the threshold from one stage to the next.
const STAGE: f64 = 0.003;
/// Growth of the waiting sum that counts as divergence, not as the fluctuation of long steps.
const GROWN: f64 = 2.0;
/// Sweeps after which ω drops to 1: if over-relaxation helps, it is done long before.
const MOST_LONG_SWEEPS: u32 = 200;
/// Maximum number of sweeps.
const MOST_SWEEPS: u32 = 100_000;

/// Parameters of the solver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Initial ω.
    over: f64,
    /// Maximum waiting amount of a node at the end.
    tolerance: f64,
}

impl Rule {
    /// For a flow that passes on at most the share `damping` of any value.
    pub(super) fn new(damping: f64, tolerance: f64) -> Self {
        let best_on_pairs = 2.0 / (1.0 + (1.0 - damping * damping).sqrt());
        let over = ((1.0 + best_on_pairs) / 2.0).min(1.0 / damping.max(0.5));
        Self { over, tolerance }
    }
}

/// A node of a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its value so far.
    pub(super) value: f64,
    /// Share of its value that it passes along each link.
    pub(super) passes: f64,
    /// Start of its links in `targets`.
    pub(super) start: u32,
    /// End of its links to nodes that are solved together with it.
    pub(super) end: u32,
}

/// The state of a flow.
pub(super) struct Flow<'a> {
    pub(super) nodes: &'a mut [Node],
    /// Waiting amount of each node.
    pub(super) waiting: &'a mut [f64],
    /// Link targets of all nodes.
    pub(super) targets: &'a [u32],
}

impl Flow<'_> {
    /// Solves the flow among some nodes. Adds the waiting sum of each sweep to `left`; returns true
    /// if it converged.
    pub(super) fn settle(&mut self, nodes: Range<usize>, rule: Rule, left: &mut Vec<f64>) -> bool {
        let mut over = rule.over;
        let most = self.waiting[nodes.clone()].iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        let mut threshold = (most * FIRST_STAGE).max(rule.tolerance);
        let mut least = f64::INFINITY;
        let mut n_sweeps = 0;
        while n_sweeps < MOST_SWEEPS {
            let (waited, any) = self.sweep(nodes.clone(), over, threshold);
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
            least = waited.min(least);
            if waited > GROWN * least || n_sweeps == MOST_LONG_SWEEPS {
                over = 1.0;
            }
        }
        false
    }

    /// Relaxes every node whose waiting amount exceeds the threshold. Returns the waiting sum, and
    /// whether there was such a node.
    fn sweep(&mut self, nodes: Range<usize>, over: f64, threshold: f64) -> (f64, bool) {
        let mut waited = [0.0; LANES];
        let mut any = false;
        for start in nodes.clone().step_by(LANES) {
            let lanes = start..(start + LANES).min(nodes.end);
            let mut most = [0.0; LANES];
            for ((waiting, sum), most) in
                self.waiting[lanes.clone()].iter().zip(&mut waited).zip(&mut most)
            {
                *sum += waiting.abs();
                *most = waiting.abs();
            }
            if most.iter().all(|most| *most <= threshold) {
                continue;
            }
            for at in lanes {
                let waiting = self.waiting[at];
                if waiting.abs() <= threshold {
                    continue;
                }
                any = true;
                let node = &mut self.nodes[at];
                let step = over * waiting;
                node.value += step;
                self.waiting[at] = waiting - step;
                let passed = step * node.passes;
                for to in &self.targets[node.start as usize..node.end as usize] {
                    self.waiting[*to as usize] += passed;
                }
            }
        }
        (waited.iter().sum(), any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranker::testing::{random_graph, rows};
    use crawl_world::{Csr, PageId};
    use proptest::prelude::*;

    fn settled(graph: &Csr, damping: f64, tolerance: f64) -> (Vec<f64>, Vec<f64>, bool) {
        let node = |page: u32| {
            let links = graph.range(PageId(page));
            let passes = damping / links.len().max(1) as f64;
            Node { value: 0.0, passes, start: links.start as u32, end: links.end as u32 }
        };
        let mut nodes: Vec<Node> = (0..graph.n_pages()).map(node).collect();
        let mut waiting = vec![1.0; nodes.len()];
        let targets: Vec<u32> = graph.targets().iter().map(|to| to.0).collect();
        let mut flow = Flow { nodes: &mut nodes, waiting: &mut waiting, targets: &targets };
        let mut left = Vec::new();
        let all = 0..graph.n_pages() as usize;
        let settled = flow.settle(all, Rule::new(damping, tolerance), &mut left);
        (nodes.iter().map(|node| node.value).collect(), left, settled)
    }

    #[test]
    fn nothing_is_settled_at_once() {
        assert_eq!(settled(&Csr::default(), 0.85, 1e-10), (vec![], vec![], true));
    }

    proptest! {
        #[test]
        fn values_solve_the_equation_and_are_right_to_the_tolerance(
            graph in random_graph(30), damping in 0.0..0.99, digits in 3..13,
        ) {
            let tolerance = libm::pow(10.0, -f64::from(digits));
            let (values, left, ok) = settled(&graph, damping, tolerance);
            prop_assert!(ok);
            prop_assert!(left.iter().all(|left| left.is_finite()));
            let mut sums = vec![1.0; values.len()];
            for (page, links) in rows(&graph) {
                let passed = values[page as usize] * damping / links.len() as f64;
                links.iter().for_each(|to| sums[to.index()] += passed);
            }
            for (sum, value) in sums.iter().zip(&values) {
                prop_assert!((sum - value).abs() <= tolerance + 1e-14 * value, "{sum} {value}");
            }
            let (exact, ..) = settled(&graph, damping, 1e-15);
            for (value, exact) in values.iter().zip(&exact) {
                prop_assert!((value - exact).abs() <= tolerance * exact + 1e-13 * exact);
            }
        }
    }
}
