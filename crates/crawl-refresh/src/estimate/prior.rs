//! Bayesian estimation with a Gamma prior: pages of one site have similar change rates.
//!
//! Rates of a site's pages follow a Gamma distribution with shape α and time β, equivalent to α
//! changes observed in time β; mean α/β, variance α/β². After visits, with U the total time of
//! those without a change, the density of r is proportional to
//!
//! r^(α−1)·e^(−(β + U)·r) · Π over changed of (1 − e^(−r·Iᵢ)).
//!
//! The estimate is the mode of ln r (our choice), where α/r + Σ over changed of Iᵢ/(e^(r·Iᵢ) − 1) =
//! β + U: the likelihood equation with α more changes in β more time. It is α/β before any visit,
//! and α/(β + U), the exact mean, while no change was found. It is always finite and above 0, and
//! independent of the order of visits. The standard deviation of ln r is 1/√(curvature at the mode)
//! (Laplace approximation).
//!
//! **A site's prior** (our choice), by the method of moments: m and s² are the mean and variance of
//! its pages' bias-reduced estimates. Part of s² is sampling error: an estimate from n visits at
//! intervals I has the variance (e^b − 1)/(n·I²), b from X + 0.5 so that it is never 0. With v = s²
//! − the mean of these, α = m²/v and β = m/v. For v ≤ 0 the prior would have infinite weight, so α
//! is at most the number of changes seen on the site plus 1, and at least 0.1. If no page ever
//! changed, m is half a change in the total time. A single page gives α = 1.

use thiserror::Error;

use super::{Counts, History, likelihood};
use crate::Rate;
use crate::sum::Sum;

/// A Gamma distribution of rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    shape: f64,
    time: f64,
}

/// Error: a parameter of a prior is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a prior's {what} must be in 1e-60…1e60, not {value}")]
pub struct BadPrior {
    /// Name of the parameter.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
}

/// The posterior of a page's change rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posterior {
    /// The mode of ln λ, as a rate.
    pub rate: Rate,
    /// Standard deviation of ln λ: the rate is known within a factor of e^`ln_deviation`.
    pub ln_deviation: f64,
}

impl Gamma {
    /// A prior equivalent to `shape` changes observed in `time`.
    ///
    /// # Errors
    /// Returns [`BadPrior`] if a parameter is outside 1e-60…1e60.
    pub fn new(shape: f64, time: f64) -> Result<Self, BadPrior> {
        for (what, value) in [("shape", shape), ("time", time)] {
            if !(1e-60..=1e60).contains(&value) {
                return Err(BadPrior { what, value });
            }
        }
        Ok(Self { shape, time })
    }

    /// The shape α.
    pub fn shape(self) -> f64 {
        self.shape
    }

    /// The time β.
    pub fn time(self) -> f64 {
        self.time
    }

    /// The mean α/β.
    pub fn mean(self) -> f64 {
        self.shape / self.time
    }

    /// The prior of a site with these pages; `None` if none of them was visited twice.
    pub fn of_site(pages: &[Counts]) -> Option<Self> {
        let seen: Vec<_> = pages.iter().filter(|counts| counts.n_visits() > 0).collect();
        let n = seen.len() as f64;
        let estimates = || seen.iter().filter_map(|counts| counts.bias_reduced());
        let mut mean = estimates().map(Rate::get).collect::<Sum>().get() / n;
        if mean == 0.0 {
            let time = seen.iter().map(|counts| counts.time).collect::<Sum>().get();
            mean = 0.5 / time;
        }
        let n_changed: f64 = seen.iter().map(|counts| f64::from(counts.n_changed())).sum();
        let shape = if seen.len() < 2 {
            1.0
        } else {
            // In units of the mean, to avoid overflow.
            let off = |rate: Rate| (rate.get() / mean - 1.0) * (rate.get() / mean - 1.0);
            let spread = estimates().map(off).collect::<Sum>().get() / (n - 1.0);
            let chance =
                seen.iter().map(|counts| by_chance(counts, mean)).collect::<Sum>().get() / n;
            let own = spread - chance;
            if own > 0.0 { (1.0 / own).clamp(0.1, n_changed + 1.0) } else { n_changed + 1.0 }
        };
        Self::new(shape, shape / mean).ok()
    }
}

/// Variance of a page's estimate from sampling, in units of `unit`².
fn by_chance(counts: &Counts, unit: f64) -> f64 {
    let Some(interval) = counts.interval() else { return 0.0 };
    let n = f64::from(counts.n_visits());
    let unchanged = (n - f64::from(counts.n_changed()) + 0.5) / (n + 1.0);
    (1.0 / unchanged - 1.0) / n / (interval * unit) / (interval * unit)
}

/// The mode of ln λ after a page's visits, as a rate.
pub(super) fn mode(prior: Gamma, history: &History) -> f64 {
    let time = prior.time + history.unchanged;
    if history.changed.is_empty() {
        return prior.shape / time;
    }
    likelihood::root(&history.changed, prior.shape, time)
}

