//! Estimators of a page's change rate from whether each visit found a change.
//!
//! With n visits at equal intervals I, X of which found a change, and b = λ·I changes per visit:
//!
//! - [`Estimator::Naive`] (Wen & Lu 2004): b̂ = X/n. Its mean is 1 − e^(−b), because several changes
//!   between two visits count as one. The bias is below 10 % only for b < 0.2, and b̂ ≤ 1.
//! - [`Estimator::BiasReduced`] (Cho & Garcia-Molina 2003): b̂ = −ln((n − X + 0.5)/(n + 0.5)), at
//!   most ln(2n + 1).
//! - [`Estimator::MaximumLikelihood`], for any intervals: the r with
//!   Σ over changed of Iᵢ/(e^(r·Iᵢ) − 1) = Σ over unchanged of Iᵢ; 0 if no visit found a change. If
//!   all did, the right side is half a mean interval instead of 0 (our choice), which for equal
//!   intervals gives ln(2n + 1), as the bias-reduced estimator.
//! - [`Estimator::Bayesian`]: with a [`Gamma`] prior, for instance of the page's site.
//!
//! The rate is λ̂ = b̂ / I; for unequal intervals the first two use the mean interval (our choice).
//!
//! Each has an exact mean, E[b̂] = Σ over X of C(n,X)·(1 − p)^X·p^(n−X)·b̂(X) with p = e^(−b):
//! [`moments`]. Figure 1 of Wen & Lu 2004 shows E[b̂]/b of the naive estimator.
//!
//! If visits also return *when* the page last changed, [`LastModified`] is more precise.

mod last_modified;
mod likelihood;
mod prior;

pub use last_modified::LastModified;
pub use prior::{BadPrior, Gamma, Posterior, posterior};

use std::num::NonZeroU32;

use smallvec::{SmallVec, smallvec};
use thiserror::Error;

use crate::sum::Sum;
use crate::{Rate, Span};

/// Error: an interval between visits is 0 or out of range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("the time between two visits must be in 1e-60…1e60, not {0}")]
pub struct BadInterval(pub f64);

/// Visit counts and total time: enough for the naive and the bias-reduced estimator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    n_visits: u32,
    n_changed: u32,
    time: f64,
}

impl Counts {
    /// Adds a visit, `interval` after the previous one.
    ///
    /// # Errors
    /// Returns [`BadInterval`] if the interval is outside 1e-60…1e60.
    pub fn record(&mut self, changed: bool, interval: Span) -> Result<(), BadInterval> {
        self.record_many(1, changed.into(), interval)
    }

    /// Adds n visits at equal intervals, `n_changed` of which found a change.
    ///
    /// # Errors
    /// Returns [`BadInterval`] if the interval is outside 1e-60…1e60.
    pub fn record_many(
        &mut self,
        n: u32,
        n_changed: u32,
        interval: Span,
    ) -> Result<(), BadInterval> {
        if !(1e-60..=1e60).contains(&interval.get()) {
            return Err(BadInterval(interval.get()));
        }
        self.n_visits = self.n_visits.saturating_add(n);
        self.n_changed = self.n_changed.saturating_add(n_changed.min(n));
        self.time += f64::from(n) * interval.get();
        Ok(())
    }

    /// n: the number of visits.
    pub fn n_visits(&self) -> u32 {
        self.n_visits
    }

    /// X: the number of visits that found a change.
    pub fn n_changed(&self) -> u32 {
        self.n_changed
    }

    /// The mean interval; `None` before the first visit.
    pub fn interval(&self) -> Option<f64> {
        (self.n_visits > 0).then(|| self.time / f64::from(self.n_visits))
    }

    /// The naive estimate λ̂ = X / (n·I).
    pub fn naive(&self) -> Option<Rate> {
        self.rate(naive)
    }

    /// The bias-reduced estimate λ̂ = −ln((n − X + 0.5)/(n + 0.5)) / I.
    pub fn bias_reduced(&self) -> Option<Rate> {
        self.rate(bias_reduced)
    }

