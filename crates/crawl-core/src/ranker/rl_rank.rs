//! RL-Rank (Derhami, Khodadadian, Ghasemzadeh & Zareh Bidoki 2013).
//!
//! After Salari, Derhami & Paksima, eq. 7 to 9. A click on page i has the reward 1/O(i); a page is
//! worth the rewards that surfers collect on the way to it:
//!
//! ```text
//! R(p) = Σ over i → p of prob(i)/O(i) · (1/O(i) + γ·R(i))
//! ```
//!
//! prob(i) is the surfer's presence on i, which the paper leaves open: PageRank, or 1.

use super::pagerank::Warm;
use super::{Graph, Ranker, RankerEntry, Ranking, pagerank};
use crate::work::plain_sweeps;
use crawl_catalogue::{Entry, EntryTexts, Param, Params};
use crawl_world::PageId;
use std::borrow::Cow;

/// Relative accuracy; values equal in theory are equal after rounding.
const TOLERANCE: f64 = 5e-13;
/// Damping of the surfer's presence.
pub(crate) const DAMPING: f64 = 0.85;

const PRESENCES: &[Cow<'static, str>] = &[Cow::Borrowed("stationary"), Cow::Borrowed("one")];

/// Discount of earlier rewards.
pub(crate) const GAMMA: Param = Param::number(
    "gamma",
    0.85,
    0.0,
    0.99,
    "γ: discount of earlier rewards. The paper gives no value; the default is our choice.",
);
/// Presence of the surfer.
pub(crate) const PROB: Param = Param::choice(
    "prob",
    "stationary",
    PRESENCES,
    "Presence of the surfer on a page, which the paper leaves open. stationary: PageRank; one: 1 \
     everywhere (both our choice).",
);

const PARAMS: &[Param] = &[
    GAMMA,
    PROB,
    Param::integer("sweeps", 10_000, 1, 100_000, "Maximum number of sweeps, for γ near 1."),
];

pub(super) const ENTRY: RankerEntry = RankerEntry {
    entry: Entry::new(
        "rl-rank",
        "RL-Rank",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima, eq. 7 to 9; Derhami et al. 2013",
            summary: "Rewards of 1/O per click, collected on the way to a page",
            description: "Every click has a reward, higher if the page has few links. A page is worth \
                the rewards that surfers collect on the way to it. With PageRank as the presence, \
                almost all of the value is the reward of the last click, because the presence on any \
                one page is so small; with presence 1, long paths count too. Values are scaled to \
                sum 1 (our choice).",
            formula: "R(p) = Σ over i → p of prob(i)/O(i) · (1/O(i) + γ·R(i))",
            params: PARAMS,
        },
    ),
    sweeps,
    build: |params| {
        Box::new(RlRank {
            gamma: params.number("gamma"),
            is_stationary: params.text("prob") == "stationary",
            sweeps: params.integer("sweeps"),
        })
    },
};

/// Approximate number of sweeps over all links. With many pages the stationary presence is small,
/// so values converge at once; but the presence must be computed first.
pub(crate) fn sweeps(params: &Params) -> f64 {
    if params.text("prob") == "stationary" {
        return Warm::sweeps(DAMPING);
    }
    plain_sweeps(TOLERANCE, params.number("gamma"))
}

struct RlRank {
    gamma: f64,
    is_stationary: bool,
    sweeps: u32,
}

impl Ranker for RlRank {
    fn rank(&self, graph: &Graph<'_>) -> Ranking {
        let mut earnings = Earnings::new(self.gamma);
        for page in (0..graph.n_pages()).map(PageId) {
            let links = graph.links.links(page).iter().map(|link| link.0);
            earnings.add(page.0, graph.out_degree(page), links);
        }
        let presence = self.is_stationary.then(|| pagerank::presence(graph));
        let prob = |page: u32| presence.as_ref().map_or(1.0, |presence| presence[page as usize]);
        let (residuals, converged) = earnings.settle(graph.n_pages(), prob, self.sweeps);
        let mut values = earnings.values;
        super::scale(&mut values);
        Ranking { values, residuals, converged }
    }
}

/// Amount that a page sends along each of its links: prob · pay · (pay + γ·value).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sent {
    /// The surfer's presence.
    pub prob: f64,
    /// 1 ÷ O.
    pub pay: f64,
    /// R of the page.
    pub value: f64,
    /// The product.
    pub amount: f64,
}

/// RL-Rank of a graph that may grow. A clone is a checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Earnings {
    gamma: f64,
    // By row, in the order pages were added.
    pages: Vec<u32>,
    /// 1 ÷ O; 0 for a page without links.
    pay: Vec<f64>,
    ends: Vec<u32>,
    targets: Vec<u32>,
    /// Amount that each page sends along each of its links, with its factors.
    sent: Vec<Sent>,
    /// R by page.
    values: Vec<f64>,
}

