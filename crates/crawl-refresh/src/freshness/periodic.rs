//! Periodic changes, 1/λ apart (news at eight), with evenly spaced visits, 1/f apart.
//!
//! Averaged over all phases, which is also the long-run mean for an irrational λ/f:
//!
//! F = 1 − λ/(2f) and A = λ/(6f²) for f ≥ λ (a change waits 1/(2f) for its visit, on average);
//! F = f/(2λ) and A = (1/6)·(3/f − 3/λ + f/λ²) for f ≤ λ.
//!
//! For a rational f/λ the result depends on the phase. With f/λ = p/q in lowest terms and w the
//! time from some change to the next visit, the waits are w + k/(f·q) (mod 1/f), equally often:
//!
//! F = 1 − (λ/f)·({w·f·q}/q + (q−1)/(2q)) for f ≥ λ, and
//! F = (f/λ)·(1 − {w·λ·p}/p − (p−1)/(2p)) for f ≤ λ, {·} the fractional part.
//!
//! At f = λ, visits right after each change give F = 1, visits right before it F = 0: the phase
//! matters more than the rate. A visit at the moment of a change sees it.

use crate::ratio::lowest_terms;
use crate::{Rate, Span};

/// F, averaged over all phases.
pub fn freshness(changes: Rate, visits: Rate) -> f64 {
    let (lambda, f) = (changes.get(), visits.get());
    if lambda == 0.0 {
        1.0
    } else if f >= lambda {
        1.0 - lambda / f / 2.0
    } else {
        f / lambda / 2.0
    }
}

/// A, averaged over all phases; infinite if a changing page is never visited.
pub fn age(changes: Rate, visits: Rate) -> f64 {
    let (lambda, f) = (changes.get(), visits.get());
    if lambda == 0.0 {
        0.0
    } else if f >= lambda {
        lambda / f / f / 6.0
    } else if f == 0.0 {
        f64::INFINITY
    } else {
        let x = f / lambda;
        (3.0 - 3.0 * x + x * x) / f / 6.0
    }
}

/// F for a given phase: some change waits `wait` for its visit.
pub fn freshness_at(changes: Rate, visits: Rate, wait: Span) -> f64 {
    let (lambda, f, w) = (changes.get(), visits.get(), wait.get());
    let ratio = f / lambda;
    if lambda == 0.0 || f == 0.0 || !(1e-15..1e15).contains(&ratio) {
        return freshness(changes, visits);
    }
    let (p, q) = lowest_terms(ratio);
    // The mean over k < steps of k/steps plus the first wait.
    let mean = |rate: f64, steps: f64| {
        let turns = w * rate * steps;
        // Integers up to rounding count as integers.
        let part = turns - (turns + 1e-9).floor();
        part.clamp(0.0, 1.0) / steps + (steps - 1.0) / (2.0 * steps)
    };
    let fresh =
        if f >= lambda { 1.0 - mean(f, q) / ratio } else { ratio * (1.0 - mean(lambda, p)) };
    if fresh.is_nan() { freshness(changes, visits) } else { fresh.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(value: f64) -> Rate {
        Rate::new(value).unwrap()
    }

    /// Freshness and age over a common period, event by event.
    ///
    /// `n_changes` changes and `n_visits` visits in unit time, the first change `wait` before a
    /// visit at 0.
    fn by_events(n_changes: i32, n_visits: i32, wait: f64) -> (f64, f64) {
        let (period, gap) = (1.0 / f64::from(n_changes), 1.0 / f64::from(n_visits));
        let (mut fresh, mut old) = (0.0, 0.0);
        for visit in 0..n_visits {
            let now = f64::from(visit) * gap;
            // The first change after this visit.
            let since = (now + wait + 1e-12).rem_euclid(period) - 1e-12;
            let until = (period - since).min(gap);
            fresh += until;
            old += (gap - until) * (gap - until) / 2.0;
        }
        (fresh, old)
    }

    #[test]
    fn in_step_the_phase_decides() {
        for (c, v) in [(1, 1), (2, 1), (1, 2), (3, 2), (2, 3), (5, 7), (7, 5), (1, 12), (12, 1)] {
            let (changes, visits) = (rate(f64::from(c)), rate(f64::from(v)));
            let (mut fresh, mut old) = (0.0, 0.0);
            let n = 3000;
            for i in 0..n {
                let wait = (f64::from(i) + 0.5) / f64::from(n);
                let (exact, aged) = by_events(c, v, wait);
                let is = freshness_at(changes, visits, Span::new(wait).unwrap());
                assert!((is - exact).abs() < 1e-9, "{c} {v} {wait}: {is} {exact}");
                fresh += exact / f64::from(n);
                old += aged / f64::from(n);
            }
            assert!((freshness(changes, visits) - fresh).abs() < 1e-9, "{c} {v}");
            assert!((age(changes, visits) - old).abs() < 1e-5, "{c} {v}");
        }
    }

    #[test]
    fn a_visit_after_each_change_keeps_a_copy_fresh() {
        let eight = rate(1.0 / 24.0);
        assert_eq!(freshness_at(eight, eight, Span::ZERO), 1.0);
        assert!(freshness_at(eight, eight, Span::new(23.9).unwrap()) < 0.005);
        assert_eq!(freshness(eight, eight), 0.5);
    }

    #[test]
    fn no_rate_makes_a_nan() {
        let sizes = [0.0, 5e-324, 1e-200, 1e-9, 0.7, 1e9, 1e200, f64::MAX];
        for (l, f) in sizes.iter().flat_map(|&l| sizes.map(|f| (rate(l), rate(f)))) {
            assert!((0.0..=1.0).contains(&freshness(l, f)) && age(l, f) >= 0.0);
            for wait in sizes {
                let fresh = freshness_at(l, f, Span::new(wait).unwrap());
                assert!((0.0..=1.0).contains(&fresh), "{l:?} {f:?} {wait} {fresh}");
            }
        }
    }
}
