//! The best of all stationary schedules, for known rates: maximise Σ wᵢ·F(λᵢ, fᵢ), or minimise
//! Σ wᵢ·A(λᵢ, fᵢ), under Σ fᵢ = B and fᵢ ≥ 0 (Cho & Garcia-Molina 2000).
//!
//! F is concave in f and A convex, so the conditions of Karush, Kuhn and Tucker decide: there is a
//! μ > 0 with
//!
//! wᵢ·∂F/∂f(λᵢ, fᵢ) = μ where fᵢ > 0, and wᵢ/λᵢ ≤ μ where fᵢ = 0
//!
//! (wᵢ/λᵢ is what the first visit is worth). For age the first visit has no bound, so no page that
//! changes and counts gets zero. Pages that never change, or count for nothing, get none.
//!
//! Pages of equal κ (`marginal`) are one step of a ladder sorted by κ, of which the first m steps
//! are visited. `marginal` gives every visited page's changes to a visit from Y, those of step m.
//! So the search has two parts:
//!
//! 1. m: the last step for which Σ λ/x at Y = ∞ (step m just not visited) is below the budget. The
//!    sum rises with m; interpolation between steps known to be too few and too many finds it.
//! 2. Y: Σ λ/x falls smoothly as Y rises; Newton's method in logarithms, within a bracket.
//!
//! Searching for μ itself would fail: a page that is barely worth visiting goes from no visits to
//! about λ/40 within the last digit of μ, and the budget may end in between.
//!
//! O(n log n) for the sorting, and some ten sums over the steps. Long ladders are first solved with
//! every so many steps drawn together: that gives μ to some six digits, and from there Newton's method
//! in ln μ needs two or three sums. Only where it ends at a step that hardly gets visits does the
//! search in two parts follow.

use super::marginal::{Age, Freshness, Marginal};
use super::{AllocateError, Weights, is_in_range};
use crate::Rate;
use crate::sum::Sum;
use std::ops::Range;

/// What is to be as good as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Large freshness.
    Freshness,
    /// Small age.
    Age,
}

/// The optimum, and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// f of each page.
    pub visits: Vec<Rate>,
    /// μ: what one more visit would bring. Where a page is worth visiting at all, freshness gives
    /// it none exactly where w/λ ≤ μ. For age infinite at a budget of 0.
    pub multiplier: f64,
    /// Σ f: the budget, but for rounding; 0 if no visit could bring anything.
    pub spent: f64,
    /// How many X were tried on all pages.
    pub n_passes: u32,
}

impl Optimum {
    /// The largest violation of the conditions on μ, relatively: how far what one more visit brings to
    /// a page that gets some is from μ, or to one that gets none above it.
    pub fn residual(&self, goal: Goal, changes: &[Rate], weights: Weights<'_>) -> f64 {
        let pages = self.visits.iter().zip(changes).enumerate();
        let violations = pages.map(|(page, (visits, changes))| {
            let (visits, changes, weight) = (visits.get(), changes.get(), weights.of(page));
            match goal {
                _ if changes == 0.0 || weight == 0.0 => visits,
                Goal::Freshness => self.violation::<Freshness>(visits, changes, weight),
                Goal::Age => self.violation::<Age>(visits, changes, weight),
            }
        });
        violations.fold(0.0, f64::max)
    }

    fn violation<M: Marginal>(&self, visits: f64, changes: f64, weight: f64) -> f64 {
        let worth = M::worth(weight, changes);
        if visits > 0.0 {
            M::value_ratio(worth, changes / visits, self.multiplier).abs()
        } else if M::value(worth, f64::INFINITY) > self.multiplier {
            M::value_ratio(worth, f64::INFINITY, self.multiplier).abs()
        } else {
            0.0
        }
    }
}

/// The visits that serve `goal` best.
///
/// # Errors
/// Not as many weights as pages; or a rate, weight or budget that is neither 0 nor in 1e-60…1e60.
pub fn optimal(
    goal: Goal,
    changes: &[Rate],
    weights: Weights<'_>,
    budget: Rate,
) -> Result<Optimum, AllocateError> {
    weights.check(changes.len())?;
    if !is_in_range(budget.get()) {
        return Err(AllocateError::Budget(budget.get()));
    }
    if let Some(page) = changes.iter().position(|rate| !is_in_range(rate.get())) {
        return Err(AllocateError::RateRange { page, rate: changes[page].get() });
    }
    Ok(match goal {
        Goal::Freshness => solve::<Freshness>(changes, weights, budget.get()),
        Goal::Age => solve::<Age>(changes, weights, budget.get()),
    })
}

