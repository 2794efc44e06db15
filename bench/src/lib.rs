//! Benchmarks for `cargo xtask bench`.
//!
//! Every figure is a ratio within one run: against a bare loop over the same links, against native
//! code, or against another program. The clock is a parameter, because this runs natively and in a
//! browser.

pub mod revisit;

use crawl_catalogue::Kind;
use crawl_core::strategy::{self, StrategyContext};
use crawl_core::{Rules, Session, Simulator, Travel};
use crawl_protocol::Experiment;
use crawl_run::Run;
use crawl_world::{Digest, PageId, Rng, World, generate};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A clock in milliseconds.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// The strategies to time.
pub const TIMED: [&str; 11] = [
    "breadth-first",
    "backlink-count",
    "opic",
    "fractional-pagerank",
    "fica",
    "distance-rank",
    "ieca",
    "formula(of:'-depth')",
    "formula(of:'backlinks')",
    "formula(of:'cash')",
    "formula(of:'-distance')",
];

/// The topical strategies to time.
pub const FOCUSED: [&str; 4] = ["anchor-text", "jlse(cf:20)", "context-graph", "opie"];

/// A measured time.
#[derive(Clone, Debug)]
pub struct Timing {
    /// What was timed.
    pub name: String,
    /// Minimum of several runs, in milliseconds.
    pub ms: f64,
    /// A checksum of the work: 52 bits of the run's digest, equal for equal work.
    pub work: u64,
}

impl Timing {
    /// A timing without runs.
    fn of(name: &str) -> Self {
        Self { name: name.to_owned(), ms: f64::INFINITY, work: 0 }
    }

    /// Adds a run.
    fn add(&mut self, ms: f64, work: u64) {
        self.ms = self.ms.min(ms);
        self.work = work;
    }

    /// Two lines for `cargo xtask bench`: the time, and the checksum of the work.
    fn lines(&self, what: &str) -> String {
        let Self { name, ms, work } = self;
        format!("{what}\t{name}\t{ms}\nwork of {what}\t{name}\t{work}")
    }
}

/// The lines of all timings.
///
/// # Panics
/// If a name was not timed, or its time or work is 0.
pub fn lines(what: &str, timings: &[Timing], names: &[&str]) -> String {
    let timed: Vec<&str> = timings.iter().map(|timing| timing.name.as_str()).collect();
    assert_eq!(timed, names, "{what}");
    let measured = |timing: &Timing| {
        assert!(timing.ms > 0.0 && timing.ms.is_finite() && timing.work > 0, "{timing:?}");
        timing.lines(what)
    };
    timings.iter().map(measured).collect::<Vec<_>>().join("\n")
}

/// 52 bits of a digest, which fit in a JSON number.
fn work(digest: Digest) -> u64 {
    u64::from_str_radix(&digest.to_string()[..13], 16).expect("a digest is written in hex")
}

/// The world of a spec.
///
/// # Panics
/// If the spec is invalid.
pub fn world(spec: &str) -> World {
    let chosen = crawl_run::catalogue().choose(Kind::World, spec).expect("a world of ours");
    let entry = generate::WORLDS.iter().find(|w| w.entry.id == chosen.id).expect("registered");
    (entry.build)(&chosen.params).expect("builds")
}

/// Baseline: a bare breadth-first loop over the links.
///
/// A separate function, like [`crawl`]: a browser replaces baseline code by optimised code only
/// when a function is entered, never within a running loop.
#[inline(never)]
pub fn bare_loop(world: &World) -> usize {
    let graph = world.graph();
    let mut seen = vec![false; graph.n_pages() as usize];
    let mut queue: Vec<PageId> = Vec::with_capacity(seen.len());
    for seed in world.seeds() {
        seen[seed.index()] = true;
        queue.push(seed);
    }
    let mut next = 0;
    while let Some(page) = queue.get(next).copied() {
        next += 1;
        for target in graph.links(page) {
            if !seen[target.index()] {
                seen[target.index()] = true;
                queue.push(*target);
            }
        }
    }
    queue.len()
}

/// A simulator with default rules, before its first step.
///
/// # Panics
/// If the spec is invalid.
pub fn simulator(world: &World, spec: &str) -> Simulator {
    let chosen = crawl_run::catalogue().choose(Kind::Strategy, spec).expect("a strategy of ours");
    let entry = strategy::find(&chosen.id).expect("registered");
    let built =
        (entry.build)(&chosen.params, &StrategyContext { rng: 1, ..StrategyContext::default() });
    Simulator::new(Session::new(world, &world.seeds(), built, Rules::default(), None))
}

