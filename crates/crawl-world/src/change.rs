//! Change processes of pages.
//!
//! - **never**: the page does not change.
//! - **Poisson**, with rate λ: in any time t it changes n times with probability
//!   (λt)ⁿ·e^(−λt)/n!, independent of the past; gaps are exponential with mean 1/λ.
//! - **periodic**, with period T and phase φ < T: at φ, φ + T, φ + 2T, …
//! - **bursty** (not in the papers): bursts begin as a Poisson process with rate β, and each begin
//!   is a change. For a time L after a begin, further changes follow as a Poisson process with rate
//!   ρ > β. A burst that begins during another one prolongs it; rates do not add up. So gaps are a
//!   mixture of short ones (mean about 1/ρ) and long ones (mean 1/β). At any time, including the
//!   start, a burst is active with probability 1 − e^(−βL), so the mean rate is β + ρ·(1 −
//!   e^(−βL)).
//! - **recorded**: at recorded times, and never again.
//!
//! If a page has more than one, recorded times take precedence over a rhythm, and a rhythm over a
//! rate.
//!
//! The process is independent of removal (`gone_s`) and birth (`born_s`, `change/birth.rs`), which
//! the simulation handles.

mod birth;
mod flow;
mod times;

#[cfg(test)]
mod tests;

pub use times::{ChangeTimes, Changes};

use crate::build::not_negative;
use crate::order::arranged;
use crate::{BuildError, Lists, PageId, World, WorldBuilder};
use serde::{Deserialize, Serialize};

/// Maximum mean number of changes per hour: one per millisecond.
pub const MAX_CHANGES_PER_HOUR: f64 = 3.6e6;
/// Minimum period and burst length, in seconds.
const MIN_S: f64 = 1e-3;

/// Change process of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChangeProcess<'w> {
    /// No changes.
    Never,
    /// Random changes, independent of the past.
    Poisson {
        /// λ.
        per_hour: f64,
    },
    /// Periodic or bursty changes.
    Rhythm(Rhythm),
    /// Changes at recorded times, in seconds, ascending.
    Recorded(&'w [f64]),
}

/// A change process with more than one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rhythm {
    /// At φ, φ + T, φ + 2T, …
    Periodic {
        /// T.
        period_s: f64,
        /// φ.
        phase_s: f64,
    },
    /// Long pauses, then many changes.
    Bursty {
        /// β: bursts per hour.
        bursts_per_hour: f64,
        /// ρ: changes per hour during a burst.
        changes_per_hour: f64,
        /// L: length of a burst.
        burst_s: f64,
    },
}

impl ChangeProcess<'_> {
    /// Name of the process.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Poisson { .. } => "poisson",
            Self::Rhythm(Rhythm::Periodic { .. }) => "periodic",
            Self::Rhythm(Rhythm::Bursty { .. }) => "bursty",
            Self::Recorded(_) => "recorded",
        }
    }

    /// Mean changes per hour; `None` for recorded times, since the duration of the recording is
    /// unknown.
    pub fn per_hour(&self) -> Option<f64> {
        match self {
            Self::Never => Some(0.0),
            Self::Poisson { per_hour } => Some(*per_hour),
            Self::Rhythm(rhythm) => Some(rhythm.per_hour()),
            Self::Recorded(_) => None,
        }
    }
}

impl Rhythm {
    /// Mean changes per hour.
    pub fn per_hour(&self) -> f64 {
        match *self {
            Self::Periodic { period_s, .. } => 3600.0 / period_s,
            Self::Bursty { bursts_per_hour, changes_per_hour, burst_s } => {
                let active = -libm::expm1(-bursts_per_hour * burst_s / 3600.0);
                bursts_per_hour + changes_per_hour * active
            }
        }
    }

