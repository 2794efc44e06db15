//! Simulations against closed forms, within four standard errors, for every policy and change
//! process with a formula; and the paper's means at equal budgets.

use crawl_core::{CopyStats, Simulator};
use crawl_protocol::{Experiment, WorldSource};
use crawl_refresh::allocate::{
    Goal, Weights, classified, mean_age, mean_freshness, optimal, proportional, uniform,
};
use crawl_refresh::freshness::{Phase, age_until, freshness_until, periodic};
use crawl_refresh::{Rate, Span};
use crawl_run::Run;
use crawl_tests::changing::{
    ChangePattern, CrawlSetup, HOUR_US, budget, policy_variant, table_1, unlinked_pages,
};
use crawl_world::{Rhythm, Rng, World};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Independent runs for the standard error.
const N_RUNS: u64 = 40;
/// Hours before measurement starts, so that first visits have spread.
const BEFORE_H: f64 = 40.0;

fn rate(value: f64) -> Rate {
    Rate::new(value).expect("a rate")
}

/// Mean freshness and age between two times.
fn between(run: &mut Simulator, world: &World, from_us: u64, to_us: u64) -> (f64, f64) {
    let mut sums = Vec::new();
    for until_us in [from_us, to_us] {
        while run.now_us() < until_us && run.step(world).is_some() {}
        run.age_until(until_us);
        let copies = run.copies().expect("pages live");
        let CopyStats { mean_freshness, mean_age_h, .. } = copies.stats("all").expect("copies");
        // All copies are made at the start, so the means cover all time since then.
        let hours = copies.now_us() as f64 / HOUR_US;
        sums.push((mean_freshness * hours, mean_age_h * hours, hours));
    }
    let hours = sums[1].2 - sums[0].2;
    ((sums[1].0 - sums[0].0) / hours, (sums[1].1 - sums[0].1) / hours)
}

/// A mean and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (mean, libm::sqrt(squares / (n - 1.0) / n))
}

#[track_caller]
fn agrees(what: &str, values: &[f64], expected: f64) {
    let (mean, error) = mean_and_error(values);
    let off = (mean - expected).abs();
    assert!(off <= 4.0 * error + 1e-9, "{what}: {mean} ± {error} is not {expected}");
    // A large standard error would make the test meaningless.
    assert!(error < 0.05 * expected.abs().max(0.05), "{what}: ± {error} tells nothing");
}

/// Runs a policy with many random seeds and compares with the formulas.
#[track_caller]
fn check(world: &World, spec: &str, visits: f64, fresh: f64, age: Option<f64>) {
    let hours = BEFORE_H + 600.0;
    let found: Vec<(f64, f64)> = (1..=N_RUNS)
        .map(|rng| {
            let setup = CrawlSetup { rng, ..CrawlSetup::new(world, budget(visits, hours)) };
            let to_us = setup.again.end_us;
            let from_us = (BEFORE_H * HOUR_US) as u64;
            between(&mut setup.start(&policy_variant(spec)), world, from_us, to_us)
        })
        .collect();
    let name = format!("{spec} at {visits}");
    let [freshness, ages] = [0, 1].map(|i| -> Vec<f64> {
        found.iter().map(|found| if i == 0 { found.0 } else { found.1 }).collect()
    });
    agrees(&format!("freshness of {name}"), &freshness, fresh);
    if let Some(age) = age {
        agrees(&format!("age of {name}"), &ages, age);
    }
}

fn rates_of(world: &World) -> Vec<Rate> {
    world.pages().map(|page| rate(world.change_rate_per_hour(page))).collect()
}

/// Mean freshness and age for the visit rates computed by `crawl-refresh`.
fn of_rates(world: &World, visits: &[Rate]) -> (f64, Option<f64>) {
    let rates = rates_of(world);
    let fresh = mean_freshness(&rates, Weights::Equal, visits).expect("a mean");
    let age = mean_age(&rates, Weights::Equal, visits).expect("a mean");
    (fresh, Some(age).filter(|age| age.is_finite()))
}

