//! Document E: Salari, Derhami & Paksima, "Web crawling with reinforcement learning".
//!
//! The paper ranks a whole web by RL-Rank and by DistanceRank, starts k crawlers from the k best pages
//! of each, lets both crawl greedily by what they know, and draws the sum of PageRank of the pages
//! fetched over 100 steps, for k = 1, 4 and 8. It claims that RL-Crawler gathers PageRank faster.
//!
//! Beside that: both from the same seeds (the best by PageRank), both with what a crawler can know,
//! and other orderings.

#[cfg(test)]
mod tests;

use crate::judge::{Claim, Verdict, mean_and_half_width};
use crate::plot::{self, Line};
use crawl_catalogue::{Catalogue, CatalogueError, Kind};
use crawl_core::correlation::kendall_tau;
use crawl_core::ranker::{self, Graph};
use crawl_protocol::{Experiment, Seeds, View, WorldSource};
use crawl_run::{Run, RunError};
use crawl_world::{Csr, PageId, World};
use serde::Serialize;
use std::sync::Arc;

/// Pages fetched, as in the paper's figures.
pub const N_STEPS: usize = 100;
/// How many pages crawls start from, as there.
pub const STARTS: [u32; 3] = [1, 4, 8];
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Each at the best pages by its own ranker.
    Own,
    /// All at the best pages by PageRank.
    Common,
}

/// What one ordering gathered.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The ordering.
    pub ordering: String,
    /// Where it started.
    pub start: Start,
    /// At how many pages, with as many fetches under way at a time.
    pub k: u32,
    /// Pages fetched, where fewer than the steps could be reached.
    pub n_fetched: usize,
    /// The share of all PageRank in hand after each step; after the last page it stays.
    pub gathered: Vec<f64>,
    /// Kendall's τ between PageRank over the pages fetched, and their true ranks.
    pub tau: Option<f64>,
}

impl Curve {
    /// The mean over all steps.
    fn area(&self) -> f64 {
        self.gathered.iter().sum::<f64>() / self.gathered.len().max(1) as f64
    }
}

/// Everything that was run on one web.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// The web's name.
    pub web: String,
    /// Whether it was crawled, not generated.
    pub is_real: bool,
    /// How many pages it has.
    pub n_pages: u32,
    /// The curves.
    pub curves: Vec<Curve>,
    /// What the best pages alone would gather, by number of starts.
    pub ideal: Vec<Vec<f64>>,
}

