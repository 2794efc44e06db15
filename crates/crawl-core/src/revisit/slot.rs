//! State of one URL in the schedule.

use super::NextVisit;
use crate::UrlId;

/// Golden ratio: multiples modulo 1 are evenly distributed, so first visits do not cluster.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// State of one URL in the schedule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Time of the last visit on the budget clock, in hours.
    pub(super) since_h: f64,
    /// Time from the last visit until it is due; infinite if never.
    pub(super) span_h: f64,
    /// NextVisit visits per hour, and the part of them that forms a separate stream.
    pub(super) per_h: f64,
    pub(super) apart_per_h: f64,
    /// Host plus one; 0 for none.
    pub(super) host: u32,
    /// True for a first revisit, which comes sooner than wanted so that first revisits spread out.
    pub(super) is_spread: bool,
    pub(super) state: SlotState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotState {
    /// No copy.
    Unknown,
    /// Waiting, or never due.
    Waits,
    /// Due.
    Due,
    /// Due because a sitemap announced a change.
    Announced,
    /// Being visited.
    UnderWay,
    /// No longer exists.
    Gone,
}

impl Default for Slot {
    fn default() -> Self {
        Self {
            since_h: 0.0,
            span_h: f64::INFINITY,
            per_h: 0.0,
            apart_per_h: 0.0,
            host: 0,
            is_spread: false,
            state: SlotState::Unknown,
        }
    }
}

impl Slot {
    /// Due time on the budget clock.
    #[inline]
    pub(super) fn due_h(&self) -> f64 {
        self.since_h + self.span_h
    }

    /// The due time of a waiting page, as bits that sort like the time; `None` if it does not wait
    /// or is never due.
    #[inline]
    pub(super) fn waits_until(&self) -> Option<u64> {
        let waits = self.state == SlotState::Waits && self.span_h.is_finite();
        waits.then(|| self.due_h().to_bits())
    }

    /// Sets the next visit that the policy wants.
    pub(super) fn set(&mut self, wanted: Option<NextVisit>, url: UrlId, is_first: bool) {
        let wanted = wanted.filter(|w| w.in_h.is_finite() && w.in_h > 0.0 && w.per_h.is_finite());
        self.is_spread = is_first && wanted.is_some_and(|w| w.spreads);
        let first = if self.is_spread { phase(url) } else { 1.0 };
        (self.span_h, self.per_h, self.apart_per_h) =
            wanted.map_or((f64::INFINITY, 0.0, 0.0), |w| (w.in_h * first, w.per_h, w.apart_per_h));
        self.state = SlotState::Waits;
    }
}

/// The share of its first interval that a page waits.
pub(super) fn phase(url: UrlId) -> f64 {
    let share = (f64::from(url.0) + 1.0) * GOLDEN;
    share - share.floor()
}
