//! Why a visit is as urgent as it is.

use super::Schedule;
use crate::again::Again;
use crate::revisit::At;
use crate::revisit::pace::HOUR_US;
use crate::revisit::slot::{Slot, Standing, phase};
use crate::{Evidence, Explanation, Known, Op, UrlId};

/// The same of a page that is visited whatever its urgency is.
fn told(urgency: Explanation) -> Explanation {
    let note = "a sitemap told that it changed, so it comes before all others";
    urgency.with(Evidence::Note(note.to_owned()))
}

impl Schedule {
    /// Why a visit to a page is as urgent as it is.
    pub(super) fn explained(
        &self,
        url: UrlId,
        now_us: u64,
        score: f64,
        known: &Known<'_>,
    ) -> Explanation {
        let Self { pace, pages, memory, given, .. } = self;
        let now_h = pace.at(now_us);
        let at = At { now_h, budget: pace.budget(), pages, memory, known, given };
        let Slot { since_h, span_h, is_spread, standing, .. } = self.slot(url);
        let hours = now_us.saturating_sub(memory.last_us(url).unwrap_or(now_us)) as f64 / HOUR_US;
        if standing == Standing::Gone {
            let note = Evidence::Note("the page is gone".to_owned());
            return Explanation::given("urgency", 0.0).with(note);
        }
        if standing == Standing::Unknown {
            let note =
                Evidence::Note("there is no copy of it: it answered with no page".to_owned());
            return Explanation::given("urgency", 0.0).with(note);
        }
        if !span_h.is_finite() {
            let never = "the policy wants no visit to this page".to_owned();
            let why = self.policy.explain(url, f64::INFINITY, &at).evidence;
            let mut none = Explanation::given("urgency", 0.0).with(Evidence::Note(never));
            none.evidence.extend(why);
            return if standing == Standing::Told { told(none) } else { none };
        }
        if self.competes() {
            let period = self.policy.explain(url, span_h, &at);
            let since = Explanation::given("hours since the last visit", hours);
            let stale = Explanation::of("RVRank: staleness", Op::Quotient, vec![since, period]);
            let note = Evidence::Note("the ordering's score of the page now".to_owned());
            if score > 0.0 {
                let quality = Explanation::given("QRank: quality", score).with(note);
                return Explanation::of("VRank", Op::Product, vec![quality, stale]);
            }
            let lack = Explanation::given("1 − QRank", 1.0 - score).with(note);
            let part = Explanation::of("lack ÷ staleness", Op::Quotient, vec![lack, stale]);
            let one = Explanation::given("where QRank is not above 0", 1.0);
            return Explanation::of("VRank", Op::Difference, vec![one, part]);
        }
        let span = if is_spread {
            let wanted = self.policy.explain(url, span_h / phase(url), &at);
            let share = Explanation::given("share of it", phase(url));
            let why = "first visits are spread evenly, so that they do not come all at once";
            let parts = vec![wanted, share.with(Evidence::Note(why.to_owned()))];
            Explanation::of("hours until the first visit", Op::Product, parts).valued(span_h)
        } else {
            self.policy.explain(url, span_h, &at)
        };
        let passed = now_h - since_h;
        let since = if self.policy.fills() {
            let all = Explanation::given("hours on the budget's clock", passed);
            let note = format!(
                "{hours:.4} hours since the last visit; all pages together want {:.4} visits an hour \
                 and the budget allows {:.4}, so an hour counts as {:.4} on that clock",
                pace.wanted(),
                pace.budget(),
                pace.speed()
            );
            all.with(Evidence::Note(note))
        } else {
            let note = format!("within a budget of {:.4} visits an hour", pace.budget());
            Explanation::given("hours since the last visit", passed).with(Evidence::Note(note))
        };
        let urgency = Explanation::of("urgency: due at 1", Op::Quotient, vec![since, span]);
        if standing == Standing::Told { told(urgency) } else { urgency }
    }
}
