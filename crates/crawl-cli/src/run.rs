//! `crawlscope run`: crawls a world with each strategy, and compares them.

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

/// Most fetches that the random crawls may take when nobody asked for them.
const MAX_UNASKED_FETCHES: u64 = 2_000_000;
/// How many of the next URLs are shown at a step.
const N_NEXT: usize = 3;

/// A finished comparison.
pub struct Finished {
    /// The runs, each at the step that was asked for, or at its end.
    pub run: Run,
    /// The world and where it came from.
    pub loaded: Loaded,
    /// How each run ended.
    pub ends: Vec<End>,
    /// What holds the experiment.
    pub link: String,
    /// Why there are no bounds, if there are none.
    pub no_bounds: Option<String>,
}

/// How a run ended.
pub struct End {
    /// Its digest.
    pub digest: String,
    /// The digest it should have, where the link says.
    pub expected: Option<String>,
    /// What happened, counted.
    pub counters: Counters,
    /// URLs discovered.
    pub discovered: u32,
    /// How long the crawl took on its simulated clock.
    pub seconds: f64,
    /// Mean over all steps of the regret.
    pub mean_regret: Option<f64>,
    /// What it had after the first N fetches.
    pub early: Early,
    /// How far estimated change rates are from the true ones, relatively: the median over pages.
    pub rates_off: Option<f64>,
    /// The step that was asked for.
    pub at: Option<AtStep>,
}

impl End {
    /// Whether it has the digest it should have, where the link says.
    pub fn reproduced(&self) -> Option<bool> {
        self.expected.as_ref().map(|expected| *expected == self.digest)
    }
}

/// A run after the N fetches at which areas are read.
#[derive(Clone, Copy, Default)]
pub struct Early {
    /// PageRank gathered.
    pub gathered: Option<f64>,
    /// Share of the best hundredth of the pages found.
    pub top_1: Option<f64>,
    /// Share of the best tenth of the pages found.
    pub top_10: Option<f64>,
}

/// The measures that reports single out.
pub mod measure {
    /// PageRank gathered.
    pub const GATHERED: &str = "cumulative-pagerank";
    /// Share of the best hundredth of the pages found.
    pub const TOP_1: &str = "top-found(percent:1)";
    /// Share of the best tenth of the pages found.
    pub const TOP_10: &str = "top-found";
    /// The best rank waiting less the rank fetched.
    pub const REGRET: &str = "regret";
}

/// A run at one of its steps.
pub struct AtStep {
    /// Which: the one asked for, or the last.
    pub step: u32,
    /// The URL fetched there; none before the first.
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
    // Only the table and its file need them; the link does not.
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

/// Fails when a run has another digest than its link says.
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

/// Computes ideal and random where that was asked for or is cheap; says why not where it is not.
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
        return Some("left out, as asked".to_owned());
    }
    (fetches > MAX_UNASKED_FETCHES && !wanted).then(|| {
        let fetches = terminal::grouped(fetches);
        format!("would take {fetches} fetches of random crawls: ask for them with --bounds")
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

/// Runs to the end, and notes on the way what charts do not keep exactly.
fn run_one(lane: &mut Lane, setting: &Setting<'_>, progress: &Progress) -> (Option<f64>, Early) {
    let (mut regrets, mut n_regrets) = (0.0, 0_u32);
    let mut early = Early::default();
    // What is looked at on the way is up to date at every first fetch, and the same in between.
    while let Some(step) = lane.hurry(setting) {
        let last = |name| lane.measure(name).and_then(Series::last);
        if let Some(regret) = last(measure::REGRET) {
            regrets += regret;
            n_regrets += 1;
        }
        // A run that ends before N has what it had then.
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

/// The median, because a few pages whose rates are next to nothing can be off by a thousand times.
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