/// Why something could not be tried.
#[derive(Debug)]
pub enum Failure {
    /// The run cannot be set up.
    Run(RunError),
    /// An ordering or ranker is not there.
    Catalogue(CatalogueError),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Run(error) => error.fmt(f),
            Self::Catalogue(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Self {
        Self::Catalogue(error)
    }
}

/// How many crawls [`try_on`] runs.
pub fn n_crawls() -> usize {
    let n_own = ORDERINGS.iter().filter(|(_, own)| own.is_some()).count();
    STARTS.len() * (ORDERINGS.len() + n_own)
}

/// Runs everything on one web; `done` is called after each crawl.
///
/// # Errors
/// Where the web has fewer pages than crawls start from.
pub fn try_on(
    web: &str,
    (source, world): (&WorldSource, &Arc<World>),
    catalogue: &Catalogue,
    done: &mut dyn FnMut(),
) -> Result<Tried, Failure> {
    let truth = Run::truth_of(world, catalogue)?;
    let mut tried = Tried {
        web: web.to_owned(),
        is_real: matches!(source, WorldSource::File { .. }),
        n_pages: world.n_pages(),
        curves: Vec::new(),
        ideal: Vec::new(),
    };
    for k in STARTS {
        for (ordering, own) in ORDERINGS {
            for (start, ranker) in [(Start::Own, own), (Start::Common, Some(COMMON))] {
                let Some(ranker) = ranker else { continue };
                let rules = [("budget", N_STEPS as u32), ("fetchers", k)].map(rule);
                let experiment = Experiment {
                    world: source.clone(),
                    seeds: Seeds::Top { ranker: catalogue.choose(Kind::Ranker, ranker)?, k },
                    strategies: vec![catalogue.choose(Kind::Strategy, ordering)?],
                    rules: catalogue.rules(&rules)?,
                    rng: Experiment::DEFAULT_RNG,
                    at: None,
                    digests: Vec::new(),
                    view: View::default(),
                };
                let mut run = Run::with_truth(experiment, world.clone(), truth.clone(), catalogue)?;
                if (ordering, start) == (BREADTH, Start::Common) {
                    let best = truth.sorted(run.reach.pages());
                    tried.ideal.push(sums(best.iter().map(|page| truth.rank(*page))));
                }
                let (gathered, pages) = crawl(&mut run);
                let tau = tau(&run, &pages, catalogue)?;
                let (ordering, n_fetched) = (ordering.to_owned(), pages.len());
                tried.curves.push(Curve { ordering, start, k, n_fetched, gathered, tau });
                done();
            }
        }
    }
    Ok(tried)
}

fn rule((key, value): (&str, u32)) -> crawl_catalogue::Arg {
    let value = crawl_catalogue::Value::Spec(crawl_catalogue::Spec::word(value.to_string()));
    crawl_catalogue::Arg { key: Some(key.to_owned()), value }
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

/// What is in hand after each step, and the pages fetched.
fn crawl(run: &mut Run) -> (Vec<f64>, Vec<PageId>) {
    let (mut gathered, mut pages) = (Vec::new(), Vec::new());
    if let Some((lane, setting)) = run.lane(0) {
        while let Some(step) = lane.forward(&setting) {
            pages.push(step.page);
            gathered.push(lane.measure(MEASURE).and_then(crawl_run::Series::last).unwrap_or(0.0));
        }
    }
    let last = gathered.last().copied().unwrap_or(0.0);
    gathered.resize(N_STEPS, last);
    (gathered, pages)
}

/// How truly PageRank over the pages fetched alone orders them.
fn tau(run: &Run, pages: &[PageId], catalogue: &Catalogue) -> Result<Option<f64>, Failure> {
    let mut number = vec![u32::MAX; run.world.n_pages() as usize];
    for (i, page) in pages.iter().enumerate() {
        number[page.index()] = i as u32;
    }
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for page in pages {
        let links = run.world.graph().links(*page).iter().map(|link| number[link.index()]);
        targets.extend(links.filter(|link| *link != u32::MAX).map(PageId));
        offsets.push(targets.len() as u32);
    }
    let chosen = catalogue.choose(Kind::Ranker, "pagerank")?;
    let ranker = ranker::ranker(&chosen).ok_or(RunError::NotBuilt(chosen.id))?;
    let ranks = ranker.rank(&Graph::new(&Csr::new(offsets, targets))).values;
    let true_ranks: Vec<f64> = pages.iter().map(|page| run.truth.rank(*page)).collect();
    Ok(kendall_tau(&ranks, &true_ranks))
}

/// One number of one ordering on each web.
fn each(
    webs: &[&Tried],
    (ordering, start, k): (&str, Start, u32),
    number: impl Fn(&Curve) -> Option<f64>,
) -> Vec<f64> {
    let of = |tried: &&Tried| {
        let mut curves = tried.curves.iter();
        let curve = curves.find(|c| (c.ordering.as_str(), c.start, c.k) == (ordering, start, k));
        curve.and_then(&number)
    };
    webs.iter().filter_map(of).collect()
}

fn areas(webs: &[&Tried], which: (&str, Start, u32)) -> Vec<f64> {
    each(webs, which, |curve| Some(curve.area()))
}

/// How much more one ordering gathers than another, on each web.
fn lead(webs: &[&Tried], a: &str, b: &str, start: Start, k: u32) -> Vec<f64> {
    let (a, b) = (areas(webs, (a, start, k)), areas(webs, (b, start, k)));
    a.iter().zip(&b).map(|(a, b)| a - b).collect()
}

/// The generated webs together, and each real one.
pub fn groups(tried: &[Tried]) -> Vec<(String, Vec<&Tried>)> {
    let (real, generated): (Vec<&Tried>, Vec<&Tried>) =
        tried.iter().partition(|tried| tried.is_real);
    let mut groups = Vec::new();
    if !generated.is_empty() {
        groups.push((format!("{} generated webs", generated.len()), generated));
    }
    groups.extend(real.into_iter().map(|tried| (tried.web.clone(), vec![tried])));
    groups
}

/// Every claim, on the generated webs together and on each real one.
pub fn claims(tried: &[Tried]) -> Vec<Claim> {
    let (real, generated): (Vec<&Tried>, Vec<&Tried>) =
        tried.iter().partition(|tried| tried.is_real);
    let mut claims = Vec::new();
    for (name, webs) in &groups(tried) {
        for (a, b, start, source, says) in [
            (
                RL_ALL,
                DISTANCE_ALL,
                Start::Own,
                "E, figures 4 to 6",
                "as in the paper: own seeds, the whole web known",
            ),
            (
                RL_ALL,
                DISTANCE_ALL,
                Start::Common,
                "E, fair seeds",
                "common seeds, the whole web known",
            ),
            (
                RL,
                DISTANCE,
                Start::Common,
                "E, fair knowledge",
                "common seeds, only what was fetched known",
            ),
        ] {
            for k in STARTS {
                let says = format!(
                    "RL-Crawler gathers PageRank faster than DistanceRank; {says}; k = {k}"
                );
                claims.push(faster(says, source, name, &lead(webs, a, b, start, k)));
            }
        }
        let says = "Breadth-first finds good pages early: faster than a random order".to_owned();
        let lead = lead(webs, BREADTH, RANDOM, Start::Common, 1);
        claims.push(faster(says, "Najork & Wiener 2001", name, &lead));
        claims.push(misjudged(name, webs));
    }
    claims.push(reversed(&generated, &real));
    claims
}

fn faster(says: String, source: &str, webs: &str, differences: &[f64]) -> Claim {
    let (mean, half) = mean_and_half_width(differences);
    let because = if half > 0.0 {
        format!("mean lead {:+.2} ± {:.2} % of all PageRank", 100.0 * mean, 100.0 * half)
    } else {
        format!("lead {:+.2} % of all PageRank", 100.0 * mean)
    };
    let verdict = Verdict::of_positive(differences);
    Claim { says, source: source.to_owned(), webs: webs.to_owned(), verdict, because }
}

/// Of what a crawler could do: whether what gathers fastest also judges best.
fn misjudged(name: &str, webs: &[&Tried]) -> Claim {
    let honest = ORDERINGS.iter().map(|(ordering, _)| *ordering);
    let honest: Vec<&str> =
        honest.filter(|o| !o.contains("knowledge:all") && *o != "omniscient").collect();
    let mean_of = |number: &dyn Fn(&str) -> Vec<f64>| {
        let best = honest.iter().map(|o| (*o, mean_and_half_width(&number(o)).0));
        best.reduce(|a, b| if b.1 > a.1 { b } else { a }).map_or("", |best| best.0)
    };
    let taus = |o: &str| each(webs, (o, Start::Common, 1), |curve| curve.tau);
    let fastest = mean_of(&|o| areas(webs, (o, Start::Common, 1)));
    let truest = mean_of(&taus);
    let differences: Vec<f64> =
        taus(truest).iter().zip(taus(fastest)).map(|(truest, fastest)| truest - fastest).collect();
    let verdict =
        if fastest == truest { Verdict::NotHeld } else { Verdict::of_positive(&differences) };
    let (tau, _) = mean_and_half_width(&taus(fastest));
    let (best, _) = mean_and_half_width(&taus(truest));
    Claim {
        says:
            "What gathers PageRank fastest may misjudge it: another order's ranks on its crawled \
               part are truer"
                .to_owned(),
        source: "Boldi, Santini & Vigna 2005".to_owned(),
        webs: name.to_owned(),
        verdict,
        because: format!("fastest {fastest} has τ = {tau:.3}; truest {truest} has τ = {best:.3}"),
    }
}

/// Whether a real web says the opposite of the generated ones.
fn reversed(generated: &[&Tried], real: &[&Tried]) -> Claim {
    let of = |webs: &[&Tried]| {
        STARTS.map(|k| Verdict::of_positive(&lead(webs, RL_ALL, DISTANCE_ALL, Start::Own, k)))
    };
    let on_generated = of(generated);
    let opposite = |a: Verdict, b: Verdict| {
        matches!((a, b), (Verdict::Held, Verdict::NotHeld) | (Verdict::NotHeld, Verdict::Held))
    };
    let mut which = Vec::new();
    for tried in real {
        for (i, verdict) in of(&[tried]).into_iter().enumerate() {
            if opposite(on_generated[i], verdict) {
                which.push(format!("{} at k = {}", tried.web, STARTS[i]));
            }
        }
    }
    let (verdict, because) = match (generated.is_empty() || real.is_empty(), which.is_empty()) {
        (true, _) => (Verdict::Undecided, "generated and real webs are both needed".to_owned()),
        (_, true) => (Verdict::NotHeld, "every real web agrees with the generated ones".to_owned()),
        _ => (Verdict::Held, format!("the paper's claim turns on {}", which.join(", "))),
    };
    Claim {
        says: "Generated webs can reverse results seen on real ones".to_owned(),
        source: "ours".to_owned(),
        webs: "all".to_owned(),
        verdict,
        because,
    }
}

/// One picture: every ordering from `k` starts, on webs taken together.
pub fn picture(title: &str, webs: &[&Tried], start: Start, k: u32) -> String {
    let mut rows: Vec<(String, Vec<f64>, Vec<f64>, bool)> = Vec::new();
    let band = |curves: &[&[f64]]| {
        let step = |i: usize| {
            let values: Vec<f64> = curves.iter().map(|curve| curve[i]).collect();
            mean_and_half_width(&values)
        };
        (0..N_STEPS).map(step).unzip::<f64, f64, Vec<f64>, Vec<f64>>()
    };
    for (ordering, own) in ORDERINGS {
        // Those without ranks of their own start where all can.
        let start = if own.is_some() { start } else { Start::Common };
        let curves: Vec<&[f64]> = webs
            .iter()
            .flat_map(|tried| &tried.curves)
            .filter(|c| (c.ordering.as_str(), c.start, c.k) == (ordering, start, k))
            .map(|curve| curve.gathered.as_slice())
            .collect();
        if !curves.is_empty() {
            let (means, halves) = band(&curves);
            rows.push((ordering.to_owned(), means, halves, false));
        }
    }
    let at = STARTS.iter().position(|start| *start == k).unwrap_or(0);
    let ideals: Vec<&[f64]> =
        webs.iter().filter_map(|tried| tried.ideal.get(at).map(Vec::as_slice)).collect();
    if !ideals.is_empty() {
        rows.push(("ideal".to_owned(), band(&ideals).0, Vec::new(), true));
    }
    let lines: Vec<Line<'_>> = rows
        .iter()
        .map(|(name, values, half_widths, is_bound)| Line {
            name,
            values,
            half_widths,
            is_bound: *is_bound,
        })
        .collect();
    plot::draw(title, "PageRank gathered", &lines)
}

/// What each ordering gathered after all steps and on average, on webs taken together.
pub fn summary(webs: &[&Tried], start: Start, k: u32) -> Vec<(String, f64, f64, f64)> {
    let row = |(ordering, own): &(&str, Option<&str>)| {
        let start = if own.is_some() { start } else { Start::Common };
        let areas = areas(webs, (ordering, start, k));
        let last = each(webs, (ordering, start, k), |curve| curve.gathered.last().copied());
        let (area, half) = mean_and_half_width(&areas);
        ((*ordering).to_owned(), area, half, mean_and_half_width(&last).0)
    };
    ORDERINGS.iter().map(row).collect()
}
