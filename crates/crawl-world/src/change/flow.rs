//! A Poisson process that can be entered anywhere.
//!
//! Time is cut into cells of 2ᵏ µs, the fewest that hold four changes or more on average. What
//! happens in one cell of a Poisson process tells nothing of another; so each cell has a stream of
//! chance of its own, keyed by the page's key and the cell's number, and gaps are drawn from the
//! cell's start until one leads out of it. That is exactly a Poisson process, and whoever asks for
//! a moment draws one cell, rarely two, and not what came before: no memory but a key.
//!
//! Times are whole microseconds; changes within one microsecond are one.

use super::MAX_CHANGES_PER_HOUR;
use crate::rng::Keyed;

const HOUR_US: f64 = 3.6e9;
const LEAST_IN_CELL: f64 = 4.0;
/// Gaps so long that no clock sees their end.
const LONGEST_US: f64 = 1e30;
const MOST_CELL_BITS: u32 = 62;

/// A Poisson process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flow {
    key: u64,
    mean_us: f64,
    cell_bits: u32,
}

impl Flow {
    /// With that rate, above 0.
    #[inline]
    pub(super) fn new(key: u64, per_hour: f64) -> Self {
        let mean_us = (HOUR_US / per_hour.min(MAX_CHANGES_PER_HOUR)).min(LONGEST_US);
        let least = (LEAST_IN_CELL * mean_us).min((1_u64 << MOST_CELL_BITS) as f64) as u64;
        Self { key, mean_us, cell_bits: least.next_power_of_two().trailing_zeros() }
    }

    /// What happens at that time or later.
    #[inline]
    pub(super) fn from(self, t_us: u64) -> Events {
        let mut events = self.in_cell(t_us >> self.cell_bits);
        loop {
            let before = events;
            if events.next().is_none_or(|at| at >= t_us) {
                return before;
            }
        }
    }

    /// What happens last until that time, itself included.
    #[inline]
    pub(super) fn last_by(self, t_us: u64) -> Option<u64> {
        let mut cell = t_us >> self.cell_bits;
        loop {
            let mut events = self.in_cell(cell);
            let mut last = None;
            while let Some(at) = events.next_in_cell().filter(|at| *at <= t_us) {
                last = Some(at);
            }
            if last.is_some() {
                return last;
            }
            cell = cell.checked_sub(1)?;
        }
    }

    #[inline]
    fn in_cell(self, cell: u64) -> Events {
        Events { flow: self, cell, draws: Keyed::new(self.key, cell), offset: 0.0, last: NONE }
    }
}

/// No offset within a cell.
const NONE: u64 = u64::MAX;

/// What happens from some time on, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Events {
    flow: Flow,
    cell: u64,
    draws: Keyed,
    /// The last draw, and the microsecond passed on last, from the cell's start.
    offset: f64,
    last: u64,
}

impl Events {
    #[inline]
    fn next_in_cell(&mut self) -> Option<u64> {
        let Flow { mean_us, cell_bits, .. } = self.flow;
        loop {
            self.offset += self.draws.exponential(mean_us);
            if self.offset >= (1_u64 << cell_bits) as f64 {
                return None;
            }
            let offset = self.offset as u64;
            if offset != self.last {
                self.last = offset;
                return Some((self.cell << cell_bits) + offset);
            }
        }
    }
}

impl Iterator for Events {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        loop {
            let at = self.next_in_cell();
            // Beyond the last cell there is no time.
            if at.is_some() || self.cell == u64::MAX >> self.flow.cell_bits {
                return at;
            }
            *self = self.flow.in_cell(self.cell + 1);
        }
    }
}
