//! Compares the curves with plain sums, and the points with the curves.

use super::*;
use crawl_refresh::estimate::moments;

fn drawn(spec: &str) -> Figure {
    let mut figure = Figure1::new(Setting::of(spec).expect("a figure"));
    while figure.step() {}
    figure.figure()
}

const ALL: &str = "likelihood:true,bayesian:true";

/// C(n, x)·(1 − p)^x·p^(n−x).
fn binomial(n: u32, x: u32, p: f64) -> f64 {
    let ways = (1..=x).map(|i| f64::from(n - x + i) / f64::from(i)).product::<f64>();
    ways * libm::pow(1.0 - p, f64::from(x)) * libm::pow(p, f64::from(n - x))
}

#[test]
fn curves_are_the_papers_formula_and_the_binomial_sum() {
    for visits in [1, 10, 37] {
        let figure = drawn(&format!("figure-1(visits:{visits},pages:10)"));
        let [naive, reduced] = &figure.lines[..] else { panic!("two curves") };
        for (i, b) in figure.at.iter().copied().enumerate().skip(1) {
            let p = libm::exp(-b);
            assert!((naive.values[i] - (1.0 - p) / b).abs() < 1e-12, "{visits} {b}");
            let n = f64::from(visits);
            let sum = (0..=visits).map(|x| {
                let estimate = -libm::log((n - f64::from(x) + 0.5) / (n + 0.5));
                binomial(visits, x, p) * estimate
            });
            assert!((reduced.values[i] - sum.sum::<f64>() / b).abs() < 1e-10, "{visits} {b}");
        }
    }
    // Expected: +0.3 % at b = 1, −15 % at 3, for ten visits.
    let figure = drawn("figure-1(to:3,pages:10)");
    let at = |b: f64| figure.at.iter().position(|at| (at - b).abs() < 1e-9).expect("a place");
    let reduced = &figure.lines[1].values;
    assert!((reduced[at(1.0)] - 1.003).abs() < 5e-4 && (reduced[at(3.0)] - 0.85).abs() < 5e-3);
}

#[test]
fn irregular_curves_are_the_sum_over_every_visit() {
    // Five visits: sum over all 2⁵ outcomes.
    let setting = Setting::of(&format!("figure-1(visits:5,intervals:irregular,{ALL})"));
    let setting = setting.expect("a figure");
    let mean = setting.intervals.iter().map(|(i, n)| i * f64::from(*n)).sum::<f64>() / 5.0;
    assert!((mean - 1.0).abs() < 1e-12);
    let prior = setting.prior().expect("a prior");
    let figure = Figure1::new(setting.clone());
    let estimators = [
        Estimator::Naive,
        Estimator::BiasReduced,
        Estimator::MaximumLikelihood,
        Estimator::Bayesian(prior),
    ];
    for (curve, estimator) in figure.curves.iter().zip(estimators) {
        for (i, b) in figure.at.iter().copied().enumerate().skip(1).step_by(9) {
            let mut sum = 0.0;
            for outcome in 0..32_u32 {
                let mut history = History::default();
                let mut chance = 1.0;
                for visit in 0..5 {
                    let changed = outcome >> visit & 1 == 1;
                    let interval = setting.intervals[setting.interval(visit)].0;
                    history.record(changed, Span::new(interval).expect("a span")).expect("a visit");
                    let kept = libm::exp(-b * interval);
                    chance *= if changed { 1.0 - kept } else { kept };
                }
                sum += chance * estimator.rate(&history).expect("visits").get();
            }
            assert!((curve.ratios[i] - sum / b).abs() < 1e-9, "{} {b}", curve.name);
        }
    }
}

