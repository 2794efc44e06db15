//! Optimal visit rates for known change rates (Cho & Garcia-Molina 2000).
//!
//! Maximises Σ wᵢ·F(λᵢ, fᵢ), or minimises Σ wᵢ·A(λᵢ, fᵢ), subject to Σ fᵢ = B and fᵢ ≥ 0.
//!
//! F is concave in f and A convex, so the Karush–Kuhn–Tucker conditions determine the optimum:
//! there is a Lagrange multiplier μ > 0 with
//!
//! wᵢ·∂F/∂f(λᵢ, fᵢ) = μ where fᵢ > 0, and wᵢ/λᵢ ≤ μ where fᵢ = 0
//!
//! (wᵢ/λᵢ is the marginal value of the first visit). For age that value has no bound, so every page
//! with λ > 0 and w > 0 is visited. Pages with λ = 0 or w = 0 are never visited.
//!
//! Pages of equal κ (see `marginal`) form a group. Groups are sorted by decreasing κ; the first m
//! are visited. From Y, the changes per visit of group m, `marginal` gives those of every visited
//! page. The search has two parts:
//!
//! 1. m: the last group for which Σ λ/x at Y = ∞ (group m at the threshold) is below the budget.
//!    The sum increases with m; found by interpolation within a bracket.
//! 2. Y: Σ λ/x decreases smoothly in Y; found by Newton's method in logarithms, within a bracket.
//!
//! A search for μ itself would fail: between two adjacent floating-point values of μ, a page at the
//! threshold goes from no visits to about λ/40, and the budget may lie in between.
//!
//! O(n log n) for sorting, plus about ten sums over the groups. Many groups are first merged into
//! fewer: that gives μ to about six digits, from which Newton's method in ln μ needs two or three
//! sums. Only if it ends at a group with hardly any visits, the two-part search follows.

use super::marginal::{Age, Freshness, Marginal};
use super::{AllocateError, Weights, is_in_range};
use crate::Rate;
use crate::sum::Sum;
use std::ops::Range;

/// The objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Maximise freshness.
    Freshness,
    /// Minimise age.
    Age,
}

/// Optimal visit rates and their Lagrange multiplier.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// The visit rate f of each page.
    pub visits: Vec<Rate>,
    /// μ: the marginal value of a visit. For freshness, pages with w/λ ≤ μ are not visited. For age
    /// infinite at a budget of 0.
    pub multiplier: f64,
    /// Σ f: the budget up to rounding; 0 if no page benefits from visits.
    pub spent: f64,
    /// Number of sums over all pages, a measure of the cost.
    pub n_passes: u32,
}

impl Optimum {
    /// The largest relative violation of the conditions on μ.
    ///
    /// For a visited page: the distance of its marginal value from μ; otherwise the excess over μ.
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
        let key = M::key(weight, changes);
        if visits > 0.0 {
            M::value_ratio(key, changes / visits, self.multiplier).abs()
        } else if M::value(key, f64::INFINITY) > self.multiplier {
            M::value_ratio(key, f64::INFINITY, self.multiplier).abs()
        } else {
            0.0
        }
    }
}

/// Computes the visit rates that optimise `goal` under `budget`.
///
/// # Errors
/// Returns an [`AllocateError`] if there is not one weight per page, or a rate, weight or budget is
/// neither 0 nor in 1e-60…1e60.
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

/// The visit rate at which a page's marginal value is `multiplier`.
///
/// [`optimal`] gives the page this rate if its result has that multiplier. So a page with a new
/// estimate of its change rate gets a new visit rate without solving for all pages. An infinite
/// multiplier gives 0.
///
/// # Errors
/// Returns an [`AllocateError`] if the multiplier is not above 0, or the rate or weight is neither
/// 0 nor in 1e-60…1e60.
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
        Goal::Freshness => Freshness::at(multiplier, Freshness::key(weight, lambda)),
        Goal::Age => Age::at(multiplier, Age::key(weight, lambda)),
    };
    Ok(Rate::of(lambda / x))
}

