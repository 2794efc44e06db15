//! Share of the best pages that were fetched.

use super::{Metric, MetricEntry, Observation};
use crate::metric::Setting;
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[Param::number(
    "percent",
    10.0,
    0.01,
    100.0,
    "Size of the top, in percent of the reachable pages.",
)];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "top-found",
        "Top pages found",
        EntryTexts {
            family: "Importance",
            source: "Cho, Garcia-Molina & Page 1998",
            summary: "Share of the best pages that were fetched",
            description: "The best pages are those of highest true PageRank among all reachable ones; \
                at least one page. Ties go to the page nearer to the seeds.",
            formula: "|fetched ∩ top| ÷ |top|",
            params: PARAMS,
        },
    ),
    shown: &["top-found(percent:1)", "top-found"],
    build: |params, setting| Box::new(TopFound::new(params.number("percent"), setting)),
};

struct TopFound {
    is_top: Vec<bool>,
    n_top: u32,
    n_found: u32,
}

impl TopFound {
    fn new(percent: f64, setting: &Setting<'_>) -> Self {
        let best = setting.truth.sorted(setting.reach.pages());
        let n_top = ((best.len() as f64 * percent / 100.0).round() as usize).max(1).min(best.len());
        let mut is_top = vec![false; setting.world.n_pages() as usize];
        best[..n_top].iter().for_each(|page| is_top[page.index()] = true);
        Self { is_top, n_top: n_top as u32, n_found: 0 }
    }
}

impl Metric for TopFound {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        self.n_found += u32::from(self.is_top[at.step.page.index()]);
        (self.n_top > 0).then(|| f64::from(self.n_found) / f64::from(self.n_top))
    }
}