    fn rate(&self, ratio: fn(NonZeroU32, u32) -> f64) -> Option<Rate> {
        let n = NonZeroU32::new(self.n_visits)?;
        Some(Rate::of(ratio(n, self.n_changed) / self.interval()?))
    }
}

/// Intervals with a relative difference below this are merged.
const ALIKE: f64 = 1.0 / 16.0;

/// The results of a page's visits, in bounded memory.
///
/// Similar intervals that found a change are merged into their mean and number (our choice), so the
/// size does not grow with the number of visits. The error of an estimate is below 0.1 %; its
/// standard deviation is 1 % after ten thousand visits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    counts: Counts,
    /// Σ of the intervals without a change.
    unchanged: f64,
    /// The intervals with a change, increasing, and the number of each. Up to four are stored
    /// inline, which saves a cache miss per visit when there are many pages.
    changed: SmallVec<[(f64, u32); 4]>,
}

impl History {
    /// Adds a visit, `interval` after the previous one.
    ///
    /// # Errors
    /// Returns [`BadInterval`] if the interval is outside 1e-60…1e60.
    pub fn record(&mut self, changed: bool, interval: Span) -> Result<(), BadInterval> {
        self.record_many(1, changed.into(), interval)
    }

    /// Adds n visits at equal intervals, `n_changed` of which found a change.
    ///
    /// # Errors
    /// Returns [`BadInterval`] if the interval is outside 1e-60…1e60.
    pub fn record_many(
        &mut self,
        n: u32,
        n_changed: u32,
        interval: Span,
    ) -> Result<(), BadInterval> {
        self.counts.record_many(n, n_changed, interval)?;
        let (interval, n_changed) = (interval.get(), n_changed.min(n));
        self.unchanged += f64::from(n - n_changed) * interval;
        if n_changed == 0 {
            return Ok(());
        }
        let at = self.changed.partition_point(|(known, _)| *known < interval);
        let off = |at: &usize| self.changed.get(*at).map(|(known, _)| (known - interval).abs());
        let near = [Some(at), at.checked_sub(1)].into_iter().flatten().filter_map(|at| {
            let off = off(&at).filter(|off| *off <= ALIKE * interval)?;
            Some((off, at))
        });
        match near.min_by(|a, b| a.0.total_cmp(&b.0)) {
            None => self.changed.insert(at, (interval, n_changed)),
            Some((_, at)) => {
                let (mean, n) = &mut self.changed[at];
                *n = n.saturating_add(n_changed);
                *mean += (interval - *mean) * f64::from(n_changed) / f64::from(*n);
            }
        }
        Ok(())
    }

    /// n, X and the mean interval.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Some interval that found a change, for prefetching.
    ///
    /// Long histories are stored on the heap; reading one interval loads them into the cache.
    pub fn any_interval(&self) -> Option<f64> {
        self.changed.last().map(|(interval, _)| *interval)
    }

    /// n visits at intervals of 1, x of which found a change.
    fn regular(n: NonZeroU32, x: u32) -> Self {
        let x = x.min(n.get());
        let counts = Counts { n_visits: n.get(), n_changed: x, time: f64::from(n.get()) };
        let changed = if x > 0 { smallvec![(1.0, x)] } else { SmallVec::new() };
        Self { counts, unchanged: f64::from(n.get() - x), changed }
    }
}

/// An estimator of the change rate.
///
/// ```
/// use crawl_refresh::Span;
/// use crawl_refresh::estimate::{Estimator, History};
///
/// // Four visits, one per day; three found a change.
/// let mut history = History::default();
/// history.record_many(4, 3, Span::new(1.0)?)?;
/// let rate = |estimator: Estimator| estimator.rate(&history).map(|rate| rate.get());
/// assert_eq!(rate(Estimator::Naive), Some(0.75));
/// assert!(rate(Estimator::BiasReduced) > Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimator {
    /// X/n.
    Naive,
    /// −ln((n − X + 0.5)/(n + 0.5)).
    BiasReduced,
    /// The maximum of the likelihood.
    MaximumLikelihood,
    /// The maximum of the posterior, with a prior.
    Bayesian(Gamma),
}