/// The posterior of a page's change rate after its visits.
pub fn posterior(prior: Gamma, history: &History) -> Posterior {
    let r = mode(prior, history);
    let time = prior.time + history.unchanged;
    let curvature = |&(interval, times): &(f64, u32)| {
        let v = r * interval;
        let part = v / libm::expm1(v);
        // 1 − v·e^v/(e^v − 1) = 1 − v − part
        f64::from(times) * part * (v + part - 1.0).max(0.0)
    };
    let curvature = time * r + history.changed.iter().map(curvature).sum::<f64>();
    Posterior { rate: Rate::of(r), ln_deviation: 1.0 / libm::sqrt(curvature) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    fn history(visits: &[(bool, f64)]) -> History {
        let mut history = History::default();
        for &(changed, interval) in visits {
            history.record(changed, Span::new(interval).unwrap()).unwrap();
        }
        history
    }

    #[test]
    fn few_visits_give_the_prior_and_many_the_likelihood() {
        let prior = Gamma::new(2.0, 4.0).unwrap();
        assert_eq!(posterior(prior, &History::default()).rate.get(), 0.5);
        let quiet = posterior(prior, &history(&[(false, 1.0), (false, 3.0)]));
        assert!((quiet.rate.get() - 2.0 / 8.0).abs() < 1e-15);
        assert!((quiet.ln_deviation - 1.0 / libm::sqrt(2.0)).abs() < 1e-15);
        // After many visits the prior hardly matters.
        let much: Vec<_> = (0..6000).map(|i| (i % 3 != 0, 1.0)).collect();
        let known = posterior(prior, &history(&much));
        assert!((known.rate.get() / libm::log(3.0) - 1.0).abs() < 1e-3);
        assert!(known.ln_deviation < 0.03);
    }

    /// Mode and curvature of the density of ln r, by numerical search.
    #[test]
    fn the_posterior_is_the_mode_of_the_log_rate() {
        let visits = [(true, 0.5), (true, 2.0), (false, 1.0), (true, 0.5)];
        let prior = Gamma::new(0.7, 1.3).unwrap();
        let ln_density = |s: f64| -> f64 {
            let r = libm::exp(s);
            let one = |&(changed, i): &(bool, f64)| {
                if changed { libm::log(-libm::expm1(-r * i)) } else { -r * i }
            };
            0.7 * s - 1.3 * r + visits.iter().map(one).sum::<f64>()
        };
        let found = posterior(prior, &history(&visits));
        let s = libm::log(found.rate.get());
        let h = 1e-4;
        let (up, at, down) = (ln_density(s + h), ln_density(s), ln_density(s - h));
        assert!(at > up && at > down && ((up - down) / (2.0 * h)).abs() < 1e-6);
        let curvature = (2.0 * at - up - down) / (h * h);
        assert!((found.ln_deviation * libm::sqrt(curvature) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn the_order_of_visits_does_not_matter() {
        let prior = Gamma::new(1.0, 2.0).unwrap();
        let mut visits = vec![(true, 1.0), (false, 0.3), (true, 7.0), (false, 2.0), (true, 1.0)];
        let first = posterior(prior, &history(&visits)).rate.get();
        visits.reverse();
        assert!((posterior(prior, &history(&visits)).rate.get() / first - 1.0).abs() < 1e-14);
    }

    #[test]
    fn every_site_has_a_prior() {
        assert_eq!(Gamma::of_site(&[]), None);
        assert_eq!(Gamma::of_site(&[Counts::default()]), None);
        let page = |n, x| {
            let mut counts = Counts::default();
            (0..n).for_each(|i| counts.record(i < x, Span::new(2.0).unwrap()).unwrap());
            counts
        };
        let quiet = Gamma::of_site(&[page(5, 0), page(5, 0)]).unwrap();
        assert!((quiet.mean() - 0.5 / 20.0).abs() < 1e-12);
        assert_eq!(Gamma::of_site(&[page(4, 2)]).unwrap().shape(), 1.0);
        // Similar pages give a strong prior, different pages a weak one.
        assert_eq!(Gamma::of_site(&[page(8, 4); 10]).unwrap().shape(), 41.0);
        let mixed = Gamma::of_site(&[page(50, 1), page(50, 1), page(50, 1), page(50, 49)]).unwrap();
        assert!(mixed.shape() < 0.5);
        for (n, x) in [(1, 0), (1, 1), (1000, 1000)] {
            let prior = Gamma::of_site(&[page(n, x), page(n, x)]).unwrap();
            assert!(prior.mean().is_finite() && prior.mean() > 0.0);
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Gamma::new(bad, 1.0).is_err() && Gamma::new(1.0, bad).is_err());
        }
    }
}
