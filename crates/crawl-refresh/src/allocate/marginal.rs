//! Marginal value of a visit, and its inverse: the changes per visit with a given marginal value.
//!
//! With x = λ/f changes per visit and the functions of `exponential`:
//!
//! freshness: w·∂F/∂f = κ·g(x), κ = w/λ, g from 0 (x → 0) to 1 (x → ∞, no visits);
//! age: −w·∂A/∂f = κ·q(x), κ = w/λ², q from 0 to ∞.
//!
//! At the optimum all visited pages have the same marginal value μ. Let k be the smallest κ of the
//! visited pages and Y their changes per visit, so that μ = k·g(Y). Every page with a larger κ then
//! has g(x) = (k/κ)·g(Y), and x ≤ Y. Y represents μ at full precision where μ itself cannot: μ/k is
//! 1 − (1 + Y)·e^(−Y), which rounds to 1 from Y = 40 on. Y = ∞ means μ = k: pages with κ = k are at
//! the threshold of being visited.
//!
//! **Inverse of g.** With d = 1 − g(x) and L = −ln d: x − ln(1 + x) = L. For small z = √(2L),
//! x = z + z²/3 + z³/36 − …; otherwise two or three steps of Halley's method. With 1 − k/κ = b,
//! d = b + (1 − b)·(1 − g(Y)): a sum of positive terms, without cancellation.
//!
//! **Inverse of q.** Newton's method for ln q in ln x, whose slope falls slowly from 3 to 2.

use crate::exponential::{gain, left, ln_age_gain};

/// The marginal values of a goal.
pub(super) trait Marginal {
    /// Values that depend only on the last group: the visited pages with the smallest κ.
    type Last: Copy;

    /// Sort key of a page: κ, or a value that increases with it.
    fn key(weight: f64, rate: f64) -> f64;

    /// The last group: pages with this key, at Y changes per visit.
    fn last(key: f64, y: f64) -> Self::Last;

    /// Changes per visit of pages with a key not below the last group's, and d ln x / d ln Y.
    ///
    /// Fastest when called in the order of keys.
    fn above(last: &mut Self::Last, key: f64) -> (f64, f64);

    /// Changes per visit at which pages with this key have the marginal value `multiplier`.
    ///
    /// Infinite if the marginal value is always smaller.
    fn at(multiplier: f64, key: f64) -> f64;

    /// Elasticity x·g′(x)/g(x) (for age, of q).
    fn elasticity(x: f64) -> f64;

    /// Marginal value κ·g(x) (for age, κ·q(x)).
    fn value(key: f64, x: f64) -> f64;

    /// ln(marginal value / multiplier); 0 if either overflows.
    fn value_ratio(key: f64, x: f64, multiplier: f64) -> f64;
}

/// Goal: maximise Σ w·F.
pub(super) struct Freshness;

#[derive(Clone, Copy)]
pub(super) struct LastFreshness {
    key: f64,
    y: f64,
    /// g(Y)
    gain: f64,
    /// 1 − g(Y)
    left: f64,
    /// Y·g′(Y)/g(Y)
    slope: f64,
    /// The previous result: L and x.
    previous: Option<(f64, f64)>,
}

impl Marginal for Freshness {
    type Last = LastFreshness;

    fn key(weight: f64, rate: f64) -> f64 {
        weight / rate
    }

    fn last(key: f64, y: f64) -> LastFreshness {
        let (gain, left) = (gain(y), left(y));
        LastFreshness { key, y, gain, left, slope: slope(y, gain, left), previous: None }
    }

    fn above(last: &mut LastFreshness, key: f64) -> (f64, f64) {
        let ratio = last.key / key;
        let gain = ratio * last.gain;
        if last.y < 1e-6 {
            // g(x) = x²/2·(1 − 2x/3 + …), which cannot underflow
            let x = last.y * libm::sqrt(ratio);
            let fix = 1.0 + (x - last.y) / 3.0;
            return (x * fix, fix);
        }
        let left = (key - last.key) / key + ratio * last.left;
        let x = if key == last.key {
            last.y
        } else {
            let l = if left < 0.5 { -libm::log(left) } else { -libm::log1p(-gain) };
            // Consecutive pages have similar keys: start from the previous result.
            let near = match last.previous {
                Some((then, x)) if (l - then).abs() < 0.01 * l => x + (l - then) * (1.0 + x) / x,
                _ => start(l),
            };
            let x = inverse(l, near);
            last.previous = Some((l, x));
            x
        };
        (x, if last.slope == 0.0 { 0.0 } else { last.slope / slope(x, gain, left) })
    }

