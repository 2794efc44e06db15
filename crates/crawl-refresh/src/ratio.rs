//! Rational approximation p/q of the ratio of two rates, to detect coinciding events.
//!
//! Continued fractions: the first convergent within a relative error of 1e-13. For a ratio that is
//! not a fraction of small integers, q is so large that results no longer depend on it.

/// (p, q) in lowest terms with p/q = `ratio`, for a ratio in 1e-15…1e15.
pub(crate) fn lowest_terms(ratio: f64) -> (f64, f64) {
    let (mut p, mut q) = ((1.0, ratio.floor()), (0.0, 1.0));
    let mut rest = ratio - ratio.floor();
    while (p.1 / q.1 - ratio).abs() > 1e-13 * ratio && q.1 < 1e12 {
        let inverse = 1.0 / rest;
        let whole = inverse.floor();
        rest = inverse - whole;
        p = (p.1, whole * p.1 + p.0);
        q = (q.1, whole * q.1 + q.0);
    }
    (p.1, q.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_come_back() {
        for (p, q) in [(1.0, 1.0), (6.0, 1.0), (1.0, 6.0), (7.0, 3.0), (355.0, 113.0), (20.0, 9.0)]
        {
            assert_eq!(lowest_terms(p / q), (p, q));
            assert_eq!(lowest_terms((p / 3.0) / (q / 3.0)), (p, q));
        }
        let (_, q) = lowest_terms(std::f64::consts::SQRT_2);
        assert!(q > 1e5);
        for extreme in [1e-15, 1.1e-15, 1e15, 0.99e15] {
            let (p, q) = lowest_terms(extreme);
            assert!((p / q / extreme - 1.0).abs() < 1e-12, "{p} {q}");
        }
    }
}
