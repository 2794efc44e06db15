//! DistanceRank of a graph (Zareh Bidoki & Yazdani 2008; Salari, Derhami & Paksima, eq. 13, α = 1).
//!
//! ```text
//! d(j) = min over i → j of (log O(i) + γ·d(i))
//! ```
//!
//! For γ < 1 a sweep is a contraction by the factor γ, so there is one solution. Equation 12, with
//! γ = 1, has none in general, because a cycle can always be walked once more. A page without links
//! to it has the maximum distance (our choice).
//!
//! The value of a page is 1 ÷ (1 + d), scaled to sum 1 (our choice).

use super::{Graph, Ranker, RankerEntry, Ranking};
use crate::work::plain_sweeps;
use crawl_catalogue::{Entry, EntryTexts, Param};
use crawl_world::PageId;

/// Iteration ends if a sweep changes no distance by more, relatively.
const TOLERANCE: f64 = 1e-13;

const PARAMS: &[Param] = &[
    Param::number(
        "gamma",
        0.5,
        0.0,
        0.99,
        "γ: weight of the previous page's distance; below 1, or it does not converge. The default is our choice.",
    ),
    Param::integer("sweeps", 10_000, 1, 100_000, "Maximum number of sweeps, for γ near 1."),
];

pub(super) const ENTRY: RankerEntry = RankerEntry {
    entry: Entry::new(
        "distance-rank",
        "DistanceRank",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima, eq. 13; Zareh Bidoki & Yazdani 2008",
            summary: "Near pages are good, where each of a page's O links has length log O",
            description: "A link of a page with O links has length log O. The distance of a page is \
                its shortest path, where each step back is weighted by γ. The learning rate is 1, \
                with which the printed rule converges fastest and to the same values. A page \
                without links to it has the maximum distance, and the value shown is 1 ÷ (1 + d), \
                scaled to sum 1 (both our choice).",
            formula: "d(j) = min over i → j of (log O(i) + γ·d(i)); value(j) ∝ 1 ÷ (1 + d(j))",
            params: PARAMS,
        },
    ),
    sweeps: |params| plain_sweeps(TOLERANCE, params.number("gamma")).min(params.number("sweeps")),
    build: |params| {
        Box::new(Distances { gamma: params.number("gamma"), sweeps: params.integer("sweeps") })
    },
};

struct Distances {
    gamma: f64,
    sweeps: u32,
}

impl Ranker for Distances {
    fn rank(&self, graph: &Graph<'_>) -> Ranking {
        let pages = || (0..graph.n_pages()).map(PageId);
        let lengths: Vec<f64> =
            pages().map(|page| libm::log(f64::from(graph.out_degree(page).max(1)))).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let farthest = longest / (1.0 - self.gamma);
        let mut distances = vec![farthest; lengths.len()];
        let mut residuals = Vec::new();
        let mut converged = graph.links.n_links() == 0;
        while !converged && residuals.len() < self.sweeps as usize {
            let mut next = vec![farthest; lengths.len()];
            for page in pages() {
                let way = lengths[page.index()] + self.gamma * distances[page.index()];
                for link in graph.links.links(page) {
                    let distance = &mut next[link.index()];
                    *distance = distance.min(way);
                }
            }
            let changes = distances.iter().zip(&next).map(|(a, b)| (a - b).abs());
            let (sum, most) = changes.fold((0.0, 0.0_f64), |(sum, most), x| (sum + x, most.max(x)));
            distances = next;
            residuals.push(sum);
            converged = most <= TOLERANCE * farthest;
        }
        let mut values: Vec<f64> = distances.iter().map(|d| 1.0 / (1.0 + d)).collect();
        super::scale(&mut values);
        Ranking { values, residuals, converged }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{graph_of, random_graph, rows};
    use super::*;
    use crawl_world::Csr;
    use proptest::prelude::*;

    /// The shortest of all paths of any number of steps, walked back from the page.
    fn by_the_book(graph: &Csr, gamma: f64) -> Vec<f64> {
        let n = graph.n_pages() as usize;
        let mut parents = vec![vec![]; n];
        let mut lengths = vec![0.0; n];
        for (page, links) in rows(graph) {
            lengths[page as usize] = libm::log(links.len().max(1) as f64);
            links.iter().for_each(|link| parents[link.index()].push(page as usize));
        }
        let farthest = lengths.iter().copied().fold(0.0, f64::max) / (1.0 - gamma);
        let mut far = vec![0.0; n];
        for _ in 0..6_000 {
            let way = |parents: &Vec<usize>| {
                let ways = parents.iter().map(|i| lengths[*i] + gamma * far[*i]);
                ways.fold(farthest, f64::min)
            };
            far = parents.iter().map(way).collect();
        }
        far
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]
        #[test]
        fn it_solves_equation_13(csr in random_graph(14), gamma in 0.0..0.99) {
            let ranking = Distances { gamma, sweeps: 100_000 }.rank(&Graph::new(&csr));
            prop_assert!(ranking.converged);
            let mut wanted: Vec<f64> =
                by_the_book(&csr, gamma).iter().map(|d| 1.0 / (1.0 + d)).collect();
            super::super::scale(&mut wanted);
            for (got, wanted) in ranking.values.iter().zip(wanted) {
                prop_assert!((got - wanted).abs() <= 1e-9, "{got} {wanted}");
            }
        }
    }

    #[test]
    fn a_link_among_few_is_short_and_a_page_without_one_is_far() {
        // 0 has two links, 1 has one; no page links to 0.
        let csr = graph_of(&[vec![1, 2], vec![3], vec![], vec![]]);
        let values = Distances { gamma: 0.5, sweeps: 100 }.rank(&Graph::new(&csr)).values;
        assert!(values[3] > values[1], "log 1 + ... is nearer than log 2 + ...");
        assert_eq!(values[1], values[2]);
        assert!(values[0] <= values[1], "as far as any page can be");
    }
}
