//! Explanations of visit urgency.

use super::Schedule;
use crate::revisit::PolicyView;
use crate::revisit::budget_clock::HOUR_US;
use crate::revisit::slot::{Slot, SlotState, phase};
use crate::scheduler::RevisitScheduler;
use crate::{Evidence, Explanation, Known, Op, UrlId};

/// Adds a note that a sitemap announced the page.
fn told(urgency: Explanation) -> Explanation {
    let note = "a sitemap lists it as changed, so it is visited first";
    urgency.with(Evidence::Note(note.to_owned()))
}

impl Schedule {
    /// Explains the urgency of a visit to a page.
    pub(super) fn explained(
        &self,
        url: UrlId,
        now_us: u64,
        score: f64,
        known: &Known<'_>,
    ) -> Explanation {
        let Self { clock, pages, memory, context, .. } = self;
        let now_h = clock.at(now_us);
        let at = PolicyView { now_h, budget: clock.budget(), pages, memory, known, context };
        let Slot { since_h, span_h, is_spread, state, .. } = self.slot(url);
        let hours = now_us.saturating_sub(memory.last_us(url).unwrap_or(now_us)) as f64 / HOUR_US;
        if state == SlotState::Gone {
            let note = Evidence::Note("the page is gone".to_owned());
            return Explanation::given("urgency", 0.0).with(note);
        }
        if state == SlotState::Unknown {
            let note =
                Evidence::Note("no copy: the response was an error or a redirect".to_owned());
            return Explanation::given("urgency", 0.0).with(note);
        }
        if !span_h.is_finite() {
            let never = "the policy wants no visit to this page".to_owned();
            let why = self.policy.explain(url, f64::INFINITY, &at).evidence;
            let mut none = Explanation::given("urgency", 0.0).with(Evidence::Note(never));
            none.evidence.extend(why);
            return if state == SlotState::Announced { told(none) } else { none };
        }
        if self.competes() {
            let period = self.policy.explain(url, span_h, &at);
            let since = Explanation::given("hours since the last visit", hours);
            let stale = Explanation::of("RVRank: staleness", Op::Quotient, vec![since, period]);
            let note = Evidence::Note("the strategy's current score of the page".to_owned());
            if score > 0.0 {
                let quality = Explanation::given("QRank: quality", score).with(note);
                return Explanation::of("VRank", Op::Product, vec![quality, stale]);
            }
            let lack = Explanation::given("1 − QRank", 1.0 - score).with(note);
            let part = Explanation::of("lack ÷ staleness", Op::Quotient, vec![lack, stale]);
            let one = Explanation::given("if QRank is not above 0", 1.0);
            return Explanation::of("VRank", Op::Difference, vec![one, part]);
        }
        let span = if is_spread {
            let wanted = self.policy.explain(url, span_h / phase(url), &at);
            let share = Explanation::given("share of it", phase(url));
            let why = "first revisits are spread evenly over time";
            let parts = vec![wanted, share.with(Evidence::Note(why.to_owned()))];
            Explanation::of("hours until the first visit", Op::Product, parts).valued(span_h)
        } else {
            self.policy.explain(url, span_h, &at)
        };
        let passed = now_h - since_h;
        let since = if self.policy.fills() {
            let all = Explanation::given("hours on the budget clock", passed);
            let note = format!(
                "{hours:.4} hours since the last visit; all pages together want {:.4} visits per hour \
                 and the budget allows {:.4}, so that clock advances {:.4} hours per hour",
                clock.wanted(),
                clock.budget(),
                clock.speed()
            );
            all.with(Evidence::Note(note))
        } else {
            let note = format!("within a budget of {:.4} visits per hour", clock.budget());
            Explanation::given("hours since the last visit", passed).with(Evidence::Note(note))
        };
        let urgency = Explanation::of("urgency: due at 1", Op::Quotient, vec![since, span]);
        if state == SlotState::Announced { told(urgency) } else { urgency }
    }
}
