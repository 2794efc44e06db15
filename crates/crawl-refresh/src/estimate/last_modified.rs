//! Where a visit tells when the page changed last (Last-Modified, a sitemap's lastmod), it tells
//! more than whether (Cho & Garcia-Molina 2003).
//!
//! Looking back from a visit, the time tᵢ since the last change is exponential with rate λ; of it
//! one sees min(tᵢ, Iᵢ), since changes before the visit before are known already. With T = Σ
//! min(tᵢ, Iᵢ), n visits and X changes, the likeliest rate is X/T. It is biased for few visits; the
//! improved estimator is
//!
//! λ̂ = X′/T, X′ = (X − 1) − X / (n·ln(1 − X/n)); X′ = 0 for X = 0 and n − 1 for X = n.
//!
//! Unlike estimates from «changed or not» it has no cap: a page that changes ten times between two
//! visits was changed just before each. If every change was seen in the moment it happened, T = 0;
//! then the bias-reduced estimate of X and n stands in (ours).

use super::{BadInterval, Counts};
use crate::{Rate, Span};

/// What visits told about last changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastModified {
    counts: Counts,
    /// T
    seen: f64,
}

impl LastModified {
    /// One more visit, `interval` after the one before, to a page that changed last `since` ago.
    ///
    /// # Errors
    /// The interval is not within 1e-60…1e60.
    pub fn record(&mut self, since: Span, interval: Span) -> Result<(), BadInterval> {
        self.counts.record(since < interval, interval)?;
        self.seen += since.get().min(interval.get());
        Ok(())
    }

    /// n, X and the mean interval.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// X/T; `None` before the first visit.
    pub fn likeliest(&self) -> Option<Rate> {
        self.over_time(f64::from(self.counts.n_changed()))
    }

    /// X′/T; `None` before the first visit.
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
    fn what_happened_before_the_last_visit_is_not_counted_again() {
        let mut page = LastModified::default();
        assert_eq!((page.likeliest(), page.improved()), (None, None));
        page.record(span(9.0), span(2.0)).unwrap();
        assert_eq!(page.likeliest(), Some(Rate::ZERO));
        page.record(span(0.5), span(2.0)).unwrap();
        page.record(span(2.5), span(2.0)).unwrap();
        assert_eq!(page.likeliest().unwrap().get(), 1.0 / 4.5);
        // 0 − 1/(3·ln(2/3))
        let corrected = -1.0 / (3.0 * libm::log(2.0 / 3.0));
        assert!((page.improved().unwrap().get() - corrected / 4.5).abs() < 1e-15);
    }

    #[test]
    fn it_stays_finite() {
        let mut page = LastModified::default();
        for _ in 0..5 {
            page.record(Span::ZERO, span(1.0)).unwrap();
        }
        let cap = libm::log(11.0);
        for rate in [page.likeliest(), page.improved()] {
            assert!((rate.unwrap().get() - cap).abs() < 1e-12);
        }
        page.record(span(1e-3), span(1.0)).unwrap();
        assert!((page.improved().unwrap().get() - 5.0 / 1e-3).abs() < 1e-9);
        assert!(page.record(span(1.0), Span::ZERO).is_err());
    }
}
