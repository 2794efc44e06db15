//! The most that target recall can come to.

use super::targets::Targets;
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "recall-ceiling",
        "Recall ceiling",
        EntryTexts {
            family: "Focus",
            source: "(ours), from the focused loop of Zhang, Li, Yu & Zhang 2010 (B)",
            summary: "Share of the pages looked for that the crawl could find at all",
            description: "The focused loop follows no links of pages that are off the topic, nor of \
                results, so that targets behind such pages are out of reach. This is the share of \
                targets that is left when every page is judged as it is labelled; a crawl that \
                misjudges pages can come out above it. It is 1 for a crawl that follows all links. \
                It is the same at every step.",
            formula: "|{t ∈ T : seed → p₁ → … → t, pᵢ about the topic and ∉ T}| ÷ |T|",
            params: &[],
        },
    ),
    shown: &["recall-ceiling"],
    build: |_, _| Box::new(RecallCeiling::default()),
};

#[derive(Default)]
struct RecallCeiling {
    ceiling: Option<f64>,
}

impl Metric for RecallCeiling {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if at.step.number == 1 {
            self.ceiling = Targets::new(at).map(|targets| targets.ceiling(at));
        }
        self.ceiling
    }
}
