//! A year of revisiting, against a bare event loop.

use crate::{Clock, Timing, work};
use crawl_core::{Simulator, Truth};
use crawl_protocol::Experiment;
use crawl_run::{Lane, Run};
use crawl_world::{PageId, Rng, World, WorldBuilder};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The policies to time.
pub const POLICIES: [&str; 4] = ["uniform", "optimal(knows:rates)", "optimal", "adaptive"];

/// Names of the two baselines.
pub const BARE: [&str; 2] = ["bare loop", "visits alone"];

const HOURS: f64 = 8760.0;
const HOUR_US: f64 = 3.6e9;
const YEAR_US: u64 = 8760 * 3_600_000_000;
/// Mean number of visits per page and year.
const VISITS_PER_PAGE: f64 = 10.0;
/// Change rates per hour: from a hundredth of the visit rate to a hundred times it.
const SLOWEST: f64 = VISITS_PER_PAGE / HOURS / 100.0;
const DECADES: f64 = 4.0;
/// Number of links per page; each page has one incoming link, so that all are found soon.
const BRANCHES: u32 = 10;
const PER_HOST: u32 = 100;

/// A world whose pages all change, at rates spread evenly over decades.
///
/// # Panics
/// If it cannot be built.
pub fn changing(n_pages: u32) -> World {
    let mut rng = Rng::new(1, "changing");
    let mut builder = WorldBuilder::new("Changing");
    builder.reserve(n_pages as usize, n_pages as usize);
    for number in 0..n_pages {
        let host = number / PER_HOST;
        let page = builder.page(&format!("http://site{host}.example/page{number}"));
        let page = page.expect("a URL of its own");
        let rate = SLOWEST * libm::pow(10.0, rng.fraction() * DECADES);
        builder.set_change_rate(page, rate).expect("a rate");
        if let Some(before) = number.checked_sub(1) {
            builder.link(PageId(before / BRANCHES), page);
        }
    }
    builder.seed(PageId(0));
    builder.finish().expect("a world")
}

/// First visits, spread over the interval between visits.
fn first_visits(n_pages: u32, interval_us: u64) -> impl Iterator<Item = (u64, u32)> {
    (0..n_pages).map(move |page| {
        let share = u64::from(page.wrapping_mul(0x9e37_79b9));
        ((share * (interval_us >> 16)) >> 16, page)
    })
}

/// The interval between visits, and the mean interval between changes of each page, in µs.
fn intervals_us(world: &World) -> (u64, Vec<f64>) {
    let means = world.pages().map(|page| HOUR_US / world.change_rate_per_hour(page));
    ((HOURS / VISITS_PER_PAGE * HOUR_US) as u64, means.collect())
}

/// Baseline: a minimal event loop of uniform visits that tracks the number of fresh copies.
///
/// Events are visits, and the first change after each. Returns the number of visits and the mean
/// freshness.
#[inline(never)]
pub fn bare_loop(world: &World) -> (u32, f64) {
    let (interval_us, means_us) = intervals_us(world);
    let n_pages = world.n_pages();
    let mut rng = Rng::new(1, "bare loop");
    let mut events: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::with_capacity(2 * means_us.len());
    // Even numbers are visits, odd ones changes.
    let visits = first_visits(n_pages, interval_us);
    events.extend(visits.map(|(at_us, page)| Reverse((at_us, 2 * page))));
    let mut is_fresh = vec![false; means_us.len()];
    let (mut n_visits, mut n_fresh, mut fresh_us, mut then_us) = (0, 0_u32, 0.0, 0);
    while let Some(Reverse((now_us, event))) = events.pop() {
        fresh_us += f64::from(n_fresh) * (now_us - then_us) as f64;
        then_us = now_us;
        let page = (event / 2) as usize;
        if event % 2 == 1 {
            is_fresh[page] = false;
            n_fresh -= 1;
            continue;
        }
        n_visits += 1;
        if !std::mem::replace(&mut is_fresh[page], true) {
            n_fresh += 1;
            let stale_us = now_us + rng.exponential(means_us[page]) as u64;
            if stale_us < YEAR_US {
                events.push(Reverse((stale_us, event + 1)));
            }
        }
        if now_us + interval_us < YEAR_US {
            events.push(Reverse((now_us + interval_us, event)));
        }
    }
    fresh_us += f64::from(n_fresh) * (YEAR_US - then_us) as f64;
    (n_visits, fresh_us / (f64::from(n_pages) * YEAR_US as f64))
}

/// A smaller baseline: visits only, summing the fresh time of each copy.
#[inline(never)]
pub fn visits_alone(world: &World) -> (u32, f64) {
    let (interval_us, means_us) = intervals_us(world);
    let mut rng = Rng::new(1, "visits alone");
    let mut due: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::with_capacity(means_us.len());
    due.extend(first_visits(world.n_pages(), interval_us).map(Reverse));
    let (mut n_visits, mut fresh_us) = (0, 0.0);
    while let Some(Reverse((now_us, page))) = due.pop() {
        n_visits += 1;
        fresh_us += rng.exponential(means_us[page as usize]).min(interval_us as f64);
        if now_us + interval_us < YEAR_US {
            due.push(Reverse((now_us + interval_us, page)));
        }
    }
    (n_visits, fresh_us / (f64::from(n_visits) * interval_us as f64))
}