    fn at(multiplier: f64, key: f64) -> f64 {
        if key <= multiplier {
            return f64::INFINITY;
        }
        // As if pages with κ = multiplier were at the threshold of being visited.
        Self::above(&mut Self::last(multiplier, f64::INFINITY), key).0
    }

    fn elasticity(x: f64) -> f64 {
        slope(x, gain(x), left(x))
    }

    fn value(key: f64, x: f64) -> f64 {
        key * gain(x)
    }

    fn value_ratio(key: f64, x: f64, multiplier: f64) -> f64 {
        let value = key * gain(x);
        if value == multiplier || multiplier == 0.0 { 0.0 } else { libm::log(value / multiplier) }
    }
}

/// x·g′(x)/g(x) = x²·e^(−x)/g(x), given g(x) and (1 + x)·e^(−x).
fn slope(x: f64, gain: f64, left: f64) -> f64 {
    if x < 1e-6 {
        2.0 - 2.0 * x / 3.0
    } else if left == 0.0 {
        0.0
    } else {
        x / (1.0 + x) * x * left / gain
    }
}

/// Approximation of the x > 0 with x − ln(1 + x) = l.
fn start(l: f64) -> f64 {
    const SERIES: [f64; 9] = [
        1.0,
        1.0 / 3.0,
        1.0 / 36.0,
        -1.0 / 270.0,
        1.0 / 4320.0,
        1.0 / 17_010.0,
        -139.0 / 5_443_200.0,
        1.0 / 204_120.0,
        -571.0 / 2_351_462_400.0,
    ];
    let z = libm::sqrt(2.0 * l);
    if z < 2.5 {
        return z * SERIES.iter().rev().fold(0.0, |sum, c| sum * z + c);
    }
    l + libm::log1p(l + libm::log1p(l))
}

/// The x > 0 with x − ln(1 + x) = l, starting from the approximation `x`.
fn inverse(l: f64, mut x: f64) -> f64 {
    // The series is exact here; the difference below would cancel.
    if l < 0.005 {
        return start(l);
    }
    for _ in 0..8 {
        let newton = (x - libm::log1p(x) - l) * (1.0 + x) / x;
        x -= newton / (1.0 - newton / (2.0 * x * (1.0 + x)));
        // Each step triples the number of correct digits.
        if newton.abs() <= 1e-6 * x {
            break;
        }
    }
    x
}

/// Goal: minimise Σ w·A.
pub(super) struct Age;

#[derive(Clone, Copy)]
pub(super) struct LastAge {
    /// ln κ
    key: f64,
    y: f64,
    /// ln q(Y)
    ln_gain: f64,
    /// Y·q′(Y)/q(Y)
    slope: f64,
    /// The previous result: ln q(x), ln x, x·q′(x)/q(x).
    previous: Option<(f64, f64, f64)>,
}

impl Marginal for Age {
    type Last = LastAge;

    fn key(weight: f64, rate: f64) -> f64 {
        libm::log(weight) - 2.0 * libm::log(rate)
    }

    fn last(key: f64, y: f64) -> LastAge {
        let (ln_gain, slope) = ln_age_gain(y);
        LastAge { key, y, ln_gain, slope, previous: None }
    }

    fn above(last: &mut LastAge, key: f64) -> (f64, f64) {
        if key == last.key || last.y.is_infinite() {
            return (last.y, 1.0);
        }
        let wanted = last.ln_gain - (key - last.key);
        let near = match last.previous {
            Some((wanted_then, ln_x, slope)) if (wanted - wanted_then).abs() < 1.0 => {
                Some(ln_x + (wanted - wanted_then) / slope)
            }
            _ => None,
        };
        let (x, ln_x, slope) = age_inverse(wanted, near);
        last.previous = Some((wanted, ln_x, slope));
        (x, last.slope / slope)
    }