/// The visits to one page at which one more is worth `multiplier`: what [`optimal`] would give it
/// among pages with that multiplier. So a page whose estimated rate changed gets its new visits
/// without asking all others. The multiplier must be above 0; an infinite one buys nothing.
///
/// # Errors
/// A multiplier that is not above 0; or a rate or weight that is neither 0 nor in 1e-60…1e60.
pub fn visits_at(
    goal: Goal,
    changes: Rate,
    weight: f64,
    multiplier: f64,
) -> Result<Rate, AllocateError> {
    let lambda = changes.get();
    if !is_in_range(lambda) {
        return Err(AllocateError::RateRange { page: 0, rate: lambda });
    }
    if !is_in_range(weight) {
        return Err(AllocateError::Weight { page: 0, weight });
    }
    if multiplier.is_nan() || multiplier <= 0.0 {
        return Err(AllocateError::Multiplier(multiplier));
    }
    if lambda == 0.0 || weight == 0.0 {
        return Ok(Rate::ZERO);
    }
    let x = match goal {
        Goal::Freshness => Freshness::at(multiplier, Freshness::worth(weight, lambda)),
        Goal::Age => Age::at(multiplier, Age::worth(weight, lambda)),
    };
    Ok(Rate::of(lambda / x))
}

fn solve<M: Marginal>(changes: &[Rate], weights: Weights<'_>, budget: f64) -> Optimum {
    let Ladder { steps, pages } = Ladder::of::<M>(changes, weights);
    let mut visits = vec![Rate::ZERO; changes.len()];
    let Some(&top) = steps.worths.first() else {
        return Optimum { visits, multiplier: 0.0, spent: 0.0, n_passes: 0 };
    };
    if budget == 0.0 {
        let multiplier = M::value(top, f64::INFINITY);
        return Optimum { visits, multiplier, spent: 0.0, n_passes: 0 };
    }
    let Found { n_visited, y, n_passes } = steps.find::<M>(budget);
    let worth = steps.worths[n_visited - 1];

    // Rounded so that it parts those who get visits from those who get none.
    let mut multiplier = M::value(worth, y).min(M::value(worth, f64::INFINITY).next_down());
    if let Some(&next) = steps.worths.get(n_visited) {
        multiplier = multiplier.max(M::value(next, f64::INFINITY));
    }
    let mut least = M::least(worth, y);
    let mut per_change = steps.worths.clone();
    for (step, value) in per_change.iter_mut().enumerate() {
        *value = if step < n_visited { 1.0 / M::above(&mut least, *value).0 } else { 0.0 };
    }
    let mut spent = Sum::default();
    for (step, page) in pages {
        let f = changes[page].get() * per_change[step];
        visits[page] = Rate::of(f);
        spent.add(f);
    }
    Optimum { visits, multiplier, spent: spent.get(), n_passes }
}

/// The pages that a visit can do something for.
struct Ladder {
    steps: Steps,
    /// Each page's step.
    pages: Vec<(usize, usize)>,
}

/// Pages of equal κ, the highest first.
#[derive(Default)]
struct Steps {
    worths: Vec<f64>,
    /// Σ λ of each step.
    rates: Vec<f64>,
}

impl Ladder {
    fn of<M: Marginal>(changes: &[Rate], weights: Weights<'_>) -> Self {
        let mut sorted: Vec<(f64, usize)> = changes
            .iter()
            .enumerate()
            .filter(|(page, rate)| rate.get() > 0.0 && weights.of(*page) > 0.0)
            .map(|(page, rate)| (M::worth(weights.of(page), rate.get()), page))
            .collect();
        sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut steps = Steps::default();
        let mut pages = Vec::with_capacity(sorted.len());
        for (worth, page) in sorted {
            if steps.worths.last() != Some(&worth) {
                steps.worths.push(worth);
                steps.rates.push(0.0);
            }
            let step = steps.worths.len() - 1;
            steps.rates[step] += changes[page].get();
            pages.push((step, page));
        }
        Self { steps, pages }
    }
}

/// Where the budget is spent.
struct Found {
    /// m
    n_visited: usize,
    /// Y
    y: f64,
    n_passes: u32,
}

/// Where a search from nearby ended without the solution.
struct Lost {
    /// About m.
    at: usize,
    n_passes: u32,
}

/// How far from the budget is near enough, relatively.
const NEAR: f64 = 1e-13;

/// Ladders up to this many steps are not drawn together; longer ones become at most this long.
const N_FEW: usize = 4096;

/// From so many changes to a visit on, the visits of the last step depend on the last digits of μ, and
/// hardly anything else does.
const SELDOM: f64 = 15.0;

/// From so many on too few digits of μ are left to tell how many.
const TOO_SELDOM: f64 = 25.0;

