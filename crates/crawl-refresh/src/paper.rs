//! The tables of Wen & Lu 2004 (sections 2.2 and 4), as printed and recomputed.
//!
//! **The worked example.** p₁ changes five times a day, p₂ once; one page can be visited per day.
//! "Choosing p₂ gives 1/2 × 1/2 = 1/4 day", choosing p₁ 1/2 × 1/10 = 1/20: half the time between
//! changes, times a probability of 1/2.
//!
//! **Tables 1 and 2.** Ten pages with change rates λ, five of news and five of weather; f₀ = 1/6,
//! f′ = 1/3, f = 1. The paper's terms are
//!
//! news: (1/λ)·f₀ uniform, (1/λ)·(1/2) + (1/λ)·f₀ classified; weather: λ·f₀ either way,
//!
//! and it prints 0.7875 and 3.3393 for their sums. The errors:
//!
//! 1. The terms sum to 0.9356 and 3.4874. The difference, 2.5518, is right.
//! 2. They are not probabilities: they mix f₀/λ with λ·f₀, and are summed where the paper's own
//!    eq. 1 takes a mean.
//! 3. Classified spends 20/3 visits per hour, uniform 10/6.
//! 4. A rate estimated as X/n from visits at f₀ is at most f₀. The class needs 2·f₀, so with the
//!    paper's estimator it stays empty and the policy has no effect.
//!
//! [`at_budget`] gives the exact means (Poisson changes, evenly spaced visits) at equal budgets.

use std::num::NonZeroU32;

use crate::Rate;
use crate::allocate::{
    AllocateError, Classified, Goal, Weights, classified, mean_freshness, optimal, proportional,
    uniform,
};
use crate::estimate::{Estimator, expected, probability_of_reaching};
use crate::freshness::{Phase, freshness};

/// Table 1: changes per hour of P1…P10.
pub const CHANGES: [f64; 10] =
    [1.0, 0.8, 0.9, 1.1, 1.2, 1.0 / 12.0, 1.0 / 10.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 8.0];

/// The number of news pages, which come first; the others are weather.
pub const N_NEWS: usize = 5;

/// f₀: visits per hour to every page.
pub const BASE: f64 = 1.0 / 6.0;

/// f′ = 2·f₀: the class's minimum change rate.
pub const THRESHOLD: f64 = 1.0 / 3.0;

/// The sums printed in the paper: uniform, classified.
pub const PRINTED: [f64; 2] = [0.7875, 3.3393];

/// A row of Table 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// λ.
    pub changes: f64,
    /// Whether it is a news page.
    pub is_news: bool,
    /// The paper's term under uniform refresh.
    pub uniform: f64,
    /// The two parts of the term under classified refresh: for f (0 for weather) and for f₀.
    pub classified: [f64; 2],
    /// Exact freshness at the paper's rates: uniform, classified even, classified aligned.
    pub exact: [f64; 3],
}

/// Table 2, term by term.
#[derive(Clone, Debug, PartialEq)]
pub struct Table2 {
    /// P1…P10.
    pub rows: Vec<Row>,
    /// Sums of the paper's terms: uniform, classified.
    pub sums: [f64; 2],
    /// Visits per hour: uniform 10/6, classified 20/3.
    pub spent: [f64; 2],
    /// Mean exact freshness, at those unequal budgets.
    pub exact: [f64; 3],
}

/// Recomputes Tables 1 and 2.
pub fn table_2() -> Table2 {
    let pages = pages();
    let classes = classes();
    let row = |(page, &changes): (usize, &Rate)| {
        let lambda = changes.get();
        let is_news = page < N_NEWS;
        let once = if is_news { BASE / lambda } else { lambda * BASE };
        let streams = classes.streams(page);
        Row {
            changes: lambda,
            is_news,
            uniform: once,
            classified: [if is_news { 0.5 / lambda } else { 0.0 }, once],
            exact: [
                freshness(changes, classes.base),
                streams.freshness(changes, Phase::Even),
                streams.freshness(changes, Phase::Aligned),
            ],
        }
    };
    let rows: Vec<Row> = pages.iter().enumerate().map(row).collect();
    let sum = |value: &dyn Fn(&Row) -> f64| rows.iter().map(value).sum::<f64>();
    let n = rows.len() as f64;
    Table2 {
        sums: [sum(&|row| row.uniform), sum(&|row| row.classified[0] + row.classified[1])],
        spent: [n * BASE, classes.spent()],
        exact: [0, 1, 2].map(|i| sum(&|row| row.exact[i]) / n),
        rows,
    }
}

/// The worked example for one page: the value of one visit per day, in days.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// Changes per day.
    pub changes: f64,
    /// The paper's two factors: a probability, and the days a copy stays fresh.
    pub factors: [f64; 2],
    /// Their product, as in the paper.
    pub paper: f64,
    /// Exact mean freshness under one visit per day.
    pub exact: f64,
}

/// p₁ (five changes a day) and p₂ (one).
pub fn example() -> [Example; 2] {
    [5.0, 1.0].map(|changes| {
        let factors = [0.5, 0.5 / changes];
        let exact = freshness(Rate::of(changes), Rate::of(1.0));
        Example { changes, factors, paper: factors[0] * factors[1], exact }
    })
}

/// Exact mean freshness of the ten pages, all policies at one budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtBudget {
    /// Visits per hour.
    pub budget: f64,
    /// Optimal visit rates.
    pub optimal: f64,
    /// The same rate for every page.
    pub uniform: f64,
    /// Classified, with evenly spaced visits to each page.
    pub classified: f64,
    /// Classified, with both streams starting together.
    pub classified_aligned: f64,
    /// Rates proportional to change rates.
    pub proportional: f64,
}