impl Earnings {
    /// For a graph without pages.
    pub fn new(gamma: f64) -> Self {
        let (pages, pay, ends, targets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { gamma, pages, pay, ends, targets, sent: Vec::new(), values: Vec::new() }
    }

    /// Adds a page with O(page) and its links, which may be fewer.
    pub fn add(&mut self, page: u32, out_degree: u32, links: impl IntoIterator<Item = u32>) {
        self.pages.push(page);
        self.targets.extend(links);
        self.ends.push(self.targets.len() as u32);
        self.pay.push(if out_degree == 0 { 0.0 } else { 1.0 / f64::from(out_degree) });
    }

    /// Removes all pages and links, but keeps the values for a warm start.
    pub fn forget_links(&mut self) {
        self.pages.clear();
        self.pay.clear();
        self.ends.clear();
        self.targets.clear();
    }

    /// Computes the values of the first `n_pages`, starting from the previous ones. Returns the
    /// total change by each sweep, and true if it converged.
    pub fn settle(
        &mut self,
        n_pages: u32,
        prob: impl Fn(u32) -> f64,
        max_sweeps: u32,
    ) -> (Vec<f64>, bool) {
        self.values.resize(n_pages as usize, 0.0);
        self.sent.resize(self.pages.len(), Sent::default());
        let mut residuals = Vec::new();
        let mut next = vec![0.0; n_pages as usize];
        for _ in 0..max_sweeps {
            next.fill(0.0);
            let mut start = 0;
            for (row, page) in self.pages.iter().enumerate() {
                let sent = self.send(prob(*page), self.pay[row], self.values[*page as usize]);
                self.sent[row] = sent;
                let end = self.ends[row] as usize;
                for link in &self.targets[start..end] {
                    next[*link as usize] += sent.amount;
                }
                start = end;
            }
            let pairs = || self.values.iter().zip(&next);
            let change: f64 = pairs().map(|(before, after)| (after - before).abs()).sum();
            let sum: f64 = next.iter().sum();
            std::mem::swap(&mut self.values, &mut next);
            residuals.push(change);
            if change <= TOLERANCE * sum {
                return (residuals, true);
            }
        }
        (residuals, false)
    }

    /// Amount that a page sends along each of its links.
    pub fn send(&self, prob: f64, pay: f64, value: f64) -> Sent {
        Sent { prob, pay, value, amount: prob * pay * (pay + self.gamma * value) }
    }

    /// Amounts of all pages at the last computation, in order of addition.
    pub fn sent(&self) -> &[Sent] {
        &self.sent
    }

    /// Values of all pages at the last computation.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// γ.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let small = self.pages.capacity() + self.ends.capacity() + self.targets.capacity();
        let large = self.pay.capacity() + 4 * self.sent.capacity() + self.values.capacity();
        4 * small + 8 * large
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{random_graph, rows};
    use super::*;
    use crawl_world::Csr;
    use proptest::prelude::*;

    /// Equation 9 over all pairs of pages, until nothing changes.
    fn by_the_book(graph: &Csr, gamma: f64, prob: &[f64]) -> Vec<f64> {
        let n = graph.n_pages() as usize;
        let mut is_link = vec![vec![false; n]; n];
        for (page, links) in rows(graph) {
            links.iter().for_each(|link| is_link[page as usize][link.index()] = true);
        }
        let degree = |i: usize| is_link[i].iter().filter(|x| **x).count() as f64;
        let mut ranks = vec![0.0; n];
        for _ in 0..4_000 {
            let rank = |p: usize| -> f64 {
                let parents = (0..n).filter(|i| is_link[*i][p]);
                parents.map(|i| prob[i] / degree(i) * (1.0 / degree(i) + gamma * ranks[i])).sum()
            };
            ranks = (0..n).map(rank).collect();
        }
        super::super::scale(&mut ranks);
        ranks
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]
        #[test]
        fn it_solves_equation_9(csr in random_graph(14), gamma in 0.0..0.99, stationary: bool) {
            let graph = Graph::new(&csr);
            let ranking = RlRank { gamma, is_stationary: stationary, sweeps: 100_000 }.rank(&graph);
            prop_assert!(ranking.converged || csr.n_pages() == 0);
            let presence = super::super::testing::power_iteration(&graph, DAMPING, 300);
            let prob = if stationary { presence } else { vec![1.0; csr.n_pages() as usize] };
            for (got, wanted) in ranking.values.iter().zip(by_the_book(&csr, gamma, &prob)) {
                prop_assert!((got - wanted).abs() <= 1e-9, "{got} {wanted}");
            }
        }
    }
}
