//! Exact freshness and age of copies, for change rate λ and visit rate f.
//!
//! A copy's freshness is 1 while it equals the live page, else 0; its age is the time since the
//! first change it lacks. Changes are a Poisson process. For evenly spaced visits, 1/f apart, and
//! x = λ/f changes per visit, the long-run means are (Cho & Garcia-Molina 2000)
//!
//! F(λ, f) = (1 − e^(−x)) / x = φ₁(x),
//! A(λ, f) = (1/f)·(1/2 − 1/x + (1 − e^(−x))/x²) = x·φ₃(x) / f,
//!
//! with the derivatives (marginal values of a visit)
//!
//! ∂F/∂f = (1 − (1 + x)·e^(−x)) / λ, at most 1/λ, the limit as f → 0;
//! ∂A/∂f = −(x²/2 − 1 + (1 + x)·e^(−x)) / λ², without bound.
//!
//! A page that never changes has freshness 1, with or without visits. A page that changes and is
//! never visited has freshness 0 and infinite age. Over a **finite horizon** T, starting with a
//! fresh copy and visits at 1/f, 2/f, …, each interval of length t between visits contributes
//! t·φ₁(λt) and λt³·φ₃(λt), including the last, truncated one.
//!
//! **Memoryless visits** (random times, rate f) give F = f/(λ + f), A = λ/(f·(λ + f)): never better
//! than evenly spaced visits.
//!
//! [`Streams`]: two visit streams to one page. [`periodic`]: changes at regular intervals.
//! [`bursty`]: changes in bursts.

pub mod bursty;
pub mod periodic;
mod streams;

pub use streams::{Phase, Streams};

use crate::exponential::{gain, phi};
use crate::{Rate, Span};

/// F(λ, f): the fraction of time a copy is fresh, for evenly spaced visits.
pub fn freshness(changes: Rate, visits: Rate) -> f64 {
    match per_visit(changes, visits) {
        Some(x) => phi(1, x),
        None => 1.0,
    }
}

/// A(λ, f): mean age for evenly spaced visits; infinite if a changing page is never visited.
pub fn age(changes: Rate, visits: Rate) -> f64 {
    match per_visit(changes, visits) {
        // x·φ₃(x) tends to 1/2, but would be computed as ∞·0.
        Some(x) if x > 1e16 => 0.5 / visits.get(),
        Some(x) => x * phi(3, x) / visits.get(),
        None => 0.0,
    }
}

/// ∂F/∂f: the marginal freshness of a visit.
pub fn freshness_slope(changes: Rate, visits: Rate) -> f64 {
    match per_visit(changes, visits) {
        Some(x) if x < 1.0 => x / visits.get() * (phi(1, x) - phi(2, x)),
        Some(x) => gain(x) / changes.get(),
        None => 0.0,
    }
}

/// ∂A/∂f, never positive: the marginal age of a visit.
pub fn age_slope(changes: Rate, visits: Rate) -> f64 {
    match per_visit(changes, visits) {
        Some(x) if x < 1.0 => -(x / visits.get() / visits.get() * (phi(2, x) - phi(3, x))),
        // q(x)/λ², with 1/f² factored out
        Some(x) => -((0.5 - gain(x) / x / x) / visits.get() / visits.get()),
        None => 0.0,
    }
}

/// Mean freshness over `horizon`, starting with a fresh copy; 1 for a horizon of 0.
pub fn freshness_until(changes: Rate, visits: Rate, horizon: Span) -> f64 {
    over(changes, visits, horizon, |t| phi(1, changes.get() * t)).unwrap_or(1.0)
}

/// Mean age over `horizon`, starting with a fresh copy; 0 for a horizon of 0.
pub fn age_until(changes: Rate, visits: Rate, horizon: Span) -> f64 {
    let mean = |t: f64| match changes.get() * t {
        y if y > 1e16 => t / 2.0,
        y => y * phi(3, y) * t,
    };
    over(changes, visits, horizon, mean).unwrap_or(0.0)
}

/// f/(λ + f): freshness for visits at random times.
pub fn memoryless_freshness(changes: Rate, visits: Rate) -> f64 {
    per_visit(changes, visits).map_or(1.0, |x| 1.0 / (1.0 + x))
}

/// λ/(f·(λ + f)): mean age for visits at random times.
pub fn memoryless_age(changes: Rate, visits: Rate) -> f64 {
    per_visit(changes, visits).map_or(0.0, |x| 1.0 / (1.0 + 1.0 / x) / visits.get())
}

/// x = λ/f changes per visit; `None` if λ is 0 or λ/f underflows.
///
/// Infinite for a page that changes and is never visited.
fn per_visit(changes: Rate, visits: Rate) -> Option<f64> {
    let x = changes.get() / visits.get();
    (changes.get() > 0.0 && x > 0.0).then_some(x)
}

