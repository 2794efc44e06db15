//! Fetches wasted in spider traps.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "trap-pages",
        "Trap pages",
        EntryTexts {
            family: "Progress",
            source: "Voronov, Mail.Ru (D)",
            summary: "Fetches wasted in spider traps",
            description: "Pages that the world marks with the topic «trap»: endless calendars, paths \
                that grow for ever. A world without marks has none.",
            formula: "|{fetched p : p in a trap}|",
            params: &[],
        },
    ),
    shown: &["trap-pages"],
    build: |_, _| Box::new(TrapPages::default()),
};

#[derive(Default)]
struct TrapPages {
    n: u32,
}

impl Metric for TrapPages {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        self.n += u32::from(at.setting.world.has_topic(at.step.page, "trap"));
        Some(f64::from(self.n))
    }
}
