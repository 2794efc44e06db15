//! Times of a page's changes, drawn on demand.

#[cfg(test)]
mod tests;

use super::flow::{Events, Flow};
use super::{ChangeProcess, Rhythm};
use crate::rng::mixed_with;
use crate::{PageId, World};

/// The times of a page's changes, in microseconds since the start of the simulation.
///
/// They depend only on the seed, the page and its process, not on the order of queries. A value is
/// cheap to make, draws nothing in advance, and holds only its process and a key, so it need not be
/// stored. Any time can be accessed without drawing what came before (see `change/flow.rs`): a
/// query costs a few draws, a count as many as it counts.
///
/// A change is visible from its own time on. So the changes between a and b are those after a, up
/// to and including b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Changes<'w> {
    kind: Kind<'w>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind<'w> {
    Never,
    Poisson(Flow),
    Periodic(Clock),
    Bursty(Bursty),
    Recorded(&'w [f64]),
}

/// Numbers of a page's random streams.
const CHANGES: u64 = 1;
const BURSTS: u64 = 2;

impl<'w> Changes<'w> {
    /// The changes of a page of a world.
    #[inline]
    pub fn new(world: &'w World, page: PageId, seed: u64) -> Self {
        Self::of(world.change_process(page), page, seed)
    }

    /// The changes of a page with the given process.
    #[inline]
    pub fn of(process: ChangeProcess<'w>, page: PageId, seed: u64) -> Self {
        let flow = |stream, per_hour| {
            Flow::new(mixed_with(mixed_with(seed, page.0.into()), stream), per_hour)
        };
        let kind = match process {
            ChangeProcess::Poisson { per_hour } if per_hour > 0.0 => {
                Kind::Poisson(flow(CHANGES, per_hour))
            }
            ChangeProcess::Never | ChangeProcess::Poisson { .. } => Kind::Never,
            ChangeProcess::Rhythm(Rhythm::Periodic { period_s, phase_s }) => {
                let period_us = microseconds(period_s).max(1);
                Kind::Periodic(Clock { period_us, phase_us: microseconds(phase_s) })
            }
            ChangeProcess::Rhythm(Rhythm::Bursty {
                bursts_per_hour,
                changes_per_hour,
                burst_s,
            }) => Kind::Bursty(Bursty {
                begins: flow(BURSTS, bursts_per_hour),
                within: flow(CHANGES, changes_per_hour),
                length_us: microseconds(burst_s).max(1),
            }),
            ChangeProcess::Recorded(times_s) => Kind::Recorded(times_s),
        };
        Self { kind }
    }

    /// All changes at that time or later, in order, without duplicates.
    #[inline]
    pub fn from(self, t_us: u64) -> ChangeTimes<'w> {
        let state = match self.kind {
            Kind::Never => State::Ended,
            Kind::Poisson(flow) => State::Poisson(flow.from(t_us)),
            Kind::Periodic(clock) => State::Periodic { clock, next: clock.from(t_us) },
            Kind::Bursty(bursty) => State::Bursty(bursty.from(t_us)),
            Kind::Recorded(times_s) => {
                let start = times_s.partition_point(|at_s| microseconds(*at_s) < t_us);
                State::Recorded { rest: &times_s[start..], last: None }
            }
        };
        ChangeTimes { changes: self, next_us: t_us, state }
    }

    /// The first change after that time.
    #[inline]
    pub fn next_change_after(self, t_us: u64) -> Option<u64> {
        t_us.checked_add(1).and_then(|from| match self.kind {
            Kind::Poisson(flow) => flow.first_from(from),
            _ => self.from(from).next(),
        })
    }

    /// The last change up to and including that time.
    #[inline]
    pub fn last_change_by(self, t_us: u64) -> Option<u64> {
        match self.kind {
            Kind::Never => None,
            Kind::Poisson(flow) => flow.last_by(t_us),
            Kind::Periodic(clock) => clock.last_by(t_us),
            Kind::Bursty(bursty) => bursty.last_by(t_us),
            Kind::Recorded(times_s) => {
                let in_time = |at_s: &f64| microseconds(*at_s) <= t_us.min(NEVER - 1);
                let last = times_s.partition_point(in_time).checked_sub(1)?;
                times_s.get(last).map(|at_s| microseconds(*at_s))
            }
        }
    }

    /// The last change before that time.
    #[inline]
    pub fn last_change_before(self, t_us: u64) -> Option<u64> {
        t_us.checked_sub(1).and_then(|until| self.last_change_by(until))
    }

    /// True if it changes after `from_us` and not after `to_us`: a copy made at the first is stale
    /// at the second.
    #[inline]
    pub fn changed_between(self, from_us: u64, to_us: u64) -> bool {
        self.last_change_by(to_us).is_some_and(|at| at > from_us)
    }

    /// Number of changes after `from_us` and not after `to_us`.
    pub fn n_changes_between(self, from_us: u64, to_us: u64) -> u64 {
        let count = |before: u64| self.from(before).take_while(|at| *at <= to_us).count() as u64;
        match self.kind {
            Kind::Periodic(clock) => clock.count(to_us) - clock.count(from_us.min(to_us)),
            Kind::Poisson(flow) => from_us.checked_add(1).map_or(0, |from| flow.count(from, to_us)),
            _ => from_us.checked_add(1).map_or(0, count),
        }
    }
}

