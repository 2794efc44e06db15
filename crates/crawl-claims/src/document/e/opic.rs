//! What Abiteboul, Preda & Cobena (2003) claim of OPIC: the cash that was read on a page tells how
//! important it is.
//!
//! Two readings. As in the paper, pages of the whole web are read over and over, all with the same cash
//! at first; a sweep is as many reads as there are pages. And as a crawler without revisits could: each
//! page is fetched once, richest first, from the best pages by PageRank, which share all cash, and what
//! came to a page until the end counts, fetched or waiting.
//!
//! Both are compared with PageRank by Kendall's τ; the rival is what is known without any sum: how many
//! links lead to a page.

use super::{COMMON, Ground, rank, set_up};
use crate::tried::Tried;
use crawl_core::correlation::kendall_tau;
use crawl_core::ranker::Graph;
use crawl_run::RunError;
use crawl_world::PageId;

/// After how many sweeps the histories are looked at.
pub(super) const SWEEPS: [u32; 5] = [1, 2, 4, 8, 16];
/// In which order pages are read: as the ranker has it, and in words.
pub(super) const ORDERS: [(&str, &str); 2] = [("greedy", "richest first"), ("cycle", "in turn")];

/// Both orders, and the crawl.
pub(super) const N_PIECES: usize = ORDERS.len() + 1;
/// What histories come to in the end: cash that has settled.
const LIMIT: &str = "opic(order:cycle,window:sweep,tolerance:0.0000000001)";

/// From how many pages the crawl starts: from few, some real webs are not reached.
pub(super) const N_STARTS: u32 = 8;

/// τ with PageRank of the number of links to a page.
pub(super) const LINKS: &str = "τ with PageRank: links counted";
/// τ with PageRank of what came to a page in a crawl.
pub(super) const CRAWL: &str = "τ with PageRank: opic, one crawl";
/// The same of links counted, over the same pages.
pub(super) const CRAWL_LINKS: &str = "τ with PageRank: links counted in that crawl";

/// τ with PageRank of histories.
pub(super) fn tau(order: &str, sweeps: u32) -> String {
    format!("τ with PageRank: opic, {order}, {sweeps} sweeps")
}

/// How far histories are from what they come to in the end, summed over all pages.
pub(super) fn error(order: &str, sweeps: u32) -> String {
    format!("distance from the limit: opic, {order}, {sweeps} sweeps")
}

/// One order, or the crawl.
pub(super) fn piece(at: usize, ground: &Ground<'_>, tried: &mut Tried) -> Result<(), RunError> {
    let all: Vec<PageId> = ground.world.pages().collect();
    let Some((order, _)) = ORDERS.get(at) else {
        note(ground, tried, LINKS, &all, &backlinks(ground, &all));
        return crawl(ground, tried);
    };
    let graph = Graph::of(ground.world);
    let limit = rank(ground, LIMIT, &graph)?.values;
    for sweeps in SWEEPS {
        // As many sweeps as told, however near it comes.
        let spec = format!("opic(order:{order},sweeps:{sweeps},tolerance:0.00000000000001)");
        let values = rank(ground, &spec, &graph)?.values;
        note(ground, tried, &tau(order, sweeps), &all, &values);
        let far = values.iter().zip(&limit).map(|(value, limit)| (value - limit).abs()).sum();
        tried.note(error(order, sweeps), far);
    }
    Ok(())
}

/// Every page fetched once.
fn crawl(ground: &Ground<'_>, tried: &mut Tried) -> Result<(), RunError> {
    let mut run = set_up(ground, "opic", (COMMON, N_STARTS), None)?;
    let (_, pages) = super::crawl(&mut run);
    let came = arrived(ground, &run.seeds, &pages);
    note(ground, tried, CRAWL, &pages, &came);
    note(ground, tried, CRAWL_LINKS, &pages, &backlinks(ground, &pages));
    Ok(())
}

/// The cash that came to each page when they are fetched in that order and the seeds share it at first.
pub(super) fn arrived(ground: &Ground<'_>, seeds: &[PageId], pages: &[PageId]) -> Vec<f64> {
    let mut waits = vec![0.0; ground.world.n_pages() as usize];
    let mut history = waits.clone();
    seeds.iter().for_each(|seed| waits[seed.index()] = 1.0 / seeds.len() as f64);
    for page in pages {
        let cash = std::mem::take(&mut waits[page.index()]);
        history[page.index()] += cash;
        let passed = cash / f64::from(ground.world.out_degree(*page).max(1));
        ground.world.graph().links(*page).iter().for_each(|to| waits[to.index()] += passed);
    }
    history.iter().zip(&waits).map(|(read, waiting)| read + waiting).collect()
}

/// How many of some pages link to each page.
fn backlinks(ground: &Ground<'_>, pages: &[PageId]) -> Vec<f64> {
    let mut counts = vec![0.0; ground.world.n_pages() as usize];
    for page in pages {
        ground.world.graph().links(*page).iter().for_each(|to| counts[to.index()] += 1.0);
    }
    counts
}

/// Notes how truly values, by page, order some pages; nothing where they order none.
fn note(ground: &Ground<'_>, tried: &mut Tried, name: &str, pages: &[PageId], values: &[f64]) {
    let of = |values: &[f64]| pages.iter().map(|page| values[page.index()]).collect::<Vec<_>>();
    if let Some(tau) = kendall_tau(&of(values), &of(&ground.truth.ranks)) {
        tried.note(name.to_owned(), tau);
    }
}
