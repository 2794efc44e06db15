//! What one more visit is worth, and how many changes to a visit make it worth a given value.
//!
//! With x = λ/f changes to a visit and the functions of `exponential`:
//!
//! freshness: w·∂F/∂f = κ·g(x), κ = w/λ, g from 0 (x → 0) to 1 (x → ∞, no visits);
//! age: −w·∂A/∂f = κ·q(x), κ = w/λ², q from 0 to ∞.
//!
//! At the optimum all pages that are visited have the same, μ. Take Y, the changes to a visit of the
//! visited pages with the least κ, k, so that μ = k·g(Y). Every page with a larger κ then has
//! g(x) = (k/κ)·g(Y), and x ≤ Y. Y holds μ to the last digit where μ itself cannot: μ/k is
//! 1 − (1 + Y)·e^(−Y), which is 1 to sixteen digits from Y = 40 on. Y = ∞ stands for pages that are
//! just not visited, μ = k.
//!
//! **Inverse of g.** With d = 1 − g(x) and L = −ln d: x − ln(1 + x) = L. For small z = √(2L),
//! x = z + z²/3 + z³/36 − …; otherwise two or three steps of Halley's method. With 1 − k/κ = b,
//! d = b + (1 − b)·(1 − g(Y)): a sum, so that no digits are lost.
//!
//! **Inverse of q.** Newton's method for ln q in ln x, whose slope falls slowly from 3 to 2.

use crate::exponential::{gain, left, ln_age_gain};

/// A goal, as its marginal values.
pub(super) trait Marginal {
    /// What depends on the least visited pages alone.
    type Least: Copy;

    /// κ, or something that rises with it.
    fn worth(weight: f64, rate: f64) -> f64;

    /// For pages of this worth, with Y changes to a visit.
    fn least(worth: f64, y: f64) -> Self::Least;

    /// The changes to a visit of pages worth no less, and d ln x / d ln Y. Quickest for pages in
    /// order of worth.
    fn above(least: &mut Self::Least, worth: f64) -> (f64, f64);

    /// The changes to a visit at which pages of this worth have the value `multiplier`; infinite if
    /// they never do.
    fn at(multiplier: f64, worth: f64) -> f64;

    /// x·g′(x)/g(x) (or of q).
    fn elasticity(x: f64) -> f64;

    /// κ·g(x) (or q).
    fn value(worth: f64, x: f64) -> f64;

    /// ln of a value over a multiplier; 0 where either is beyond the numbers a machine has.
    fn value_ratio(worth: f64, x: f64, multiplier: f64) -> f64;
}

/// Σ w·F is to be large.
pub(super) struct Freshness;

#[derive(Clone, Copy)]
pub(super) struct LeastFresh {
    worth: f64,
    y: f64,
    /// g(Y)
    gain: f64,
    /// 1 − g(Y)
    left: f64,
    /// Y·g′(Y)/g(Y)
    slope: f64,
    /// What was asked for last: L and x.
    last: Option<(f64, f64)>,
}

impl Marginal for Freshness {
    type Least = LeastFresh;

    fn worth(weight: f64, rate: f64) -> f64 {
        weight / rate
    }

    fn least(worth: f64, y: f64) -> LeastFresh {
        let (gain, left) = (gain(y), left(y));
        LeastFresh { worth, y, gain, left, slope: slope(y, gain, left), last: None }
    }

    fn above(least: &mut LeastFresh, worth: f64) -> (f64, f64) {
        let ratio = least.worth / worth;
        let gain = ratio * least.gain;
        if least.y < 1e-6 {
            // g(x) = x²/2·(1 − 2x/3 + …), in which nothing can underflow
            let x = least.y * libm::sqrt(ratio);
            let fix = 1.0 + (x - least.y) / 3.0;
            return (x * fix, fix);
        }
        let left = (worth - least.worth) / worth + ratio * least.left;
        let x = if worth == least.worth {
            least.y
        } else {
            let l = if left < 0.5 { -libm::log(left) } else { -libm::log1p(-gain) };
            // Pages in order of worth differ little from one to the next.
            let near = match least.last {
                Some((then, x)) if (l - then).abs() < 0.01 * l => x + (l - then) * (1.0 + x) / x,
                _ => start(l),
            };
            let x = inverse(l, near);
            least.last = Some((l, x));
            x
        };
        (x, if least.slope == 0.0 { 0.0 } else { least.slope / slope(x, gain, left) })
    }

    fn at(multiplier: f64, worth: f64) -> f64 {
        if worth <= multiplier {
            return f64::INFINITY;
        }
        // As if pages worth just so much were just not visited.
        Self::above(&mut Self::least(multiplier, f64::INFINITY), worth).0
    }

    fn elasticity(x: f64) -> f64 {
        slope(x, gain(x), left(x))
    }

    fn value(worth: f64, x: f64) -> f64 {
        worth * gain(x)
    }

    fn value_ratio(worth: f64, x: f64, multiplier: f64) -> f64 {
        let value = worth * gain(x);
        if value == multiplier || multiplier == 0.0 { 0.0 } else { libm::log(value / multiplier) }
    }
}

/// x·g′(x)/g(x) = x²·e^(−x)/g(x), given g(x) and (1 + x)·e^(−x)
fn slope(x: f64, gain: f64, left: f64) -> f64 {
    if x < 1e-6 {
        2.0 - 2.0 * x / 3.0
    } else if left == 0.0 {
        0.0
    } else {
        x / (1.0 + x) * x * left / gain
    }
}

