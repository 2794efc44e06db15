//! No revisits: the baseline of revisit policies.

use super::{NextVisit, Policy, PolicyEntry, PolicyNeeds, PolicyView};
use crate::{Explanation, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "never",
        "Never",
        EntryTexts {
            family: "Baselines",
            source: "(ours)",
            summary: "No page is revisited",
            description: "The baseline that every policy must beat: copies become stale and stay stale. \
                The crawl continues until its hours are over, so that this is visible.",
            formula: "f = 0",
            params: &[],
        },
    ),
    needs: |_| PolicyNeeds { shortest_h: f64::INFINITY, ..PolicyNeeds::default() },
    build: |_| Box::new(Never),
};

#[derive(Clone)]
struct Never;

impl Policy for Never {
    fn wanted(&mut self, _: UrlId, _: &PolicyView<'_>) -> Option<NextVisit> {
        None
    }

    fn explain(&self, _: UrlId, in_h: f64, _: &PolicyView<'_>) -> Explanation {
        Explanation::given("hours wanted", in_h)
    }

    fn is_stationary(&self) -> bool {
        true
    }
}