    /// Checks the ranges and replaces −0 by 0, so that equal worlds have equal digests.
    pub(crate) fn checked(self) -> Result<Self, BuildError> {
        match self {
            Self::Periodic { period_s, phase_s } => {
                let expected = "a number of at least 0.001";
                ensure("change_period_s", period_s, expected, period_s >= MIN_S)?;
                let phase_s = not_negative("change_phase_s", phase_s)?;
                ensure("change_phase_s", phase_s, "less than change_period_s", phase_s < period_s)?;
                Ok(Self::Periodic { period_s, phase_s })
            }
            Self::Bursty { bursts_per_hour, changes_per_hour, burst_s } => {
                let expected = "a number above 0 and at most 3600000";
                let is_rate = |rate: f64| rate > 0.0 && rate <= MAX_CHANGES_PER_HOUR;
                let (bursts, within) = (bursts_per_hour, changes_per_hour);
                ensure("change_bursts_per_hour", bursts, expected, is_rate(bursts))?;
                ensure("change_rate_in_burst_per_hour", within, expected, is_rate(within))?;
                let more = "more than change_bursts_per_hour";
                ensure("change_rate_in_burst_per_hour", within, more, within > bursts)?;
                let expected = "a number of at least 0.001";
                ensure("change_burst_s", burst_s, expected, burst_s >= MIN_S)?;
                Ok(self)
            }
        }
    }
}

/// Checks a change rate; 0 means that the page never changes.
pub(crate) fn checked_rate(per_hour: f64) -> Result<f64, BuildError> {
    let rate = not_negative("change_rate_per_hour", per_hour)?;
    let fits = rate <= MAX_CHANGES_PER_HOUR;
    ensure("change_rate_per_hour", rate, "at most 3600000, one a millisecond", fits)?;
    Ok(rate)
}

fn ensure(
    what: &'static str,
    given: f64,
    expected: &'static str,
    holds: bool,
) -> Result<(), BuildError> {
    if holds && given.is_finite() {
        return Ok(());
    }
    Err(BuildError::BadNumber { what, expected, given })
}

/// Rhythms, removals and births of pages. Serialised apart from the other columns, so that the
/// format of worlds without them did not change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timetable {
    /// At most one per page.
    pub(crate) rhythms: Lists<Rhythm>,
    /// Time since which a page is gone, in seconds; at most one per page.
    pub(crate) gone: Lists<f64>,
    /// Time of a page's birth, in seconds, above 0; at most one per page. Serialised apart, so that
    /// the format of timetables without births did not change.
    #[serde(skip)]
    pub(crate) born: Lists<f64>,
}

impl Timetable {
    /// True if it has no entries.
    pub fn is_empty(&self) -> bool {
        self.rhythms.is_empty() && self.gone.is_empty() && self.born.is_empty()
    }

    /// Births of pages that do not exist at the start, in seconds.
    pub fn births(&self) -> &Lists<f64> {
        &self.born
    }

    /// Replaces the births.
    #[must_use]
    pub fn with_births(mut self, born: Lists<f64>) -> Self {
        self.born = born;
        self
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rhythms.bytes() + self.gone.bytes() + self.born.bytes()
    }

    /// The first fault of a deserialised timetable for `n_pages` pages.
    pub(crate) fn fault(&self, n_pages: usize) -> Option<&'static str> {
        let Self { rhythms, gone, born } = self;
        if !rhythms.is_sound(n_pages) || !gone.is_sound(n_pages) || !born.is_sound(n_pages) {
            return Some("lists overlap");
        }
        if (0..n_pages).any(|page| rhythms.len_of(page) > 1 || gone.len_of(page) > 1) {
            return Some("a page has two rhythms or two removals");
        }
        if (0..n_pages).any(|page| born.len_of(page) > 1) {
            return Some("a page is born twice");
        }
        // −0 is a fault too, since the builder never stores it.
        let proper = |number: &f64| number.is_finite() && number.is_sign_positive();
        let in_phase = |rhythm: &Rhythm| match rhythm {
            Rhythm::Periodic { phase_s, .. } => proper(phase_s),
            Rhythm::Bursty { .. } => true,
        };
        let rhythmic = |rhythm: &Rhythm| rhythm.checked().is_ok() && in_phase(rhythm);
        if !rhythms.items().iter().all(rhythmic) || !gone.items().iter().all(proper) {
            return Some("a number is negative or not finite");
        }
        if !born.items().iter().all(|at_s| *at_s > 0.0 && at_s.is_finite()) {
            return Some("a birth is not after the start");
        }
        let goes_first =
            |page: usize| matches!((born.get(page), gone.get(page)), ([b], [g]) if g <= b);
        if !born.is_empty() && (0..n_pages).any(goes_first) {
            return Some("a page is gone before it is born");
        }
        None
    }
}