/// Crawls until nothing waits; returns the digest.
#[inline(never)]
pub fn crawl(world: &World, spec: &str) -> Digest {
    let mut simulator = simulator(world, spec);
    while simulator.step(world).is_some() {}
    simulator.session().digest(world)
}

/// Times the bare loop and full crawls alternately, so that all see the same machine load.
pub fn crawl_timings(
    world: &World,
    strategies: &[&str],
    repeats: u32,
    clock: Clock<'_>,
) -> Vec<Timing> {
    let mut timings: Vec<Timing> =
        std::iter::once("bare loop").chain(strategies.iter().copied()).map(Timing::of).collect();
    for _ in 0..repeats {
        for timing in &mut timings {
            let before = clock();
            let done = match timing.name.as_str() {
                "bare loop" => bare_loop(world) as u64,
                spec => work(crawl(world, spec)),
            };
            timing.add(clock() - before, done);
        }
    }
    timings
}

/// Times focused crawls of shops, including metrics and topic learning.
///
/// # Panics
/// If a crawl fails.
pub fn focused_timings(repeats: u32, clock: Clock<'_>) -> Vec<Timing> {
    let catalogue = crawl_run::catalogue();
    let world = Arc::new(world("shop(pages:6000,home:categories)"));
    let mut timings = FOCUSED.map(Timing::of);
    for _ in 0..repeats {
        for timing in &mut timings {
            let link = format!(
                "#v=1&world=shop(pages:6000,home:categories)&topic=label&run={}&focus=topical",
                timing.name
            );
            let experiment = Experiment::from_link(&link, &catalogue).expect("a good link");
            let before = clock();
            let mut run = Run::new(experiment, world.clone(), &catalogue).expect("it runs");
            let (lane, setting) = run.lane(0).expect("a lane");
            let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
            let took = clock() - before;
            timing.add(took, work(lane.travel().now().session().digest(setting.world)));
        }
    }
    timings.to_vec()
}

/// Times seeks to random steps of a finished run: the 95th percentile, and the mean time per step.
pub fn seek_timing(world: &World, spec: &str, n_seeks: u32, clock: Clock<'_>) -> (f64, f64) {
    let mut travel = Travel::new(simulator(world, spec));
    let before = clock();
    while travel.forward(world).is_some() {}
    let step_ms = (clock() - before) / f64::from(travel.farthest());
    let mut rng = Rng::new(1, "seeks");
    let mut times: Vec<f64> = (0..n_seeks)
        .map(|_| {
            let to = rng.below(travel.farthest() + 1);
            let before = clock();
            travel.seek(world, to);
            clock() - before
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[(times.len() * 95).div_ceil(100) - 1], step_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// The digest of a link's run.
    fn opened(link: &str) -> Digest {
        let catalogue = crawl_run::catalogue();
        let experiment = Experiment::from_link(link, &catalogue).unwrap();
        let world = Arc::new(Run::make_world(&experiment.world).unwrap());
        let mut run = Run::new(experiment, world, &catalogue).unwrap();
        let (lane, setting) = run.lane(0).unwrap();
        let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
        lane.travel().now().session().digest(setting.world)
    }

    #[test]
    fn benchmarks_run_the_same_crawls_as_the_app() {
        let campus = world("campus(pages:200)");
        let ticks = Cell::new(0.0);
        let clock = || ticks.replace(ticks.get() + 1.0);
        let timings = crawl_timings(&campus, &["opic", "fica"], 3, &clock);
        let names: Vec<&str> = timings.iter().map(|timing| timing.name.as_str()).collect();
        assert_eq!(names, ["bare loop", "opic", "fica"]);
        assert!(timings.iter().all(|timing| timing.ms == 1.0), "{timings:?}");
        let reached = campus.reach(&campus.seeds()).n_pages();
        assert_eq!(timings[0].work, u64::from(reached));
        for timing in &timings[1..] {
            let link = format!("#v=1&world=campus(pages:200)&run={}", timing.name);
            assert_eq!(timing.work, work(opened(&link)), "{}", timing.name);
        }
        assert_ne!(timings[1].work, timings[2].work);
    }

    #[test]
    fn a_timing_says_what_it_was_measured_on() {
        let mut timing = Timing::of("opic");
        timing.add(3.0, 7);
        timing.add(2.5, 7);
        timing.add(4.0, 7);
        let said = lines("timing", &[timing], &["opic"]);
        assert_eq!(said, "timing\topic\t2.5\nwork of timing\topic\t7");
    }

    #[test]
    #[should_panic(expected = "work: 0")]
    fn missing_timings_panic() {
        lines("timing", &[Timing::of("opic")], &["opic"]);
    }
}