impl<'w> IntoIterator for Changes<'w> {
    type Item = u64;
    type IntoIter = ChangeTimes<'w>;

    fn into_iter(self) -> ChangeTimes<'w> {
        self.from(0)
    }
}

/// Changes of a page in order; infinite if its process is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeTimes<'w> {
    changes: Changes<'w>,
    /// Changes from here on were not returned yet.
    next_us: u64,
    state: State<'w>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State<'w> {
    Ended,
    Poisson(Events),
    Periodic { clock: Clock, next: Option<u64> },
    Bursty(InBursts),
    Recorded { rest: &'w [f64], last: Option<u64> },
}

impl ChangeTimes<'_> {
    /// Skips the changes before that time, without drawing them; never goes back.
    #[inline]
    pub fn skip_to(&mut self, t_us: u64) {
        if t_us > self.next_us {
            *self = self.changes.from(t_us);
        }
    }
}

impl Iterator for ChangeTimes<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let at = match &mut self.state {
            State::Ended => None,
            State::Poisson(events) => events.next(),
            State::Periodic { clock, next } => {
                let at = *next;
                *next = at.and_then(|at| at.checked_add(clock.period_us));
                at
            }
            State::Bursty(bursts) => bursts.next(),
            State::Recorded { rest, last } => loop {
                let (at_s, others) = rest.split_first()?;
                let at = microseconds(*at_s);
                *rest = others;
                if at != NEVER && *last != Some(at) {
                    *last = Some(at);
                    break Some(at);
                }
            },
        };
        self.next_us = at.map_or(NEVER, |at| at.saturating_add(1));
        at
    }
}

/// Beyond the range of the clock.
pub(super) const NEVER: u64 = u64::MAX;

/// Converts seconds to microseconds; [`NEVER`] on overflow.
#[inline]
pub(super) fn microseconds(seconds: f64) -> u64 {
    (seconds * 1e6).round() as u64
}

/// φ, φ + T, φ + 2T, …
#[derive(Clone, Copy, Debug, PartialEq)]
struct Clock {
    period_us: u64,
    phase_us: u64,
}

impl Clock {
    fn from(self, t_us: u64) -> Option<u64> {
        let n = t_us.saturating_sub(self.phase_us).div_ceil(self.period_us);
        self.phase_us.checked_add(n.checked_mul(self.period_us)?).filter(|at| *at != NEVER)
    }

    fn last_by(self, t_us: u64) -> Option<u64> {
        let since = t_us.checked_sub(self.phase_us)?;
        Some(t_us - since % self.period_us)
    }

    /// Number of changes up to and including that time.
    fn count(self, t_us: u64) -> u64 {
        t_us.checked_sub(self.phase_us).map_or(0, |since| since / self.period_us + 1)
    }
}

/// Changes `within` count only during a burst.
///
/// The process `begins` is shifted by the length of a burst, so that bursts can be active at the
/// start: its event at time t is a burst that ends at t.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bursty {
    begins: Flow,
    within: Flow,
    length_us: u64,
}

impl Bursty {
    fn from(self, t_us: u64) -> InBursts {
        let ahead = t_us.saturating_add(self.length_us);
        let until = self.begins.last_by(ahead - 1).unwrap_or(0);
        let mut begins = self.begins.from(ahead);
        let mut within = self.within.from(t_us);
        let next_begin = begins.next().map(|at| at - self.length_us);
        let next_within = within.next();
        InBursts { bursty: self, begins, within, next_begin, next_within, until }
    }

    fn last_by(self, t_us: u64) -> Option<u64> {
        let until = self.begins.last_by(t_us.saturating_add(self.length_us))?;
        // The begin of the latest burst, or before the start.
        let begin = until.checked_sub(self.length_us);
        let last = until.checked_sub(1)?.min(t_us);
        self.within.last_by(last).max(begin)
    }
}

/// Iterator over the changes of a bursty process.
#[derive(Clone, Copy, Debug, PartialEq)]
struct InBursts {
    bursty: Bursty,
    begins: Events,
    within: Events,
    next_begin: Option<u64>,
    next_within: Option<u64>,
    /// End of the current or last burst.
    until: u64,
}

impl InBursts {
    fn next(&mut self) -> Option<u64> {
        if let Some(change) = self.next_within
            && change < self.until
            && self.next_begin.is_none_or(|begin| change < begin)
        {
            self.next_within = self.within.next();
            return Some(change);
        }
        // No changes until the next burst.
        let begin = self.next_begin?;
        self.until = begin.saturating_add(self.bursty.length_us);
        self.next_begin = self.begins.next().map(|at| at - self.bursty.length_us);
        if self.next_within.is_some_and(|change| change <= begin) {
            self.within = self.bursty.within.from(begin.saturating_add(1));
            self.next_within = self.within.next();
        }
        Some(begin)
    }
}
