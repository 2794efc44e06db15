//! The most that target recall can come to.

use super::targets::{By, Targets};
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

const PARAMS: &[Param] = &[Param::choice(
    "by",
    "judge",
    &[Cow::Borrowed("judge"), Cow::Borrowed("labels")],
    "What pages are taken for. judge: what the crawler takes them for, so that no ordering comes \
     above; labels: what they are, so that a crawler that misjudges pages can.",
)];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "recall-ceiling",
        "Recall ceiling",
        EntryTexts {
            family: "Focus",
            source: "(ours), from the focused loop of Zhang, Li, Yu & Zhang 2010 (B)",
            summary: "Share of the pages looked for that the crawl could find at all",
            description: "The focused loop follows no links of pages that are off the topic, nor of \
                results, so that targets behind such pages are out of reach, as are those that the \
                crawler does not recognise. This is the share of targets that is left to any \
                ordering. It is 1 for a crawl that follows all links. It is the same at every step.",
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
