//! Document E: Salari, Derhami & Paksima, "Web crawling with reinforcement learning".
//!
//! The paper ranks a whole web by RL-Rank and by DistanceRank, starts k crawlers from the k best pages
//! of each, lets both crawl greedily by what they know, and draws the sum of PageRank of the pages
//! fetched over 100 steps, for k = 1, 4 and 8. It claims that RL-Crawler gathers PageRank faster.
//!
//! Beside that: both from the same seeds (the best by PageRank), both with what a crawler can know,
//! other orderings, and what others claim of those.

mod claims;
mod opic;
mod shown;
#[cfg(test)]
mod tests;

use super::{Crawls, Document, Findings, Ground, last, rule};
use crate::tried::{Series, Tried, groups};
use crawl_catalogue::Kind;
use crawl_core::correlation::kendall_tau;
use crawl_core::ranker::{self, Graph};
use crawl_protocol::Seeds;
use crawl_run::{Run, RunError};
use crawl_world::{Csr, PageId};

pub(super) const DOCUMENT: Document = Document {
    id: "E",
    title: "Salari, Derhami & Paksima",
    caption: "Shares are those of all PageRank in hand, on average over 100 steps. Intervals are of \
        95 % where there are several webs. τ is Kendall's, 1 where two orders are the same.",
    pages: 1000..=100_000,
    web: |n_pages, rng| format!("web(pages:{n_pages},rng:{rng})"),
    real: &["harvard500", "hollins", "epa", "cnr-2000"],
    suits: |_| true,
    n_pieces: |_| crawls().count() + opic::N_PIECES,
    piece: |at, ground, tried| match crawls().nth(at) {
        Some(crawl) => crawl.piece(ground, tried),
        None => opic::piece(at - crawls().count(), ground, tried),
    },
    findings: |tried| {
        let groups = groups(tried);
        Findings {
            claims: claims::claims(&groups),
            tables: groups.iter().flat_map(shown::tables).collect(),
            figures: groups.iter().flat_map(shown::figures).collect(),
        }
    },
    figures: &[],
};

/// Pages fetched, as in the paper's figures.
const N_STEPS: usize = 100;
/// How many pages crawls start from, as there.
const STARTS: [u32; 3] = [1, 4, 8];
/// Where crawls start that have no ranks of their own.
const COMMON: &str = "pagerank";
/// The measure that is drawn.
const MEASURE: &str = "cumulative-pagerank";

const RL_ALL: &str = "rl-crawler(knowledge:all)";
const DISTANCE_ALL: &str = "distance-rank(knowledge:all)";
const RL: &str = "rl-crawler";
const DISTANCE: &str = "distance-rank";
const BREADTH: &str = "breadth-first";
const RANDOM: &str = "random";

/// An ordering, and the ranker whose best pages are its own seeds.
const ORDERINGS: [(&str, Option<&str>); 11] = [
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

/// Where the crawls of a comparison start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Each at the best pages by its own ranker.
    Own,
    /// All at the best pages by PageRank.
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

/// One ordering from `k` pages, with as many fetches under way at a time.
#[derive(Clone, Copy, Debug)]
struct Crawl {
    ordering: &'static str,
    start: Start,
    k: u32,
    /// By which ranker those pages are the best.
    ranker: &'static str,
}

/// Every crawl on one web.
fn crawls() -> impl Iterator<Item = Crawl> {
    let of = |k, (ordering, own): (&'static str, Option<&'static str>)| {
        let own = own.map(|ranker| Crawl { ordering, start: Start::Own, k, ranker });
        own.into_iter().chain([Crawl { ordering, start: Start::Common, k, ranker: COMMON }])
    };
    STARTS.into_iter().flat_map(move |k| ORDERINGS.into_iter().flat_map(move |o| of(k, o)))
}

/// The name of what a crawl measured; with nothing in front, of the share of all PageRank in hand.
fn name(what: &str, ordering: &str, start: Start, k: u32) -> String {
    format!("{what}{ordering}, {} seeds, k = {k}", start.word())
}

/// The mean over all steps of the share of PageRank in hand.
const AREA: &str = "area: ";
/// Kendall's τ between PageRank over the pages fetched, and their true ranks.
const TAU: &str = "τ: ";
/// Pages fetched, where fewer than the steps could be reached.
const FETCHED: &str = "fetched: ";

/// The name of what the best pages alone would gather.
fn ideal(k: u32) -> String {
    format!("ideal, k = {k}")
}

impl Crawl {
    fn piece(&self, ground: &Ground<'_>, tried: &mut Tried) -> Result<(), RunError> {
        let mut run = set_up(ground, self.ordering, (self.ranker, self.k), Some(N_STEPS as u32))?;
        if (self.ordering, self.start) == (BREADTH, Start::Common) {
            let best = ground.truth.sorted(run.reach.pages());
            let values = sums(best.iter().map(|page| ground.truth.rank(*page)));
            tried.series.push(Series { name: ideal(self.k), values });
        }
        let (gathered, pages) = crawl(&mut run);
        let name = |what| name(what, self.ordering, self.start, self.k);
        tried.note(name(AREA), gathered.iter().sum::<f64>() / gathered.len() as f64);
        tried.note(name(FETCHED), pages.len() as f64);
        if let Some(tau) = tau(ground, &pages)? {
            tried.note(name(TAU), tau);
        }
        tried.series.push(Series { name: name(""), values: gathered });
        Ok(())
    }
}

/// An ordering, about to crawl from the k best pages by a ranker.
fn set_up(
    ground: &Ground<'_>,
    ordering: &str,
    (ranker, k): (&str, u32),
    budget: Option<u32>,
) -> Result<Run, RunError> {
    let rules = [("fetchers", Some(k)), ("budget", budget)];
    let rules: Vec<_> =
        rules.into_iter().filter_map(|(key, n)| Some(rule(key, &n?.to_string()))).collect();
    let seeds = Seeds::Top { ranker: ground.catalogue.choose(Kind::Ranker, ranker)?, k };
    let specs = [ordering.to_owned()];
    ground.run(Crawls { specs: &specs, seeds, topic: None, rules: &rules })
}

/// The first sums, as many as there are steps; the last goes on where there are fewer numbers.
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

/// What is in hand after each step, and the pages fetched; after the last page it stays.
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

/// How truly PageRank over the pages fetched alone orders them.
fn tau(ground: &Ground<'_>, pages: &[PageId]) -> Result<Option<f64>, RunError> {
    let mut number = vec![u32::MAX; ground.world.n_pages() as usize];
    for (i, page) in pages.iter().enumerate() {
        number[page.index()] = i as u32;
    }
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for page in pages {
        let links = ground.world.graph().links(*page).iter().map(|link| number[link.index()]);
        targets.extend(links.filter(|link| *link != u32::MAX).map(PageId));
        offsets.push(targets.len() as u32);
    }
    let ranks = rank(ground, "pagerank", &Graph::new(&Csr::new(offsets, targets)))?.values;
    let true_ranks: Vec<f64> = pages.iter().map(|page| ground.truth.rank(*page)).collect();
    Ok(kendall_tau(&ranks, &true_ranks))
}

/// What a ranker says of a graph.
fn rank(ground: &Ground<'_>, spec: &str, graph: &Graph<'_>) -> Result<ranker::Ranking, RunError> {
    let chosen = ground.catalogue.choose(Kind::Ranker, spec)?;
    let ranker = ranker::ranker(&chosen).ok_or(RunError::NotBuilt(chosen.id))?;
    Ok(ranker.rank(graph))
}