/// Compares the policies on Table 1's pages at one budget; the paper's are 20/3 and 10/6.
///
/// # Errors
/// Returns [`AllocateError::Budget`] if the budget is neither 0 nor in 1e-60…1e60.
pub fn at_budget(budget: Rate) -> Result<AtBudget, AllocateError> {
    let pages = pages();
    let mean = |visits: &[Rate]| mean_freshness(&pages, Weights::Equal, visits);
    let scaled = classes().scaled_to(budget);
    Ok(AtBudget {
        budget: budget.get(),
        optimal: mean(&optimal(Goal::Freshness, &pages, Weights::Equal, budget)?.visits)?,
        uniform: mean(&uniform(pages.len(), budget))?,
        classified: scaled.mean_freshness(&pages, Weights::Equal, Phase::Even)?,
        classified_aligned: scaled.mean_freshness(&pages, Weights::Equal, Phase::Aligned)?,
        proportional: mean(&proportional(&pages, budget))?,
    })
}

/// Estimated rate of a page visited at f₀, and its probability of entering the class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassEntry {
    /// λ.
    pub changes: f64,
    /// Mean of the estimated rate.
    pub expected: f64,
    /// Maximum of the estimated rate: every visit found a change.
    pub max: f64,
    /// Probability that the page enters the class, f̂ ≥ f′.
    pub probability: f64,
}

/// For each page, whether it enters the class after `n` visits at f₀.
pub fn class_entry(estimator: Estimator, n: NonZeroU32) -> Vec<ClassEntry> {
    let page = |&changes: &f64| {
        let ratio = Rate::of(changes / BASE);
        ClassEntry {
            changes,
            expected: BASE * expected(estimator, n, ratio),
            max: BASE * estimator.ratio(n, n.get()),
            probability: probability_of_reaching(estimator, n, ratio, THRESHOLD / BASE),
        }
    };
    CHANGES.iter().map(page).collect()
}

/// Table 1's rates.
pub fn pages() -> Vec<Rate> {
    CHANGES.map(Rate::of).to_vec()
}

/// The paper's classes, computed from the true rates.
///
/// # Panics
/// Never: one threshold is always increasing.
pub fn classes() -> Classified {
    classified(&pages(), Rate::of(BASE), &[Rate::of(THRESHOLD)]).expect("one threshold rises")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(value: f64, digits: f64, printed: f64) {
        assert!((value - printed).abs() < 0.5 * digits, "{value} is not {printed}");
    }

    #[test]
    fn table_2_sums_to_more_than_printed() {
        let table = table_2();
        is(table.sums[0], 1e-4, 0.9356);
        is(table.sums[1], 1e-4, 3.4874);
        is(table.sums[1] - table.sums[0], 1e-4, 2.5518);
        assert!((PRINTED[1] - PRINTED[0] - 2.5518).abs() < 1e-12);
        is(table.spent[0], 1e-12, 10.0 / 6.0);
        is(table.spent[1], 1e-12, 20.0 / 3.0);
        assert_eq!(table.rows[1].classified, [0.5 / 0.8, BASE / 0.8]);
        assert_eq!(table.rows[5].classified, [0.0, BASE / 12.0]);
        is(table.exact[0], 1e-3, 0.459);
        is(table.exact[1], 1e-3, 0.711);
        is(table.exact[2], 1e-3, 0.691);
    }

    #[test]
    fn the_class_is_the_news_at_once_an_hour() {
        let classes = classes();
        assert!(classes.class_of.iter().enumerate().all(|(i, c)| c.is_some() == (i < N_NEWS)));
        is(classes.classes[0].visits.get(), 1e-12, 1.0);
    }

    #[test]
    fn equal_budgets_turn_the_order_round() {
        for (budget, means) in [
            (20.0 / 3.0, [0.750, 0.724, 0.711, 0.691, 0.680]),
            (10.0 / 6.0, [0.466, 0.459, 0.331, f64::NAN, 0.291]),
        ] {
            let at = at_budget(Rate::of(budget)).unwrap();
            let all =
                [at.optimal, at.uniform, at.classified, at.classified_aligned, at.proportional];
            for (value, printed) in all.into_iter().zip(means).filter(|(_, m)| !m.is_nan()) {
                is(value, 1e-3, printed);
            }
            assert!(all.is_sorted_by(|a, b| a > b), "{all:?}");
        }
        assert!(at_budget(Rate::ZERO).is_ok_and(|at| at.optimal == 0.0 && at.uniform == 0.0));
    }

    #[test]
    fn the_worked_example_is_a_quarter_against_a_twentieth() {
        let [fast, slow] = example();
        assert_eq!((fast.paper, slow.paper), (1.0 / 20.0, 1.0 / 4.0));
        is(slow.exact, 1e-3, 0.632);
        is(fast.exact, 1e-3, 0.199);
    }

    #[test]
    fn the_papers_estimator_leaves_the_class_empty() {
        for n in [1, 10, 1000].map(|n| NonZeroU32::new(n).unwrap()) {
            for page in class_entry(Estimator::Naive, n) {
                assert_eq!((page.max, page.probability), (BASE, 0.0));
                assert!(page.expected < BASE);
            }
        }
        // ln(2n + 1) ≥ 2 from n = 4 on: a better estimator needs four visits.
        for (n, starts) in [(3, false), (4, true)] {
            let news = class_entry(Estimator::BiasReduced, NonZeroU32::new(n).unwrap())[0];
            assert_eq!(news.probability > 0.9, starts);
            assert_eq!(news.probability > 0.0, starts);
        }
    }
}
