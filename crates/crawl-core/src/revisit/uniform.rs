//! Every page as often as any other: f = B/n.

use super::{At, Policy, PolicyEntry, PolicyNeeds, Wanted};
use crate::{Evidence, Explanation, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "uniform",
        "Uniform",
        EntryTexts {
            family: "Fixed rates",
            source: "Wen & Lu 2004 (C); Cho & Garcia-Molina 2000",
            summary: "Every page as often as any other",
            description: "The budget shared out evenly, visits evenly spaced. For Poisson changes, \
                all rates above 0, no weights and a long time it is never worse than visiting \
                in proportion to change, which surprises most people.",
            formula: "f = B ÷ n",
            params: &[],
        },
    ),
    needs: PolicyNeeds::nothing,
    build: |_| Box::new(Uniform),
};

#[derive(Clone)]
struct Uniform;

impl Policy for Uniform {
    fn wanted(&mut self, _: UrlId, _: &At<'_>) -> Option<Wanted> {
        Some(Wanted::every(1.0))
    }

    fn explain(&self, _: UrlId, in_h: f64, at: &At<'_>) -> Explanation {
        let note = format!("one share of {}, as every page has", at.pages.len());
        Explanation::given("hours wanted", in_h).with(Evidence::Note(note))
    }

    fn is_stationary(&self) -> bool {
        true
    }

    fn boxed(&self) -> Box<dyn Policy> {
        Box::new(self.clone())
    }
}