/// How often a μ that is nearly right is mended before the search in two parts is quicker.
const MOST_MENDED: u32 = 8;

impl Steps {
    /// Every so many as one, whose worth is their mean by rate: what is left out is of second order.
    /// Some stay as they are.
    fn drawn_together(&self, together: usize, but: Range<usize>) -> Self {
        let mut few = Self::default();
        let mut draw = |part: Range<usize>, together: usize| {
            let (worths, rates) = (&self.worths[part.clone()], &self.rates[part]);
            for (worths, rates) in worths.chunks(together).zip(rates.chunks(together)) {
                let rate: f64 = rates.iter().sum();
                let below = worths.iter().zip(rates).map(|(worth, of)| (worths[0] - worth) * of);
                few.worths.push(worths[0] - below.sum::<f64>() / rate);
                few.rates.push(rate);
            }
        };
        let (start, end) = (but.start, but.end);
        draw(0..start, together);
        draw(but, 1);
        draw(end..self.worths.len(), together);
        few
    }

    /// Σ f when the last of `n` steps has Y changes to a visit, and −d Σ / d ln Y.
    fn spend<M: Marginal>(&self, n: usize, y: f64) -> (f64, f64) {
        let mut least = M::least(self.worths[n - 1], y);
        let (mut sum, mut slope) = (Sum::default(), 0.0);
        for (&worth, rate) in self.worths[..n].iter().zip(&self.rates) {
            let (x, rise) = M::above(&mut least, worth);
            sum.add(rate / x);
            slope += rate / x * rise;
        }
        (sum.get(), slope)
    }

    fn find<M: Marginal>(&self, budget: f64) -> Found {
        let n = self.worths.len();
        if n <= N_FEW {
            return self.search::<M>(budget, n / 2);
        }
        let roughly = self.drawn_together(n.div_ceil(N_FEW / 8), 0..0);
        let near = roughly.search::<M>(budget, roughly.worths.len() / 2);
        let near = roughly.multiplier::<M>(&near);
        // Who is visited hardly, or just not, cannot be told from means.
        let last = self.n_worth::<M>(near);
        let kept = n / (N_FEW / 8);
        let few =
            self.drawn_together(n.div_ceil(N_FEW), last.saturating_sub(kept)..(last + kept).min(n));
        let near = few.multiplier::<M>(&few.find_near::<M>(budget, near));
        self.find_near::<M>(budget, near)
    }

    /// The same where μ is nearly known.
    fn find_near<M: Marginal>(&self, budget: f64, multiplier: f64) -> Found {
        self.mended::<M>(budget, multiplier).unwrap_or_else(|Lost { at, n_passes }| {
            let found = self.ends_at::<M>(budget, at);
            let found = found.unwrap_or_else(|| self.search::<M>(budget, at));
            Found { n_passes: found.n_passes + n_passes, ..found }
        })
    }

    /// The same where m is known, if it is right.
    fn ends_at<M: Marginal>(&self, budget: f64, n_visited: usize) -> Option<Found> {
        let (without, _) = self.spend::<M>(n_visited, f64::INFINITY);
        if without >= budget {
            return None;
        }
        let (y, n_passes) = self.how_often::<M>(budget, n_visited, without);
        let found = Found { n_visited, y, n_passes: n_passes + 1 };
        let is_right = self.n_worth::<M>(self.multiplier::<M>(&found)) <= n_visited;
        is_right.then_some(found)
    }

    /// μ
    fn multiplier<M: Marginal>(&self, found: &Found) -> f64 {
        M::value(self.worths[found.n_visited - 1], found.y)
    }

    /// How many steps have a first visit that is worth more.
    fn n_worth<M: Marginal>(&self, multiplier: f64) -> usize {
        self.worths.partition_point(|worth| M::value(*worth, f64::INFINITY) > multiplier)
    }

    /// The search in two parts.
    fn search<M: Marginal>(&self, budget: f64, guess: usize) -> Found {
        let n = self.worths.len();
        if M::value(self.worths[n - 1], f64::INFINITY).is_infinite() {
            // The first visit has no price too high.
            let (y, n_passes) = self.how_often::<M>(budget, n, 0.0);
            return Found { n_visited: n, y, n_passes };
        }
        let (n_visited, without, tried) = self.how_many::<M>(budget, guess);
        let (y, more) = self.how_often::<M>(budget, n_visited, without);
        Found { n_visited, y, n_passes: tried + more }
    }

