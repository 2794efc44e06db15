//! Visits proportional to the change rate: f = B·λ/Σλ (Wen & Lu 2004: individual).
//!
//! A page that was never seen to change would never be revisited, and its estimate would never
//! improve. So its rate counts as at least half a change in the time it was observed (our choice).

use super::{
    ESTIMATOR, KNOWS, NextVisit, Policy, PolicyEntry, PolicyView, RateSource, computable,
    explain_interval, rates_if_known,
};
use crate::{Evidence, Explanation, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[KNOWS, ESTIMATOR];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "proportional",
        "Proportional",
        EntryTexts {
            family: "Fixed rates",
            source: "Wen & Lu 2004, «individual»; Cho & Garcia-Molina 2000",
            summary: "Visit rate proportional to change rate",
            description: "Seems natural, but is worse than visiting all pages equally often: pages that \
                change all the time take visits whose copies are stale again at once. Pages that \
                never change get no visits if true rates are known. With estimates, a page counts as \
                changing at least half a time in the time it was observed (our choice).",
            formula: "f = B·λ ÷ Σλ",
            params: PARAMS,
        },
    ),
    needs: rates_if_known,
    build: |params| Box::new(Proportional { by: RateSource::new(params) }),
};

#[derive(Clone)]
struct Proportional {
    by: RateSource,
}

impl Proportional {
    /// The change rate, and whether it is the minimum that a page counts for.
    fn rate(&self, url: UrlId, at: &PolicyView<'_>) -> (Option<f64>, bool) {
        if self.by.knows {
            return (at.true_rate(url).filter(|rate| *rate > 0.0), false);
        }
        let rate = at.rate(url).unwrap_or(1.0);
        let counts = at.memory.counts(url);
        let watched_h = counts.interval().unwrap_or(0.0) * f64::from(counts.n_visits());
        let least = if watched_h > 0.0 { 0.5 / watched_h } else { 0.0 };
        (Some(computable(rate.max(least))), rate < least)
    }
}

impl Policy for Proportional {
    fn wanted(&mut self, url: UrlId, at: &PolicyView<'_>) -> Option<NextVisit> {
        self.rate(url, at).0.map(|rate| NextVisit::every(1.0 / rate))
    }

    fn explain(&self, url: UrlId, in_h: f64, at: &PolicyView<'_>) -> Explanation {
        let (rate, is_least) = self.rate(url, at);
        let Some(rate) = rate else {
            let note = Evidence::Note("the page never changes".to_owned());
            return Explanation::given("hours wanted", in_h).with(note);
        };
        let counted = if !crate::agree(1.0 / rate, in_h) {
            Explanation::given("estimated changes per hour", rate)
        } else if is_least {
            let note = "half a change in the time it was observed".to_owned();
            Explanation::given("changes per hour, at least", rate).with(Evidence::Note(note))
        } else {
            at.explain_rate(url).valued(rate)
        };
        explain_interval("one change", counted, in_h)
    }

    fn rate_source(&self) -> RateSource {
        self.by
    }
}