fn solve<M: Marginal>(changes: &[Rate], weights: Weights<'_>, budget: f64) -> Optimum {
    let PageGroups { groups, pages } = PageGroups::of::<M>(changes, weights);
    let mut visits = vec![Rate::ZERO; changes.len()];
    let Some(&top) = groups.keys.first() else {
        return Optimum { visits, multiplier: 0.0, spent: 0.0, n_passes: 0 };
    };
    if budget == 0.0 {
        let multiplier = M::value(top, f64::INFINITY);
        return Optimum { visits, multiplier, spent: 0.0, n_passes: 0 };
    }
    let Solution { n_visited, y, n_passes } = groups.find::<M>(budget);
    let key = groups.keys[n_visited - 1];

    // Rounded so that it separates visited pages from those not visited.
    let mut multiplier = M::value(key, y).min(M::value(key, f64::INFINITY).next_down());
    if let Some(&next) = groups.keys.get(n_visited) {
        multiplier = multiplier.max(M::value(next, f64::INFINITY));
    }
    let mut last = M::last(key, y);
    let mut per_change = groups.keys.clone();
    for (group, value) in per_change.iter_mut().enumerate() {
        *value = if group < n_visited { 1.0 / M::above(&mut last, *value).0 } else { 0.0 };
    }
    let mut spent = Sum::default();
    for (group, page) in pages {
        let f = changes[page].get() * per_change[group];
        visits[page] = Rate::of(f);
        spent.add(f);
    }
    Optimum { visits, multiplier, spent: spent.get(), n_passes }
}

/// The pages that benefit from visits, grouped by κ.
struct PageGroups {
    groups: Groups,
    /// Each page and its group.
    pages: Vec<(usize, usize)>,
}

/// Groups of pages with equal κ, by decreasing κ.
#[derive(Default)]
struct Groups {
    keys: Vec<f64>,
    /// Σ λ of each group.
    rates: Vec<f64>,
}

impl PageGroups {
    fn of<M: Marginal>(changes: &[Rate], weights: Weights<'_>) -> Self {
        let mut sorted: Vec<(f64, usize)> = changes
            .iter()
            .enumerate()
            .filter(|(page, rate)| rate.get() > 0.0 && weights.of(*page) > 0.0)
            .map(|(page, rate)| (M::key(weights.of(page), rate.get()), page))
            .collect();
        sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut groups = Groups::default();
        let mut pages = Vec::with_capacity(sorted.len());
        for (key, page) in sorted {
            if groups.keys.last() != Some(&key) {
                groups.keys.push(key);
                groups.rates.push(0.0);
            }
            let group = groups.keys.len() - 1;
            groups.rates[group] += changes[page].get();
            pages.push((group, page));
        }
        Self { groups, pages }
    }
}

/// The solution: m and Y.
struct Solution {
    /// m: number of visited groups.
    n_visited: usize,
    /// Y: changes per visit of the last visited group.
    y: f64,
    n_passes: u32,
}

/// A failed local search.
struct NotFound {
    /// Approximation of m.
    at: usize,
    n_passes: u32,
}

/// Relative tolerance of the budget.
const TOLERANCE: f64 = 1e-13;

/// Maximum number of groups solved directly; more are merged into at most this many.
const MAX_GROUPS: usize = 4096;

/// Changes per visit from which the last group's visits depend on the last digits of μ.
const RARE_VISITS: f64 = 15.0;

/// Changes per visit from which μ has too few digits to determine the last group's visits.
const TOO_RARE_VISITS: f64 = 25.0;

/// Maximum number of Newton steps before the two-part search is faster.
const MAX_REFINEMENTS: u32 = 8;