    /// m and Y from a μ that is nearly right. As both follow from μ, any that spend the budget are the
    /// solution.
    fn mended<M: Marginal>(&self, budget: f64, mut multiplier: f64) -> Result<Found, Lost> {
        let mut n_passes = 0;
        // For too large a μ, and for too small a one.
        let (mut few, mut many) = (0, usize::MAX);
        while n_passes < MOST_MENDED && multiplier > 0.0 && multiplier.is_finite() {
            let at = self.n_worth::<M>(multiplier);
            let Some(last) = at.checked_sub(1) else { break };
            let worth = self.worths[last];
            let is_bounded = M::value(worth, f64::INFINITY).is_finite();
            let most = if is_bounded { TOO_SELDOM } else { f64::INFINITY };
            let y = M::at(multiplier, worth).min(most);
            let (spent, mut slope) = self.spend::<M>(at, y);
            n_passes += 1;
            let excess = spent - budget;
            if excess.abs() <= NEAR * budget {
                return Ok(Found { n_visited: at, y, n_passes });
            }
            if excess > 0.0 {
                many = many.min(at);
            } else {
                few = few.max(at);
            }
            let of_last = self.rates[last] / y;
            if is_bounded && y > SELDOM {
                if excess.abs() < of_last {
                    // The last step alone can make up for it: Σ as if it were a constant and c/Y.
                    let y = y * slope / (slope - excess);
                    if y >= most {
                        break;
                    }
                    multiplier = M::value(worth, y);
                    continue;
                }
                slope -= of_last;
            }
            if few + 1 == many {
                // In between a step begins to be visited, and nothing there is straight.
                break;
            }
            let falls = slope / M::elasticity(y);
            multiplier *= libm::exp(libm::log(spent / budget) * spent / falls);
        }
        let at = if few + 1 == many { many } else { self.n_worth::<M>(multiplier) };
        Err(Lost { at: at.clamp(1, self.worths.len()), n_passes })
    }

    /// m, and Σ f just before its last step is visited. It may be near `guess`.
    fn how_many<M: Marginal>(&self, budget: f64, guess: usize) -> (usize, f64, u32) {
        // (m, Σ): too few, or right; and too many.
        let mut few = (1, 0.0);
        let mut many = (self.worths.len() + 1, f64::INFINITY);
        let mut n_passes = 0;
        let mut next = guess.saturating_sub(1);
        while few.0 + 1 < many.0 {
            let before = many.0 - few.0;
            next = next.clamp(few.0 + 1, many.0 - 1);
            let (spent, _) = self.spend::<M>(next, f64::INFINITY);
            n_passes += 1;
            if spent < budget {
                few = (next, spent);
            } else {
                many = (next, spent);
            }
            let width = many.0 - few.0;
            next = if many.1.is_infinite() {
                // None is known to be too many.
                few.0 + 1.max(few.0.saturating_sub(guess) * 2)
            } else if width > before / 2 && n_passes > 2 {
                few.0 + width / 2
            } else {
                let share = (budget - few.1) / (many.1 - few.1);
                // A little towards the middle, so that both ends close in.
                let share = if share < 0.5 { share + 0.02 } else { share - 0.02 };
                few.0 + (width as f64 * share) as usize
            };
        }
        (few.0, few.1, n_passes)
    }

    /// Y for `n` steps, of which `without` is spent before the last is visited.
    fn how_often<M: Marginal>(&self, budget: f64, n: usize, without: f64) -> (f64, u32) {
        // No more is left for the last step, and no page has more changes to a visit than it.
        let all = self.rates[..n].iter().copied().collect::<Sum>().get();
        let mut low = (self.rates[n - 1] / (budget - without)).max(all / budget);
        let mut high = f64::INFINITY;
        let mut y = low;
        let mut error_before = f64::INFINITY;
        for n_passes in 1..200 {
            let (spent, slope) = self.spend::<M>(n, y);
            if (spent / budget - 1.0).abs() <= NEAR {
                return (y, n_passes);
            }
            if spent > budget {
                low = y;
            } else {
                high = y;
            }
            let extra = (spent - without).max(0.0);
            let error = libm::log(extra / (budget - without));
            let newton = y * libm::exp(error * extra / slope);
            let helps = error.abs() < 0.7 * error_before && low < newton && newton < high;
            y = if helps { newton } else { between(low, high) };
            error_before = if helps { error.abs() } else { f64::INFINITY };
            if y <= low || y >= high {
                return (y, n_passes);
            }
        }
        (y, 200)
    }
}

/// A number between two positive ones: in the middle of their logarithms, or of them.
fn between(low: f64, high: f64) -> f64 {
    if high.is_infinite() {
        2.0 * low
    } else if high > 2.0 * low {
        libm::sqrt(low) * libm::sqrt(high)
    } else {
        low + (high - low) / 2.0
    }
}