#[test]
fn fixed_rates_agree_with_the_formula() {
    let small = [0.0, 0.1, 0.4, 3.0].map(|rate| match rate {
        0.0 => ChangePattern::Never,
        rate => ChangePattern::Poisson(rate),
    });
    for (world, budgets) in
        [(table_1(), [20.0 / 3.0, 10.0 / 6.0]), (unlinked_pages(&small), [4.0, 1.5])]
    {
        let rates = rates_of(&world);
        for visits in budgets {
            let all = rate(visits);
            let (fresh, age) = of_rates(&world, &uniform(rates.len(), all));
            check(&world, "uniform", visits, fresh, age);
            let (fresh, age) = of_rates(&world, &proportional(&rates, all));
            check(&world, "proportional(knows:rates)", visits, fresh, age);
            for (goal, spec) in [
                (Goal::Freshness, "optimal(knows:rates)"),
                (Goal::Age, "optimal(for:age,knows:rates)"),
            ] {
                let best = optimal(goal, &rates, Weights::Equal, all).expect("an optimum");
                let (fresh, age) = of_rates(&world, &best.visits);
                check(&world, spec, visits, fresh, age);
            }
        }
    }
}

#[test]
fn classified_refresh_agrees_with_the_formula() {
    let world = table_1();
    let rates = rates_of(&world);
    let classes = classified(&rates, rate(1.0 / 6.0), &[rate(1.0 / 3.0)]).expect("classes");
    for visits in [20.0 / 3.0, 10.0 / 6.0] {
        let classes = classes.scaled_to(rate(visits));
        for (phase, spec) in [
            (Phase::Even, "classified(knows:rates)"),
            (Phase::Aligned, "classified(phase:aligned,knows:rates)"),
        ] {
            let fresh = classes.mean_freshness(&rates, Weights::Equal, phase).expect("a mean");
            let age = classes.mean_age(&rates, Weights::Equal, phase).expect("a mean");
            check(&world, spec, visits, fresh, Some(age));
        }
    }
}

/// Periodic changes: only the phases are random.
#[test]
fn periodic_changes_agree_with_the_formula() {
    let periods = [0.37, 0.81, 1.73, 3.1, 7.9];
    for visits in [2.0, 9.0] {
        let per_page = rate(visits / periods.len() as f64);
        let mean = |of: fn(Rate, Rate) -> f64| {
            let all = periods.map(|period: f64| of(rate(1.0 / period), per_page));
            all.iter().sum::<f64>() / periods.len() as f64
        };
        let hours = BEFORE_H + 160.0;
        let found: Vec<(f64, f64)> = (1..=N_RUNS)
            .map(|seed| {
                let mut rng = Rng::new(seed, "phases");
                let patterns = periods.map(|period| {
                    let period_s = 3600.0 * period;
                    let phase_s = period_s * rng.fraction();
                    ChangePattern::Rhythm(Rhythm::Periodic { period_s, phase_s })
                });
                let world = unlinked_pages(&patterns);
                let setup = CrawlSetup::new(&world, budget(visits, hours));
                let from_us = (BEFORE_H * HOUR_US) as u64;
                let mut run = setup.start(&policy_variant("uniform"));
                between(&mut run, &world, from_us, setup.again.end_us)
            })
            .collect();
        let fresh: Vec<f64> = found.iter().map(|found| found.0).collect();
        let ages: Vec<f64> = found.iter().map(|found| found.1).collect();
        agrees(&format!("freshness by clocks at {visits}"), &fresh, mean(periodic::freshness));
        agrees(&format!("age by clocks at {visits}"), &ages, mean(periodic::age));
    }
}

/// Without visits: copies that are fresh at the start, over a finite horizon.
#[test]
fn unvisited_copies_agree_with_the_formula() {
    let rates = [0.0, 0.03, 0.2, 1.1];
    let patterns = rates
        .map(|rate| if rate > 0.0 { ChangePattern::Poisson(rate) } else { ChangePattern::Never });
    let world = unlinked_pages(&vec![patterns.to_vec(); 5].concat());
    for hours in [0.5, 3.0, 40.0] {
        let span = Span::new(hours).expect("a span");
        let mean = |of: fn(Rate, Rate, Span) -> f64| {
            rates.iter().map(|r| of(rate(*r), Rate::ZERO, span)).sum::<f64>() / rates.len() as f64
        };
        let found: Vec<CopyStats> = (1..=60)
            .map(|rng| {
                let setup = CrawlSetup { rng, ..CrawlSetup::new(&world, budget(5.0, hours)) };
                let (run, steps) = setup.finish(&policy_variant("never"));
                assert_eq!(steps.len(), 20, "no page is fetched twice");
                run.copies().and_then(|copies| copies.stats("all")).expect("copies")
            })
            .collect();
        let fresh: Vec<f64> = found.iter().map(|now| now.mean_freshness).collect();
        let ages: Vec<f64> = found.iter().map(|now| now.mean_age_h).collect();
        agrees(&format!("freshness after {hours}"), &fresh, mean(freshness_until));
        agrees(&format!("age after {hours}"), &ages, mean(age_until));
    }
}

