//! Classified refresh (Wen & Lu 2004, section 3.1).
//!
//! Pages with an estimated change rate of at least f′ form the class F₁ = {i : f̂ᵢ ≥ f′}. Every page
//! is visited at rate f₀; pages of the class *additionally* at f = (1/k)·Σ over F₁ of f̂ᵢ, k the
//! size of the class. By default f′ = 2·f₀. Several thresholds f′₁ < f′₂ < … give several classes,
//! as the paper's last section suggests: a page belongs to the class of the highest threshold it
//! reaches and is visited at f₀ plus that class's mean (our choice).
//!
//! The total is n·f₀ + Σ k·f, independent of any budget. To compare policies at equal budgets, all
//! visit rates are scaled by one factor; classes do not change (our choice).

use super::{AllocateError, Weights, mean};
use crate::Rate;
use crate::freshness::{Phase, Streams};
use crate::sum::Sum;

/// A class of pages with additional visits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// f′: the minimum estimated change rate.
    pub threshold: Rate,
    /// k: the number of pages.
    pub n_pages: usize,
    /// f: the additional visit rate; 0 for an empty class.
    pub visits: Rate,
}

/// The classes of pages and their visit rates.
#[derive(Clone, Debug, PartialEq)]
pub struct Classified {
    /// f₀: the visit rate of every page.
    pub base: Rate,
    /// Classes, by increasing threshold.
    pub classes: Vec<Class>,
    /// The class of each page; `None` below all thresholds.
    pub class_of: Vec<Option<usize>>,
}

/// Assigns pages to classes by estimated change rate; `thresholds` must increase.
///
/// # Errors
/// Returns [`AllocateError::Thresholds`] if the thresholds do not increase.
pub fn classified(
    estimates: &[Rate],
    base: Rate,
    thresholds: &[Rate],
) -> Result<Classified, AllocateError> {
    if let Some(pair) = thresholds.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(AllocateError::Thresholds(pair[0].get(), pair[1].get()));
    }
    let class_of: Vec<_> = estimates
        .iter()
        .map(|rate| thresholds.partition_point(|threshold| threshold <= rate).checked_sub(1))
        .collect();
    let mut members = vec![(0_usize, Sum::default()); thresholds.len()];
    for (class, rate) in class_of.iter().zip(estimates) {
        if let Some(class) = class {
            members[*class].0 += 1;
            members[*class].1.add(rate.get());
        }
    }
    let classes = thresholds.iter().zip(members).map(|(&threshold, (n_pages, sum))| Class {
        threshold,
        n_pages,
        visits: Rate::of(sum.get() / n_pages.max(1) as f64),
    });
    Ok(Classified { base, classes: classes.collect(), class_of })
}

impl Classified {
    /// The two visit streams of a page.
    pub fn streams(&self, page: usize) -> Streams {
        let class = self.class_of.get(page).copied().flatten();
        let extra = class.map_or(Rate::ZERO, |class| self.classes[class].visits);
        Streams { base: self.base, extra }
    }

    /// The sum of the visit rates, n·f₀ + Σ k·f.
    pub fn spent(&self) -> f64 {
        let classes = self.classes.iter().map(|class| class.n_pages as f64 * class.visits.get());
        self.class_of.len() as f64 * self.base.get() + classes.collect::<Sum>().get()
    }

    /// Scales all visit rates so that they sum to `budget`; unchanged if they sum to 0.
    #[must_use]
    pub fn scaled_to(&self, budget: Rate) -> Self {
        let spent = self.spent();
        if spent == 0.0 {
            return self.clone();
        }
        let scaled = |rate: Rate| Rate::of(rate.get() / spent * budget.get());
        let classes =
            self.classes.iter().map(|class| Class { visits: scaled(class.visits), ..*class });
        Self {
            base: scaled(self.base),
            classes: classes.collect(),
            class_of: self.class_of.clone(),
        }
    }

    /// The total visit rate of each page.
    pub fn visits(&self) -> Vec<Rate> {
        (0..self.class_of.len()).map(|page| self.streams(page).total()).collect()
    }

    /// Weighted mean freshness Σ w·F / Σ w, for the true change rates.
    ///
    /// # Errors
    /// Returns an [`AllocateError`] if the lengths differ, a weight is out of range or all are 0.
    pub fn mean_freshness(
        &self,
        changes: &[Rate],
        weights: Weights<'_>,
        phase: Phase,
    ) -> Result<f64, AllocateError> {
        self.check(changes)?;
        mean(changes.len(), weights, |page| self.streams(page).freshness(changes[page], phase))
    }

    /// Weighted mean age Σ w·A / Σ w, for the true change rates.
    ///
    /// # Errors
    /// Returns an [`AllocateError`] if the lengths differ, a weight is out of range or all are 0.
    pub fn mean_age(
        &self,
        changes: &[Rate],
        weights: Weights<'_>,
        phase: Phase,
    ) -> Result<f64, AllocateError> {
        self.check(changes)?;
        mean(changes.len(), weights, |page| self.streams(page).age(changes[page], phase))
    }

    fn check(&self, changes: &[Rate]) -> Result<(), AllocateError> {
        if self.class_of.len() == changes.len() {
            return Ok(());
        }
        let (wanted, given) = (self.class_of.len(), changes.len());
        Err(AllocateError::Lengths { what: "change rates", wanted, given })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocate::{mean_freshness, uniform};
    use crate::rates;

    fn rate(value: f64) -> Rate {
        Rate::new(value).unwrap()
    }

    #[test]
    fn pages_belong_to_the_highest_class_they_reach() {
        let estimates = rates(&[0.1, 0.5, 1.0, 2.0, 6.0]).unwrap();
        let made = classified(&estimates, rate(0.25), &[rate(0.5), rate(2.0), rate(9.0)]).unwrap();
        assert_eq!(made.class_of, [None, Some(0), Some(0), Some(1), Some(1)]);
        let visits: Vec<_> = made.classes.iter().map(|class| class.visits.get()).collect();
        assert_eq!(visits, [0.75, 4.0, 0.0]);
        assert_eq!(made.spent(), 5.0 * 0.25 + 2.0 * 0.75 + 2.0 * 4.0);
        assert_eq!(made.visits()[3], rate(4.25));
        assert!((made.scaled_to(rate(2.0)).spent() - 2.0).abs() < 1e-15);
    }

    #[test]
    fn classified_without_classes_is_uniform() {
        let changes = rates(&[0.1, 3.0]).unwrap();
        for thresholds in [vec![], vec![rate(4.0)]] {
            let made = classified(&changes, rate(0.5), &thresholds).unwrap();
            let same = mean_freshness(&changes, Weights::Equal, &uniform(2, rate(1.0)));
            assert_eq!(made.mean_freshness(&changes, Weights::Equal, Phase::Aligned), same);
        }
    }

    #[test]
    fn thresholds_that_do_not_rise_are_refused() {
        let twice = classified(&[], rate(1.0), &[rate(2.0), rate(2.0)]);
        assert_eq!(twice, Err(AllocateError::Thresholds(2.0, 2.0)));
        let none = classified(&[], Rate::ZERO, &[]).unwrap();
        assert_eq!(none.scaled_to(rate(1.0)), none);
        assert!(none.mean_freshness(&[rate(1.0)], Weights::Equal, Phase::Even).is_err());
    }
}
