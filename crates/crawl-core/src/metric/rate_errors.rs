//! What the measures of estimated change rates share.

use super::copied::{Seldom, true_rate};
use super::{Metric, Observation};

/// The mean of how far estimates are from true rates, relatively, over pages that change and were
/// visited again.
pub(super) struct RateErrors {
    seldom: Seldom,
    /// What a page counts for by its error (λ̂ − λ) ÷ λ.
    counts: fn(f64) -> f64,
}

impl RateErrors {
    pub(super) fn new(counts: fn(f64) -> f64) -> Self {
        Self { seldom: Seldom::default(), counts }
    }
}

impl Metric for RateErrors {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let session = at.run.session();
        let world = at.setting.world;
        self.seldom.value(at, |known| {
            let errors = known.order().iter().filter_map(|url| {
                let estimate = session.visit_plan(*url)?.estimate?;
                let rate = true_rate(world, session.book().page(*url));
                // Nothing is so and so many times as much as next to nothing.
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
