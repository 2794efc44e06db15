//! The rates by which a strategy learns.

use super::{Metric, MetricEntry, Observation};
use crate::strategy::RATES;
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

const PARAMS: &[Param] = &[Param::choice(
    "of",
    RATES[0],
    &[Cow::Borrowed(RATES[0]), Cow::Borrowed(RATES[1])],
    "alpha is α, how much of a distance is learnt anew; delta is δ, what a link takes off a distance.",
)];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "learning-rate",
        "Learning rate",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima (E), eq. 3 and 6",
            summary: "How much an ordering that learns still learns from a page",
            description: "FICA, DistanceRank and IECA move what they know towards what a page shows, \
                by α, which falls with every page; IECA also takes δ off a distance for every link \
                found. Orderings that do not learn so have none.",
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
