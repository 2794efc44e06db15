//! Upper bound of target recall.

use super::targets::{By, Targets};
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

const PARAMS: &[Param] = &[Param::choice(
    "by",
    "judge",
    &[Cow::Borrowed("judge"), Cow::Borrowed("labels")],
    "How pages are classified. judge: by the crawler's classifier, an upper bound of every strategy; \
     labels: by their labels, which a crawler that misjudges pages can exceed.",
)];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "recall-ceiling",
        "Recall ceiling",
        EntryTexts {
            family: "Focus",
            source: "(ours), from the focused loop of Zhang, Li, Yu & Zhang 2010",
            summary: "Upper bound of target recall",
            description: "A focused crawl does not follow links of pages off the topic or of results. \
                Targets behind such pages are out of reach, and so are targets that the classifier \
                does not recognise. This is the share of targets that remains for any strategy. \
                It is 1 if all links are followed, and the same at every step.",
            formula: "|{t ∈ T : seed → p₁ → … → t, pᵢ about the topic and ∉ T}| ÷ |T|",
            params: PARAMS,
        },
    ),
    shown: &["recall-ceiling"],
    build: |params, _| {
        let by = if params.text("by") == "labels" { By::Labels } else { By::Judge };
        Box::new(RecallCeiling { by, ceiling: None })
    },
};

struct RecallCeiling {
    by: By,
    ceiling: Option<f64>,
}

impl Metric for RecallCeiling {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if at.step.number == 1 {
            self.ceiling = Targets::new(at).map(|targets| targets.ceiling(at, self.by));
        }
        self.ceiling
    }
}
