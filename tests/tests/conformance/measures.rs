//! Metrics are deterministic numbers or nothing, and equal slow reference computations.

use crate::{cases, random_world};
use crawl_catalogue::Kind;
use crawl_core::metric::{METRICS, Observation, Setting};
use crawl_core::{Bounds, Rules, Simulator, Step, Truth, area_pages};
use crawl_tests::variants::{StrategyVariant, strategy_variants, topic_truth, truth, variants};
use crawl_world::{PageId, World};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// A metric's name and its value after each step.
type Curve = (String, Vec<Option<f64>>);

/// A run with the data for reference computations.
struct Measured {
    steps: Vec<Step>,
    /// Waiting pages after each step.
    waiting: Vec<Vec<PageId>>,
    n_discovered: Vec<u32>,
    curves: Vec<Curve>,
}

fn pagerank(world: &World) -> Truth {
    let chosen = crawl_run::catalogue().choose(Kind::Ranker, "pagerank");
    truth(world, &chosen.expect("a registered ranker"))
}

fn measure(
    variant: &StrategyVariant,
    world: &World,
    seeds: &[PageId],
    setting: Setting<'_>,
    rules: &Rules,
) -> Measured {
    let catalogue = crawl_run::catalogue();
    let mut metrics = Vec::new();
    for entry in METRICS {
        for chosen in variants(&catalogue, Kind::Metric, &entry.entry) {
            metrics.push((chosen.to_string(), (entry.build)(&chosen.params, &setting), Vec::new()));
        }
    }
    let mut run = Simulator::new(variant.session(world, seeds, rules));
    let (mut steps, mut waiting, mut n_discovered) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(step) = run.step(world) {
        for (_, metric, values) in &mut metrics {
            values.push(metric.observe(&Observation { setting, step, run: &run, is_last: false }));
        }
        let session = run.session();
        let waits = session.frontier().waiting().map(|url| session.book().page(url));
        waiting.push(waits.collect());
        n_discovered.push(session.book().n_discovered());
        steps.push(step);
    }
    let curves = metrics.into_iter().map(|(name, _, values)| (name, values)).collect();
    Measured { steps, waiting, n_discovered, curves }
}

/// The expected value of a metric after a step, computed over all steps; `None` if not covered.
fn slow(
    name: &str,
    run: &Measured,
    at: usize,
    setting: &Setting<'_>,
    rules: &Rules,
) -> Option<f64> {
    let steps = &run.steps[..=at];
    let rank = |step: &Step| setting.truth.ranks[step.page.index()];
    let gathered = |n: usize| steps[..n].iter().map(rank).sum::<f64>();
    let n = steps.len();
    Some(match name {
        "cumulative-pagerank" => gathered(n),
        "mean-pagerank" => gathered(n) / n as f64,
        "area" => {
            let reachable = setting.reach.n_pages() as usize;
            let most = (reachable / 5).min(rules.budget.map_or(usize::MAX, |b| b as usize)).max(1);
            let n = n.min(most);
            (1..=n).map(gathered).sum::<f64>() / n as f64
        }
        "regret" => {
            let known = &run.waiting[at];
            let before = |page: &&PageId| {
                // Pages found by this fetch could not have been chosen instead of it.
                at > 0 && run.waiting[at - 1].contains(page)
                    || at == 0 && setting.world.seeds().contains(page)
            };
            let ranks = known.iter().filter(before).map(|p| setting.truth.ranks[p.index()]);
            (ranks.fold(f64::NEG_INFINITY, f64::max) - rank(&steps[at])).max(0.0)
        }
        "discovered" => f64::from(run.n_discovered[at]),
        "errors" => steps.iter().filter(|step| step.status >= 400).count() as f64,
        "trap-pages" => {
            let trap = |step: &&Step| setting.world.topics(step.page).any(|t| t == "trap");
            steps.iter().filter(trap).count() as f64
        }
        "top-found" => share_of_top(steps, setting, 0.1),
        "top-found(percent:100)" => share_of_top(steps, setting, 1.0),
        "idle" => {
            let us = |step: &Step| {
                let (latency, bytes) =
                    (setting.world.latency_ms(step.page), setting.world.bytes(step.page));
                let seconds = latency.unwrap_or(rules.latency_ms) / 1e3
                    + f64::from(bytes.unwrap_or(0)) / rules.bandwidth;
                (seconds * 1e6).round()
            };
            let busy: f64 = steps.iter().map(us).sum();
            1.0 - busy / steps[at].at_us as f64
        }
        _ => return None,
    })
}

fn share_of_top(steps: &[Step], setting: &Setting<'_>, share: f64) -> f64 {
    let mut best: Vec<PageId> = setting.reach.pages().to_vec();
    let rank = |page: &PageId| crawl_core::rounded(setting.truth.ranks[page.index()]);
    best.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    let n_top = ((best.len() as f64 * share).round() as usize).max(1);
    let found = best[..n_top].iter().filter(|page| steps.iter().any(|s| s.page == **page));
    found.count() as f64 / n_top as f64
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn measures_are_what_a_slow_count_says(n_pages in 1_usize..50, seed in any::<u64>()) {
        let sketch = random_world(seed, n_pages);
        let (world, seeds) = (sketch.world(), sketch.seeds());
        let (truth, reach) = (pagerank(&world), world.reach(&seeds));
        let topic = topic_truth(&world);
        let rules = Rules {
            budget: (seed % 3 == 0).then_some(7),
            delay_us: (seed % 2) * 700_000,
            ..Rules::default()
        };
        let mut go_on = |_| ControlFlow::Continue(());
        let n_steps = area_pages(&rules, &reach);
        let bounds = Bounds::new(&world, &truth, &seeds, &rules, seed, n_steps, &mut go_on);
        let setting = Setting {
            topic: topic.as_ref(),
            world: &world,
            truth: &truth,
            reach: &reach,
            area_pages: n_steps,
            bounds: bounds.as_ref(),
        };
        for variant in strategy_variants() {
            let run = measure(&variant, &world, &seeds, setting, &rules);
            let again = measure(&variant, &world, &seeds, setting, &rules);
            prop_assert_eq!(&run.curves, &again.curves);
            for (name, values) in &run.curves {
                for (at, value) in values.iter().enumerate() {
                    prop_assert!(value.is_none_or(f64::is_finite), "{} at {}", name, at);
                    let Some(expected) = slow(name, &run, at, &setting, &rules) else { continue };
                    let close = value.is_some_and(|v| (v - expected).abs() < 1e-9 * n_pages as f64);
                    prop_assert!(close, "{} of {} at {}: {:?}, not {}", name, variant.name(), at, value, expected);
                }
            }
            // No run collects more than the ideal.
            let ideal = &bounds.as_ref().expect("nobody stopped it").ideal;
            let gathered = run.curves.iter().find(|(name, _)| name == "cumulative-pagerank");
            for (gathered, ideal) in gathered.iter().flat_map(|(_, values)| values).zip(ideal) {
                prop_assert!(gathered.is_some_and(|g| g <= ideal + 1e-9), "{gathered:?} > {ideal}");
            }
        }
    }
}