#[test]
fn points_lie_on_their_curves_within_four_standard_errors() {
    for spec in [
        format!("figure-1({ALL})"),
        format!("figure-1(visits:3,rng:7,axis:log,{ALL})"),
        format!("figure-1(visits:25,intervals:irregular,pages:500,rng:3,{ALL})"),
        format!("figure-1(visits:1,to:20,rng:5,{ALL})"),
    ] {
        let figure = drawn(&spec);
        assert_eq!((figure.lines.len(), figure.measured().len()), (4, N_PLACES as usize));
        for at in figure.measured() {
            for (line, exact, cell) in figure.reading(at) {
                let (exact, cell) = (exact.expect("exact"), cell.expect("simulated"));
                let error = cell.half_width / NORMAL;
                assert!(
                    (cell.mean - exact).abs() <= 4.0 * error + 1e-9,
                    "{spec} {} {at}",
                    line.name
                );
                // The error must be small enough for the test to fail.
                assert!(error < 0.25 * exact.max(0.4), "{spec} {} {at}: ± {error}", line.name);
            }
        }
    }
}

#[test]
fn intervals_are_as_wide_as_the_exact_variance_says() {
    let figure = drawn("figure-1(pages:100)");
    let n = NonZeroU32::new(10).expect("ten");
    for (line, estimator) in figure.lines.iter().zip([Estimator::Naive, Estimator::BiasReduced]) {
        for Point { at, cell } in &line.points {
            let exact = moments(estimator, n, Rate::new(*at).expect("a rate")).variance;
            let exact = NORMAL * libm::sqrt(exact / 100.0) / at;
            assert!((cell.half_width / exact - 1.0).abs() < 1e-9, "{at}");
        }
    }
}

#[test]
fn everything_stays_finite_where_every_visit_finds_a_change() {
    let figure = drawn(&format!("figure-1(visits:2,to:20,pages:10,{ALL})"));
    let all = figure.lines.iter().flat_map(|line| {
        line.values.iter().copied().chain(line.points.iter().map(|point| point.cell.mean))
    });
    assert!(all.into_iter().all(|value| value.is_finite() && value >= 0.0));
    // At b = 20 every visit finds a change: the estimate is ln(2n + 1).
    let reduced = figure.lines[1].values.last().expect("a value");
    assert!((20.0 * reduced - libm::log(5.0)).abs() < 1e-6);
}

#[test]
fn the_same_seed_draws_the_same_and_another_does_not() {
    let points =
        |spec: &str| drawn(spec).lines.into_iter().map(|line| line.points).collect::<Vec<_>>();
    assert_eq!(points("figure-1"), points("figure-1(rng:1)"));
    assert_ne!(points("figure-1"), points("figure-1(rng:2)"));
}

#[test]
fn the_claim_is_judged_for_what_is_drawn() {
    let says = |spec: &str| drawn(spec).zones.first().map(|zone| zone.says.clone());
    assert!(says("figure-1(pages:10)").expect("a zone").ends_with("it is 9.4\u{a0}%: held"));
    let irregular = says("figure-1(pages:10,intervals:irregular)").expect("a zone");
    assert!(irregular.ends_with(": not held"), "{irregular}");
    assert_eq!(says("figure-1(pages:10,naive:false)"), None);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let catalogue = crate::figure::catalogue();
    let error = |spec: &str| {
        let chosen = catalogue.choose(Kind::Figure, spec).map_err(|error| error.to_string())?;
        crate::figure::start(&chosen).map(|_| ())
    };
    for (spec, expected) in [
        (
            "figure-1(naive:false,bias-reduced:false)",
            "figure-1: no estimator is chosen of naive, bias-reduced, likelihood, bayesian",
        ),
        ("figure-1(visits:0)", "figure-1: visits must be a whole number, 1 to 200, not 0"),
        ("figure-1(visits:1e9)", "figure-1: visits must be a whole number, 1 to 200, not 1e9"),
        ("figure-1(to:NaN)", "figure-1: to must be 0.1 to 20, not NaN"),
        ("figure-1(pages:-3)", "figure-1: pages must be a whole number, 10 to 10000, not -3"),
        ("figure-1(axis:cubic)", "figure-1: axis must be linear | log, not cubic"),
        ("figure-2", "unknown figure 'figure-2'; did you mean 'figure-1'?"),
    ] {
        assert_eq!(error(spec), Err(expected.to_owned()), "{spec}");
    }
    // The largest parameters work.
    let largest = format!("figure-1(visits:200,intervals:irregular,pages:10,{ALL})");
    assert!(error(&largest).is_ok());
}
