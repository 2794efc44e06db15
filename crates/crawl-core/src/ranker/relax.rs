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
//!   over-relaxation, ω > 1 (Young 1950). Where d is the most that a node passes on, ω = 2 ÷ (1 +
//!   √(1 − d²)) is best on cycles of two links, and anything above 1 is too much on long ones. Half-way
//!   is good on webs, as long as ω·d < 1 and no chain makes more of what it is passed. Should the sum
//!   of what waits grow nevertheless, ω falls to 1, with which it cannot.
//! - All that waits is small in the end, so sums of it are exact where sums of values are not.
//!
//! The end: at no node does more wait than the tolerance t. All p are positive and every b(i) ≥ 1, so
//! every value is then right to the fraction t: were t to wait at each node, its value would grow by
//! t times the solution for b = 1, which is at most t times its own.

use std::ops::Range;

/// Nodes looked at together before any of them is looked at alone.
const LANES: usize = 8;
/// The first threshold, as a part of the most that waits anywhere.
const FIRST_STAGE: f64 = 0.1;
/// How far the threshold falls from one stage to the next.
const STAGE: f64 = 0.003;
/// Growth of what waits that is not the up and down of long steps.
const GROWN: f64 = 2.0;
/// Sweeps after which steps no longer go too far: where that helps, it is done long before.
const MOST_LONG_SWEEPS: u32 = 200;
/// Sweeps after which a flow counts as one that does not settle.
const MOST_SWEEPS: u32 = 100_000;

/// How a flow is settled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// How far steps go at first.
    over: f64,
    /// What may wait at a node at the end.
    tolerance: f64,
}

impl Rule {
    /// For a flow that passes on at most the part `damping` of any value.
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
    /// The part of its value that it passes on along each link.
    pub(super) passes: f64,
    /// Where its links start among all targets.
    pub(super) start: u32,
    /// Where those end that lead to nodes settled together with it.
    pub(super) end: u32,
}

/// The state of a flow.
pub(super) struct Flow<'a> {
    pub(super) nodes: &'a mut [Node],
    /// What waits at each node.
    pub(super) waiting: &'a mut [f64],
    /// The nodes that links lead to.
    pub(super) targets: &'a [u32],
}

impl Flow<'_> {
    /// Settles the flow among some nodes. Adds to `left`, sweep by sweep, how much waited; says
    /// whether it settled.
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

    /// Relaxes every node at which more waits than the threshold. Returns how much waited in all,
    /// and whether there was such a node.
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
