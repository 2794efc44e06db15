//! Exponential functions used by freshness and age.
//!
//! φ₁(y) = (1 − e^(−y)) / y, φₘ₊₁(y) = (1/m! − φₘ(y)) / y, so that
//! φₘ(y) = Σ over k ≥ 0 of (−y)^k / (k + m)!.
//!
//! For small y the recursion loses digits and the series does not. Two combinations:
//!
//! g(x) = 1 − (1 + x)·e^(−x) = x²·(φ₁ − φ₂): marginal freshness of a visit, times λ;
//! q(x) = x²/2 − g(x) = x³·(φ₂ − φ₃): marginal age of a visit, times λ².

/// 0!…4!
const FACTORIALS: [f64; 5] = [1.0, 1.0, 2.0, 6.0, 24.0];

/// φₘ(y) for y ≥ 0 and m = 1…4; y may be infinite.
pub(crate) fn phi(m: usize, y: f64) -> f64 {
    if y < 1.0 {
        let mut term = 1.0 / FACTORIALS[m];
        let mut sum = term;
        let mut k = m as f64;
        while term.abs() > 1e-18 {
            k += 1.0;
            term *= -y / k;
            sum += term;
        }
        return sum;
    }
    let mut value = -libm::expm1(-y) / y;
    for factorial in &FACTORIALS[1..m] {
        value = (1.0 / factorial - value) / y;
    }
    value
}

/// g(x).
pub(crate) fn gain(x: f64) -> f64 {
    if x < 1.0 { x * x * (phi(1, x) - phi(2, x)) } else { 1.0 - left(x) }
}

/// (1 + x)·e^(−x) = 1 − g(x).
pub(crate) fn left(x: f64) -> f64 {
    if x > 800.0 { 0.0 } else { (1.0 + x) * libm::exp(-x) }
}

/// ln q(x) and x·q′(x)/q(x) = x²·(1 − e^(−x))/q(x), for any x > 0.
pub(crate) fn ln_age_gain(x: f64) -> (f64, f64) {
    if x < 1.0 {
        // The backward recursion is accurate here.
        let phi_3 = phi(3, x);
        let phi_2 = 0.5 - x * phi_3;
        let phi_1 = 1.0 - x * phi_2;
        let rest = phi_2 - phi_3;
        (3.0 * libm::log(x) + libm::log(rest), phi_1 / rest)
    } else if x < 1e8 {
        let still = libm::exp(-x);
        let q = x * x / 2.0 - (1.0 - (1.0 + x) * still);
        (libm::log(q), x * x * (1.0 - still) / q)
    } else {
        (2.0 * libm::log(x) - std::f64::consts::LN_2, 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (y, φ₁, φ₂, φ₃, φ₄, g, q), computed with 50 digits.
    const EXACT: &[(f64, [f64; 4], f64, f64)] = &[
        (
            1e-09,
            [0.9999999995, 0.4999999998333333, 0.166666666625, 0.04166666665833333],
            4.999999996666667e-19,
            3.333333332083334e-28,
        ),
        (
            1e-05,
            [0.9999950000166666, 0.4999983333375, 0.16666625000083332, 0.04166658333347222],
            4.999966666791667e-11,
            3.333320833366667e-16,
        ),
        (
            0.003,
            [0.9985014988756746, 0.49950037477511244, 0.16654174162918273, 0.041641679161311534],
            4.49101011690506e-06,
            8.989883094940104e-09,
        ),
        (
            0.25,
            [0.8847968677143805, 0.4608125291424779, 0.15674988343008844, 0.03966713294631294],
            0.026499021160743916,
            0.004750978839256085,
        ),
        (
            0.999,
            [0.6323848802666037, 0.36798310283623253, 0.13214904620997742, 0.034552172629318555],
            0.2638732382772878,
            0.23512726172271217,
        ),
        (
            1.0,
            [0.6321205588285577, 0.36787944117144233, 0.13212055882855767, 0.03454610783810899],
            0.26424111765711533,
            0.23575888234288464,
        ),
        (
            1.5,
            [0.5179132265677134, 0.321391182288191, 0.11907254514120598, 0.03172941435030713],
            0.4421745996289254,
            0.6828254003710745,
        ),
        (
            4.0,
            [0.24542109027781644, 0.1886447274305459, 0.07783881814236353, 0.022206962131075786],
            0.9084218055563291,
            7.091578194443671,
        ),
        (
            37.0,
            [0.027027027027027025, 0.026296566837107377, 0.01280279549088899, 0.004158483004750748],
            0.9999999999999968,
            683.5,
        ),
        (10000.0, [0.0001, 9.999e-05, 4.9990001e-05, 1.6661667666566665e-05], 1.0, 49999999.0),
    ];

    #[test]
    fn functions_agree_with_50_digit_arithmetic() {
        for &(y, phis, g, q) in EXACT {
            for (m, exact) in (1..).zip(phis) {
                assert!((phi(m, y) / exact - 1.0).abs() < 4e-15, "φ{m}({y}) = {}", phi(m, y));
            }
            assert!((gain(y) / g - 1.0).abs() < 4e-15, "g({y}) = {}", gain(y));
            let ln_q = libm::log(q);
            assert!((ln_age_gain(y).0 - ln_q).abs() < 4e-15 * ln_q.abs().max(1.0), "q({y})");
        }
    }

    #[test]
    fn limits_are_exact() {
        assert_eq!([phi(1, 0.0), phi(2, 0.0), phi(3, 0.0)], [1.0, 0.5, 1.0 / 6.0]);
        for m in 1..=4 {
            assert_eq!(phi(m, f64::INFINITY), 0.0);
            assert!((phi(m, 1.0 - 1e-16) - phi(m, 1.0)).abs() < 1e-15);
        }
        assert_eq!((gain(0.0), gain(f64::INFINITY), left(f64::INFINITY)), (0.0, 1.0, 0.0));
        assert!((ln_age_gain(1e8).0 - ln_age_gain(1e8 * (1.0 - 1e-15)).0).abs() < 1e-13);
    }
}
