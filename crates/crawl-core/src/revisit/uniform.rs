//! The same visit rate for every page: f = B/n.

use super::{NextVisit, Policy, PolicyEntry, PolicyNeeds, PolicyView};
use crate::{Evidence, Explanation, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "uniform",
        "Uniform",
        EntryTexts {
            family: "Fixed rates",
            source: "Wen & Lu 2004; Cho & Garcia-Molina 2000",
            summary: "Same visit rate for every page",
            description: "Spreads the budget evenly. With Poisson changes, all rates above 0, equal \
                weights and a long duration, it is never worse than visits proportional to the \
                change rate, which surprises most people.",
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
    fn wanted(&mut self, _: UrlId, _: &PolicyView<'_>) -> Option<NextVisit> {
        Some(NextVisit::every(1.0))
    }

    fn explain(&self, _: UrlId, in_h: f64, at: &PolicyView<'_>) -> Explanation {
        let note = format!("the same share for each of {} pages", at.pages.len());
        Explanation::given("hours wanted", in_h).with(Evidence::Note(note))
    }

    fn is_stationary(&self) -> bool {
        true
    }
}
