//! Rankers with free parameters on small graphs: a spec, a zero byte, then pairs of bytes, each a
//! link.

use super::{Target, no_made_seeds};
use crate::check::{catalogue, check_line, split_at_zero};
use crawl_catalogue::{Chosen, Kind};
use crawl_core::ranker::{self, Graph};
use crawl_world::{Csr, PageId};
use std::collections::BTreeSet;

pub(super) const TARGET: Target = Target {
    name: "ranker",
    note: "values are shares that add up to 1, found in bounded sweeps, the same twice",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 4_000,
};

/// Most pages of a graph, most links, and most sweeps: rankers may take a hundred thousand.
const MAX_PAGES: u8 = 24;
const MAX_LINKS: usize = 100;
const MAX_SWEEPS: f64 = 2_000.0;

fn run(bytes: &[u8]) {
    let (spec, links) = split_at_zero(bytes);
    let Ok(spec) = std::str::from_utf8(spec) else { return };
    let mut chosen = match catalogue().choose(Kind::Ranker, spec) {
        Ok(chosen) => chosen,
        Err(error) => return check_line(&error.to_string()),
    };
    bound_sweeps(&mut chosen);
    let Some(ranker) = ranker::ranker(&chosen) else { return };
    let links = graph(links.unwrap_or_default());
    let graph = Graph::new(&links);
    let ranking = ranker.rank(&graph);
    assert_eq!(ranking, ranker.rank(&graph), "another ranking");
    assert_eq!(ranking.values.len(), graph.n_pages() as usize);
    assert!(ranking.values.iter().all(|value| value.is_finite() && *value >= 0.0), "{ranking:?}");
    let sum: f64 = ranking.values.iter().sum();
    assert!(ranking.values.is_empty() || (sum - 1.0).abs() < 1e-9, "together {sum}");
    assert!(ranking.residuals.iter().all(|left| left.is_finite() && *left >= 0.0), "{ranking:?}");
    assert!(ranking.residuals.len() <= 200_000, "{} sweeps", ranking.residuals.len());
}

fn bound_sweeps(chosen: &mut Chosen) {
    if catalogue().entry(Kind::Ranker, &chosen.id).is_some_and(|e| e.param("sweeps").is_some()) {
        let sweeps = chosen.params.number("sweeps").min(MAX_SWEEPS);
        chosen.params.set_number("sweeps", sweeps);
    }
}

/// A graph of as many pages as the first byte says, without links to the page itself.
fn graph(bytes: &[u8]) -> Csr {
    let Some((n_pages, bytes)) = bytes.split_first() else { return Csr::default() };
    let n_pages = n_pages % MAX_PAGES + 1;
    let pairs = bytes.chunks_exact(2).map(|pair| (pair[0] % n_pages, pair[1] % n_pages));
    let links: BTreeSet<(u8, u8)> = pairs.filter(|(from, to)| from != to).take(MAX_LINKS).collect();
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for page in 0..n_pages {
        let of_page = links.iter().filter(|(from, _)| *from == page);
        targets.extend(of_page.map(|(_, to)| PageId((*to).into())));
        offsets.push(targets.len() as u32);
    }
    Csr::new(offsets, targets)
}
