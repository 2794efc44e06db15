//! Share of the fetched pages that are about the topic.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "harvest-rate",
        "Harvest rate",
        EntryTexts {
            family: "Focus",
            source: "Zhang, Li, Yu & Zhang 2010, section 4; Chakrabarti et al. 1999",
            summary: "Share of the fetched pages that are about the topic",
            description: "By the labels of the world, not by the crawler's classifier. Redirects and \
                errors count as off the topic. Undefined without a topic or without labels.",
            formula: "harvest@N = |{fetched p : p about the topic}| ÷ N",
            params: &[],
        },
    ),
    shown: &["harvest-rate"],
    build: |_, _| Box::new(HarvestRate::default()),
};

#[derive(Default)]
struct HarvestRate {
    n: u32,
}

impl Metric for HarvestRate {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let topic = at.setting.topic?;
        self.n += u32::from(topic.is_relevant[at.step.page.index()]);
        Some(f64::from(self.n) / f64::from(at.step.number))
    }
}
