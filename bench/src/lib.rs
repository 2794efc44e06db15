//! What `cargo xtask bench` measures.
//!
//! Every figure is a ratio within one run: against a bare loop over the same links, against native
//! code, against a peer. A clock is handed in, because this runs natively and in a browser.

pub mod revisit;

use crawl_catalogue::Kind;
use crawl_core::strategy::{self, Given};
use crawl_core::{Rules, Session, Simulator, Travel};
use crawl_protocol::Experiment;
use crawl_run::Run;
use crawl_world::{Digest, PageId, Rng, World, generate};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Milliseconds since some moment.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// The orderings whose speed is promised.
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

/// The orderings that look for a topic, whose speed is promised.
pub const FOCUSED: [&str; 4] = ["anchor-text", "jlse(cf:20)", "context-graph", "opie"];

/// A time, and what was timed.
#[derive(Clone, Debug)]
pub struct Timing {
    /// What was timed.
    pub name: String,
    /// The shortest of several runs.
    pub ms: f64,
}

/// A world made from a spec.
///
/// # Panics
/// If there is no such world: benchmarks name their own.
pub fn world(spec: &str) -> World {
    let chosen = crawl_run::catalogue().choose(Kind::World, spec).expect("a world of ours");
    let entry = generate::WORLDS.iter().find(|w| w.entry.id == chosen.id).expect("registered");
    (entry.build)(&chosen.params).expect("builds")
}

/// The bare loop: breadth first over the links, and nothing else.
///
/// A function of its own, as [`crawl`] is: a browser swaps slow first code for fast code only where
/// a function is entered, and would never do so within the one loop that calls all.
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

/// A crawl about to start, under default rules.
///
/// # Panics
/// If there is no such strategy.
pub fn simulator(world: &World, spec: &str) -> Simulator {
    let chosen = crawl_run::catalogue().choose(Kind::Strategy, spec).expect("a strategy of ours");
    let entry = strategy::find(&chosen.id).expect("registered");
    let built = (entry.build)(&chosen.params, &Given { rng: 1, ..Given::default() });
    Simulator::new(Session::new(world, &world.seeds(), built, Rules::default(), None))
}

/// Crawls until nothing waits.
#[inline(never)]
pub fn crawl(world: &World, spec: &str) -> (u32, Digest) {
    let mut simulator = simulator(world, spec);
    while simulator.step(world).is_some() {}
    (simulator.session().n_steps(), simulator.session().digest(world))
}

/// Times the bare loop and full crawls, taking turns so that all meet the same machine.
pub fn crawl_timings(
    world: &World,
    strategies: &[&str],
    repeats: u32,
    clock: Clock<'_>,
) -> Vec<Timing> {
    let mut timings: Vec<Timing> = std::iter::once("bare loop")
        .chain(strategies.iter().copied())
        .map(|name| Timing { name: name.to_owned(), ms: f64::INFINITY })
        .collect();
    for _ in 0..repeats {
        for timing in &mut timings {
            let before = clock();
            let n = match timing.name.as_str() {
                "bare loop" => bare_loop(world),
                spec => crawl(world, spec).0 as usize,
            };
            let took = clock() - before;
            assert!(n > 0, "something was crawled");
            timing.ms = timing.ms.min(took);
        }
    }
    timings
}

/// Times focused crawls of shops, measures and all, from the learning of the topic on.
///
/// # Panics
/// If they cannot run: benchmarks name their own.
pub fn focused_timings(repeats: u32, clock: Clock<'_>) -> Vec<Timing> {
    let catalogue = crawl_run::catalogue();
    let world = Arc::new(world("shop(pages:6000,home:categories)"));
    let mut timings = FOCUSED.map(|name| Timing { name: name.to_owned(), ms: f64::INFINITY });
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
            timing.ms = timing.ms.min(clock() - before);
        }
    }
    timings.to_vec()
}

/// How long seeks to random steps of a finished run take: the 95th percentile, and the mean cost of
/// one step for comparison.
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