impl Groups {
    /// Merges every `size` groups into one, except those in `except`.
    ///
    /// The merged key is the mean weighted by rate; the error is of second order.
    fn merged(&self, size: usize, except: Range<usize>) -> Self {
        let mut merged = Self::default();
        let mut merge = |part: Range<usize>, size: usize| {
            let (keys, rates) = (&self.keys[part.clone()], &self.rates[part]);
            for (keys, rates) in keys.chunks(size).zip(rates.chunks(size)) {
                let rate: f64 = rates.iter().sum();
                let below = keys.iter().zip(rates).map(|(key, of)| (keys[0] - key) * of);
                merged.keys.push(keys[0] - below.sum::<f64>() / rate);
                merged.rates.push(rate);
            }
        };
        let (start, end) = (except.start, except.end);
        merge(0..start, size);
        merge(except, 1);
        merge(end..self.keys.len(), size);
        merged
    }

    /// Σ f if the last of `n` groups has Y changes per visit, and −d Σ / d ln Y.
    fn spend<M: Marginal>(&self, n: usize, y: f64) -> (f64, f64) {
        let mut last = M::last(self.keys[n - 1], y);
        let (mut sum, mut slope) = (Sum::default(), 0.0);
        for (&key, rate) in self.keys[..n].iter().zip(&self.rates) {
            let (x, rise) = M::above(&mut last, key);
            sum.add(rate / x);
            slope += rate / x * rise;
        }
        (sum.get(), slope)
    }

    fn find<M: Marginal>(&self, budget: f64) -> Solution {
        let n = self.keys.len();
        if n <= MAX_GROUPS {
            return self.search::<M>(budget, n / 2);
        }
        let roughly = self.merged(n.div_ceil(MAX_GROUPS / 8), 0..0);
        let near = roughly.search::<M>(budget, roughly.keys.len() / 2);
        let near = roughly.multiplier::<M>(&near);
        // Means cannot decide which groups near the threshold are visited.
        let last = self.n_above::<M>(near);
        let kept = n / (MAX_GROUPS / 8);
        let few =
            self.merged(n.div_ceil(MAX_GROUPS), last.saturating_sub(kept)..(last + kept).min(n));
        let near = few.multiplier::<M>(&few.find_near::<M>(budget, near));
        self.find_near::<M>(budget, near)
    }

    /// [`Self::find`] with an approximation of μ.
    fn find_near<M: Marginal>(&self, budget: f64, multiplier: f64) -> Solution {
        self.refine::<M>(budget, multiplier).unwrap_or_else(|NotFound { at, n_passes }| {
            let found = self.find_with::<M>(budget, at);
            let found = found.unwrap_or_else(|| self.search::<M>(budget, at));
            Solution { n_passes: found.n_passes + n_passes, ..found }
        })
    }

    /// [`Self::find`] with a guess of m; `None` if it is wrong.
    fn find_with<M: Marginal>(&self, budget: f64, n_visited: usize) -> Option<Solution> {
        let (without, _) = self.spend::<M>(n_visited, f64::INFINITY);
        if without >= budget {
            return None;
        }
        let (y, n_passes) = self.find_y::<M>(budget, n_visited, without);
        let found = Solution { n_visited, y, n_passes: n_passes + 1 };
        let is_right = self.n_above::<M>(self.multiplier::<M>(&found)) <= n_visited;
        is_right.then_some(found)
    }

    /// The multiplier μ of a solution.
    fn multiplier<M: Marginal>(&self, found: &Solution) -> f64 {
        M::value(self.keys[found.n_visited - 1], found.y)
    }

    /// Number of groups whose first visit has a marginal value above `multiplier`.
    fn n_above<M: Marginal>(&self, multiplier: f64) -> usize {
        self.keys.partition_point(|key| M::value(*key, f64::INFINITY) > multiplier)
    }

    /// The two-part search for m and Y.
    fn search<M: Marginal>(&self, budget: f64, guess: usize) -> Solution {
        let n = self.keys.len();
        if M::value(self.keys[n - 1], f64::INFINITY).is_infinite() {
            // The first visit's marginal value has no bound: all groups are visited.
            let (y, n_passes) = self.find_y::<M>(budget, n, 0.0);
            return Solution { n_visited: n, y, n_passes };
        }
        let (n_visited, without, tried) = self.find_n_visited::<M>(budget, guess);
        let (y, more) = self.find_y::<M>(budget, n_visited, without);
        Solution { n_visited, y, n_passes: tried + more }
    }

