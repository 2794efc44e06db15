//! Visits in proportion to change: f = B·λ/Σλ (document C: individual).
//!
//! A page never seen to change would never be visited again, and what it does would never be known:
//! its estimate counts as at least half a change in all the time it was watched (ours).

use super::{
    At, ESTIMATOR, GoesBy, KNOWS, Policy, PolicyEntry, Wanted, computable, hours_wanted,
    rates_if_known,
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
            source: "Wen & Lu 2004 (C), «individual»; Cho & Garcia-Molina 2000",
            summary: "Twice as often where pages change twice as often",
            description: "What seems natural, and is worse than visiting all pages alike: pages \
                that change all the time take visits that are stale again at once. Pages that never \
                change get no visit where true rates are known; by estimates a page counts as \
                changing at least half a time in all the time it was watched (ours).",
            formula: "f = B·λ ÷ Σλ",
            params: PARAMS,
        },
    ),
    needs: rates_if_known,
    build: |params| Box::new(Proportional { by: GoesBy::new(params) }),
};

#[derive(Clone)]
struct Proportional {
    by: GoesBy,
}

impl Proportional {
    /// The rate it goes by, and whether that is the least a page counts for.
    fn rate(&self, url: UrlId, at: &At<'_>) -> (Option<f64>, bool) {
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
    fn wanted(&mut self, url: UrlId, at: &At<'_>) -> Option<Wanted> {
        self.rate(url, at).0.map(|rate| Wanted::every(1.0 / rate))
    }

    fn explain(&self, url: UrlId, in_h: f64, at: &At<'_>) -> Explanation {
        let (rate, is_least) = self.rate(url, at);
        let Some(rate) = rate else {
            let note = Evidence::Note("the page never changes".to_owned());
            return Explanation::given("hours wanted", in_h).with(note);
        };
        let counted = if !crate::agree(1.0 / rate, in_h) {
            Explanation::given("estimated changes an hour", rate)
        } else if is_least {
            let note = "half a change in all the time it was watched".to_owned();
            Explanation::given("changes an hour, at least", rate).with(Evidence::Note(note))
        } else {
            at.explain_rate(url).valued(rate)
        };
        hours_wanted("one change", counted, in_h)
    }

    fn goes_by(&self) -> GoesBy {
        self.by
    }

    fn boxed(&self) -> Box<dyn Policy> {
        Box::new(self.clone())
    }
}
