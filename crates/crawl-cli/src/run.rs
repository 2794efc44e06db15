//! `crawlscope run`: crawls a world with each strategy and compares them.

use crate::args::RunArgs;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::terminal;
use crate::world_source::Loaded;
use crate::{json, report};
use crawl_claims::figure::catalogue;
use crawl_core::metric::{Setting, true_rate};
use crawl_core::{Counters, N_RANDOM_RUNS, Session, UrlId};
use crawl_protocol::Seeds;
use crawl_run::{Lane, Run, Series};
use crawl_world::World;

/// Maximum fetches of the random crawls unless `--bounds` is given.
const MAX_UNASKED_FETCHES: u64 = 2_000_000;
/// Number of upcoming URLs shown at a step.
const N_NEXT: usize = 3;

/// All runs of an experiment, finished.
pub struct Finished {
    /// The runs, each at the step given by `--at` or at its end.
    pub run: Run,
    /// The world and where it came from.
    pub loaded: Loaded,
    /// How each run ended.
    pub ends: Vec<End>,
    /// The experiment as a link.
    pub link: String,
    /// Why bounds were not computed.
    pub no_bounds: Option<String>,
}

/// Results of one run at its end.
pub struct End {
    /// Its digest.
    pub digest: String,
    /// Digest given by the link.
    pub expected: Option<String>,
    /// Counts of fetches, errors and refusals.
    pub counters: Counters,
    /// Number of URLs discovered.
    pub discovered: u32,
    /// Duration of the crawl in simulated seconds.
    pub seconds: f64,
    /// Mean regret over all steps.
    pub mean_regret: Option<f64>,
    /// Results after the first N fetches.
    pub early: Early,
    /// Median relative error of the estimated change rates.
    pub rates_off: Option<f64>,
    /// State at the step given by `--at`.
    pub at: Option<AtStep>,
}

impl End {
    /// Whether the digest equals that of the link; `None` if the link has none.
    pub fn reproduced(&self) -> Option<bool> {
        self.expected.as_ref().map(|expected| *expected == self.digest)
    }
}

/// Metrics after N fetches, where areas are measured.
#[derive(Clone, Copy, Default)]
pub struct Early {
    /// Sum of PageRank fetched.
    pub gathered: Option<f64>,
    /// Share of the top 1 % of pages found.
    pub top_1: Option<f64>,
    /// Share of the top 10 % of pages found.
    pub top_10: Option<f64>,
}

/// Names of the metrics in reports.
pub mod measure {
    /// Sum of PageRank fetched.
    pub const GATHERED: &str = "cumulative-pagerank";
    /// Share of the top 1 % of pages found.
    pub const TOP_1: &str = "top-found(percent:1)";
    /// Share of the top 10 % of pages found.
    pub const TOP_10: &str = "top-found";
    /// Best rank in the frontier minus the rank fetched.
    pub const REGRET: &str = "regret";
}

/// The state of a run at one step.
pub struct AtStep {
    /// The step of `--at`, or the last one if the run ended before.
    pub step: u32,
    /// The URL fetched at this step; `None` before the first fetch.
    pub fetched: Option<String>,
    /// The next URLs.
    pub next: Vec<String>,
}

/// Runs the command.
pub fn run(args: &RunArgs) -> Outcome {
    let catalogue = catalogue();
    let setup = Setup::read(&args.experiment, &catalogue)?;
    let link_at_hand = !args.with_digests && setup.experiment.seeds == Seeds::Own;
    if args.print_link && link_at_hand {
        return Ok(terminal::print(&format!("{}\n", setup.experiment.to_link()))?);
    }
    let (mut run, loaded) = setup.start(&catalogue)?;
    if args.print_link && !args.with_digests {
        return Ok(terminal::print(&format!("{}\n", run.experiment.to_link()))?);
    }
    // The link does not need the bounds.
    let no_bounds = if args.print_link { None } else { compute_bounds(&mut run, args) };
    let ends = run_all(&mut run);
    if args.with_digests {
        run.experiment.digests = ends.iter().map(|end| end.digest.clone()).collect();
    }
    let link = run.experiment.to_link();
    if args.print_link {
        return Ok(terminal::print(&format!("{link}\n"))?);
    }
    let finished = Finished { run, loaded, ends, link, no_bounds };
    if args.json {
        json::print_run(&finished, args.order)?;
    } else {
        let text = report::run(&finished, args.order, terminal::width());
        terminal::print(&text)?;
    }
    finished.loaded.warn();
    check_digests(&finished)
}

/// Fails if a run's digest differs from its link's.
fn check_digests(finished: &Finished) -> Outcome {
    let lanes = finished.run.lanes.iter().zip(&finished.ends);
    let other: Vec<String> = lanes
        .filter(|(_, end)| end.reproduced() == Some(false))
        .map(|(lane, end)| format!("{} has digest {}", lane.name(), end.digest))
        .collect();
    if other.is_empty() {
        return Ok(());
    }
    let message = format!("not reproduced: {}", other.join(", "));
    Err(Failure::other(message))
}

