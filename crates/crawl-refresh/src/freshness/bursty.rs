//! Freshness of pages that change in bursts.
//!
//! Bursts begin at rate β, each with a change; for a time L after a begin there are further changes
//! at rate ρ > β. A begin within a burst prolongs it.
//!
//! At a visit independent of the bursts, the time A since the last begin is exponential with rate
//! β, so the rest of a burst, u = L − A > 0, has the density β·e^(−β(L−u)). The copy stays fresh
//! for s if no burst begins and no change happens in the rest of the burst:
//!
//! P(s) = e^(−βs)·e^(−βL)·[1 + ∫ over 0 < u < L of β·e^(βu)·e^(−ρ·min(u, s)) du]
//!      = e^(−βL)·[(1 + κ)·e^(−βs) − (1 + κ)·e^(−ρs)] + e^(−(ρ+β)s) for s ≤ L, κ = β/(ρ − β),
//!      = e^(−βs)·e^(−βL)·[1 + κ·(1 − e^(−(ρ−β)L))] for s ≥ L.
//!
//! For evenly spaced visits, T = 1/f apart, freshness is the mean of P over 0 < s < T (not in the
//! papers).

use crate::Rate;
use crate::exponential::phi;
use crate::rate::Span;

/// Freshness of a page that changes in bursts; 0 if it is never visited.
///
/// Rates must be above 0 and `within` above `begins`; otherwise only the begins count.
pub fn freshness(begins: Rate, within: Rate, lasts: Span, visits: Rate) -> f64 {
    let (beta, rho, length) = (begins.get(), within.get(), lasts.get());
    if visits.get() == 0.0 {
        return if beta > 0.0 { 0.0 } else { 1.0 };
    }
    if rho <= beta || beta == 0.0 || length == 0.0 {
        return super::freshness(begins, visits);
    }
    let gap = 1.0 / visits.get();
    let one_and_kappa = rho / (rho - beta);
    let quiet = libm::exp(-beta * length);
    // ∫ e^(−ks) ds from 0 to x
    let area = |k: f64, x: f64| x * phi(1, k * x);
    let near = gap.min(length);
    let mut fresh =
        quiet * one_and_kappa * (area(beta, near) - area(rho, near)) + area(rho + beta, near);
    if gap > length {
        let held = -libm::expm1(-(rho - beta) * length);
        let level = quiet * (1.0 + (one_and_kappa - 1.0) * held);
        fresh += level * quiet * area(beta, gap - length);
    }
    (fresh / gap).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(value: f64) -> Rate {
        Rate::new(value).unwrap()
    }

    /// P(s) by numerical integration, and its mean by another integration.
    fn slowly(beta: f64, rho: f64, length: f64, gap: f64) -> f64 {
        let simpson = |from: f64, to: f64, of: &dyn Fn(f64) -> f64| {
            let n = 2000;
            let step = (to - from) / f64::from(n);
            let weight = |i| if i == 0 || i == n { 1.0 } else { [2.0, 4.0][i as usize % 2] };
            (0..=n).map(|i| weight(i) * of(from + f64::from(i) * step)).sum::<f64>() * step / 3.0
        };
        let fresh = |s: f64| {
            let inner = |u: f64| beta * libm::exp(beta * u) * libm::exp(-rho * u.min(s));
            // The integrand has a kink at s.
            let bend = s.min(length);
            let sum = simpson(0.0, bend, &inner) + simpson(bend, length, &inner);
            libm::exp(-beta * s) * libm::exp(-beta * length) * (1.0 + sum)
        };
        let bend = gap.min(length);
        (simpson(0.0, bend, &fresh) + simpson(bend, gap, &fresh)) / gap
    }

    #[test]
    fn the_closed_form_is_the_integral() {
        for (beta, rho, length, gap) in [
            (0.1, 40.0, 1.5, 0.5),
            (0.1, 4.0, 1.5, 3.0),
            (0.5, 0.6, 2.0, 2.0),
            (0.01, 10.0, 0.2, 24.0),
            (2.0, 3.0, 5.0, 0.1),
        ] {
            let lasts = Span::new(length).unwrap();
            let is = freshness(rate(beta), rate(rho), lasts, rate(1.0 / gap));
            let slow = slowly(beta, rho, length, gap);
            assert!((is - slow).abs() < 1e-6, "{beta} {rho} {length} {gap}: {is} {slow}");
        }
    }

    #[test]
    fn limits_are_well_defined() {
        let hour = Span::new(1.0).unwrap();
        assert_eq!(freshness(rate(1.0), rate(2.0), hour, Rate::ZERO), 0.0);
        assert_eq!(freshness(Rate::ZERO, Rate::ZERO, hour, rate(1.0)), 1.0);
        let short = Span::new(1e-9).unwrap();
        let plain = super::super::freshness(rate(1.0), rate(3.0));
        assert!((freshness(rate(1.0), rate(5.0), short, rate(3.0)) - plain).abs() < 1e-6);
        for size in [1e-6, 1.0, 1e6] {
            let is = freshness(rate(size), rate(2.0 * size), hour, rate(1.0));
            assert!((0.0..=1.0).contains(&is), "{size}: {is}");
        }
    }
}
