//! No page is visited again: how copies go stale when nobody does anything about it.

use super::{At, Policy, PolicyEntry, PolicyNeeds, Wanted};
use crate::{Explanation, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "never",
        "Never",
        EntryTexts {
            family: "Baselines",
            source: "(ours)",
            summary: "No page is visited again",
            description: "What every other policy must beat: copies are as fresh as chance leaves \
                them. The crawl goes on until its hours are over, so that this can be seen.",
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
    fn wanted(&mut self, _: UrlId, _: &At<'_>) -> Option<Wanted> {
        None
    }

    fn explain(&self, _: UrlId, in_h: f64, _: &At<'_>) -> Explanation {
        Explanation::given("hours wanted", in_h)
    }

    fn is_stationary(&self) -> bool {
        true
    }

    fn boxed(&self) -> Box<dyn Policy> {
        Box::new(self.clone())
    }
}
