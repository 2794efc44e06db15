//! HITS (Kleinberg 1999).
//!
//! A good hub links to good authorities, a good authority is linked to by good hubs:
//!
//! ```text
//! hub(p) = Σ over p → u of authority(u) / N_h,   authority(u) = Σ over p → u of hub(p) / N_a
//! ```
//!
//! with N_h and N_a such that hub values and authority values each have sum 1 (Kleinberg normalises
//! the sum of squares; the order is the same). Start: all authorities equal. A sweep computes hubs
//! from authorities and then authorities from hubs. Iteration ends when a sweep changes the
//! authorities by less than the tolerance, summed over all pages, or at the maximum number of
//! sweeps.
//!
//! The sweeps are Kleinberg's and not accelerated: values of pages outside the dominant community
//! decrease towards 0 with every sweep, so their order depends on the sweep at which iteration
//! ends.

use super::{Graph, Ranker, RankerEntry, Ranking};
use crawl_catalogue::{Entry, EntryTexts, Param};
use crawl_world::PageId;
use std::borrow::Cow;

const PARAMS: &[Param] = &[
    Param::choice(
        "of",
        "authority",
        &[Cow::Borrowed("authority"), Cow::Borrowed("hub")],
        "The value by which pages are ranked.",
    ),
    Param::number(
        "tolerance",
        1e-10,
        1e-14,
        0.01,
        "Convergence threshold: change of the authorities by a sweep, summed over all pages.",
    ),
    Param::integer("sweeps", 1_000, 1, 100_000, "Maximum number of sweeps, for slow convergence."),
];

pub(super) const ENTRY: RankerEntry = RankerEntry {
    entry: Entry::new(
        "hits",
        "HITS",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013; Kleinberg 1999",
            summary: "Authorities are linked from good hubs, hubs link to good authorities",
            description: "Two values per page that depend on each other: its quality as a source \
                (authority) and as a list of sources (hub). Each is the sum of the other over the \
                links, scaled to sum 1 (our choice; Kleinberg scales the squares). The most densely \
                linked community dominates and pages outside it fall towards 0. So the values mean \
                less over a complete web than over the pages around one topic, for which HITS was \
                made.",
            formula: "authority(u) ∝ Σ over p→u of hub(p),  hub(p) ∝ Σ over p→u of authority(u)",
            params: PARAMS,
        },
    ),
    // Measured on generated webs; slower if two communities are almost equally strong.
    sweeps: |params| (-15.0 * libm::log(params.number("tolerance"))).min(params.number("sweeps")),
    build: |params| {
        let limits =
            Limits { tolerance: params.number("tolerance"), sweeps: params.integer("sweeps") };
        Box::new(Kleinberg { hubs: params.text("of") == "hub", limits })
    },
};

struct Kleinberg {
    hubs: bool,
    limits: Limits,
}

impl Ranker for Kleinberg {
    fn rank(&self, graph: &Graph<'_>) -> Ranking {
        let n = graph.n_pages();
        let rows = (0..n).map(|page| (page, graph.links.links(PageId(page))));
        let hits = Hits::new(n, rows, self.limits);
        let values = if self.hubs { hits.hubs } else { hits.authorities };
        // Without links all pages are equal.
        let values =
            if graph.links.n_links() == 0 { vec![1.0 / f64::from(n); n as usize] } else { values };
        Ranking { values, residuals: hits.residuals, converged: hits.converged }
    }
}

/// Stopping criteria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Threshold of the change of the authorities by a sweep, summed over all pages.
    pub tolerance: f64,
    /// Maximum number of sweeps.
    pub sweeps: u32,
}

impl Default for Limits {
    /// The defaults of the ranker.
    fn default() -> Self {
        Self { tolerance: 1e-10, sweeps: 1_000 }
    }
}

/// A page number of a world or of a crawl.
pub trait Node: Copy {
    /// The number as an index.
    fn at(self) -> usize;
}

impl Node for PageId {
    #[inline]
    fn at(self) -> usize {
        self.index()
    }
}