/// Computes the bounds if requested or cheap; otherwise returns why not.
fn compute_bounds(run: &mut Run, args: &RunArgs) -> Option<String> {
    let why_not = why_no_bounds(args.bounds, args.no_bounds, run.setting().area_pages);
    if why_not.is_none() {
        let progress = Progress::bar("random crawls", N_RANDOM_RUNS.into());
        run.compute_bounds(&mut |done| progress.set(done));
    }
    why_not
}

fn why_no_bounds(wanted: bool, unwanted: bool, area_pages: u32) -> Option<String> {
    let fetches = u64::from(area_pages) * u64::from(N_RANDOM_RUNS);
    if unwanted {
        return Some("skipped (--no-bounds)".to_owned());
    }
    (fetches > MAX_UNASKED_FETCHES && !wanted).then(|| {
        let fetches = terminal::grouped(fetches);
        format!("skipped, would take {fetches} random fetches; compute them with --bounds")
    })
}

fn run_all(run: &mut Run) -> Vec<End> {
    let steps = u64::from(run.max_steps());
    let at = run.experiment.at;
    let mut expected = run.experiment.digests.clone().into_iter();
    let mut ends = Vec::new();
    for i in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(i) else {
            break;
        };
        let progress = Progress::bar(lane.name(), steps);
        let (mean_regret, early) = run_one(lane, &setting, &progress);
        let now = lane.travel().now();
        let session = now.session();
        let mut end = End {
            digest: session.digest(setting.world).to_string(),
            expected: expected.next(),
            counters: session.counters(),
            discovered: session.book().n_discovered(),
            seconds: now.now_us() as f64 / 1e6,
            mean_regret,
            early,
            rates_off: rates_off(session, setting.world),
            at: None,
        };
        if let Some(step) = at {
            lane.seek(&setting, step);
            end.at = Some(at_step(lane, setting.world));
        }
        ends.push(end);
    }
    ends
}

/// Runs to the end; sums regret and takes the metrics after N fetches, which charts only sample.
fn run_one(lane: &mut Lane, setting: &Setting<'_>, progress: &Progress) -> (Option<f64>, Early) {
    let (mut regrets, mut n_regrets) = (0.0, 0_u32);
    let mut early = Early::default();
    // These metrics change only at first fetches and are up to date there.
    while let Some(step) = lane.step_without_metrics(setting) {
        let last = |name| lane.measure(name).and_then(Series::last);
        if let Some(regret) = last(measure::REGRET) {
            regrets += regret;
            n_regrets += 1;
        }
        // A run that ends before N keeps its last values.
        if step.number <= setting.area_pages {
            early = Early {
                gathered: last(measure::GATHERED),
                top_1: last(measure::TOP_1),
                top_10: last(measure::TOP_10),
            };
        }
        if step.number.is_multiple_of(1024) {
            let _ = progress.set(step.number);
        }
    }
    let mean = (n_regrets > 0).then(|| regrets / f64::from(n_regrets));
    (mean, early)
}

/// Median relative error of the estimated rates; the mean is dominated by rates close to zero.
fn rates_off(session: &Session, world: &World) -> Option<f64> {
    let off = |url: &UrlId| {
        let estimate = session.visit_plan(*url)?.estimate?;
        let rate = Some(true_rate(world, session.book().page(*url))).filter(|rate| *rate > 0.0)?;
        Some(((estimate - rate) / rate).abs()).filter(|off| off.is_finite())
    };
    let mut offs: Vec<f64> = session.book().order().iter().filter_map(off).collect();
    offs.sort_unstable_by(f64::total_cmp);
    let middle = offs.len() / 2;
    let upper = offs.get(middle)?;
    let lower = if offs.len().is_multiple_of(2) { &offs[middle - 1] } else { upper };
    Some(f64::midpoint(*lower, *upper))
}

fn at_step(lane: &Lane, world: &World) -> AtStep {
    let travel = lane.travel();
    let session = travel.now().session();
    let step = travel.at();
    let fetched = (step as usize).checked_sub(1);
    let fetched = fetched.and_then(|i| travel.trace().pages.get(i));
    let next = session.upcoming(world, N_NEXT).into_iter();
    AtStep {
        step,
        fetched: fetched.map(|page| world.url(*page).into_owned()),
        next: next.map(|url| world.url(session.book().page(url)).into_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_computed_where_they_are_cheap_or_asked_for() {
        assert_eq!(why_no_bounds(false, false, 100_000), None);
        assert_eq!(why_no_bounds(true, false, u32::MAX), None);
        let why = why_no_bounds(false, false, 200_000).expect("it is too much");
        assert!(why.contains("4,000,000") && why.contains("--bounds"), "{why}");
        assert!(why_no_bounds(false, true, 1).is_some());
    }
}
