//! How pages change: the process of each page, and when it changes.
//!
//! - **never**: the page stays as it is.
//! - **Poisson**, with rate λ: in any time t it changes n times with probability
//!   (λt)ⁿ·e^(−λt)/n!, whatever happened before; gaps are exponential with mean 1/λ.
//! - **periodic**, with period T and phase φ < T: at φ, φ + T, φ + 2T, … (news at eight).
//! - **bursty** (ours): bursts begin as a Poisson process with rate β, and each begin is a change.
//!   For a time L after a begin further changes come, as a Poisson process with rate ρ > β. A burst
//!   that begins while another lasts prolongs it; rates do not add up. Gaps are so a mixture of
//!   short ones (mean about 1/ρ) and long ones (mean 1/β). At any moment a burst is going on with
//!   probability 1 − e^(−βL), from the first moment on, so the mean rate is β + ρ·(1 − e^(−βL)).
//! - **recorded**: at the times that were recorded, and never again.
//!
//! Where a page has more than one, recorded times count before a rhythm, and a rhythm before a rate.
//!
//! A page that is gone (`gone_s`) keeps its process; that it went is for whoever simulates it, and
//! so is that it comes (`born_s`, `change/birth.rs`).

mod birth;
mod flow;
mod times;

#[cfg(test)]
mod tests;

pub use times::{ChangeTimes, Changes};

use crate::build::not_negative;
use crate::order::arranged;
use crate::{BuildError, IS_WHOLE, Lists, PageId, World, WorldBuilder};
use serde::{Deserialize, Serialize};

/// Most changes an hour, on average: one a millisecond. Nobody could tell more apart.
pub const MAX_CHANGES_PER_HOUR: f64 = 3.6e6;
/// Shortest period, and shortest burst.
const MIN_S: f64 = 1e-3;

/// How a page changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChangeProcess<'w> {
    /// It does not.
    Never,
    /// At random, whatever happened before.
    Poisson {
        /// λ.
        per_hour: f64,
    },
    /// By a clock, or in bursts.
    Rhythm(Rhythm),
    /// At recorded times, in seconds, rising.
    Recorded(&'w [f64]),
}

/// How a page changes that needs more than one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rhythm {
    /// At φ, φ + T, φ + 2T, …
    Periodic {
        /// T.
        period_s: f64,
        /// φ.
        phase_s: f64,
    },
    /// Long quiet, then many changes.
    Bursty {
        /// β: how often bursts begin.
        bursts_per_hour: f64,
        /// ρ: how often the page changes while one lasts.
        changes_per_hour: f64,
        /// L: how long one lasts.
        burst_s: f64,
    },
}

impl ChangeProcess<'_> {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Poisson { .. } => "poisson",
            Self::Rhythm(Rhythm::Periodic { .. }) => "periodic",
            Self::Rhythm(Rhythm::Bursty { .. }) => "bursty",
            Self::Recorded(_) => "recorded",
        }
    }

    /// Changes an hour in the long run; nothing where only times are recorded, since they do not
    /// say for how long nothing was recorded.
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
    /// Changes an hour in the long run.
    pub fn per_hour(&self) -> f64 {
        match *self {
            Self::Periodic { period_s, .. } => 3600.0 / period_s,
            Self::Bursty { bursts_per_hour, changes_per_hour, burst_s } => {
                let active = -libm::expm1(-bursts_per_hour * burst_s / 3600.0);
                bursts_per_hour + changes_per_hour * active
            }
        }
    }

    /// The same if it can be, with positive zeros, so that equal worlds have equal digests.
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

/// A rate of changes, if it can be one; 0 stands for a page that never changes.
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

/// What a world says of times beyond rates and recorded changes. Stored apart from its other
/// columns, so that worlds without it are stored as they were before there was any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timetable {
    /// At most one a page.
    pub(crate) rhythms: Lists<Rhythm>,
    /// Since when a page is gone, in seconds; at most one a page.
    pub(crate) gone: Lists<f64>,
    /// When a page is born, in seconds, all above 0; at most one a page. Stored apart in turn, so
    /// that timetables without births are stored as they were before there were any.
    #[serde(skip)]
    pub(crate) born: Lists<f64>,
}

impl Timetable {
    /// True when it says nothing.
    pub fn is_empty(&self) -> bool {
        self.rhythms.is_empty() && self.gone.is_empty() && self.born.is_empty()
    }

