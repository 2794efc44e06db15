//! Visit rates f₁, …, fₙ of n pages under a budget: f₁ + … + fₙ = B.
//!
//! - [`uniform`]: fᵢ = B/n;
//! - [`proportional`] ("individual" in Wen & Lu 2004): fᵢ = B·λᵢ / Σλ;
//! - [`classified()`] (Wen & Lu 2004): f₀ for every page, plus the mean rate of the page's class;
//! - [`optimal()`]: maximises Σ wᵢ·F(λᵢ, fᵢ), or minimises Σ wᵢ·A(λᵢ, fᵢ).
//!
//! Rates, weights and budgets must be 0 or in 1e-60…1e60, so that no product overflows or
//! underflows.

mod classified;
mod marginal;
mod optimal;

pub use classified::{Class, Classified, classified};
pub use optimal::{Goal, Optimum, optimal, visits_at};

use thiserror::Error;

use crate::Rate;
use crate::freshness::{age, freshness};
use crate::sum::Sum;

/// The weights of pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weights<'a> {
    /// Weight 1 for every page.
    Equal,
    /// One weight per page, such as importance or clicks: finite and not negative.
    Each(&'a [f64]),
}

impl Weights<'_> {
    /// The weight of a page.
    pub(crate) fn of(self, page: usize) -> f64 {
        match self {
            Weights::Equal => 1.0,
            Weights::Each(weights) => weights[page],
        }
    }

    fn check(self, n_pages: usize) -> Result<(), AllocateError> {
        let Weights::Each(weights) = self else { return Ok(()) };
        if weights.len() != n_pages {
            let (wanted, given) = (n_pages, weights.len());
            return Err(AllocateError::Lengths { what: "weights", wanted, given });
        }
        match weights.iter().position(|&weight| !is_in_range(weight)) {
            Some(page) => Err(AllocateError::Weight { page, weight: weights[page] }),
            None => Ok(()),
        }
    }
}

/// Why visit rates could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AllocateError {
    /// A change rate out of range.
    #[error("page {page}: change rate {rate} must be 0 or in 1e-60…1e60")]
    RateRange {
        /// Index of the page.
        page: usize,
        /// Its rate.
        rate: f64,
    },
    /// A budget out of range.
    #[error("budget {0} must be 0 or in 1e-60…1e60")]
    Budget(f64),
    /// A multiplier that is not positive.
    #[error("multiplier {0} must be above 0")]
    Multiplier(f64),
    /// A weight out of range.
    #[error("page {page}: weight {weight} must be 0 or in 1e-60…1e60")]
    Weight {
        /// Index of the page.
        page: usize,
        /// Its weight.
        weight: f64,
    },
    /// A list whose length differs from the number of pages.
    #[error("expected {wanted} {what}, one per page; got {given}")]
    Lengths {
        /// What the list contains.
        what: &'static str,
        /// Number of pages.
        wanted: usize,
        /// Length of the list.
        given: usize,
    },
    /// Class thresholds that are not increasing.
    #[error("thresholds must increase: {1} follows {0}")]
    Thresholds(f64, f64),
    /// All weights are 0, so there is no mean.
    #[error("at least one page must have a weight above 0")]
    NothingWeighs,
}

/// The same visit rate for every page.
pub fn uniform(n_pages: usize, budget: Rate) -> Vec<Rate> {
    vec![Rate::of(budget.get() / n_pages.max(1) as f64); n_pages]
}

/// Visit rates proportional to change rates; uniform if no page changes (our choice).
pub fn proportional(changes: &[Rate], budget: Rate) -> Vec<Rate> {
    let max = changes.iter().map(|rate| rate.get()).fold(0.0, f64::max);
    if max == 0.0 {
        return uniform(changes.len(), budget);
    }
    // Divided first, so that the sum cannot overflow.
    let all = changes.iter().map(|rate| rate.get() / max).collect::<Sum>().get();
    changes.iter().map(|rate| Rate::of(rate.get() / max / all * budget.get())).collect()
}

