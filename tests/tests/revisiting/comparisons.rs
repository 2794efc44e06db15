//! Comparisons of policies: known results, and counterexamples to common claims.

use crawl_protocol::Experiment;
use crawl_run::Run;
use crawl_tests::changing::{ChangePattern, CrawlSetup, budget, policy_variant, unlinked_pages};
use crawl_world::{Rng, World};
use std::ops::ControlFlow;
use std::sync::Arc;

const STATIONARY: [&str; 5] = [
    "uniform",
    "proportional(knows:rates)",
    "classified(knows:rates)",
    "classified(phase:aligned,knows:rates)",
    "never",
];

fn mean_freshness(world: &World, spec: &str, visits: f64, hours: f64, rng: u64) -> f64 {
    let setup = CrawlSetup { rng, ..CrawlSetup::new(world, budget(visits, hours)) };
    let (run, _) = setup.finish(&policy_variant(spec));
    let now = run.copies().and_then(|copies| copies.stats("all"));
    now.expect("there are copies").mean_freshness
}

/// Mean difference in freshness between two policies, and its standard error, for equal changes.
fn more(world: &World, specs: [&str; 2], visits: f64, hours: f64) -> (f64, f64) {
    let differences: Vec<f64> = (1..=24)
        .map(|rng| {
            let [one, two] = specs.map(|spec| mean_freshness(world, spec, visits, hours, rng));
            one - two
        })
        .collect();
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let squares = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>();
    (mean, libm::sqrt(squares / (n - 1.0) / n))
}

#[test]
fn with_known_rates_the_optimum_is_the_best_in_the_long_run() {
    for seed in 0..8 {
        let mut rng = Rng::new(seed, "mix");
        let n = 2 + rng.below(7);
        let patterns: Vec<ChangePattern> = (0..n)
            .map(|_| match rng.below(6) {
                0 => ChangePattern::Never,
                _ => ChangePattern::Poisson(libm::exp(7.0 * rng.fraction() - 4.0)),
            })
            .collect();
        let visits = f64::from(n) * libm::exp(3.0 * rng.fraction() - 1.5);
        let world = unlinked_pages(&patterns);
        for other in STATIONARY {
            let (mean, error) = more(&world, ["optimal(knows:rates)", other], visits, 200.0);
            assert!(mean >= -4.0 * error - 1e-3, "{other} on {patterns:?}: {mean} ± {error}");
        }
    }
}

/// Pages that never change: proportional ignores them and visits the others more often.
///
/// The theorem of Cho & Garcia-Molina 2000 assumes rates above 0.
#[test]
fn proportional_is_better_where_pages_never_change() {
    let world = unlinked_pages(&[
        ChangePattern::Never,
        ChangePattern::Never,
        ChangePattern::Never,
        ChangePattern::Poisson(1.0),
    ]);
    let (mean, error) = more(&world, ["proportional(knows:rates)", "uniform"], 1.0, 300.0);
    assert!(mean > 4.0 * error, "{mean} ± {error}");
}

/// Over a short time, copies of slow pages stay fresh without visits.
#[test]
fn proportional_is_better_over_a_short_time() {
    let slow = vec![ChangePattern::Poisson(0.01); 6];
    let fast = vec![ChangePattern::Poisson(1.0); 6];
    let world = unlinked_pages(&[slow, fast].concat());
    let specs = ["proportional(knows:rates)", "uniform"];
    let (mean, error) = more(&world, specs, 6.0, 6.0);
    assert!(mean > 4.0 * error, "{mean} ± {error}");
    // Uniform is better if all pages change and time is long.
    let (mean, error) = more(&world, specs, 6.0, 2000.0);
    assert!(mean < 4.0 * error, "{mean} ± {error}");
    let rates = [0.2, 1.0, 5.0].map(ChangePattern::Poisson);
    let (mean, error) = more(&unlinked_pages(&rates), specs, 3.0, 600.0);
    assert!(mean < -4.0 * error, "{mean} ± {error}");
}

/// New pages compete with old ones, also by negative scores; every strategy fetches all pages.
#[test]
fn new_pages_are_fetched_when_all_pages_compete() {
    let world = crawl_tests::worlds::world("refresh-table-1");
    for ordering in ["breadth-first", "depth-first", "backlink-count", "opic", "pagerank", "fica"] {
        let setup = CrawlSetup { ordering, ..CrawlSetup::new(&world, budget(10.0, 200.0)) };
        let (run, steps) = setup.finish(&policy_variant("period-estimate"));
        let copies = run.copies().expect("pages live");
        assert_eq!(copies.n_copies(), 11, "{ordering}: {} steps", steps.len());
        let most = world.pages().map(|page| steps.iter().filter(|s| s.page == page).count()).max();
        assert!(
            most.is_some_and(|most| most * 10 < steps.len() * 9),
            "{ordering}: one page takes all"
        );
    }
}

/// Each lane has its own strategy and policy, and runs as it would alone.
#[test]
fn lanes_are_independent() {
    let catalogue = crawl_run::catalogue();
    let world = Arc::new(crawl_tests::worlds::world("newsroom(pages:200)"));
    let lanes = [
        ("breadth-first", "uniform"),
        ("opic", "period-estimate"),
        ("random", "optimal"),
        ("backlink-count", "classified(phase:aligned)"),
        ("pagerank", "adaptive"),
        ("fica", "never"),
    ];
    let finish = |orderings: &str, policies: &str| -> Vec<(String, Vec<Option<u64>>)> {
        let link = format!(
            "v=1&world=newsroom(pages:200)&run={orderings}&revisit={policies}&visits=300&hours=3&new=200"
        );
        let experiment = Experiment::from_link(&link, &catalogue).expect("a valid link");
        let mut run = Run::new(experiment, world.clone(), &catalogue).expect("it can be set up");
        (0..run.lanes.len())
            .map(|at| {
                let (lane, setting) = run.lane(at).expect("a lane");
                let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
                let last = |m: &crawl_run::Measured| m.series.last().map(f64::to_bits);
                let values = lane.measures().iter().map(last).collect();
                (lane.travel().now().session().digest(setting.world).to_string(), values)
            })
            .collect()
    };
    let [orderings, policies] = [0, 1].map(|i| {
        let names = lanes.map(|lane| if i == 0 { lane.0 } else { lane.1 });
        names.join(",")
    });
    let together = finish(&orderings, &policies);
    for ((ordering, policy), found) in lanes.into_iter().zip(together) {
        assert_eq!(finish(ordering, policy), [found], "{ordering} with {policy}");
    }
}
