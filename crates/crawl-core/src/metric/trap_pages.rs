//! Number of fetches in spider traps.

use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "trap-pages",
        "Trap pages",
        EntryTexts {
            family: "Progress",
            source: "Voronov, Mail.Ru",
            summary: "Number of fetches in spider traps",
            description: "Pages that the world labels \"trap\": endless calendars, paths that grow \
                without end. 0 in a world without such labels.",
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