    /// Refines an approximation of μ by Newton's method in ln μ.
    ///
    /// m and Y follow from μ; if they spend the budget, they are the solution.
    fn refine<M: Marginal>(&self, budget: f64, mut multiplier: f64) -> Result<Solution, NotFound> {
        let mut n_passes = 0;
        // Number of visited groups for a μ that is too large, and for one that is too small.
        let (mut few, mut many) = (0, usize::MAX);
        while n_passes < MAX_REFINEMENTS && multiplier > 0.0 && multiplier.is_finite() {
            let at = self.n_above::<M>(multiplier);
            let Some(last) = at.checked_sub(1) else { break };
            let key = self.keys[last];
            let is_bounded = M::value(key, f64::INFINITY).is_finite();
            let most = if is_bounded { TOO_RARE_VISITS } else { f64::INFINITY };
            let y = M::at(multiplier, key).min(most);
            let (spent, mut slope) = self.spend::<M>(at, y);
            n_passes += 1;
            let excess = spent - budget;
            if excess.abs() <= TOLERANCE * budget {
                return Ok(Solution { n_visited: at, y, n_passes });
            }
            if excess > 0.0 {
                many = many.min(at);
            } else {
                few = few.max(at);
            }
            let of_last = self.rates[last] / y;
            if is_bounded && y > RARE_VISITS {
                if excess.abs() < of_last {
                    // Correct the last group alone: model Σ as a constant plus c/Y.
                    let y = y * slope / (slope - excess);
                    if y >= most {
                        break;
                    }
                    multiplier = M::value(key, y);
                    continue;
                }
                slope -= of_last;
            }
            if few + 1 == many {
                // Between them a group crosses the threshold, and Σ is not smooth in μ.
                break;
            }
            let falls = slope / M::elasticity(y);
            multiplier *= libm::exp(libm::log(spent / budget) * spent / falls);
        }
        let at = if few + 1 == many { many } else { self.n_above::<M>(multiplier) };
        Err(NotFound { at: at.clamp(1, self.keys.len()), n_passes })
    }

    /// Finds m, starting from `guess`; also returns Σ f at Y = ∞ and the number of passes.
    fn find_n_visited<M: Marginal>(&self, budget: f64, guess: usize) -> (usize, f64, u32) {
        // (m, Σ): too few groups, or the solution; and too many.
        let mut few = (1, 0.0);
        let mut many = (self.keys.len() + 1, f64::INFINITY);
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
                // No upper bound is known yet.
                few.0 + 1.max(few.0.saturating_sub(guess) * 2)
            } else if width > before / 2 && n_passes > 2 {
                few.0 + width / 2
            } else {
                let share = (budget - few.1) / (many.1 - few.1);
                // Moved towards the middle, so that both ends of the bracket advance.
                let share = if share < 0.5 { share + 0.02 } else { share - 0.02 };
                few.0 + (width as f64 * share) as usize
            };
        }
        (few.0, few.1, n_passes)
    }

    /// Finds Y for `n` groups; `without` is Σ f at Y = ∞.
    fn find_y<M: Marginal>(&self, budget: f64, n: usize, without: f64) -> (f64, u32) {
        // Two lower bounds: the last group gets at most what is left, and it has the largest x.
        let all = self.rates[..n].iter().copied().collect::<Sum>().get();
        let mut low = (self.rates[n - 1] / (budget - without)).max(all / budget);
        let mut high = f64::INFINITY;
        let mut y = low;
        let mut error_before = f64::INFINITY;
        for n_passes in 1..200 {
            let (spent, slope) = self.spend::<M>(n, y);
            if (spent / budget - 1.0).abs() <= TOLERANCE {
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

/// The geometric mean of two positive numbers, or the arithmetic mean if they are close.
fn between(low: f64, high: f64) -> f64 {
    if high.is_infinite() {
        2.0 * low
    } else if high > 2.0 * low {
        libm::sqrt(low) * libm::sqrt(high)
    } else {
        low + (high - low) / 2.0
    }
}