impl Node for u32 {
    #[inline]
    fn at(self) -> usize {
        self as usize
    }
}

/// Hubs and authorities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    /// By page: exactly the sum of [`Hits::share`] over the pages that link to it, in the order
    /// given. Sum 1; all 0 without links.
    pub authorities: Vec<f64>,
    /// By page. Sum 1; all 0 without links.
    pub hubs: Vec<f64>,
    /// N_a: divisor of the authorities in the last sweep.
    pub authority_norm: f64,
    /// N_h: divisor of the hubs in the last sweep.
    pub hub_norm: f64,
    /// Change of the authorities by each sweep, summed over all pages.
    pub residuals: Vec<f64>,
    /// False if the maximum number of sweeps was reached.
    pub converged: bool,
}

impl Hits {
    /// Computes hubs and authorities of `n_pages` pages, of which those in `rows` have links.
    pub fn new<'a, T: Node + 'a>(
        n_pages: u32,
        rows: impl Iterator<Item = (u32, &'a [T])> + Clone,
        limits: Limits,
    ) -> Self {
        let n = n_pages as usize;
        let mut hits = Self { authority_norm: 1.0, hub_norm: 1.0, ..Self::default() };
        hits.hubs = vec![0.0; n];
        hits.authorities = vec![1.0 / n as f64; n];
        let mut next = vec![0.0; n];
        while !hits.converged && hits.residuals.len() < limits.sweeps as usize {
            next.fill(0.0);
            hits.hub_norm = 0.0;
            let mut passed = 0.0;
            for (page, links) in rows.clone() {
                let hub = sum(&hits.authorities, links);
                hits.hubs[page as usize] = hub;
                hits.hub_norm += hub;
                passed += hub * links.len() as f64;
                links.iter().for_each(|to| next[to.at()] += hub);
            }
            if passed == 0.0 {
                hits.authorities.fill(0.0);
                (hits.hub_norm, hits.converged) = (1.0, true);
                return hits;
            }
            hits.authority_norm = passed / hits.hub_norm;
            let scale = 1.0 / passed;
            let mut change = 0.0;
            for (authority, next) in hits.authorities.iter_mut().zip(&next) {
                let scaled = next * scale;
                change += (scaled - *authority).abs();
                *authority = scaled;
            }
            hits.residuals.push(change);
            hits.converged = change < limits.tolerance;
        }
        hits.finish(rows);
        hits
    }

    /// Contribution of a page to the authority of each page it links to.
    #[inline]
    pub fn share(&self, page: u32) -> f64 {
        self.hubs[page as usize] / self.authority_norm
    }

    /// Scales the hubs, and recomputes the authorities by their definition.
    fn finish<'a, T: Node + 'a>(&mut self, rows: impl Iterator<Item = (u32, &'a [T])>) {
        self.hubs.iter_mut().for_each(|hub| *hub /= self.hub_norm);
        self.authorities.fill(0.0);
        for (page, links) in rows {
            let share = self.share(page);
            links.iter().for_each(|to| self.authorities[to.at()] += share);
        }
    }
}

/// Sum of the values of some pages, with four accumulators for instruction parallelism.
#[inline]
fn sum<T: Node>(values: &[f64], pages: &[T]) -> f64 {
    let mut strands = [0.0; 4];
    let fours = pages.chunks_exact(4);
    for (strand, page) in strands.iter_mut().zip(fours.remainder()) {
        *strand += values[page.at()];
    }
    for four in fours {
        for (strand, page) in strands.iter_mut().zip(four) {
            *strand += values[page.at()];
        }
    }
    (strands[0] + strands[1]) + (strands[2] + strands[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranker::testing::*;
    use crawl_world::Csr;
    use proptest::prelude::*;

    fn rank(graph: &Csr, hubs: bool) -> Ranking {
        Kleinberg { hubs, limits: Limits::default() }.rank(&Graph::new(graph))
    }

    /// Kleinberg's sweeps with full matrices.
    fn by_the_book(graph: &Csr, n_sweeps: usize) -> (Vec<f64>, Vec<f64>) {
        let n = graph.n_pages() as usize;
        let mut authorities = vec![1.0 / n as f64; n];
        let mut hubs = vec![0.0; n];
        let scaled = |values: Vec<f64>| -> Vec<f64> {
            let sum: f64 = values.iter().sum();
            values.into_iter().map(|value| value / sum).collect()
        };
        let linked = |from: usize, to: usize| {
            let links = graph.links(PageId(from as u32)).contains(&PageId(to as u32));
            f64::from(u8::from(links))
        };
        for _ in 0..n_sweeps {
            let hub = |p| (0..n).map(|u| linked(p, u) * authorities[u]).sum();
            hubs = scaled((0..n).map(hub).collect());
            let authority = |u| (0..n).map(|p| linked(p, u) * hubs[p]).sum();
            authorities = scaled((0..n).map(authority).collect());
        }
        (authorities, hubs)
    }

    #[test]
    fn a_star_has_one_authority_and_equal_hubs() {
        let star = graph_of(&[vec![3], vec![3], vec![3], vec![]]);
        assert_eq!(rank(&star, false).values, [0.0, 0.0, 0.0, 1.0]);
        let third = 1.0 / 3.0;
        assert_eq!(rank(&star, true).values, [third, third, third, 0.0]);
    }

    #[test]
    fn without_links_or_pages_nothing_is_not_a_number() {
        assert_eq!(rank(&Csr::default(), false).values, []);
        for hubs in [false, true] {
            assert_eq!(rank(&graph_of(&[vec![]]), hubs).values, [1.0]);
            let ranking = rank(&graph_of(&[vec![], vec![]]), hubs);
            assert_eq!((ranking.values, ranking.converged), (vec![0.5, 0.5], true));
        }
    }

    #[test]
    fn the_limit_of_sweeps_is_kept_and_told() {
        // Two communities of almost equal weight converge slowly.
        let rows: Vec<Vec<u32>> = (0..41)
            .map(|page| if page < 20 { (0..20).collect() } else { (20..41).collect() })
            .collect();
        let graph = graph_of(&rows);
        let limits = Limits { tolerance: 1e-14, sweeps: 7 };
        let ranking = Kleinberg { hubs: false, limits }.rank(&Graph::new(&graph));
        assert_eq!((ranking.residuals.len(), ranking.converged), (7, false));
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(graph in random_graph(20)) {
            let ranking = rank(&graph, false);
            let hubs = rank(&graph, true).values;
            if graph.n_links() > 0 {
                let (expected, expected_hubs) = by_the_book(&graph, ranking.residuals.len());
                prop_assert!(distance(&ranking.values, &expected) < 1e-9);
                prop_assert!(distance(&hubs, &expected_hubs) < 1e-9);
            }
            for values in [&ranking.values, &hubs] {
                prop_assert!(values.iter().all(|value| *value >= 0.0));
                let sum: f64 = values.iter().sum();
                prop_assert!(values.is_empty() || (sum - 1.0).abs() < 1e-12, "{sum}");
            }
        }

        #[test]
        fn an_authority_is_the_sum_of_its_shares(
            (graph, order) in random_graph(20).prop_flat_map(|graph| {
                let order: Vec<u32> = (0..graph.n_pages()).collect();
                (Just(graph), Just(order).prop_shuffle())
            }),
        ) {
            // In the order of fetching, which is not that of the page numbers.
            let rows = order.iter().map(|page| (*page, graph.links(PageId(*page))));
            let hits = Hits::new(graph.n_pages(), rows, Limits::default());
            for page in 0..graph.n_pages() {
                let linking = order.iter().filter(|p| graph.links(PageId(**p)).contains(&PageId(page)));
                let sum = linking.fold(0.0, |sum, p| sum + hits.share(*p));
                prop_assert_eq!(hits.authorities[page as usize], sum);
            }
        }
    }
}
