//! Estimates from the time of the last change: Last-Modified, or a sitemap's lastmod.
//!
//! Looking back from a visit, the time tᵢ since the last change is exponential with rate λ. Changes
//! before the previous visit are known already, so the observation is min(tᵢ, Iᵢ). With T = Σ
//! min(tᵢ, Iᵢ), n visits and X changes, the maximum likelihood estimate is X/T. It is biased for
//! few visits; the improved estimator (Cho & Garcia-Molina 2003) is
//!
//! λ̂ = X′/T, X′ = (X − 1) − X / (n·ln(1 − X/n)); X′ = 0 for X = 0 and n − 1 for X = n.
//!
//! Unlike the estimators from changed/unchanged visits it has no upper bound: if a page changes ten
//! times between two visits, the last change is recent. If every change happened at the moment of
//! its visit, T = 0; then the bias-reduced estimate is used (our choice).

use super::{BadInterval, Counts};
use crate::{Rate, Span};

/// Visit counts and the observed times since the last change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastModified {
    counts: Counts,
    /// T.
    seen: f64,
}

impl LastModified {
    /// Adds a visit, `interval` after the previous one; the page last changed `since` ago.
    ///
    /// # Errors
    /// Returns [`BadInterval`] if the interval is outside 1e-60…1e60.
    pub fn record(&mut self, since: Span, interval: Span) -> Result<(), BadInterval> {
        self.counts.record(since < interval, interval)?;
        self.seen += since.get().min(interval.get());
        Ok(())
    }

    /// n, X and the mean interval.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The maximum likelihood estimate X/T; `None` before the first visit.
    pub fn maximum_likelihood(&self) -> Option<Rate> {
        self.over_time(f64::from(self.counts.n_changed()))
    }

    /// The improved estimate X′/T; `None` before the first visit.
    pub fn improved(&self) -> Option<Rate> {
        let (n, x) = (f64::from(self.counts.n_visits()), f64::from(self.counts.n_changed()));
        let corrected = if x == 0.0 { 0.0 } else { x - 1.0 - x / (n * libm::log1p(-x / n)) };
        self.over_time(corrected)
    }

    fn over_time(&self, changes: f64) -> Option<Rate> {
        if self.seen > 0.0 {
            Some(Rate::of(changes / self.seen))
        } else {
            self.counts.bias_reduced()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(value: f64) -> Span {
        Span::new(value).unwrap()
    }

    #[test]
    fn changes_before_the_previous_visit_are_not_counted_twice() {
        let mut page = LastModified::default();
        assert_eq!((page.maximum_likelihood(), page.improved()), (None, None));
        page.record(span(9.0), span(2.0)).unwrap();
        assert_eq!(page.maximum_likelihood(), Some(Rate::ZERO));
        page.record(span(0.5), span(2.0)).unwrap();
        page.record(span(2.5), span(2.0)).unwrap();
        assert_eq!(page.maximum_likelihood().unwrap().get(), 1.0 / 4.5);
        // 0 − 1/(3·ln(2/3))
        let corrected = -1.0 / (3.0 * libm::log(2.0 / 3.0));
        assert!((page.improved().unwrap().get() - corrected / 4.5).abs() < 1e-15);
    }

    #[test]
    fn estimates_stay_finite() {
        let mut page = LastModified::default();
        for _ in 0..5 {
            page.record(Span::ZERO, span(1.0)).unwrap();
        }
        let cap = libm::log(11.0);
        for rate in [page.maximum_likelihood(), page.improved()] {
            assert!((rate.unwrap().get() - cap).abs() < 1e-12);
        }
        page.record(span(1e-3), span(1.0)).unwrap();
        assert!((page.improved().unwrap().get() - 5.0 / 1e-3).abs() < 1e-9);
        assert!(page.record(span(1.0), Span::ZERO).is_err());
    }
}
