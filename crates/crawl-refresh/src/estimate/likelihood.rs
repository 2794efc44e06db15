//! Maximum likelihood estimate for irregular visits (Cho & Garcia-Molina 2003).
//!
//! A visit after I finds no change with probability e^(−rI), so the likelihood of the results is
//! Π over changed of (1 − e^(−r·Iᵢ)) · e^(−r·U), U = Σ over unchanged of Iᵢ. Its maximum is at
//!
//! S(r) = Σ over changed of Iᵢ/(e^(r·Iᵢ) − 1) = U.
//!
//! Each term decreases from ∞ to 0 and its logarithm is convex, so ln S is decreasing and convex:
//! Newton's method for ln S(r) = ln U converges from any start. The steps are corrected for
//! curvature (Halley's method), by a factor of ½ to 2. As I/(e^(rI) − 1) ≥ 1/r − I/2, the root is
//! at least X/(U + Σ Iᵢ/2). A prior adds a term α/r, with the same properties. The start is ln(1 +
//! X·Ī/U)/Ī, which is the root if all intervals are Ī and there is no prior.

use super::History;
use crate::Rate;

/// The maximum likelihood rate; `None` before the first visit.
pub(super) fn maximum_likelihood(history: &History) -> Option<Rate> {
    let interval = history.counts.interval()?;
    if history.changed.is_empty() {
        return Some(Rate::ZERO);
    }
    // All changed: count half a mean interval as unchanged (our choice).
    let rest = if history.unchanged > 0.0 { history.unchanged } else { interval / 2.0 };
    Some(Rate::of(root(&history.changed, 0.0, rest)))
}

/// The r with Σ Iᵢ/(e^(r·Iᵢ) − 1) + α/r = rest, for rest > 0 and some interval or α > 0.
pub(super) fn root(changed: &[(f64, u32)], alpha: f64, rest: f64) -> f64 {
    let (mut n, mut time) = (alpha, 0.0);
    for &(interval, times) in changed {
        n += f64::from(times);
        time += f64::from(times) * interval;
    }
    let least = n / (rest + time / 2.0);
    let mean = time / (n - alpha);
    let guess = libm::log1p(n * mean / rest) / mean;
    let mut r = if guess > least && guess.is_finite() { guess } else { least };
    for _ in 0..200 {
        // S, −S′ and S″
        let (mut sum, mut slope, mut bend) = (alpha / r, alpha / r / r, 2.0 * alpha / r / r / r);
        for &(interval, times) in changed {
            let term = interval / libm::expm1(r * interval);
            let falls = f64::from(times) * term * (term + interval);
            sum += f64::from(times) * term;
            slope += falls;
            bend += falls * (2.0 * term + interval);
        }
        let (slope, bend) = (slope / sum, bend / sum);
        let newton = libm::log(sum / rest) / slope;
        let halley = 1.0 - newton * (bend / slope - slope) / 2.0;
        let step = newton / halley.clamp(0.5, 2.0);
        if !step.is_finite() {
            break;
        }
        let before = r;
        r = (r + step).max(least);
        // Each step triples the correct digits: the next would change the twelfth.
        if (r - before).abs() <= 1e-4 * r {
            break;
        }
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;
    use proptest::prelude::*;

    fn by_bisection(changed: &[(f64, u32)], alpha: f64, rest: f64) -> f64 {
        let value = |r: f64| {
            let terms = changed.iter().map(|&(i, n)| f64::from(n) * i / libm::expm1(r * i));
            terms.sum::<f64>() + alpha / r - rest
        };
        let (mut low, mut high) = (-60.0, 60.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if value(libm::exp10(middle)) > 0.0 { low = middle } else { high = middle }
        }
        libm::exp10(low)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn the_solver_finds_the_root(
            intervals in prop::collection::vec((-6.0..6.0_f64, 1..9_u32), 0..12),
            alpha in 0.0..4.0_f64,
            rest in -8.0..8.0_f64,
        ) {
            let changed: Vec<_> = intervals.iter().map(|&(i, n)| (libm::exp10(i), n)).collect();
            let alpha = if changed.is_empty() { alpha + 0.1 } else { alpha };
            let (is, slow) = (
                root(&changed, alpha, libm::exp10(rest)),
                by_bisection(&changed, alpha, libm::exp10(rest)),
            );
            prop_assert!((is / slow - 1.0).abs() < 1e-11, "{is} {slow}");
        }
    }

    /// No nearby rate has a higher likelihood.
    #[test]
    fn it_maximises_the_likelihood() {
        let visits = [(true, 0.3), (false, 1.7), (true, 4.0), (true, 0.3), (false, 0.05)];
        let mut history = History::default();
        for (changed, interval) in visits {
            history.record(changed, Span::new(interval).unwrap()).unwrap();
        }
        let likelihood = |r: f64| -> f64 {
            let chance = |(changed, i): (bool, f64)| {
                if changed { libm::log(-libm::expm1(-r * i)) } else { -r * i }
            };
            visits.into_iter().map(chance).sum()
        };
        let best = maximum_likelihood(&history).unwrap().get();
        for other in [0.5, 0.9, 0.999, 1.001, 1.1, 2.0] {
            assert!(likelihood(best) > likelihood(best * other));
        }
    }
}