    /// When pages are born, in seconds, for those that are not there from the start.
    pub fn births(&self) -> &Lists<f64> {
        &self.born
    }

    /// The same with other births.
    #[must_use]
    pub fn with_births(mut self, born: Lists<f64>) -> Self {
        self.born = born;
        self
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rhythms.bytes() + self.gone.bytes() + self.born.bytes()
    }

    /// What is wrong with one that came as bytes, for so many pages.
    pub(crate) fn fault(&self, n_pages: usize) -> Option<&'static str> {
        let Self { rhythms, gone, born } = self;
        if !rhythms.is_sound(n_pages) || !gone.is_sound(n_pages) || !born.is_sound(n_pages) {
            return Some("lists overlap");
        }
        if (0..n_pages).any(|page| rhythms.len_of(page) > 1 || gone.len_of(page) > 1) {
            return Some("a page has two rhythms or two ends");
        }
        if (0..n_pages).any(|page| born.len_of(page) > 1) {
            return Some("a page is born twice");
        }
        // Also −0 is refused, which the builder never leaves.
        let proper = |number: &f64| number.is_finite() && number.is_sign_positive();
        let in_phase = |rhythm: &Rhythm| match rhythm {
            Rhythm::Periodic { phase_s, .. } => proper(phase_s),
            Rhythm::Bursty { .. } => true,
        };
        let rhythmic = |rhythm: &Rhythm| rhythm.checked().is_ok() && in_phase(rhythm);
        if !rhythms.items().iter().all(rhythmic) || !gone.items().iter().all(proper) {
            return Some("a number is negative or none");
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

/// A timetable as it is said, page by page, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    rhythms: Vec<(u32, Rhythm)>,
    gone: Vec<(u32, f64)>,
    born: Vec<(u32, f64)>,
}

impl Said {
    pub(crate) fn timetable(self, n_pages: usize) -> Timetable {
        if !IS_WHOLE {
            return Timetable::default();
        }
        let rhythms = Lists::group(n_pages, &last_of_each(self.rhythms));
        let gone = Lists::group(n_pages, &last_of_each(self.gone));
        let mut born = last_of_each(self.born);
        born.retain(|(_, at_s)| *at_s > 0.0);
        Timetable { rhythms, gone, born: Lists::group(n_pages, &born) }
    }
}

/// Of what was said of a page only the last.
fn last_of_each<T>(pairs: Vec<(u32, T)>) -> Vec<(u32, T)> {
    let mut pairs = arranged(pairs, |(page, _)| (*page).into());
    pairs.reverse();
    pairs.dedup_by_key(|(page, _)| *page);
    pairs.reverse();
    pairs
}

impl WorldBuilder {
    /// A page changes by a clock or in bursts; what is said last counts.
    ///
    /// # Errors
    /// A number of it is out of its range.
    pub fn set_rhythm(&mut self, page: PageId, rhythm: Rhythm) -> Result<(), BuildError> {
        self.said.rhythms.push((page.0, rhythm.checked()?));
        Ok(())
    }

    /// Since when a page is gone; what is said last counts.
    ///
    /// # Errors
    /// The time is not finite, or below 0.
    pub fn set_gone(&mut self, page: PageId, since_s: f64) -> Result<(), BuildError> {
        self.said.gone.push((page.0, not_negative("gone_s", since_s)?));
        Ok(())
    }
}

impl World {
    /// How a page changes.
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

    /// The rhythm of a page, where it has one.
    pub fn rhythm(&self, page: PageId) -> Option<Rhythm> {
        self.timetable.rhythms.get(page.index()).first().copied()
    }

    /// Since when a page is gone, in seconds, where that is known: a fetch from then on finds none.
    pub fn gone_s(&self, page: PageId) -> Option<f64> {
        self.timetable.gone.get(page.index()).first().copied()
    }

    /// For how long changes were recorded: until the last of any page, in seconds.
    pub fn recorded_s(&self) -> Option<f64> {
        self.change_times.items().iter().copied().max_by(f64::total_cmp)
    }

    /// What it says of times beyond rates and recorded changes.
    pub fn timetable(&self) -> &Timetable {
        &self.timetable
    }

    /// The same world with another timetable; it must pass [`World::check`] before anything else
    /// is done with it.
    #[must_use]
    pub fn with_timetable(mut self, timetable: Timetable) -> Self {
        self.timetable = timetable;
        self
    }
}
