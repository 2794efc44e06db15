//! Which policy is better than which, where that is known; and where what is often said is false.

use crawl_protocol::Experiment;
use crawl_run::Run;
use crawl_tests::living::{Habit, Trip, apart, budget, visitor};
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
    let trip = Trip { rng, ..Trip::new(world, budget(visits, hours)) };
    let (run, _) = trip.finish(&visitor(spec));
    let now = run.copies().and_then(|copies| copies.standing("all"));
    now.expect("there are copies").mean_freshness
}

/// How much fresher one policy keeps pages than another, and the standard error of that; both see the
/// same changes.
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
        let habits: Vec<Habit> = (0..n)
            .map(|_| match rng.below(6) {
                0 => Habit::Never,
                _ => Habit::Poisson(libm::exp(7.0 * rng.fraction() - 4.0)),
            })
            .collect();
        let visits = f64::from(n) * libm::exp(3.0 * rng.fraction() - 1.5);
        let world = apart(&habits);
        for other in STATIONARY {
            let (mean, error) = more(&world, ["optimal(knows:rates)", other], visits, 200.0);
            assert!(mean >= -4.0 * error - 1e-3, "{other} on {habits:?}: {mean} ± {error}");
        }
    }
}

/// Pages that never change: proportional leaves them alone, and has more for the others. (Cho and
/// Garcia-Molina's theorem is about rates above 0.)
#[test]
fn proportional_is_better_where_pages_never_change() {
    let world = apart(&[Habit::Never, Habit::Never, Habit::Never, Habit::Poisson(1.0)]);
    let (mean, error) = more(&world, ["proportional(knows:rates)", "uniform"], 1.0, 300.0);
    assert!(mean > 4.0 * error, "{mean} ± {error}");
}

/// Over a short time slow copies stay fresh by themselves.
#[test]
fn proportional_is_better_over_a_short_time() {
    let slow = vec![Habit::Poisson(0.01); 6];
    let fast = vec![Habit::Poisson(1.0); 6];
    let world = apart(&[slow, fast].concat());
    let specs = ["proportional(knows:rates)", "uniform"];
    let (mean, error) = more(&world, specs, 6.0, 6.0);
    assert!(mean > 4.0 * error, "{mean} ± {error}");
    // And not where all change and there is time.
    let (mean, error) = more(&world, specs, 6.0, 2000.0);
    assert!(mean < 4.0 * error, "{mean} ± {error}");
    let rates = [0.2, 1.0, 5.0].map(Habit::Poisson);
    let (mean, error) = more(&apart(&rates), specs, 3.0, 600.0);
    assert!(mean < -4.0 * error, "{mean} ± {error}");
}

/// New and old pages compete by scores below 0 as well: whatever the ordering, all pages come in.
#[test]
fn where_all_pages_compete_new_ones_come_in() {
    let world = crawl_tests::worlds::world("refresh-table-1");
    for ordering in ["breadth-first", "depth-first", "backlink-count", "opic", "pagerank", "fica"] {
        let trip = Trip { ordering, ..Trip::new(&world, budget(10.0, 200.0)) };
        let (run, steps) = trip.finish(&visitor("period-estimate"));
        let copies = run.copies().expect("pages live");
        assert_eq!(copies.n_copies(), 11, "{ordering}: {} steps", steps.len());
        let most = world.pages().map(|page| steps.iter().filter(|s| s.page == page).count()).max();
        assert!(
            most.is_some_and(|most| most * 10 < steps.len() * 9),
            "{ordering}: one page takes all"
        );
    }
}

/// Orderings and policies of their own a lane: each lane runs as it would alone.
#[test]
fn lanes_do_not_know_of_each_other() {
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
