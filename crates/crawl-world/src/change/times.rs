//! When a page changes, drawn as it is asked for.

#[cfg(test)]
mod tests;

use super::flow::{Events, Flow};
use super::{ChangeProcess, Rhythm};
use crate::rng::mixed_with;
use crate::{PageId, World};

/// The times at which a page changes, in microseconds since the simulation's start.
///
/// They follow from the seed, the page and its process, and from nothing else: whoever asks, for
/// whichever page, in whichever order, is told the same. One of these is made at once, draws
/// nothing before it is asked, and holds no more than its process and a key; so it need not be kept.
/// Any moment is entered without drawing what came before it (`change/flow.rs` says how): a question
/// costs a handful of draws, wherever in time, and a count as many as it counts.
///
/// A change counts from the moment at which it happens: whoever looks at that time sees it. So what
/// happens between a and b is what happens after a, until b and at b.
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

/// What the streams of a page are for.
const CHANGES: u64 = 1;
const BURSTS: u64 = 2;

impl<'w> Changes<'w> {
    /// Those of a page.
    #[inline]
    pub fn new(world: &'w World, page: PageId, seed: u64) -> Self {
        Self::of(world.change_process(page), page, seed)
    }

    /// Those that a page has with that process.
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

    /// All changes at that time or later, in order, no two at one time.
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

    /// The last change until that time, itself included: what a visit then sees is as old.
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

    /// True when it changes after `from_us` and not after `to_us`: whether a copy made at the first
    /// is stale at the second.
    #[inline]
    pub fn changed_between(self, from_us: u64, to_us: u64) -> bool {
        self.last_change_by(to_us).is_some_and(|at| at > from_us)
    }

    /// How often it changes after `from_us` and not after `to_us`.
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

/// Changes of a page in order; without end where its process has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeTimes<'w> {
    changes: Changes<'w>,
    /// No change from here on was passed on.
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
    /// Leaves out the changes before that time, without drawing them; never goes back.
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

/// What no clock shows.
pub(super) const NEVER: u64 = u64::MAX;

/// Seconds as microseconds; [`NEVER`] when they are too many.
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

    /// How many until that time, itself included.
    fn count(self, t_us: u64) -> u64 {
        t_us.checked_sub(self.phase_us).map_or(0, |since| since / self.period_us + 1)
    }
}

/// Changes `within` come through only while a burst lasts.
///
/// The clock of `begins` runs ahead by a burst's length, so that bursts may be going on at the
/// start; on it, a burst begins when on ours its last moment is.
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
        // The latest burst began here, or before the start.
        let begin = until.checked_sub(self.length_us);
        let last = until.checked_sub(1)?.min(t_us);
        self.within.last_by(last).max(begin)
    }
}

/// Where whoever goes from change to change stands.
#[derive(Clone, Copy, Debug, PartialEq)]
struct InBursts {
    bursty: Bursty,
    begins: Events,
    within: Events,
    next_begin: Option<u64>,
    next_within: Option<u64>,
    /// When the burst of the moment ends, or ended.
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
        // Until the next burst nothing comes through.
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
