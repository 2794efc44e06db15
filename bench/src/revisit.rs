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

/// The policies whose speed is promised.
pub const POLICIES: [&str; 4] = ["uniform", "optimal(knows:rates)", "optimal", "adaptive"];

/// What the bare loop is called, and that of visits alone.
pub const BARE: [&str; 2] = ["bare loop", "visits alone"];

const HOURS: f64 = 8760.0;
const HOUR_US: f64 = 3.6e9;
const YEAR_US: u64 = 8760 * 3_600_000_000;
/// Visits to a page in the year, on average.
const VISITS_PER_PAGE: f64 = 10.0;
/// Changes an hour: from a hundredth of the visits to a hundred times as many.
const SLOWEST: f64 = VISITS_PER_PAGE / HOURS / 100.0;
const DECADES: f64 = 4.0;
/// Every page links to so many that no other links to, so that all are found soon and at little cost.
const BRANCHES: u32 = 10;
const PER_HOST: u32 = 100;

/// A world whose pages all change, at rates spread evenly over decades.
///
/// # Panics
/// If it cannot be built: benchmarks name their own.
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

/// When pages are visited first, spread over the interval between visits.
fn first_visits(n_pages: u32, interval_us: u64) -> impl Iterator<Item = (u64, u32)> {
    (0..n_pages).map(move |page| {
        let share = u64::from(page.wrapping_mul(0x9e37_79b9));
        ((share * (interval_us >> 16)) >> 16, page)
    })
}

/// Microseconds between two visits to a page, and between its changes on average.
fn intervals_us(world: &World) -> (u64, Vec<f64>) {
    let means = world.pages().map(|page| HOUR_US / world.change_rate_per_hour(page));
    ((HOURS / VISITS_PER_PAGE * HOUR_US) as u64, means.collect())
}

/// The bare loop: the least that lives through a year in which all pages are visited equally often,
/// and knows at every moment how many copies are fresh. Its events are visits, and the first change
/// after one. Says how many visits were made and what share of the time copies were fresh.
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

/// Less than that: the visits alone, with how long each copy stayed fresh summed up and forgotten.
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

/// A year of a policy, not begun.
///
/// # Panics
/// If there is no such policy.
pub fn year(world: &Arc<World>, truth: &Arc<Truth>, policy: &str) -> Run {
    let catalogue = crawl_run::catalogue();
    let visits = f64::from(world.n_pages()) * VISITS_PER_PAGE / HOURS;
    // The link must name some world; the run gets the one handed in.
    let link = format!(
        "#v=1&world=campus&run=breadth-first&revisit={policy}&visits={visits}&hours={HOURS}"
    );
    let experiment = Experiment::from_link(&link, &catalogue).expect("a good link");
    Run::unlimited(experiment, world.clone(), truth.clone(), &catalogue).expect("it runs")
}

/// Lives through the year with all measures, as those who use it do; says how many steps it took.
#[inline(never)]
pub fn live(run: &mut Run) -> u32 {
    let (lane, setting) = run.lane(0).expect("a lane");
    let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
    lane.travel().farthest()
}

/// The same without measures, and without a way back.
#[inline(never)]
pub fn simulate(world: &World, mut start: Simulator) -> Simulator {
    while start.step(world).is_some() {}
    start
}

/// What a year costs.
#[derive(Clone, Debug, Default)]
pub struct Years {
    /// Of policies and the bare loop, with all measures.
    pub lived: Vec<Timing>,
    /// Of policies alone.
    pub simulated: Vec<Timing>,
    /// Bytes a page at the end, by policy.
    pub page_bytes: Vec<(String, f64)>,
}

/// Times the bare loop and years of policies, taking turns so that all meet the same machine.
///
/// # Panics
/// If they cannot run: benchmarks name their own.
pub fn year_timings(
    world: &Arc<World>,
    policies: &[&str],
    repeats: u32,
    clock: Clock<'_>,
) -> Years {
    let truth = Run::truth_of(world, &crawl_run::catalogue()).expect("ranks");
    let mut years = Years::default();
    let mut bare: Vec<Timing> = BARE.iter().copied().map(Timing::of).collect();
    years.lived = policies.iter().copied().map(Timing::of).collect();
    years.simulated.clone_from(&years.lived);
    for _ in 0..repeats {
        // Often enough that no clock is too coarse.
        let times = (1_000_000 / world.n_pages()).clamp(1, 100);
        let mut n_visits = 0;
        for (bare, run) in bare.iter_mut().zip([bare_loop, visits_alone]) {
            let before = clock();
            n_visits = (0..times).map(|_| run(world).0).max().unwrap_or(0);
            bare.add((clock() - before) / f64::from(times), u64::from(n_visits));
        }
        for (lived, simulated) in years.lived.iter_mut().zip(&mut years.simulated) {
            let policy = lived.name.clone();
            let before = clock();
            let mut run = year(world, &truth, &policy);
            let n_steps = live(&mut run);
            let took = clock() - before;
            let digest = |simulator: &Simulator| work(simulator.session().digest(&**world));
            lived.add(took, digest(run.lanes[0].travel().now()));
            assert!(n_steps > n_visits / 2, "{policy} took {n_steps} steps");
            let start = year(world, &truth, &policy)
                .lanes
                .first()
                .map(Lane::travel)
                .map(|t| t.now().clone());
            let start = start.expect("a lane");
            let before = clock();
            let end = simulate(world, start);
            simulated.add(clock() - before, digest(&end));
            if years.page_bytes.iter().all(|(name, _)| *name != policy) {
                let bytes = end.bytes() as f64 / f64::from(world.n_pages());
                years.page_bytes.push((policy, bytes));
            }
        }
    }
    years.lived.extend(bare);
    years
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_refresh::{Rate, freshness::freshness};

    /// The yardsticks do what they are measured for.
    #[test]
    fn bare_loops_come_to_what_uniform_visits_come_to() {
        let world = changing(20_000);
        let visits = Rate::new(VISITS_PER_PAGE / HOURS).unwrap();
        let of = |page| freshness(Rate::new(world.change_rate_per_hour(page)).unwrap(), visits);
        let mean = world.pages().map(of).sum::<f64>() / f64::from(world.n_pages());
        let (n_visits, fresh) = bare_loop(&world);
        let (n_alone, fresh_alone) = visits_alone(&world);
        assert_eq!((n_visits, n_alone), (200_000, 200_000));
        // Half an interval of the ten has no copy yet.
        assert!((fresh - 0.95 * mean).abs() < 0.005, "{fresh} {mean}");
        assert!((fresh_alone - mean).abs() < 0.005, "{fresh_alone} {mean}");
    }
    /// With and without measures it is one year; policies and their digests differ.
    #[test]
    fn a_year_with_measures_is_the_year_without() {
        let world = Arc::new(changing(300));
        let years = year_timings(&world, &["uniform", "adaptive"], 1, &|| 0.0);
        let works = |timings: &[Timing]| -> Vec<(String, u64)> {
            timings.iter().map(|timing| (timing.name.clone(), timing.work)).collect()
        };
        let lived = works(&years.lived);
        assert_eq!(lived[..2], works(&years.simulated));
        assert_ne!(lived[0].1, lived[1].1);
        let bare: Vec<&str> = lived[2..].iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(bare, BARE);
        assert!(lived[2..].iter().all(|(_, n_visits)| *n_visits == 3000), "{lived:?}");
    }
}