impl Estimator {
    /// λ̂; `None` before the first visit, except for the Bayesian estimator.
    pub fn rate(self, history: &History) -> Option<Rate> {
        match self {
            Estimator::Naive => history.counts.naive(),
            Estimator::BiasReduced => history.counts.bias_reduced(),
            Estimator::MaximumLikelihood => likelihood::maximum_likelihood(history),
            Estimator::Bayesian(prior) => Some(Rate::of(prior::mode(prior, history))),
        }
    }

    /// b̂ after n visits at equal intervals, x of which found a change.
    pub fn ratio(self, n: NonZeroU32, x: u32) -> f64 {
        let x = x.min(n.get());
        match self {
            Estimator::Naive => naive(n, x),
            Estimator::BiasReduced => bias_reduced(n, x),
            Estimator::MaximumLikelihood if x == n.get() => libm::log1p(2.0 * f64::from(n.get())),
            Estimator::MaximumLikelihood => minus_ln_rest(x.into(), n.get().into()),
            Estimator::Bayesian(prior) => prior::mode(prior, &History::regular(n, x)),
        }
    }
}

fn naive(n: NonZeroU32, x: u32) -> f64 {
    f64::from(x) / f64::from(n.get())
}

fn bias_reduced(n: NonZeroU32, x: u32) -> f64 {
    minus_ln_rest(f64::from(x), f64::from(n.get()) + 0.5)
}

/// −ln((whole − part)/whole), accurate for small and large parts.
fn minus_ln_rest(part: f64, whole: f64) -> f64 {
    if part < whole / 2.0 { -libm::log1p(-part / whole) } else { libm::log(whole / (whole - part)) }
}

/// Mean and variance of an estimator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// E[b̂]
    pub mean: f64,
    /// E[(b̂ − E[b̂])²]
    pub variance: f64,
}

impl Moments {
    /// Root mean square error √E[(b̂ − b)²].
    pub fn error(self, b: Rate) -> f64 {
        let bias = self.mean - b.get();
        libm::sqrt(bias * bias + self.variance)
    }
}

/// Exact mean and variance of b̂ after n visits, for b changes per visit.
pub fn moments(estimator: Estimator, n: NonZeroU32, b: Rate) -> Moments {
    let probabilities = count_probabilities(n, b);
    let ratios: Vec<f64> = (0..=n.get()).map(|x| estimator.ratio(n, x)).collect();
    let over = |value: &dyn Fn(f64) -> f64| {
        probabilities.iter().zip(&ratios).map(|(p, b)| p * value(*b)).collect::<Sum>().get()
    };
    let mean = over(&|b| b);
    Moments { mean, variance: over(&|b| (b - mean) * (b - mean)) }
}

/// The exact mean E[b̂].
pub fn expected(estimator: Estimator, n: NonZeroU32, b: Rate) -> f64 {
    moments(estimator, n, b).mean
}

/// The probability that b̂ ≥ `threshold`.
pub fn probability_of_reaching(
    estimator: Estimator,
    n: NonZeroU32,
    b: Rate,
    threshold: f64,
) -> f64 {
    let reaching = count_probabilities(n, b)
        .into_iter()
        .zip(0..)
        .filter(|&(_, x)| estimator.ratio(n, x) >= threshold);
    reaching.map(|(p, _)| p).collect::<Sum>().get().min(1.0)
}

