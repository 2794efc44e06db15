//! Claims of Abiteboul, Preda & Cobena 2003 about OPIC: the cash history of a page is its importance.
//!
//! Two variants. As in the paper, the whole web is read repeatedly, all pages starting with equal cash;
//! a sweep is as many reads as there are pages. And as a crawler without revisits: each page is
//! fetched once, richest first, from the top pages by PageRank, which share all cash; the cash that
//! arrived at a page by the end counts, fetched or not.
//!
//! Both are compared with PageRank by Kendall's τ; the baseline is the in-degree.

use super::{COMMON, WebContext, rank, set_up};
use crate::measurement::Measurement;
use crawl_core::correlation::kendall_tau;
use crawl_core::ranker::Graph;
use crawl_run::RunError;
use crawl_world::PageId;

/// Numbers of sweeps after which histories are compared.
pub(super) const SWEEPS: [u32; 5] = [1, 2, 4, 8, 16];
/// Reading orders: parameter of the ranker, and words.
pub(super) const ORDERS: [(&str, &str); 2] = [("greedy", "richest first"), ("cycle", "in turn")];

/// Both orders and the crawl.
pub(super) const N_PIECES: usize = ORDERS.len() + 1;
/// The limit of histories: converged cash.
const LIMIT: &str = "opic(order:cycle,window:sweep,tolerance:0.0000000001)";

/// Number of seeds of the crawl; from fewer, parts of some real webs are unreachable.
pub(super) const N_STARTS: u32 = 8;

/// τ of in-degree with PageRank.
pub(super) const LINKS: &str = "τ with PageRank: links counted";
/// τ of the cash that arrived in a crawl with PageRank.
pub(super) const CRAWL: &str = "τ with PageRank: opic, one crawl";
/// The same for in-degree over the same pages.
pub(super) const CRAWL_LINKS: &str = "τ with PageRank: links counted in that crawl";

/// Name of: τ of histories with PageRank.
pub(super) fn tau(order: &str, sweeps: u32) -> String {
    format!("τ with PageRank: opic, {order}, {sweeps} sweeps")
}

/// Name of: distance of histories from their limit, summed over pages.
pub(super) fn error(order: &str, sweeps: u32) -> String {
    format!("distance from the limit: opic, {order}, {sweeps} sweeps")
}

/// Measures one reading order, or the crawl.
pub(super) fn piece(
    at: usize,
    web_context: &WebContext<'_>,
    measured: &mut Measurement,
) -> Result<(), RunError> {
    let all: Vec<PageId> = web_context.world.pages().collect();
    let Some((order, _)) = ORDERS.get(at) else {
        record_tau(web_context, measured, LINKS, &all, &backlinks(web_context, &all));
        return crawl(web_context, measured);
    };
    let graph = Graph::of(web_context.world);
    let limit = rank(web_context, LIMIT, &graph)?.values;
    for sweeps in SWEEPS {
        // A tolerance so small that all sweeps are made.
        let spec = format!("opic(order:{order},sweeps:{sweeps},tolerance:0.00000000000001)");
        let values = rank(web_context, &spec, &graph)?.values;
        record_tau(web_context, measured, &tau(order, sweeps), &all, &values);
        let far = values.iter().zip(&limit).map(|(value, limit)| (value - limit).abs()).sum();
        measured.record(error(order, sweeps), far);
    }
    Ok(())
}

/// A crawl that fetches every page once.
fn crawl(web_context: &WebContext<'_>, measured: &mut Measurement) -> Result<(), RunError> {
    let mut run = set_up(web_context, "opic", (COMMON, N_STARTS), None)?;
    let (_, pages) = super::crawl(&mut run);
    let came = arrived(web_context, &run.seeds, &pages);
    record_tau(web_context, measured, CRAWL, &pages, &came);
    record_tau(web_context, measured, CRAWL_LINKS, &pages, &backlinks(web_context, &pages));
    Ok(())
}

/// Cash that arrived at each page if `pages` are fetched in this order and the seeds share all cash.
pub(super) fn arrived(
    web_context: &WebContext<'_>,
    seeds: &[PageId],
    pages: &[PageId],
) -> Vec<f64> {
    let mut waits = vec![0.0; web_context.world.n_pages() as usize];
    let mut history = waits.clone();
    seeds.iter().for_each(|seed| waits[seed.index()] = 1.0 / seeds.len() as f64);
    for page in pages {
        let cash = std::mem::take(&mut waits[page.index()]);
        history[page.index()] += cash;
        let passed = cash / f64::from(web_context.world.out_degree(*page).max(1));
        web_context.world.graph().links(*page).iter().for_each(|to| waits[to.index()] += passed);
    }
    history.iter().zip(&waits).map(|(read, waiting)| read + waiting).collect()
}

/// In-degree of each page, counting links from `pages` only.
fn backlinks(web_context: &WebContext<'_>, pages: &[PageId]) -> Vec<f64> {
    let mut counts = vec![0.0; web_context.world.n_pages() as usize];
    for page in pages {
        web_context.world.graph().links(*page).iter().for_each(|to| counts[to.index()] += 1.0);
    }
    counts
}

/// Records Kendall's τ of values with the true ranks over `pages`, if defined.
fn record_tau(
    web_context: &WebContext<'_>,
    measured: &mut Measurement,
    name: &str,
    pages: &[PageId],
    values: &[f64],
) {
    let of = |values: &[f64]| pages.iter().map(|page| values[page.index()]).collect::<Vec<_>>();
    if let Some(tau) = kendall_tau(&of(values), &of(&web_context.truth.ranks)) {
        measured.record(name.to_owned(), tau);
    }
}
