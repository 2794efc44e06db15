//! Salari, Derhami & Paksima, "Web crawling with reinforcement learning" (RL-Crawler).
//!
//! The paper ranks a whole web by RL-Rank and by DistanceRank, starts k crawlers from the top k pages
//! of each, lets both crawl greedily, and plots the sum of PageRank of the fetched pages over 100
//! steps, for k = 1, 4 and 8. It claims that RL-Crawler gathers PageRank faster.
//!
//! This module adds: both from the same seeds (the top pages by PageRank), both with only what a
//! crawler knows, other strategies, and claims of other papers about those.

mod claims;
mod opic;
mod presentation;
#[cfg(test)]
mod tests;

use super::{Crawls, Document, Findings, WebContext, last, rule};
use crate::measurement::{Measurement, Series, groups};
use crawl_catalogue::Kind;
use crawl_core::correlation::kendall_tau;
use crawl_core::ranker::{self, Graph};
use crawl_protocol::Seeds;
use crawl_run::{Run, RunError};
use crawl_world::{Csr, PageId};

pub(super) const DOCUMENT: Document = Document {
    id: "E",
    authors: "Salari, Derhami & Paksima",
    title: "Salari, Derhami & Paksima",
    caption: "Shares are those of all PageRank in hand, on average over 100 steps. Intervals are of \
        95 % where there are several webs. τ is Kendall's, 1 where two orders are the same.",
    pages: 1000..=100_000,
    web: |n_pages, rng| format!("web(pages:{n_pages},rng:{rng})"),
    real: &["harvard500", "hollins", "epa", "cnr-2000"],
    suits: |_| true,
    n_pieces: |_| crawls().count() + opic::N_PIECES,
    piece: |at, web_context, measured| match crawls().nth(at) {
        Some(crawl) => crawl.piece(web_context, measured),
        None => opic::piece(at - crawls().count(), web_context, measured),
    },
    findings: |measured| {
        let groups = groups(measured);
        Findings {
            claims: claims::claims(&groups),
            tables: groups.iter().flat_map(presentation::tables).collect(),
            figures: groups.iter().flat_map(presentation::figures).collect(),
        }
    },
    figures: &[],
};

/// Number of fetches, as in the paper's figures.
const N_STEPS: usize = 100;
/// Numbers of seeds, as in the paper.
const STARTS: [u32; 3] = [1, 4, 8];
/// Ranker of the seeds of strategies without a ranker of their own.
const COMMON: &str = "pagerank";
/// The plotted metric.
const MEASURE: &str = "cumulative-pagerank";

const RL_ALL: &str = "rl-crawler(knowledge:all)";
const DISTANCE_ALL: &str = "distance-rank(knowledge:all)";
const RL: &str = "rl-crawler";
const DISTANCE: &str = "distance-rank";
const BREADTH: &str = "breadth-first";
const RANDOM: &str = "random";

/// Strategies, each with the ranker of its own seeds.
const STRATEGIES: [(&str, Option<&str>); 11] = [
    (RL_ALL, Some("rl-rank")),
    (DISTANCE_ALL, Some("distance-rank")),
    (RL, Some("rl-rank")),
    (DISTANCE, Some("distance-rank")),
    (BREADTH, None),
    ("opic", None),
    ("fica", None),
    ("ieca", None),
    ("backlink-count", None),
    ("omniscient", None),
    (RANDOM, None),
];

/// Seeds of the crawls of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// The top pages by each strategy's own ranker.
    Own,
    /// The top pages by PageRank.
    Common,
}

impl Start {
    const fn word(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Common => "common",
        }
    }
}

/// A crawl with one strategy from `k` seeds, with `k` fetchers.
#[derive(Clone, Copy, Debug)]
struct Crawl {
    strategy: &'static str,
    start: Start,
    k: u32,
    /// Ranker of the seeds.
    ranker: &'static str,
}

/// All crawls on one web.
fn crawls() -> impl Iterator<Item = Crawl> {
    let of = |k, (strategy, own): (&'static str, Option<&'static str>)| {
        let own = own.map(|ranker| Crawl { strategy, start: Start::Own, k, ranker });
        own.into_iter().chain([Crawl { strategy, start: Start::Common, k, ranker: COMMON }])
    };
    STARTS.into_iter().flat_map(move |k| STRATEGIES.into_iter().flat_map(move |o| of(k, o)))
}

/// Name of a measurement; without a prefix, the share of PageRank gathered.
fn name(what: &str, strategy: &str, start: Start, k: u32) -> String {
    format!("{what}{strategy}, {} seeds, k = {k}", start.word())
}

