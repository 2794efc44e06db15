//! Compares optimal visit rates with the paper's numbers, other policies and a slow solver.

use crawl_refresh::allocate::{
    AllocateError, Goal, Optimum, Weights, classified, mean_age, mean_freshness, optimal,
    proportional, spent, uniform, visits_at,
};
use crawl_refresh::freshness::{Phase, age, freshness, freshness_until, memoryless_freshness};
use crawl_refresh::{Rate, Span, rates};
use proptest::prelude::*;

fn rate(value: f64) -> Rate {
    Rate::new(value).unwrap()
}

fn numbers(visits: &[Rate]) -> Vec<f64> {
    visits.iter().map(|rate| rate.get()).collect()
}

/// Checks the conditions on μ, and the budget.
fn check(goal: Goal, changes: &[Rate], weights: &[f64], budget: f64, found: &Optimum) {
    assert!((found.spent / budget - 1.0).abs() < 1e-12, "{} of {budget}", found.spent);
    assert!((spent(&found.visits) / budget - 1.0).abs() < 1e-9);
    let residual = found.residual(goal, changes, Weights::Each(weights));
    assert!(residual < 1e-9 && found.multiplier > 0.0, "{residual}");
    for ((&changes, &weight), visits) in changes.iter().zip(weights).zip(&found.visits) {
        let counts = changes.get() > 0.0 && weight > 0.0;
        let is_zero = match goal {
            Goal::Freshness => !counts || weight / changes.get() <= found.multiplier,
            Goal::Age => !counts,
        };
        assert_eq!(visits.get() == 0.0, is_zero, "{changes:?} {weight} {visits:?}");
    }
}