/// The sum of the visit rates.
pub fn spent(visits: &[Rate]) -> f64 {
    visits.iter().map(|rate| rate.get()).collect::<Sum>().get()
}

/// Weighted mean freshness Σ w·F / Σ w, for evenly spaced visits.
///
/// # Errors
/// Returns an [`AllocateError`] if the lengths differ, a weight is out of range or all are 0.
pub fn mean_freshness(
    changes: &[Rate],
    weights: Weights<'_>,
    visits: &[Rate],
) -> Result<f64, AllocateError> {
    check_visits(changes, visits)?;
    mean(changes.len(), weights, |page| freshness(changes[page], visits[page]))
}

/// Weighted mean age Σ w·A / Σ w, for evenly spaced visits.
///
/// Infinite if a page with a weight above 0 changes and is never visited.
///
/// # Errors
/// Returns an [`AllocateError`] if the lengths differ, a weight is out of range or all are 0.
pub fn mean_age(
    changes: &[Rate],
    weights: Weights<'_>,
    visits: &[Rate],
) -> Result<f64, AllocateError> {
    check_visits(changes, visits)?;
    mean(changes.len(), weights, |page| age(changes[page], visits[page]))
}

/// Σ w·value / Σ w over the pages with w > 0.
fn mean(
    n_pages: usize,
    weights: Weights<'_>,
    value: impl Fn(usize) -> f64,
) -> Result<f64, AllocateError> {
    weights.check(n_pages)?;
    let (mut sum, mut all) = (Sum::default(), Sum::default());
    for page in 0..n_pages {
        let weight = weights.of(page);
        if weight > 0.0 {
            sum.add(weight * value(page));
            all.add(weight);
        }
    }
    if all.get() > 0.0 { Ok(sum.get() / all.get()) } else { Err(AllocateError::NothingWeighs) }
}

fn check_visits(changes: &[Rate], visits: &[Rate]) -> Result<(), AllocateError> {
    if visits.len() == changes.len() {
        return Ok(());
    }
    Err(AllocateError::Lengths { what: "visit rates", wanted: changes.len(), given: visits.len() })
}

/// Whether a value is 0 or in the range in which no product overflows.
fn is_in_range(value: f64) -> bool {
    value == 0.0 || (1e-60..=1e60).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates;

    #[test]
    fn uniform_and_proportional_spend_the_budget() {
        let changes = rates(&[1.0, 3.0, 0.0]).unwrap();
        let budget = Rate::new(8.0).unwrap();
        assert_eq!(proportional(&changes, budget), rates(&[2.0, 6.0, 0.0]).unwrap());
        assert_eq!(uniform(4, budget), rates(&[2.0; 4]).unwrap());
        assert_eq!(uniform(0, budget), []);
        assert_eq!(proportional(&[], budget), []);
        assert_eq!(proportional(&[Rate::ZERO; 2], budget), rates(&[4.0; 2]).unwrap());
        let extreme = rates(&[f64::MAX, f64::MAX, 5e-324]).unwrap();
        assert!((spent(&proportional(&extreme, budget)) - 8.0).abs() < 1e-12);
    }

    #[test]
    fn means_take_only_what_fits() {
        let changes = rates(&[1.0, 2.0]).unwrap();
        let none = [Rate::ZERO; 2];
        assert_eq!(mean_freshness(&changes, Weights::Equal, &none), Ok(0.0));
        assert_eq!(mean_age(&changes, Weights::Equal, &none), Ok(f64::INFINITY));
        assert_eq!(
            mean_age(&changes, Weights::Each(&[0.0, 0.0]), &none),
            Err(AllocateError::NothingWeighs)
        );
        assert!(mean_freshness(&changes, Weights::Equal, &none[..1]).is_err());
        assert!(mean_freshness(&changes, Weights::Each(&[1.0]), &none).is_err());
        for bad in [-1.0, f64::NAN, f64::INFINITY, 1e-200] {
            assert!(matches!(
                mean_freshness(&changes, Weights::Each(&[1.0, bad]), &none),
                Err(AllocateError::Weight { page: 1, .. })
            ));
        }
    }
}