/// Entries of a timetable in the order they were set.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimetableEntries {
    rhythms: Vec<(u32, Rhythm)>,
    gone: Vec<(u32, f64)>,
    born: Vec<(u32, f64)>,
}

impl TimetableEntries {
    pub(crate) fn timetable(self, n_pages: usize) -> Timetable {
        let rhythms = Lists::group(n_pages, &last_of_each(self.rhythms));
        let gone = Lists::group(n_pages, &last_of_each(self.gone));
        let mut born = last_of_each(self.born);
        born.retain(|(_, at_s)| *at_s > 0.0);
        Timetable { rhythms, gone, born: Lists::group(n_pages, &born) }
    }
}

/// The last entry of each page.
fn last_of_each<T>(pairs: Vec<(u32, T)>) -> Vec<(u32, T)> {
    let mut pairs = arranged(pairs, |(page, _)| (*page).into());
    pairs.reverse();
    pairs.dedup_by_key(|(page, _)| *page);
    pairs.reverse();
    pairs
}

impl WorldBuilder {
    /// Sets a periodic or bursty change process; the last call counts.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn set_rhythm(&mut self, page: PageId, rhythm: Rhythm) -> Result<(), BuildError> {
        self.timetable_entries.rhythms.push((page.0, rhythm.checked()?));
        Ok(())
    }

    /// Sets the time since which a page is gone; the last call counts.
    ///
    /// # Errors
    /// If the time is not finite or negative.
    pub fn set_gone(&mut self, page: PageId, since_s: f64) -> Result<(), BuildError> {
        self.timetable_entries.gone.push((page.0, not_negative("gone_s", since_s)?));
        Ok(())
    }
}

impl World {
    /// The change process of a page.
    #[inline]
    pub fn change_process(&self, page: PageId) -> ChangeProcess<'_> {
        let times = self.change_times_s(page);
        if !times.is_empty() {
            return ChangeProcess::Recorded(times);
        }
        if let Some(rhythm) = self.rhythm(page) {
            return ChangeProcess::Rhythm(rhythm);
        }
        match self.change_rate_per_hour(page) {
            0.0 => ChangeProcess::Never,
            per_hour => ChangeProcess::Poisson { per_hour },
        }
    }

    /// The rhythm of a page, if it has one.
    pub fn rhythm(&self, page: PageId) -> Option<Rhythm> {
        self.timetable.rhythms.get(page.index()).first().copied()
    }

    /// Time since which a page is gone, in seconds, if ever; later fetches fail.
    pub fn gone_s(&self, page: PageId) -> Option<f64> {
        self.timetable.gone.get(page.index()).first().copied()
    }

    /// Duration of the recording: time of the last recorded change of any page, in seconds.
    pub fn recorded_s(&self) -> Option<f64> {
        self.change_times.items().iter().copied().max_by(f64::total_cmp)
    }

    /// Rhythms, removals and births of its pages.
    pub fn timetable(&self) -> &Timetable {
        &self.timetable
    }

    /// Replaces the timetable. The result must pass [`World::check`] before use.
    #[must_use]
    pub fn with_timetable(mut self, timetable: Timetable) -> Self {
        self.timetable = timetable;
        self
    }
}