/// The final value of a metric.
fn measured(world: &Arc<World>, spec: &str, visits: f64, hours: f64, measure: &str) -> f64 {
    let catalogue = crawl_run::catalogue();
    let link = format!(
        "v=1&world=greedy-oracle&run=breadth-first&revisit={spec}&visits={visits}&hours={hours}&latency=0"
    );
    let mut experiment = Experiment::from_link(&link, &catalogue).expect("a valid link");
    let digest = world.digest().to_string();
    experiment.world = WorldSource::File { digest, names: Vec::new(), data: None };
    let mut run = Run::new(experiment, world.clone(), &catalogue).expect("it can be set up");
    let (lane, setting) = run.lane(0).expect("one lane");
    let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
    lane.measure(measure).and_then(crawl_run::Series::last).expect("it is measured")
}

/// Wen & Lu 2004: optimal 0.750, uniform 0.724, classified 0.711 (aligned 0.691), proportional
/// 0.680 at 20/3 visits per hour; 0.466, 0.459, 0.331 and 0.291 at 10/6.
#[test]
fn equal_budgets_give_the_papers_means() {
    let world = Arc::new(table_1());
    let rates = rates_of(&world);
    let classes = classified(&rates, rate(1.0 / 6.0), &[rate(1.0 / 3.0)]).expect("classes");
    for (visits, printed) in [
        (20.0 / 3.0, [0.750, 0.724, 0.711, 0.691, 0.680]),
        (10.0 / 6.0, [0.466, 0.459, 0.331, f64::NAN, 0.291]),
    ] {
        let all = rate(visits);
        let scaled = classes.scaled_to(all);
        let best = optimal(Goal::Freshness, &rates, Weights::Equal, all).expect("an optimum");
        let of = |visits: &[Rate]| of_rates(&world, visits).0;
        let by_class = |phase| scaled.mean_freshness(&rates, Weights::Equal, phase);
        let exact = [
            of(&best.visits),
            of(&uniform(10, all)),
            by_class(Phase::Even).expect("a mean"),
            by_class(Phase::Aligned).expect("a mean"),
            of(&proportional(&rates, all)),
        ];
        let specs = [
            "optimal(knows:rates)",
            "uniform",
            "classified(knows:rates)",
            "classified(phase:aligned,knows:rates)",
            "proportional(knows:rates)",
        ];
        for ((spec, exact), printed) in specs.into_iter().zip(exact).zip(printed) {
            let found = measured(&world, spec, visits, 40.0, "expected-freshness");
            assert!((found - exact).abs() < 1e-12, "{spec} at {visits}: {found} is not {exact}");
            let is_printed = printed.is_nan() || format!("{found:.3}") == format!("{printed:.3}");
            assert!(is_printed, "{spec} at {visits}: {found} is not {printed}");
        }
    }
}

/// The registered world has a home page that never changes: it counts as fresh, and takes its share
/// of the visits or none.
#[test]
fn the_registered_table_has_the_same_means_and_a_home_page() {
    let world = Arc::new(crawl_tests::worlds::world("refresh-table-1"));
    let rates = rates_of(&world);
    for visits in [20.0 / 3.0, 10.0 / 6.0] {
        let all = rate(visits);
        let best = optimal(Goal::Freshness, &rates, Weights::Equal, all).expect("an optimum");
        let classes = classified(&rates, rate(1.0 / 6.0), &[rate(1.0 / 3.0)]).expect("classes");
        for (spec, exact) in [
            ("uniform", uniform(11, all)),
            ("proportional(knows:rates)", proportional(&rates, all)),
            ("optimal(knows:rates)", best.visits),
            ("classified(knows:rates)", classes.scaled_to(all).visits()),
        ] {
            let exact = of_rates(&world, &exact).0;
            let found = measured(&world, spec, visits, 100.0, "expected-freshness");
            assert!((found - exact).abs() < 1e-12, "{spec} at {visits}: {found} is not {exact}");
        }
    }
}
