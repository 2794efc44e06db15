//! Learning rates of a strategy.

use super::{Metric, MetricEntry, Observation};
use crate::strategy::RATES;
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

const PARAMS: &[Param] = &[Param::choice(
    "of",
    RATES[0],
    &[Cow::Borrowed(RATES[0]), Cow::Borrowed(RATES[1])],
    "alpha is α, the step size of the distance update; delta is δ, the discount per link found.",
)];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "learning-rate",
        "Learning rate",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima, eq. 3 and 6",
            summary: "Current learning rate of the strategy",
            description: "FICA, DistanceRank and IECA move a distance towards a new value by the step \
                size α, which decreases with every page; IECA also subtracts δ for every link \
                found. Undefined for other strategies.",
            formula: "α(t) = e^(−β·t); δ = start − (start − end)·share",
            params: PARAMS,
        },
    ),
    shown: &["learning-rate", "learning-rate(of:delta)"],
    build: |params, _| Box::new(LearningRate { of: params.text("of").to_owned() }),
};

struct LearningRate {
    of: String,
}

impl Metric for LearningRate {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        at.run.session().rate(at.setting.world, &self.of)
    }
}
