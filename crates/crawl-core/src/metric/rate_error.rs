//! How far estimated change rates are from the true ones, relatively, on average.

use super::copied::{Seldom, true_rate};
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "rate-error",
        "Error of the estimates",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2003; Wen & Lu 2004 (C), figure 1",
            summary: "How far estimated change rates are from the true ones, relatively, on average",
            description: "Over pages that change and were visited again.",
            formula: "mean of |λ̂ − λ| ÷ λ",
            params: &[],
        },
    ),
    shown: &["rate-error"],
    build: |_, _| Box::new(RateError::default()),
};

#[derive(Default)]
struct RateError {
    seldom: Seldom,
}

impl Metric for RateError {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let session = at.run.session();
        let world = at.setting.world;
        self.seldom.value(at, |known| {
            let errors = known.order().iter().filter_map(|url| {
                let estimate = session.visit_plan(*url)?.estimate?;
                let rate = true_rate(world, session.book().page(*url));
                (rate > 0.0).then(|| (estimate - rate).abs() / rate)
            });
            let (n, sum) = errors.fold((0_u32, 0.0), |(n, sum), error| (n + 1, sum + error));
            (n > 0).then(|| sum / f64::from(n))
        })
    }

    fn follows_visits(&self) -> bool {
        true
    }
}