/// A year's run of a policy, before its first step.
///
/// # Panics
/// If the policy does not exist.
pub fn year(world: &Arc<World>, truth: &Arc<Truth>, policy: &str) -> Run {
    let catalogue = crawl_run::catalogue();
    let visits = f64::from(world.n_pages()) * VISITS_PER_PAGE / HOURS;
    // The link must name a world; it is replaced by the given one.
    let link = format!(
        "#v=1&world=campus&run=breadth-first&revisit={policy}&visits={visits}&hours={HOURS}"
    );
    let experiment = Experiment::from_link(&link, &catalogue).expect("a good link");
    Run::unlimited(experiment, world.clone(), truth.clone(), &catalogue).expect("it runs")
}

/// Runs a year with all metrics, as the app does; returns the number of steps.
#[inline(never)]
pub fn run_with_metrics(run: &mut Run) -> u32 {
    let (lane, setting) = run.lane(0).expect("a lane");
    let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
    lane.travel().farthest()
}

/// Runs a year without metrics and without checkpoints.
#[inline(never)]
pub fn run_without_metrics(world: &World, mut start: Simulator) -> Simulator {
    while start.step(world).is_some() {}
    start
}

/// Timings of years.
#[derive(Clone, Debug, Default)]
pub struct Years {
    /// Policies with all metrics, and the baselines.
    pub with_metrics: Vec<Timing>,
    /// Policies without metrics.
    pub without_metrics: Vec<Timing>,
    /// Memory per page at the end in bytes, by policy.
    pub page_bytes: Vec<(String, f64)>,
}

/// Times the baselines and years of policies alternately, so that all see the same machine load.
///
/// # Panics
/// If a run fails.
pub fn year_timings(
    world: &Arc<World>,
    policies: &[&str],
    repeats: u32,
    clock: Clock<'_>,
) -> Years {
    let truth = Run::truth_of(world, &crawl_run::catalogue()).expect("ranks");
    let mut years = Years::default();
    let mut bare: Vec<Timing> = BARE.iter().copied().map(Timing::of).collect();
    years.with_metrics = policies.iter().copied().map(Timing::of).collect();
    years.without_metrics.clone_from(&years.with_metrics);
    for _ in 0..repeats {
        // Repeated often enough for coarse clocks.
        let times = (1_000_000 / world.n_pages()).clamp(1, 100);
        let mut n_visits = 0;
        for (bare, run) in bare.iter_mut().zip([bare_loop, visits_alone]) {
            let before = clock();
            n_visits = (0..times).map(|_| run(world).0).max().unwrap_or(0);
            bare.add((clock() - before) / f64::from(times), u64::from(n_visits));
        }
        for (with_metrics, without_metrics) in
            years.with_metrics.iter_mut().zip(&mut years.without_metrics)
        {
            let policy = with_metrics.name.clone();
            let before = clock();
            let mut run = year(world, &truth, &policy);
            let n_steps = run_with_metrics(&mut run);
            let took = clock() - before;
            let digest = |simulator: &Simulator| work(simulator.session().digest(&**world));
            with_metrics.add(took, digest(run.lanes[0].travel().now()));
            assert!(n_steps > n_visits / 2, "{policy} took {n_steps} steps");
            let start = year(world, &truth, &policy)
                .lanes
                .first()
                .map(Lane::travel)
                .map(|t| t.now().clone());
            let start = start.expect("a lane");
            let before = clock();
            let end = run_without_metrics(world, start);
            without_metrics.add(clock() - before, digest(&end));
            if years.page_bytes.iter().all(|(name, _)| *name != policy) {
                let bytes = end.bytes() as f64 / f64::from(world.n_pages());
                years.page_bytes.push((policy, bytes));
            }
        }
    }
    years.with_metrics.extend(bare);
    years
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_refresh::{Rate, freshness::freshness};

    /// Checks the baselines against the formula.
    #[test]
    fn baselines_agree_with_the_formula_for_uniform_visits() {
        let world = changing(20_000);
        let visits = Rate::new(VISITS_PER_PAGE / HOURS).unwrap();
        let of = |page| freshness(Rate::new(world.change_rate_per_hour(page)).unwrap(), visits);
        let mean = world.pages().map(of).sum::<f64>() / f64::from(world.n_pages());
        let (n_visits, fresh) = bare_loop(&world);
        let (n_alone, fresh_alone) = visits_alone(&world);
        assert_eq!((n_visits, n_alone), (200_000, 200_000));
        // Before its first visit, on average half of one of ten intervals, a page has no copy.
        assert!((fresh - 0.95 * mean).abs() < 0.005, "{fresh} {mean}");
        assert!((fresh_alone - mean).abs() < 0.005, "{fresh_alone} {mean}");
    }
    /// Runs with and without metrics are equal; policies have different digests.
    #[test]
    fn metrics_do_not_change_the_run() {
        let world = Arc::new(changing(300));
        let years = year_timings(&world, &["uniform", "adaptive"], 1, &|| 0.0);
        let works = |timings: &[Timing]| -> Vec<(String, u64)> {
            timings.iter().map(|timing| (timing.name.clone(), timing.work)).collect()
        };
        let with_metrics = works(&years.with_metrics);
        assert_eq!(with_metrics[..2], works(&years.without_metrics));
        assert_ne!(with_metrics[0].1, with_metrics[1].1);
        let bare: Vec<&str> = with_metrics[2..].iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(bare, BARE);
        assert!(
            with_metrics[2..].iter().all(|(_, n_visits)| *n_visits == 3000),
            "{with_metrics:?}"
        );
    }
}
