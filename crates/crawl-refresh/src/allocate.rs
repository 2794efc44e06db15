//! How often each page is visited, when all visits together are f₁ + … + fₙ = B, the budget.
//!
//! - [`uniform`]: fᵢ = B/n;
//! - [`proportional`] (document C: individual): fᵢ = B·λᵢ / Σλ;
//! - [`classified()`] (document C): every page at f₀, those of a class also at the class's mean rate;
//! - [`optimal()`]: maximises Σ wᵢ·F(λᵢ, fᵢ), or minimises Σ wᵢ·A(λᵢ, fᵢ).
//!
//! Rates, weights and budgets other than 0 must lie in 1e-60…1e60, so that no product of them
//! leaves the numbers a machine has.

mod classified;
mod marginal;
mod optimal;

pub use classified::{Class, Classified, classified};
pub use optimal::{Goal, Optimum, optimal, visits_at};

use thiserror::Error;

use crate::Rate;
use crate::freshness::{age, freshness};
use crate::sum::Sum;

/// What pages count for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weights<'a> {
    /// All the same.
    Equal,
    /// Each its own: importance or clicks, finite and not negative.
    Each(&'a [f64]),
}

impl Weights<'_> {
    /// What page i counts for.
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

/// Why no visits could be given out.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AllocateError {
    /// A change rate beyond what is computed with.
    #[error("page {page} changes at a rate of {rate}, which is neither 0 nor in 1e-60…1e60")]
    RateRange {
        /// Its number.
        page: usize,
        /// Its rate.
        rate: f64,
    },
    /// A budget beyond what is computed with.
    #[error("a budget of {0} is neither 0 nor in 1e-60…1e60")]
    Budget(f64),
    /// A price of visits that is none.
    #[error("a multiplier must be above 0, not {0}")]
    Multiplier(f64),
    /// A weight that is none.
    #[error("page {page} weighs {weight}, which is neither 0 nor in 1e-60…1e60")]
    Weight {
        /// The page's number.
        page: usize,
        /// Its weight.
        weight: f64,
    },
    /// As many are needed as there are pages.
    #[error("{wanted} pages, but {given} {what}")]
    Lengths {
        /// Of what.
        what: &'static str,
        /// The pages.
        wanted: usize,
        /// How many there are.
        given: usize,
    },
    /// Thresholds of classes must rise.
    #[error("thresholds must rise: {1} comes after {0}")]
    Thresholds(f64, f64),
    /// A mean over nothing.
    #[error("no page weighs anything")]
    NothingWeighs,
}

/// Every page the same.
pub fn uniform(n_pages: usize, budget: Rate) -> Vec<Rate> {
    vec![Rate::of(budget.get() / n_pages.max(1) as f64); n_pages]
}

/// Visits in proportion to changes. If no page changes, all get the same, as equal pages do (ours).
pub fn proportional(changes: &[Rate], budget: Rate) -> Vec<Rate> {
    let most = changes.iter().map(|rate| rate.get()).fold(0.0, f64::max);
    if most == 0.0 {
        return uniform(changes.len(), budget);
    }
    // Divided first, so that no sum overflows.
    let all = changes.iter().map(|rate| rate.get() / most).collect::<Sum>().get();
    changes.iter().map(|rate| Rate::of(rate.get() / most / all * budget.get())).collect()
}

/// What all pages get together.
pub fn spent(visits: &[Rate]) -> f64 {
    visits.iter().map(|rate| rate.get()).collect::<Sum>().get()
}

/// Σ w·F / Σ w, visits evenly spaced.
///
/// # Errors
/// Not as many visits or weights as pages, a bad weight, or none above 0.
pub fn mean_freshness(
    changes: &[Rate],
    weights: Weights<'_>,
    visits: &[Rate],
) -> Result<f64, AllocateError> {
    check_visits(changes, visits)?;
    mean(changes.len(), weights, |page| freshness(changes[page], visits[page]))
}

/// Σ w·A / Σ w, visits evenly spaced; infinite where a page that counts is never visited.
///
/// # Errors
/// Not as many visits or weights as pages, a bad weight, or none above 0.
pub fn mean_age(
    changes: &[Rate],
    weights: Weights<'_>,
    visits: &[Rate],
) -> Result<f64, AllocateError> {
    check_visits(changes, visits)?;
    mean(changes.len(), weights, |page| age(changes[page], visits[page]))
}

/// Σ w·value / Σ w over the pages that weigh anything.
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

/// Whether numbers can be computed with whatever the others are.
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