    fn at(multiplier: f64, key: f64) -> f64 {
        if multiplier.is_infinite() {
            return f64::INFINITY;
        }
        age_inverse(libm::log(multiplier) - key, None).0
    }

    fn elasticity(x: f64) -> f64 {
        ln_age_gain(x).1
    }

    fn value(key: f64, x: f64) -> f64 {
        libm::exp(key + ln_age_gain(x).0)
    }

    fn value_ratio(key: f64, x: f64, multiplier: f64) -> f64 {
        let ln_value = key + ln_age_gain(x).0;
        // The multiplier may overflow or underflow.
        if multiplier > 0.0 && multiplier.is_finite() {
            ln_value - libm::log(multiplier)
        } else {
            0.0
        }
    }
}

/// x, ln x and x·q′(x)/q(x) with ln q(x) = `wanted`; `near` is an approximation of ln x.
fn age_inverse(wanted: f64, near: Option<f64>) -> (f64, f64, f64) {
    // q = x³/3 for small x, x²/2 − 1 for large
    let mut ln_x = near.unwrap_or_else(|| ((wanted + 1.1) / 3.0).max((wanted + 0.7) / 2.0));
    let (mut x, mut slope) = (1.0, 2.0);
    for _ in 0..20 {
        x = libm::exp(ln_x);
        let ln_gain;
        (ln_gain, slope) = ln_age_gain(x);
        let step = (wanted - ln_gain) / slope;
        ln_x += step;
        // The error of a Newton step is the square of the step.
        if step.abs() < 1e-7 {
            x *= 1.0 + step;
            break;
        }
    }
    (x, ln_x, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_is_one() {
        for i in -120..=60 {
            let x = libm::exp10(f64::from(i) / 20.0);
            let left = left(x);
            let l = if left < 0.5 { x - libm::log1p(x) } else { -libm::log1p(-gain(x)) };
            let back = inverse(l, start(l));
            assert!((back / x - 1.0).abs() < 1e-13, "{x}: {back}");
        }
    }

    /// Checks g(x) = (k/κ)·g(Y), and the same for q, at all scales.
    #[test]
    fn pages_above_are_worth_as_much() {
        for i in -60..=12 {
            let y = libm::exp10(f64::from(i) / 5.0);
            for more in [0.0, 1e-12, 1e-3, 0.5, 3.0, 1e5, 1e12] {
                let (x, _) = Freshness::above(&mut Freshness::last(2.0, y), 2.0 * (1.0 + more));
                let ratio = gain(y) / gain(x) / (1.0 + more);
                assert!(x <= y && (ratio - 1.0).abs() < 1e-12, "{y} {more} {ratio}");
                let more = more.min(800.0);
                let (x, _) = Age::above(&mut Age::last(2.0, y), 2.0 + more);
                let apart = ln_age_gain(y).0 - ln_age_gain(x).0 - more;
                assert!(x <= y && apart.abs() < 1e-12 * more.max(1.0), "{y} {more} {apart}");
            }
        }
        // At the threshold: d = b.
        let (x, _) = Freshness::above(&mut Freshness::last(1.0, f64::INFINITY), 2.0);
        assert!((left(x) - 0.5).abs() < 1e-15);
        let (x, _) = Freshness::above(&mut Freshness::last(1.0, f64::INFINITY), 1.0);
        assert_eq!(x, f64::INFINITY);
    }

    #[test]
    fn slopes_are_slopes() {
        fn check<M: Marginal>(y: f64, key: f64) {
            let at = |y| M::above(&mut M::last(1.0, y), key).0;
            let h = 1e-6;
            let is = libm::log(at(y * (1.0 + h)) / at(y * (1.0 - h))) / (2.0 * h);
            let (_, slope) = M::above(&mut M::last(1.0, y), key);
            assert!((slope - is).abs() < 1e-6, "{y} {key}: {slope} {is}");
        }
        for y in [1e-9, 1e-4, 0.3, 1.0, 2.0, 5.0, 20.0] {
            for key in [1.0, 1.001, 1.1, 1.7, 5.0] {
                check::<Freshness>(y, key);
                check::<Age>(y, key);
            }
        }
    }
}
