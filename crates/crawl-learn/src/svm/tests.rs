use super::*;
use proptest::prelude::*;

fn settings() -> Settings {
    Settings { tolerance: 1e-9, ..Settings::for_features(2) }
}

#[test]
fn xor_points_are_separated() {
    let corners =
        [([0.0, 0.0], true), ([1.0, 1.0], true), ([0.0, 1.0], false), ([1.0, 0.0], false)];
    let machine = Svm::train(&corners, &Settings { c: 100.0, ..settings() }).unwrap();
    assert_eq!(machine.basis(), Basis::Optimum);
    assert_eq!(machine.n_support(), 4);
    // By symmetry all corners are support vectors: f = ±1 there and 0 in the middle.
    for (corner, positive) in corners {
        let expected = if positive { 1.0 } else { -1.0 };
        assert!((machine.decision(&corner) - expected).abs() < 1e-6);
    }
    assert!(machine.decision(&[0.5, 0.5]).abs() < 1e-9);
}

#[test]
fn two_points_by_hand() {
    // Scaled to ±1 in one feature; α = 1 / (1 − K(1, −1)) where C allows it.
    let points = [([3.0], true), ([5.0], false)];
    let wide = Settings { c: 10.0, gamma: 0.5, tolerance: 1e-9 };
    let machine = Svm::train(&points, &wide).unwrap();
    let k = |d: f64| exp(-0.5 * d * d);
    let alpha = 1.0 / (1.0 - k(2.0));
    let expected = alpha * (k(0.5) - k(1.5));
    assert!((machine.decision(&[3.5]) - expected).abs() < 1e-12);
    assert!(machine.rho().abs() < 1e-12);
    // C = 1 is less than that α.
    let machine = Svm::train(&points, &Settings { c: 1.0, ..wide }).unwrap();
    assert!((machine.decision(&[3.5]) - (k(0.5) - k(1.5))).abs() < 1e-12);
}

#[test]
fn training_with_one_class_names_its_basis() {
    let none = Svm::<2>::train(&[], &settings()).unwrap();
    assert_eq!((none.basis(), none.decision(&[1.0, 2.0])), (Basis::Untrained, 0.0));
    for (side, decision) in [(true, 1.0), (false, -1.0)] {
        let one = Svm::train(&[([1.0, 2.0], side), ([3.0, 4.0], side)], &settings()).unwrap();
        assert_eq!((one.basis(), one.decision(&[9.0, 9.0])), (Basis::OneClass, decision));
        assert_eq!(one.is_positive(&[0.0, 0.0]), side);
    }
}

#[test]
fn bad_numbers_are_refused_in_training_and_harmless_later() {
    let with = |x| Svm::train(&[([1.0, x], true), ([0.0, 0.0], false)], &settings()).err();
    assert_eq!(with(f64::NAN), Some(SvmError::Feature { point: 0, feature: 1 }));
    assert_eq!(with(f64::INFINITY), Some(SvmError::Feature { point: 0, feature: 1 }));
    assert_eq!(with(1e200), Some(SvmError::Feature { point: 0, feature: 1 }));
    assert_eq!(with(1e99), None);
    for c in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = Svm::train(&[([1.0], true)], &Settings { c, ..settings() }).err();
        assert_eq!(refused, Some(SvmError::Setting("C")));
    }
    let many = vec![([0.0], true); MAX_POINTS + 1];
    assert_eq!(Svm::train(&many, &settings()).err(), Some(SvmError::TooMany(MAX_POINTS + 1)));

    let machine = Svm::train(&[([0.0, 7.0], true), ([1.0, 7.0], false)], &settings()).unwrap();
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN] {
        assert!(machine.decision(&[x, x]).is_finite(), "{x}");
    }
    // The second feature was constant and has no effect.
    assert_eq!(machine.decision(&[0.0, 7.0]), machine.decision(&[0.0, -1e9]));
}

#[test]
fn dropped_kernel_rows_are_computed_again() {
    // More points than the cache has rows; the labels overlap, so most rows are needed.
    let points: Vec<([f64; 1], bool)> =
        (0..2100_u32).map(|i| ([f64::from(i % 700)], (i % 700 > 350) != (i % 7 == 0))).collect();
    let machine = Svm::train(&points, &Settings { tolerance: 1e-2, ..settings() }).unwrap();
    assert_eq!(machine.basis(), Basis::Optimum);
    assert!(machine.n_support() > 500);
    assert!(machine.decision(&[600.0]) > 0.5 && machine.decision(&[100.0]) < -0.5);
}

proptest! {
    /// The Karush–Kuhn–Tucker conditions hold exactly at the optimum.
    #[test]
    fn solutions_satisfy_the_kkt_conditions(
        points in proptest::collection::vec(((0_i8..6, 0_i8..6), proptest::bool::ANY), 2..24),
        c in 0.1_f64..20.0,
    ) {
        let labels: Vec<f64> = points.iter().map(|(_, p)| if *p { 1.0 } else { -1.0 }).collect();
        prop_assume!(labels.iter().any(|y| *y != labels[0]));
        let x: Vec<[f64; 2]> =
            points.iter().map(|((a, b), _)| [f64::from(*a), f64::from(*b)]).collect();
        let settings = Settings { c, gamma: 0.4, tolerance: 1e-8 };
        let fill = |i: usize, row: &mut Vec<f64>| row.extend(x.iter().map(|b| kernel(&x[i], b, 0.4)));
        let solved = smo::solve(&labels, &settings, fill);
        prop_assert!(solved.finished);
        let balance: f64 = solved.alpha.iter().zip(&labels).map(|(a, y)| a * y).sum();
        prop_assert!(balance.abs() < 1e-9 * c * points.len() as f64);
        for (i, (&alpha, y)) in solved.alpha.iter().zip(&labels).enumerate() {
            let weigh = |(t, a): (usize, &f64)| a * labels[t] * kernel(&x[t], &x[i], 0.4);
            let f = solved.alpha.iter().enumerate().map(weigh).sum::<f64>() - solved.rho;
            let margin = y * f;
            prop_assert!((0.0..=c).contains(&alpha));
            prop_assert!(alpha > 0.0 || margin > 1.0 - 1e-6, "outside: {margin}");
            prop_assert!(alpha < c || margin < 1.0 + 1e-6, "bound: {margin}");
        }
    }
}
