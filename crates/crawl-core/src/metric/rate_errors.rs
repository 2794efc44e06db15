//! Shared code of the metrics about estimated change rates.

use super::copied::{CachedNumber, true_rate};
use super::{Metric, Observation};

/// Mean over pages that change and were revisited of a function of the relative error.
pub(super) struct RateErrors {
    cached: CachedNumber,
    /// Function of the relative error (λ̂ − λ) ÷ λ.
    counts: fn(f64) -> f64,
}

impl RateErrors {
    pub(super) fn new(counts: fn(f64) -> f64) -> Self {
        Self { cached: CachedNumber::default(), counts }
    }
}

impl Metric for RateErrors {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let session = at.run.session();
        let world = at.setting.world;
        self.cached.value(at, |known| {
            let errors = known.order().iter().filter_map(|url| {
                let estimate = session.visit_plan(*url)?.estimate?;
                let rate = true_rate(world, session.book().page(*url));
                // Skip infinite errors of rates close to 0.
                let error = Some((estimate - rate) / rate).filter(|error| error.is_finite())?;
                (rate > 0.0).then(|| (self.counts)(error))
            });
            let (n, sum) = errors.fold((0_u32, 0.0), |(n, sum), error| (n + 1, sum + error));
            (n > 0).then(|| sum / f64::from(n)).filter(|mean| mean.is_finite())
        })
    }

    fn follows_visits(&self) -> bool {
        true
    }
}
