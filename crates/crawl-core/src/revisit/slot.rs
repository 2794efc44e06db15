//! What the schedule holds of a URL.

use super::Wanted;
use crate::UrlId;

/// Steps of the golden ratio fall evenly into any interval, however many there are: so first visits
/// do not come all at once.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A URL's place in the schedule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// When it was visited last, on the budget's clock.
    pub(super) since_h: f64,
    /// The time from then until it is due; infinite where it never is.
    pub(super) span_h: f64,
    /// Visits an hour that it wants in the long run, and of them those in a stream of their own.
    pub(super) per_h: f64,
    pub(super) apart_per_h: f64,
    /// Its host plus one, or 0.
    pub(super) host: u32,
    /// Whether it is to come sooner than wanted, since it is the first.
    pub(super) is_spread: bool,
    pub(super) standing: Standing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// No copy of it.
    Unknown,
    /// It waits, or is never due.
    Waits,
    /// Due.
    Due,
    /// Due because somebody told that it changed.
    Told,
    /// Being visited.
    UnderWay,
    /// There no more.
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
            standing: Standing::Unknown,
        }
    }
}

impl Slot {
    /// When it is due, on the budget's clock.
    #[inline]
    pub(super) fn due_h(&self) -> f64 {
        self.since_h + self.span_h
    }

    /// The same for one that waits, as bits that rise with time; nothing for one that does not, or
    /// would for ever.
    #[inline]
    pub(super) fn waits_until(&self) -> Option<u64> {
        let waits = self.standing == Standing::Waits && self.span_h.is_finite();
        waits.then(|| self.due_h().to_bits())
    }

    /// What the policy wants from now on, of a page visited last when the slot says.
    pub(super) fn set(&mut self, wanted: Option<Wanted>, url: UrlId, is_first: bool) {
        let wanted = wanted.filter(|w| w.in_h.is_finite() && w.in_h > 0.0 && w.per_h.is_finite());
        self.is_spread = is_first && wanted.is_some_and(|w| w.spreads);
        let first = if self.is_spread { phase(url) } else { 1.0 };
        (self.span_h, self.per_h, self.apart_per_h) =
            wanted.map_or((f64::INFINITY, 0.0, 0.0), |w| (w.in_h * first, w.per_h, w.apart_per_h));
        self.standing = Standing::Waits;
    }
}

/// How much of its first time a page waits.
pub(super) fn phase(url: UrlId) -> f64 {
    let share = (f64::from(url.0) + 1.0) * GOLDEN;
    share - share.floor()
}