/// The binomial probabilities P(X = 0), …, P(X = n) after n visits, for b changes per visit.
///
/// Computed from the mode outwards, to avoid overflow.
pub fn count_probabilities(n: NonZeroU32, b: Rate) -> Vec<f64> {
    let n = n.get();
    let p = -libm::expm1(-b.get());
    let mode = ((f64::from(n) + 1.0) * p).min(f64::from(n)) as u32;
    let mut probabilities = vec![0.0; n as usize + 1];
    probabilities[mode as usize] = 1.0;
    // changed : unchanged
    let odds = libm::expm1(b.get());
    for x in mode + 1..=n {
        let ratio = f64::from(n - x + 1) / f64::from(x) * odds;
        probabilities[x as usize] = probabilities[x as usize - 1] * ratio;
    }
    for x in (0..mode).rev() {
        let ratio = f64::from(x + 1) / f64::from(n - x) / odds;
        probabilities[x as usize] = probabilities[x as usize + 1] * ratio;
    }
    let all = probabilities.iter().copied().collect::<Sum>().get();
    probabilities.iter_mut().for_each(|p| *p /= all);
    probabilities
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exponential::phi;

    fn n(value: u32) -> NonZeroU32 {
        NonZeroU32::new(value).unwrap()
    }

    fn b(value: f64) -> Rate {
        Rate::new(value).unwrap()
    }

    #[test]
    fn count_probabilities_are_binomial() {
        let exact = [1.0, 4.0, 6.0, 4.0, 1.0].map(|c| c / 16.0);
        for (is, exact) in count_probabilities(n(4), b(std::f64::consts::LN_2)).iter().zip(exact) {
            assert!((is - exact).abs() < 1e-15);
        }
        for visits in [1, 10, 1000, 5000] {
            for ratio in [0.0, 1e-300, 1e-9, 0.3, 6.0, 700.0, 1e9] {
                let all = count_probabilities(n(visits), b(ratio));
                assert!(all.iter().all(|p| (0.0..=1.0).contains(p)), "{visits} {ratio}");
                let mean: f64 = all.iter().zip(0..).map(|(p, x)| p * f64::from(x)).sum();
                let exact = f64::from(visits) * -libm::expm1(-ratio);
                assert!((mean - exact).abs() <= 1e-12 * exact, "{visits} {ratio}");
            }
        }
    }

    #[test]
    fn figure_1_is_the_naive_mean() {
        for ratio in [0.01, 0.2, 1.0, 5.0] {
            for visits in [1, 7, 100] {
                let mean = expected(Estimator::Naive, n(visits), b(ratio));
                assert!((mean / ratio - phi(1, ratio)).abs() < 1e-13, "{ratio}");
            }
        }
        assert!(phi(1, 0.2) > 0.9 && phi(1, 0.22) < 0.9);
    }

    #[test]
    fn the_bias_reduced_mean_is_as_digested() {
        let bias = |ratio: f64| expected(Estimator::BiasReduced, n(10), b(ratio)) / ratio - 1.0;
        for (ratio, percent) in [(1.0, 0.3), (3.0, -15.0), (6.0, -50.0)] {
            let digits = if ratio == 1.0 { 0.05 } else { 0.5 };
            assert!((100.0 * bias(ratio) - percent).abs() < digits, "{ratio}: {}", bias(ratio));
        }
        let cap = libm::log(21.0);
        assert!((Estimator::BiasReduced.ratio(n(10), 10) - cap).abs() < 1e-14);
        assert!((expected(Estimator::BiasReduced, n(10), b(50.0)) - cap).abs() < 1e-12);
    }

    #[test]
    fn all_stay_finite_when_every_visit_found_a_change() {
        let prior = Gamma::new(1.0, 1.0).unwrap();
        let all = [
            Estimator::Naive,
            Estimator::BiasReduced,
            Estimator::MaximumLikelihood,
            Estimator::Bayesian(prior),
        ];
        for visits in [1_u32, 2, 10, 1000, 100_000] {
            let mut history = History::default();
            for _ in 0..visits.min(1000) {
                history.record(true, Span::new(0.5).unwrap()).unwrap();
            }
            for estimator in all {
                let ratio = estimator.ratio(n(visits), visits);
                assert!(ratio.is_finite() && ratio > 0.0, "{estimator:?} {visits}");
                let rate = estimator.rate(&history).unwrap().get();
                assert!(rate.is_finite() && rate > 0.0, "{estimator:?} {visits}");
                assert!(estimator.ratio(n(visits), 0).is_finite());
            }
            let [_, reduced, likeliest, _] = all.map(|e| e.ratio(n(visits), visits));
            assert!((reduced - likeliest).abs() < 1e-12);
        }
    }

    #[test]
    fn histories_and_ratios_agree() {
        for estimator in [
            Estimator::Naive,
            Estimator::BiasReduced,
            Estimator::MaximumLikelihood,
            Estimator::Bayesian(Gamma::new(2.0, 3.0).unwrap()),
        ] {
            for x in 0..=12 {
                let mut history = History::default();
                (0..12)
                    .for_each(|i| history.record(i * 5 % 12 < x, Span::new(1.0).unwrap()).unwrap());
                let ratio = estimator.ratio(n(12), x);
                let rate = estimator.rate(&history).unwrap().get();
                assert!((rate - ratio).abs() < 1e-12, "{estimator:?} {x}: {rate} {ratio}");
            }
        }
    }

    /// Compares with a history that keeps every interval.
    #[test]
    fn intervals_drawn_together_hardly_change_an_estimate() {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let prior = Gamma::new(0.7, 2.0).unwrap();
        for (rate, spread) in [(0.1, 0.02), (0.1, 3.0), (1.0, 0.3), (1.0, 3.0), (4.0, 1.0)] {
            let mut history = History::default();
            let mut each: Vec<(f64, u32)> = Vec::new();
            for _ in 0..3000 {
                let interval = libm::exp(spread * (draw() - 0.5));
                let changed = draw() < -libm::expm1(-rate * interval);
                history.record(changed, Span::new(interval).unwrap()).unwrap();
                if changed {
                    each.push((interval, 1));
                }
            }
            assert!(history.changed.len() < 60, "{}", history.changed.len());
            assert!(history.changed.is_sorted_by(|a, b| a.0 < b.0));
            assert_eq!(history.changed.iter().map(|(_, n)| *n as usize).sum::<usize>(), each.len());
            let exact = likelihood::root(&each, prior.shape(), prior.time() + history.unchanged);
            let is = Estimator::Bayesian(prior).rate(&history).unwrap().get();
            assert!((is / exact - 1.0).abs() < 1e-3, "{rate} {spread}: {is} {exact}");
        }
    }

    #[test]
    fn many_visits_at_once_are_those_visits_one_by_one() {
        let (mut at_once, mut singly) = (History::default(), History::default());
        for (n, x, interval) in [(4, 3, 0.5), (3, 0, 2.0), (2, 2, 0.5), (0, 0, 1.0)] {
            let interval = Span::new(interval).unwrap();
            at_once.record_many(n, x, interval).unwrap();
            (0..n).for_each(|i| singly.record(i < x, interval).unwrap());
        }
        assert_eq!(at_once, singly);
        // At most as many changes as visits are counted.
        at_once.record_many(2, 9, Span::new(1.0).unwrap()).unwrap();
        assert_eq!((at_once.counts().n_visits(), at_once.counts().n_changed()), (11, 7));
        assert!(at_once.record_many(1, 1, Span::ZERO).is_err());
    }

    #[test]
    fn visits_that_tell_nothing_are_refused() {
        let mut history = History::default();
        for bad in [0.0, 1e-70, 1e70] {
            assert_eq!(history.record(true, Span::new(bad).unwrap()), Err(BadInterval(bad)));
        }
        assert_eq!(history, History::default());
        assert_eq!(Estimator::Naive.rate(&history), None);
        assert_eq!(Estimator::MaximumLikelihood.rate(&history), None);
        let prior = Gamma::new(3.0, 6.0).unwrap();
        assert_eq!(Estimator::Bayesian(prior).rate(&history), Some(b(0.5)));
    }

    #[test]
    fn probability_of_reaching_is_a_sum_of_count_probabilities() {
        let half = b(std::f64::consts::LN_2);
        assert!(
            (probability_of_reaching(Estimator::Naive, n(4), half, 0.75) - 5.0 / 16.0).abs()
                < 1e-15
        );
        assert_eq!(probability_of_reaching(Estimator::Naive, n(4), half, 1.5), 0.0);
    }
}
