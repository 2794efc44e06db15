//! Compares policies on random mixes of rates, by closed forms.
//!
//! A mix has 2 to 30 pages with log-uniform rates of 0.001 to 10, and a budget of 0.01 to 10 visits per
//! page. Each is evaluated with all rates above 0 in the long run; with some static pages; and over a
//! short time, in which uniform visits each page 0.2 to 2 times, starting with fresh copies.

use super::{Policy, classes};
use crate::measurement::Measurement;
use crawl_refresh::allocate::{AllocateError, Weights, mean_freshness, spent};
use crawl_refresh::freshness::{Phase, freshness_until};
use crawl_refresh::{Rate, Span};
use crawl_world::Rng;

/// Number of mixes per web.
const N_MIXES: u32 = 50;
/// Smaller differences are rounding errors.
const LEAST: f64 = 1e-9;

/// Conditions of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    LongRun,
    StaticPages,
    ShortTime,
}

/// A claim that one policy is at least as fresh as another.
pub(super) struct Order {
    pub(super) name: &'static str,
    pub(super) place: Where,
    /// Lead of the first policy in a mix.
    lead: fn(&Mix) -> Result<f64, AllocateError>,
}

pub(super) const UNIFORM: usize = 0;
pub(super) const UNIFORM_STATIC: usize = 1;
pub(super) const UNIFORM_SHORT: usize = 2;
pub(super) const CLASSIFIED: usize = 3;
pub(super) const OPTIMAL: usize = 4;

/// All comparisons.
pub(super) const ORDERS: [Order; 5] = [
    Order { name: "uniform, proportional", place: Where::LongRun, lead: uniform_lead },
    Order { name: "uniform, proportional, static", place: Where::StaticPages, lead: uniform_lead },
    Order { name: "uniform, proportional, short", place: Where::ShortTime, lead: short_lead },
    Order {
        name: "classified, uniform",
        place: Where::LongRun,
        lead: |mix| Ok(mix.fresh(Policy::Classified)? - mix.fresh(Policy::Uniform)?),
    },
    Order { name: "optimal, every other", place: Where::LongRun, lead: optimal_lead },
];

/// Numbers recorded: mixes, mixes in which the first is behind, smallest and largest lead.
pub(super) const COUNTED: [&str; 4] = ["mixes", "behind", "least lead", "greatest lead"];

/// Name of a recorded number.
pub(super) fn name(order: &Order, what: &str) -> String {
    format!("{what}: {}", order.name)
}

/// A random mix of rates.
pub(super) struct Mix {
    pub(super) changes: Vec<Rate>,
    pub(super) budget: Rate,
    pub(super) time: Span,
    /// Randomly distributed visits.
    pub(super) by_chance: Vec<Rate>,
}

impl Mix {
    pub(super) fn drawn(rng: &mut Rng, place: Where) -> Self {
        let rate = |x: f64| Rate::new(x).unwrap_or_default();
        let n = rng.between(2, 30);
        let power =
            |rng: &mut Rng, low: f64, high: f64| libm::exp10(low + (high - low) * rng.fraction());
        let mut changes: Vec<Rate> = (0..n).map(|_| rate(power(rng, -3.0, 1.0))).collect();
        if place == Where::StaticPages {
            // At least one page changes and at least one does not.
            for (i, page) in changes.iter_mut().enumerate().skip(1) {
                if i == 1 || rng.chance(0.5) {
                    *page = Rate::ZERO;
                }
            }
        }
        let budget = f64::from(n) * power(rng, -2.0, 1.0);
        let turns = 0.2 + 1.8 * rng.fraction();
        let shares: Vec<f64> = (0..n).map(|_| rng.fraction()).collect();
        let all = shares.iter().sum::<f64>().max(LEAST);
        Self {
            changes,
            budget: rate(budget),
            time: Span::new(turns * f64::from(n) / budget).unwrap_or_default(),
            by_chance: shares.iter().map(|share| rate(share / all * budget)).collect(),
        }
    }

    fn mean(&self, visits: &[Rate]) -> Result<f64, AllocateError> {
        debug_assert!(spent(visits) <= self.budget.get() * (1.0 + LEAST));
        mean_freshness(&self.changes, Weights::Equal, visits)
    }

    fn fresh(&self, policy: Policy) -> Result<f64, AllocateError> {
        self.mean(&policy.visits(&self.changes, self.budget)?)
    }

    fn fresh_until(&self, policy: Policy) -> Result<f64, AllocateError> {
        let visits = policy.visits(&self.changes, self.budget)?;
        let each = self.changes.iter().zip(&visits);
        Ok(super::mean(each.map(|(changes, visits)| freshness_until(*changes, *visits, self.time))))
    }
}

fn uniform_lead(mix: &Mix) -> Result<f64, AllocateError> {
    Ok(mix.fresh(Policy::Uniform)? - mix.fresh(Policy::Proportional)?)
}

fn short_lead(mix: &Mix) -> Result<f64, AllocateError> {
    Ok(mix.fresh_until(Policy::Uniform)? - mix.fresh_until(Policy::Proportional)?)
}

/// Lead over the best of all others, including both phases of classified and random visits.
fn optimal_lead(mix: &Mix) -> Result<f64, AllocateError> {
    let aligned = classes(&mix.changes, mix.budget)?.mean_freshness(
        &mix.changes,
        Weights::Equal,
        Phase::Aligned,
    )?;
    let others = [
        mix.fresh(Policy::Uniform)?,
        mix.fresh(Policy::Proportional)?,
        mix.fresh(Policy::Classified)?,
        aligned,
        mix.mean(&mix.by_chance)?,
    ];
    Ok(mix.fresh(Policy::Optimal)? - others.into_iter().fold(0.0, f64::max))
}

/// Compares policies for one random seed.
pub(super) fn piece(seed: u64, measured: &mut Measurement) {
    for order in &ORDERS {
        let mut rng = Rng::new(seed, order.name);
        let mut leads = Vec::new();
        for _ in 0..N_MIXES {
            let mix = Mix::drawn(&mut rng, order.place);
            leads.extend((order.lead)(&mix));
        }
        let behind = leads.iter().filter(|lead| **lead < -LEAST).count();
        let least = leads.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = leads.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if leads.is_empty() {
            continue;
        }
        let counted = [leads.len() as f64, behind as f64, least, greatest];
        for (what, value) in COUNTED.into_iter().zip(counted) {
            measured.record(name(order, what), value);
        }
    }
}
