//! Graphs and simple reference implementations for the rankers' tests.

use super::Graph;
use crawl_world::{Csr, PageId};
use proptest::prelude::*;
use std::path::Path;

#[path = "../../../../tests/src/data.rs"]
#[allow(dead_code, reason = "shared with other packages")]
mod data;

/// A graph from rows of targets, without repeated links and self-links.
pub(super) fn graph_of<R: AsRef<[u32]>>(rows: &[R]) -> Csr {
    let mut offsets = vec![0];
    let mut targets: Vec<PageId> = Vec::new();
    for (page, row) in rows.iter().enumerate() {
        let start = targets.len();
        for to in row.as_ref() {
            if *to as usize != page && !targets[start..].contains(&PageId(*to)) {
                targets.push(PageId(*to));
            }
        }
        offsets.push(targets.len() as u32);
    }
    Csr::new(offsets, targets)
}

/// A graph of the repository's fixtures, from lines of two page numbers.
pub(super) fn fixture_graph(file: &str, n_pages: usize) -> Csr {
    read_graph(&data::fixture(file), n_pages)
}

/// A graph of real data; `None` if the file is missing, which skips the test.
pub(super) fn real_graph(test: &str, file: &str, n_pages: usize) -> Option<Csr> {
    data::real(test, [file]).map(|[path]| read_graph(&path, n_pages))
}

fn read_graph(path: &Path, n_pages: usize) -> Csr {
    let text = std::fs::read_to_string(path).expect("a file of the test");
    let mut rows = vec![vec![]; n_pages];
    let mut n_links = 0;
    for line in text.lines() {
        let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
        let mut numbers = words.map(str::parse::<u32>);
        // Some files have headings and comments.
        if let (Some(Ok(from)), Some(Ok(to))) = (numbers.next(), numbers.next()) {
            rows[from as usize].push(to);
            n_links += 1;
        }
    }
    assert!(n_links > n_pages, "{} holds {n_links} links", path.display());
    graph_of(&rows)
}

/// Every page with its links.
pub(super) fn rows(graph: &Csr) -> impl Iterator<Item = (u32, &[PageId])> {
    (0..graph.n_pages()).map(|page| (page, graph.links(PageId(page))))
}

/// Any graph of at most `most` pages. Rows are drawn from a few, so that pages with the same links,
/// menus, cycles and pages without links are frequent.
pub(super) fn random_graph(most: u32) -> impl Strategy<Value = Csr> {
    (0..=most).prop_flat_map(move |n| {
        let row = prop::collection::vec(0..n.max(1), 0..8);
        let any_rows = prop::collection::vec(row, 1..8);
        (any_rows, prop::collection::vec(any::<prop::sample::Index>(), n as usize)).prop_map(
            |(rows, which)| graph_of(&which.iter().map(|w| w.get(&rows)).collect::<Vec<_>>()),
        )
    })
}

/// PageRank by `n_sweeps` plain sweeps over the complete graph.
pub(super) fn power_iteration(graph: &Graph<'_>, damping: f64, n_sweeps: usize) -> Vec<f64> {
    let n = graph.n_pages() as usize;
    let mut ranks = vec![1.0 / n as f64; n];
    for _ in 0..n_sweeps {
        ranks = power_sweep(graph, damping, &ranks);
    }
    ranks
}

/// One sweep of [`power_iteration`].
pub(super) fn power_sweep(graph: &Graph<'_>, damping: f64, ranks: &[f64]) -> Vec<f64> {
    let n = ranks.len();
    let mut next = vec![0.0; n];
    let mut passed = 0.0;
    for (page, links) in rows(graph.links) {
        let share = damping * ranks[page as usize] / f64::from(graph.out_degree(PageId(page)));
        for to in links {
            next[to.index()] += share;
            passed += share;
        }
    }
    // Rank that is not passed along links is spread evenly.
    next.iter_mut().for_each(|rank| *rank += (1.0 - passed) / n as f64);
    next
}

/// L1 distance of two rankings.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}