#[test]
fn rates_one_to_five_at_a_budget_of_five() {
    let changes = rates(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let found = optimal(Goal::Freshness, &changes, Weights::Equal, rate(5.0)).unwrap();
    check(Goal::Freshness, &changes, &[1.0; 5], 5.0, &found);
    for (is, paper) in numbers(&found.visits).iter().zip([1.150, 1.358, 1.354, 1.138, 0.0]) {
        assert!((is - paper).abs() < 5e-4, "{is} {paper}");
    }
    assert_eq!(found.visits[4], Rate::ZERO);
}

/// A slow solver: moves visits between pairs of pages to their joint optimum while it helps.
///
/// Uses the objective only, not its derivatives.
fn by_exchange(n: usize, budget: f64, value: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let mut f = vec![budget / n as f64; n];
    for _ in 0..400 {
        let mut moved = 0.0_f64;
        for i in 0..n {
            for j in 0..i {
                let both = f[i] + f[j];
                let at = |share: f64| value(i, share * both) + value(j, (1.0 - share) * both);
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..120 {
                    let (a, b) = ((2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0);
                    if at(a) < at(b) { low = a } else { high = b }
                }
                let share = [0.0, 1.0, (low + high) / 2.0]
                    .into_iter()
                    .max_by(|a, b| at(*a).total_cmp(&at(*b)))
                    .unwrap();
                moved = moved.max((share * both - f[i]).abs());
                (f[i], f[j]) = (share * both, (1.0 - share) * both);
            }
        }
        if moved < 1e-9 * budget {
            break;
        }
    }
    f
}

fn mixes(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<f64>, f64)> {
    let of_page = (
        prop_oneof![1 => Just(0.0), 8 => (-3.0..3.0_f64).prop_map(libm::exp10), 3 => Just(0.5)],
        prop_oneof![1 => Just(0.0), 5 => Just(1.0), 5 => (-2.0..2.0_f64).prop_map(libm::exp10)],
    );
    (prop::collection::vec(of_page, 1..most), -2.0..2.0_f64).prop_map(|(pages, per_page)| {
        let (mut changes, mut weights): (Vec<_>, Vec<_>) = pages.into_iter().unzip();
        // At least one page that changes and has a weight.
        (changes[0], weights[0]) = (changes[0].max(0.01), weights[0].max(0.01));
        let budget = libm::exp10(per_page) * changes.len() as f64;
        (changes, weights, budget)
    })
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn no_stationary_policy_is_better((changes, weights, budget) in mixes(40)) {
        let changes = rates(&changes).unwrap();
        let (all, each) = (rate(budget), Weights::Each(&weights));
        let best = optimal(Goal::Freshness, &changes, each, all).unwrap();
        check(Goal::Freshness, &changes, &weights, budget, &best);
        let young = optimal(Goal::Age, &changes, each, all).unwrap();
        check(Goal::Age, &changes, &weights, budget, &young);

        let freshest = mean_freshness(&changes, each, &best.visits).unwrap();
        let youngest = mean_age(&changes, each, &young.visits).unwrap();
        let base = rate(budget / changes.len() as f64 / 2.0);
        let classes = classified(&changes, base, &[rate(2.0 * base.get())]).unwrap().scaled_to(all);
        let reversed: Vec<_> = proportional(&changes, all).into_iter().rev().collect();
        for other in [
            uniform(changes.len(), all),
            proportional(&changes, all),
            classes.visits(),
            reversed,
            young.visits.clone(),
            best.visits.clone(),
        ] {
            prop_assert!(mean_freshness(&changes, each, &other).unwrap() <= freshest * (1.0 + 1e-12));
            prop_assert!(mean_age(&changes, each, &other).unwrap() >= youngest * (1.0 - 1e-12));
        }
        for phase in [Phase::Aligned, Phase::Even] {
            prop_assert!(classes.mean_freshness(&changes, each, phase).unwrap() <= freshest * (1.0 + 1e-12));
            prop_assert!(classes.mean_age(&changes, each, phase).unwrap() >= youngest * (1.0 - 1e-12));
        }
        for (&changes, &visits) in changes.iter().zip(&best.visits) {
            prop_assert!(memoryless_freshness(changes, visits) <= freshness(changes, visits) + 1e-15);
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Cho & Garcia-Molina 2000: holds in the long run if every page changes and weights are equal.
    #[test]
    fn uniform_is_never_worse_than_proportional((changes, _, budget) in mixes(40)) {
        let changes: Vec<_> =
            rates(&changes).unwrap().into_iter().filter(|l| l.get() > 0.0).collect();
        let mean = |visits: Vec<Rate>| mean_freshness(&changes, Weights::Equal, &visits).unwrap();
        let [even, fair] = [uniform(changes.len(), rate(budget)), proportional(&changes, rate(budget))];
        prop_assert!(mean(even) >= mean(fair) - 1e-12);
    }
}

/// Static pages or a short horizon are exceptions.
#[test]
fn uniform_is_worse_than_proportional_where_its_conditions_fail() {
    let changes = rates(&[1.0, 0.0]).unwrap();
    let mean = |visits: Vec<Rate>| mean_freshness(&changes, Weights::Equal, &visits).unwrap();
    assert!(mean(uniform(2, rate(1.0))) < mean(proportional(&changes, rate(1.0))) - 0.05);

    let changes = rates(&[10.0, 0.1]).unwrap();
    let soon = |visits: Vec<Rate>| -> f64 {
        let fresh = |(&l, f)| freshness_until(l, f, Span::new(0.6).unwrap());
        changes.iter().zip(visits).map(fresh).sum()
    };
    assert!(soon(uniform(2, rate(2.0))) < soon(proportional(&changes, rate(2.0))) - 0.05);
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_slow_solver_agrees((changes, weights, budget) in mixes(6)) {
        let changes = rates(&changes).unwrap();
        let each = Weights::Each(&weights);
        let all: f64 = weights.iter().sum();

        let found = optimal(Goal::Freshness, &changes, each, rate(budget)).unwrap();
        let slow = by_exchange(changes.len(), budget, |page, f| {
            weights[page] * freshness(changes[page], rate(f))
        });
        let slow = mean_freshness(&changes, each, &rates(&slow).unwrap()).unwrap();
        let fast = mean_freshness(&changes, each, &found.visits).unwrap();
        prop_assert!((fast - slow).abs() < 1e-9, "{fast} {slow}");
        prop_assert!(fast >= slow - 1e-13);

        let found = optimal(Goal::Age, &changes, each, rate(budget)).unwrap();
        let slow = by_exchange(changes.len(), budget, |page, f| {
            if weights[page] == 0.0 { 0.0 } else { -weights[page] * age(changes[page], rate(f)) / all }
        });
        let slow = mean_age(&changes, each, &rates(&slow).unwrap()).unwrap();
        let fast = mean_age(&changes, each, &found.visits).unwrap();
        prop_assert!((fast / slow - 1.0).abs() < 1e-6 && fast <= slow * (1.0 + 1e-12), "{fast} {slow}");
    }
}

#[test]
fn visits_themselves_agree_with_the_slow_solver() {
    let changes = rates(&[0.3, 1.0, 1.0, 2.5, 9.0]).unwrap();
    let weights = [1.0, 2.0, 0.5, 3.0, 1.0];
    for budget in [0.5, 2.0, 20.0] {
        for goal in [Goal::Freshness, Goal::Age] {
            let found = optimal(goal, &changes, Weights::Each(&weights), rate(budget)).unwrap();
            let slow = by_exchange(5, budget, |page, f| {
                let (changes, visits) = (changes[page], rate(f));
                weights[page]
                    * match goal {
                        Goal::Freshness => freshness(changes, visits),
                        Goal::Age => -age(changes, visits),
                    }
            });
            for (fast, slow) in numbers(&found.visits).iter().zip(&slow) {
                assert!((fast - slow).abs() < 1e-5 * budget, "{goal:?} {budget}: {fast} {slow}");
            }
        }
    }
}

/// Within the last digit of μ, a page at the threshold can take the whole budget.
#[test]
fn budgets_are_met_where_the_multiplier_cannot_tell() {
    let changes = rates(&[1.0, 1.0 / 0.99, 1.0 / 0.98, 40.0]).unwrap();
    for i in 0..4000 {
        let budget = 0.002 * f64::from(i) + 1e-7;
        let found = optimal(Goal::Freshness, &changes, Weights::Equal, rate(budget)).unwrap();
        check(Goal::Freshness, &changes, &[1.0; 4], budget, &found);
    }
}

/// Budgets at which the next page is exactly at the threshold.
#[test]
fn a_page_at_the_threshold_is_visited_or_not() {
    for i in 1..3000 {
        let edge = 1.0 + 0.0031 * f64::from(i);
        let changes = rates(&[0.31, 0.7, 0.99, edge, edge * 1.7]).unwrap();
        let at_edge = |&l: &Rate| visits_at(Goal::Freshness, l, 1.0, 1.0 / edge).unwrap().get();
        let budget = changes.iter().map(at_edge).sum::<f64>() * (1.0 - f64::from(i % 3) * 2e-16);
        let found = optimal(Goal::Freshness, &changes, Weights::Equal, rate(budget)).unwrap();
        check(Goal::Freshness, &changes, &[1.0; 5], budget, &found);
    }
}

#[test]
fn equal_pages_share_and_scale() {
    let mut changes = vec![rate(2.0); 1000];
    changes.extend(vec![rate(0.1); 3000]);
    let found = optimal(Goal::Freshness, &changes, Weights::Equal, rate(700.0)).unwrap();
    check(Goal::Freshness, &changes, &[1.0; 4000], 700.0, &found);
    assert!(found.visits[..1000].iter().all(|f| *f == found.visits[0]));
    assert!(found.visits[1000..].iter().all(|f| *f == found.visits[1000]));
    // Other units of time and of weight give the same result.
    let faster: Vec<_> = changes.iter().map(|l| rate(l.get() * 3600.0)).collect();
    let heavy = vec![7.0; 4000];
    let scaled =
        optimal(Goal::Freshness, &faster, Weights::Each(&heavy), rate(700.0 * 3600.0)).unwrap();
    for (a, b) in found.visits.iter().zip(&scaled.visits) {
        assert!((b.get() / 3600.0 - a.get()).abs() <= 1e-9 * a.get(), "{a:?} {b:?}");
    }
    assert!((scaled.multiplier / found.multiplier * 3600.0 / 7.0 - 1.0).abs() < 1e-9);
}

#[test]
fn bad_and_extreme_input_is_answered() {
    let find = |changes: &[f64], weights: &[f64], budget: f64| {
        optimal(Goal::Freshness, &rates(changes).unwrap(), Weights::Each(weights), rate(budget))
    };
    assert!(matches!(find(&[1.0], &[], 1.0), Err(AllocateError::Lengths { .. })));
    assert!(matches!(find(&[1.0], &[f64::NAN], 1.0), Err(AllocateError::Weight { page: 0, .. })));
    assert!(matches!(find(&[1.0], &[-1.0], 1.0), Err(AllocateError::Weight { .. })));
    assert!(matches!(find(&[1e80], &[1.0], 1.0), Err(AllocateError::RateRange { page: 0, .. })));
    assert!(matches!(find(&[1.0], &[1.0], 1e300), Err(AllocateError::Budget(_))));
    // No pages to visit, or no budget.
    for found in [find(&[], &[], 1.0), find(&[0.0], &[1.0], 1.0), find(&[1.0], &[0.0], 1.0)] {
        let found = found.unwrap();
        assert_eq!((found.multiplier, found.spent), (0.0, 0.0));
    }
    let none = find(&[2.0, 4.0], &[1.0, 1.0], 0.0).unwrap();
    assert_eq!((none.multiplier, none.visits), (0.5, vec![Rate::ZERO; 2]));
    let none = optimal(Goal::Age, &[rate(2.0)], Weights::Equal, Rate::ZERO).unwrap();
    assert_eq!(none.multiplier, f64::INFINITY);

    let sizes = [1e-60, 1e-30, 1e-3, 1.0, 1e3, 1e30, 1e60];
    for (&budget, goal) in sizes.iter().flat_map(|b| [(b, Goal::Freshness), (b, Goal::Age)]) {
        for changes in sizes.iter().map(|&l| vec![l]).chain([sizes.to_vec()]) {
            let changes = rates(&changes).unwrap();
            let found = optimal(goal, &changes, Weights::Equal, rate(budget)).unwrap();
            assert!((found.spent / budget - 1.0).abs() < 1e-9, "{budget} {changes:?}");
            let residual = found.residual(goal, &changes, Weights::Equal);
            assert!(residual < 1e-9, "{budget} {changes:?} {residual}");
            for (&l, f) in changes.iter().zip(&found.visits) {
                let is_zero = goal == Goal::Freshness && 1.0 / l.get() <= found.multiplier;
                assert_eq!(f.get() == 0.0, is_zero, "{budget} {changes:?} {found:?}");
            }
        }
    }
}

/// Every page's visit rate follows from the multiplier alone.
#[test]
fn one_page_at_a_time_is_the_same() {
    let changes = rates(&[0.0, 0.01, 0.3, 1.0, 1.0, 2.5, 9.0, 40.0]).unwrap();
    let weights = [1.0, 1.0, 1.0, 2.0, 0.0, 3.0, 1.0, 0.2];
    for budget in [0.1, 0.5, 3.0, 20.0, 1e4, 1e12] {
        for goal in [Goal::Freshness, Goal::Age] {
            let found = optimal(goal, &changes, Weights::Each(&weights), rate(budget)).unwrap();
            for ((&l, w), f) in changes.iter().zip(weights).zip(&found.visits) {
                let alone = visits_at(goal, l, w, found.multiplier).unwrap().get();
                assert!((alone - f.get()).abs() <= 1e-7 * f.get(), "{goal:?} {budget} {l:?} {f:?}");
            }
        }
    }
    let of_one = |multiplier| visits_at(Goal::Freshness, rate(2.0), 1.0, multiplier);
    assert_eq!(of_one(0.5), Ok(Rate::ZERO));
    assert_eq!(of_one(f64::INFINITY), Ok(Rate::ZERO));
    assert_eq!(visits_at(Goal::Age, rate(2.0), 1.0, f64::INFINITY), Ok(Rate::ZERO));
    for bad in [0.0, -1.0, f64::NAN] {
        assert!(of_one(bad).is_err() && visits_at(Goal::Age, rate(1.0), bad, 0.0).is_err());
    }
    for multiplier in [5e-324, 1e-300, 1e-30, 1e300] {
        for goal in [Goal::Freshness, Goal::Age] {
            for (l, w) in [(1e-60, 1e60), (1e60, 1e-60), (1.0, 1.0)] {
                assert!(visits_at(goal, rate(l), w, multiplier).unwrap().get() >= 0.0);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Rates, weights and budgets over the whole allowed range, and nearly equal pages.
    #[test]
    fn extremes_are_solved_too(
        pages in prop::collection::vec((-60.0..60.0_f64, -60.0..60.0_f64, 1..4_usize), 1..30),
        nudge in prop_oneof![Just(0.0), Just(1e-15), Just(1e-9)],
        size in -60.0..60.0_f64,
    ) {
        let (mut changes, mut weights) = (Vec::new(), Vec::new());
        for (l, w, times) in pages {
            for i in 0..times {
                changes.push((libm::exp10(l) * (1.0 + i as f64 * nudge)).clamp(1e-60, 1e60));
                weights.push(libm::exp10(w).clamp(1e-60, 1e60));
            }
        }
        let changes = rates(&changes).unwrap();
        let budget = libm::exp10(size).clamp(1e-60, 1e60);
        for goal in [Goal::Freshness, Goal::Age] {
            let found = optimal(goal, &changes, Weights::Each(&weights), rate(budget)).unwrap();
            check(goal, &changes, &weights, budget, &found);
            prop_assert!(found.n_passes <= 60, "{goal:?} {}", found.n_passes);
        }
    }
}

/// More groups than are solved directly.
#[test]
fn many_groups_are_solved_in_few_passes() {
    let changes: Vec<_> = (0..20_000)
        .map(|i| rate(libm::exp10(f64::from(i * 7919 % 20_000) / 5000.0 - 3.0)))
        .collect();
    // A few pages that weigh more than all others together.
    let uneven: Vec<f64> =
        (0..20_000).map(|i| libm::exp10(f64::from(i % 97) / 8.0 - 6.0)).collect();
    for budget in [1e-6, 1.0, 1e4, 1e6] {
        let each = Weights::Each(&uneven);
        let found = optimal(Goal::Freshness, &changes, each, rate(budget)).unwrap();
        check(Goal::Freshness, &changes, &uneven, budget, &found);
        assert!(found.n_passes <= 40, "{}", found.n_passes);
    }
    for budget in [1.0, 2e3, 2e5] {
        for goal in [Goal::Freshness, Goal::Age] {
            let found = optimal(goal, &changes, Weights::Equal, rate(budget)).unwrap();
            check(goal, &changes, &[1.0; 20_000], budget, &found);
            assert!(found.n_passes <= 8, "{}", found.n_passes);
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    /// The same for nearly equal pages, and for pages so different that a few get all visits.
    #[test]
    fn many_groups_of_any_kind_are_solved(
        crowds in prop::collection::vec((-9.0..9.0_f64, -6.0..6.0_f64, 0.0..12.0_f64), 1..6),
        n in 4097..9000_usize,
        size in -9.0..9.0_f64,
    ) {
        let page = |i: usize| {
            let (rate, weight, apart) = crowds[i % crowds.len()];
            let share = (i * 7919 % n) as f64 / n as f64;
            let nudge = 1.0 + share * libm::exp10(-apart);
            (libm::exp10(rate) * nudge, libm::exp10(weight))
        };
        let (changes, weights): (Vec<f64>, Vec<f64>) = (0..n).map(page).unzip();
        let changes = rates(&changes).unwrap();
        let budget = libm::exp10(size);
        for goal in [Goal::Freshness, Goal::Age] {
            let found = optimal(goal, &changes, Weights::Each(&weights), rate(budget)).unwrap();
            check(goal, &changes, &weights, budget, &found);
            prop_assert!(found.n_passes <= 60, "{goal:?} {}", found.n_passes);
        }
    }
}
