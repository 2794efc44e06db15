//! Share of the reachable pages that have a fresh copy.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "up-to-date",
        "Up to date",
        EntryTexts {
            family: "Freshness",
            source: "(ours), for a question of Voronov, Mail.Ru: new pages or old ones first?",
            summary: "Share of the reachable pages that have a fresh copy",
            description: "Combines coverage and freshness: a page not fetched yet counts like a stale copy.",
            formula: "|{fresh copies}| ÷ |{reachable pages}|",
            params: &[],
        },
    ),
    shown: &["up-to-date"],
    build: |_, _| Box::new(UpToDate),
};

struct UpToDate;

impl Metric for UpToDate {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let n_fresh = at.run.copies()?.n_fresh();
        Some(f64::from(n_fresh) / f64::from(at.setting.reach.n_pages().max(1)))
    }

    fn follows_visits(&self) -> bool {
        true
    }

    fn is_momentary(&self) -> bool {
        true
    }
}