/// The mean over the intervals between visits; `of(t)` is the mean over one of length t.
fn over(changes: Rate, visits: Rate, horizon: Span, of: impl Fn(f64) -> f64) -> Option<f64> {
    if changes.get() == 0.0 || horizon.get() == 0.0 {
        return None;
    }
    let whole = (visits.get() * horizon.get()).floor();
    if whole == 0.0 {
        return Some(of(horizon.get()));
    }
    let gap = 1.0 / visits.get();
    let share = (whole * (gap / horizon.get())).min(1.0);
    let rest = (1.0 - share) * horizon.get();
    Some(share * of(gap) + (1.0 - share) * of(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(value: f64) -> Rate {
        Rate::new(value).unwrap()
    }

    fn near(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within * b.abs().max(1e-300), "{a} is not {b}");
    }

    /// The mean over one interval, by Simpson's rule.
    fn by_quadrature(gap: f64, of: impl Fn(f64) -> f64) -> f64 {
        let n = 40_000;
        let step = gap / f64::from(n);
        let weight = |i| if i == 0 || i == n { 1.0 } else { [2.0, 4.0][i as usize % 2] };
        (0..=n).map(|i| weight(i) * of(f64::from(i) * step)).sum::<f64>() * step / 3.0 / gap
    }

    #[test]
    fn closed_forms_are_the_means_over_a_gap() {
        for (lambda, f) in [(1.0, 1.0), (0.2, 3.0), (5.0, 0.4), (1e-3, 1.0), (3.0, 0.1)] {
            let (changes, visits) = (rate(lambda), rate(f));
            let is_fresh = |t: f64| libm::exp(-lambda * t);
            let age_at = |t: f64| t + libm::expm1(-lambda * t) / lambda;
            near(freshness(changes, visits), by_quadrature(1.0 / f, is_fresh), 1e-12);
            near(age(changes, visits), by_quadrature(1.0 / f, age_at), 1e-9);
        }
    }

    #[test]
    fn closed_forms_hold_to_twelve_digits_where_naive_ones_do_not() {
        // 1 − x/2 + x²/6 − …, x/6 − x²/24 + …, x²/2 − x³/3 + …, x³/3 − x⁴/8 + …
        for x in [1e-3, 1e-6, 1e-9, 1e-12] {
            let (changes, visits) = (rate(x), rate(1.0));
            near(freshness(changes, visits), 1.0 - x / 2.0 + x * x / 6.0 - x * x * x / 24.0, 1e-13);
            near(age(changes, visits), x / 6.0 - x * x / 24.0 + x * x * x / 120.0, 1e-10);
            near(freshness_slope(changes, visits), x / 2.0 - x * x / 3.0 + x * x * x / 8.0, 1e-9);
            near(age_slope(changes, visits), -(x / 3.0 - x * x / 8.0 + x * x * x / 30.0), 1e-9);
        }
    }

    #[test]
    fn slopes_are_slopes() {
        for (lambda, f) in [(1.0, 1.0), (0.2, 3.0), (5.0, 0.4), (1e-3, 1.0), (30.0, 1.0)] {
            let h = 1e-5 * f;
            let of = |value: fn(Rate, Rate) -> f64| {
                let at = |f| value(rate(lambda), rate(f));
                (at(f + h) - at(f - h)) / (2.0 * h)
            };
            near(freshness_slope(rate(lambda), rate(f)), of(freshness), 1e-6);
            near(age_slope(rate(lambda), rate(f)), of(age), 1e-6);
        }
    }

    #[test]
    fn limits_are_well_defined() {
        let (zero, one) = (Rate::ZERO, rate(1.0));
        assert_eq!(
            [freshness(zero, zero), freshness(zero, one), freshness(one, zero)],
            [1., 1., 0.]
        );
        assert_eq!([age(zero, zero), age(zero, one), age(one, zero)], [0.0, 0.0, f64::INFINITY]);
        assert_eq!([freshness_slope(one, zero), freshness_slope(zero, zero)], [1.0, 0.0]);
        assert_eq!([age_slope(one, zero), age_slope(zero, zero)], [f64::NEG_INFINITY, 0.0]);
        assert_eq!([memoryless_freshness(zero, zero), memoryless_freshness(one, zero)], [1.0, 0.0]);
        assert_eq!([memoryless_age(zero, zero), memoryless_age(one, zero)], [0.0, f64::INFINITY]);
        assert_eq!([memoryless_freshness(one, one), memoryless_age(one, one)], [0.5, 0.5]);
        let sizes = [0.0, 5e-324, 1e-300, 1e-9, 1.0, 1e9, 1e300, f64::MAX];
        for (l, f) in sizes.iter().flat_map(|&l| sizes.map(|f| (rate(l), rate(f)))) {
            for value in [freshness(l, f), memoryless_freshness(l, f)] {
                assert!((0.0..=1.0).contains(&value), "{l:?} {f:?} {value}");
            }
            let h = Span::new(f.get()).unwrap();
            assert!((0.0..=1.0).contains(&freshness_until(l, l, h)));
            assert!(age(l, f) >= 0.0 && memoryless_age(l, f) >= 0.0 && age_until(l, l, h) >= 0.0);
            assert!(freshness_slope(l, f) >= 0.0 && age_slope(l, f) <= 0.0, "{l:?} {f:?}");
        }
    }

    #[test]
    fn a_long_horizon_is_all_time_and_a_short_one_forgives() {
        let (changes, visits) = (rate(2.0), rate(0.5));
        let until = |t| freshness_until(changes, visits, Span::new(t).unwrap());
        near(until(2e9), freshness(changes, visits), 1e-9);
        near(until(2.0), freshness(changes, visits), 1e-14);
        // two full intervals of 2 and half of one
        let parts = 2.0 * 2.0 * phi(1, 4.0) + phi(1, 2.0);
        near(until(5.0), parts / 5.0, 1e-14);
        let aged = 2.0 * 2.0 * age(changes, visits) + 2.0 * phi(3, 2.0);
        near(age_until(changes, visits, Span::new(5.0).unwrap()), aged / 5.0, 1e-14);
        assert_eq!(until(0.0), 1.0);
        near(freshness_until(changes, Rate::ZERO, Span::new(1.0).unwrap()), phi(1, 2.0), 1e-15);
        near(age_until(changes, Rate::ZERO, Span::new(1.0).unwrap()), 2.0 * phi(3, 2.0), 1e-15);
    }
}