/// Mean share of PageRank gathered, over all steps.
const AREA: &str = "area: ";
/// Kendall's τ between PageRank of the fetched subgraph and the true ranks.
const TAU: &str = "τ: ";
/// Number of pages fetched, if fewer than the steps are reachable.
const FETCHED: &str = "fetched: ";

/// Name of the ideal: the sum of the top pages' ranks.
fn ideal(k: u32) -> String {
    format!("ideal, k = {k}")
}

impl Crawl {
    fn piece(
        &self,
        web_context: &WebContext<'_>,
        measured: &mut Measurement,
    ) -> Result<(), RunError> {
        let mut run =
            set_up(web_context, self.strategy, (self.ranker, self.k), Some(N_STEPS as u32))?;
        if (self.strategy, self.start) == (BREADTH, Start::Common) {
            let best = web_context.truth.sorted(run.reach.pages());
            let values = sums(best.iter().map(|page| web_context.truth.rank(*page)));
            measured.series.push(Series { name: ideal(self.k), values });
        }
        let (gathered, pages) = crawl(&mut run);
        let name = |what| name(what, self.strategy, self.start, self.k);
        measured.record(name(AREA), gathered.iter().sum::<f64>() / gathered.len() as f64);
        measured.record(name(FETCHED), pages.len() as f64);
        if let Some(tau) = tau(web_context, &pages)? {
            measured.record(name(TAU), tau);
        }
        measured.series.push(Series { name: name(""), values: gathered });
        Ok(())
    }
}

/// Sets up a crawl from the top `k` pages by a ranker.
fn set_up(
    web_context: &WebContext<'_>,
    strategy: &str,
    (ranker, k): (&str, u32),
    budget: Option<u32>,
) -> Result<Run, RunError> {
    let rules = [("fetchers", Some(k)), ("budget", budget)];
    let rules: Vec<_> =
        rules.into_iter().filter_map(|(key, n)| Some(rule(key, &n?.to_string()))).collect();
    let seeds = Seeds::Top { ranker: web_context.catalogue.choose(Kind::Ranker, ranker)?, k };
    let specs = [strategy.to_owned()];
    web_context.run(Crawls { specs: &specs, seeds, topic: None, rules: &rules })
}

/// Cumulative sums, one per step; after the last rank the sum stays constant.
fn sums(ranks: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums: Vec<f64> = ranks
        .take(N_STEPS)
        .map(|rank| {
            sum += rank;
            sum
        })
        .collect();
    sums.resize(N_STEPS, sum);
    sums
}

/// Crawls; returns the PageRank gathered after each step, and the pages fetched.
fn crawl(run: &mut Run) -> (Vec<f64>, Vec<PageId>) {
    let (mut gathered, mut pages) = (Vec::new(), Vec::new());
    if let Some((lane, setting)) = run.lane(0) {
        while let Some(step) = lane.forward(&setting) {
            pages.push(step.page);
            gathered.push(last(lane, MEASURE).unwrap_or(0.0));
        }
    }
    let last = gathered.last().copied().unwrap_or(0.0);
    gathered.resize(N_STEPS, last);
    (gathered, pages)
}

/// Kendall's τ of PageRank of the fetched subgraph with the true ranks.
fn tau(web_context: &WebContext<'_>, pages: &[PageId]) -> Result<Option<f64>, RunError> {
    let mut number = vec![u32::MAX; web_context.world.n_pages() as usize];
    for (i, page) in pages.iter().enumerate() {
        number[page.index()] = i as u32;
    }
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for page in pages {
        let links = web_context.world.graph().links(*page).iter().map(|link| number[link.index()]);
        targets.extend(links.filter(|link| *link != u32::MAX).map(PageId));
        offsets.push(targets.len() as u32);
    }
    let ranks = rank(web_context, "pagerank", &Graph::new(&Csr::new(offsets, targets)))?.values;
    let true_ranks: Vec<f64> = pages.iter().map(|page| web_context.truth.rank(*page)).collect();
    Ok(kendall_tau(&ranks, &true_ranks))
}

/// Ranks a graph.
fn rank(
    web_context: &WebContext<'_>,
    spec: &str,
    graph: &Graph<'_>,
) -> Result<ranker::Ranking, RunError> {
    let chosen = web_context.catalogue.choose(Kind::Ranker, spec)?;
    let ranker = ranker::ranker(&chosen).ok_or(RunError::NotBuilt(chosen.id))?;
    Ok(ranker.rank(graph))
}