/// About the x > 0 with x − ln(1 + x) = l.
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

/// The x > 0 with x − ln(1 + x) = l, which is near `x`.
fn inverse(l: f64, mut x: f64) -> f64 {
    // There the series is exact, and a difference would not be.
    if l < 0.005 {
        return start(l);
    }
    for _ in 0..8 {
        let newton = (x - libm::log1p(x) - l) * (1.0 + x) / x;
        x -= newton / (1.0 - newton / (2.0 * x * (1.0 + x)));
        // It trebles the digits.
        if newton.abs() <= 1e-6 * x {
            break;
        }
    }
    x
}

/// Σ w·A is to be small.
pub(super) struct Age;

#[derive(Clone, Copy)]
pub(super) struct LeastOld {
    /// ln κ
    worth: f64,
    y: f64,
    /// ln q(Y)
    ln_gain: f64,
    /// Y·q′(Y)/q(Y)
    slope: f64,
    /// What was asked for last: ln q(x), ln x, x·q′(x)/q(x).
    last: Option<(f64, f64, f64)>,
}

impl Marginal for Age {
    type Least = LeastOld;

    fn worth(weight: f64, rate: f64) -> f64 {
        libm::log(weight) - 2.0 * libm::log(rate)
    }

    fn least(worth: f64, y: f64) -> LeastOld {
        let (ln_gain, slope) = ln_age_gain(y);
        LeastOld { worth, y, ln_gain, slope, last: None }
    }

    fn above(least: &mut LeastOld, worth: f64) -> (f64, f64) {
        if worth == least.worth || least.y.is_infinite() {
            return (least.y, 1.0);
        }
        let wanted = least.ln_gain - (worth - least.worth);
        let near = match least.last {
            Some((wanted_then, ln_x, slope)) if (wanted - wanted_then).abs() < 1.0 => {
                Some(ln_x + (wanted - wanted_then) / slope)
            }
            _ => None,
        };
        let (x, ln_x, slope) = age_inverse(wanted, near);
        least.last = Some((wanted, ln_x, slope));
        (x, least.slope / slope)
    }

    fn at(multiplier: f64, worth: f64) -> f64 {
        if multiplier.is_infinite() {
            return f64::INFINITY;
        }
        age_inverse(libm::log(multiplier) - worth, None).0
    }

    fn elasticity(x: f64) -> f64 {
        ln_age_gain(x).1
    }

    fn value(worth: f64, x: f64) -> f64 {
        libm::exp(worth + ln_age_gain(x).0)
    }

    fn value_ratio(worth: f64, x: f64, multiplier: f64) -> f64 {
        let ln_value = worth + ln_age_gain(x).0;
        // The multiplier may be beyond the numbers a machine has.
        if multiplier > 0.0 && multiplier.is_finite() {
            ln_value - libm::log(multiplier)
        } else {
            0.0
        }
    }
}

/// x, ln x and x·q′(x)/q(x) where ln q(x) = `wanted`; ln x may be near `near`.
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
        // What is left of a Newton step is its square.
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

    /// g(x) = (k/κ)·g(Y) and its like, whatever the sizes.
    #[test]
    fn pages_above_are_worth_as_much() {
        for i in -60..=12 {
            let y = libm::exp10(f64::from(i) / 5.0);
            for more in [0.0, 1e-12, 1e-3, 0.5, 3.0, 1e5, 1e12] {
                let (x, _) = Freshness::above(&mut Freshness::least(2.0, y), 2.0 * (1.0 + more));
                let ratio = gain(y) / gain(x) / (1.0 + more);
                assert!(x <= y && (ratio - 1.0).abs() < 1e-12, "{y} {more} {ratio}");
                let more = more.min(800.0);
                let (x, _) = Age::above(&mut Age::least(2.0, y), 2.0 + more);
                let apart = ln_age_gain(y).0 - ln_age_gain(x).0 - more;
                assert!(x <= y && apart.abs() < 1e-12 * more.max(1.0), "{y} {more} {apart}");
            }
        }
        // Just not visited: d = b.
        let (x, _) = Freshness::above(&mut Freshness::least(1.0, f64::INFINITY), 2.0);
        assert!((left(x) - 0.5).abs() < 1e-15);
        let (x, _) = Freshness::above(&mut Freshness::least(1.0, f64::INFINITY), 1.0);
        assert_eq!(x, f64::INFINITY);
    }

    #[test]
    fn slopes_are_slopes() {
        fn check<M: Marginal>(y: f64, worth: f64) {
            let at = |y| M::above(&mut M::least(1.0, y), worth).0;
            let h = 1e-6;
            let is = libm::log(at(y * (1.0 + h)) / at(y * (1.0 - h))) / (2.0 * h);
            let (_, slope) = M::above(&mut M::least(1.0, y), worth);
            assert!((slope - is).abs() < 1e-6, "{y} {worth}: {slope} {is}");
        }
        for y in [1e-9, 1e-4, 0.3, 1.0, 2.0, 5.0, 20.0] {
            for worth in [1.0, 1.001, 1.1, 1.7, 5.0] {
                check::<Freshness>(y, worth);
                check::<Age>(y, worth);
            }
        }
    }
}
