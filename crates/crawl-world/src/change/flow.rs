//! Poisson process with random access in time.
//!
//! Time is divided into cells of 2ᵏ µs, the smallest that hold at least four changes on average.
//! Cells of a Poisson process are independent. So each cell has its own random stream, keyed by the
//! page's key and the cell's number, and gaps are drawn from the start of the cell until one leads
//! out of it. This is exactly a Poisson process, and a query draws one cell, rarely two, and
//! nothing before it: no state but a key.
//!
//! Times are integer microseconds; changes within one microsecond count once.

use super::MAX_CHANGES_PER_HOUR;
use crate::rng::Keyed;

const HOUR_US: f64 = 3.6e9;
const LEAST_IN_CELL: f64 = 4.0;
/// Gaps beyond the range of the clock.
const LONGEST_US: f64 = 1e30;
const MOST_CELL_BITS: u32 = 62;
/// Much larger than the rounding error of a product or sum over a cell.
const ROUGH: f64 = 1e-9;

/// A Poisson process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flow {
    key: u64,
    mean_us: f64,
    cell_bits: u32,
}

impl Flow {
    /// With this rate, above 0.
    #[inline]
    pub(super) fn new(key: u64, per_hour: f64) -> Self {
        let mean_us = (HOUR_US / per_hour.min(MAX_CHANGES_PER_HOUR)).min(LONGEST_US);
        let least = (LEAST_IN_CELL * mean_us).min((1_u64 << MOST_CELL_BITS) as f64) as u64;
        Self { key, mean_us, cell_bits: least.next_power_of_two().trailing_zeros() }
    }

    /// Events at that time or later.
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

    /// First event at that time or later.
    #[inline]
    pub(super) fn first_from(self, t_us: u64) -> Option<u64> {
        self.in_cell(t_us >> self.cell_bits).find(|at| *at >= t_us)
    }

    /// Number of events from `from_us` to `to_us`, both included.
    pub(super) fn count(self, from_us: u64, to_us: u64) -> u64 {
        if from_us > to_us {
            return 0;
        }
        let bits = self.cell_bits;
        let (first, last) = (from_us >> bits, to_us >> bits);
        let (low, high) = (from_us - (first << bits), to_us - (last << bits) + 1);
        let size = 1_u64 << bits;
        if first == last {
            return self.count_in(first, low, high);
        }
        let ends = self.count_in(first, low, size) + self.count_in(last, 0, high);
        let whole = self.survival(size);
        let between = (first + 1..last).map(|cell| {
            let n = self.count_roughly(cell, f64::INFINITY, whole);
            n.unwrap_or_else(|| self.count_exactly(cell, 0, size))
        });
        ends + between.sum::<u64>()
    }

    /// Number of events in a cell with `from` ≤ offset < `before`, in microseconds.
    fn count_in(self, cell: u64, from: u64, before: u64) -> u64 {
        let first = if from == 0 { f64::INFINITY } else { self.survival(from) };
        let n = self.count_roughly(cell, first, self.survival(before));
        n.unwrap_or_else(|| self.count_exactly(cell, from, before))
    }

    /// Probability of no event during `us` microseconds.
    fn survival(self, us: u64) -> f64 {
        libm::exp(-(us as f64) / self.mean_us)
    }

    /// Counts without logarithms: a sum of draws reaches a time where the product of their
    /// survivals falls to its survival. `None` if rounding could decide, or if two draws might be
    /// in one microsecond.
    #[inline]
    fn count_roughly(self, cell: u64, first: f64, last: f64) -> Option<u64> {
        let mut draws = Keyed::new(self.key, cell);
        let mut left = draws.survival();
        let (mut n, mut nearest) = (0, 0.0_f64);
        if first.is_finite() {
            let (not_yet, begun) = (first * (1.0 + ROUGH), first * (1.0 - ROUGH));
            while left > not_yet {
                let next = draws.survival();
                (left, nearest) = (left * next, nearest.max(next));
            }
            if left >= begun {
                return None;
            }
        }
        let (above, below) = (last * (1.0 + ROUGH), last * (1.0 - ROUGH));
        while left > above {
            let next = draws.survival();
            n += 1;
            // Cheaper than `max`, which checks for NaN.
            nearest = if next > nearest { next } else { nearest };
            left *= next;
        }
        let is_distinct = nearest < 1.0 - (2.0 / self.mean_us).max(ROUGH);
        (left < below && is_distinct).then_some(n)
    }

    fn count_exactly(self, cell: u64, from: u64, before: u64) -> u64 {
        let start = cell << self.cell_bits;
        let mut events = self.in_cell(cell);
        let mut n = 0;
        while let Some(at) = events.next_in_cell().filter(|at| at - start < before) {
            n += u64::from(at - start >= from);
        }
        n
    }

    /// Last event up to and including that time.
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

/// Events from some time on, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Events {
    flow: Flow,
    cell: u64,
    draws: Keyed,
    /// The last draw, and the microsecond returned last, from the start of the cell.
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
            // The last cell ends with the clock.
            if at.is_some() || self.cell == u64::MAX >> self.flow.cell_bits {
                return at;
            }
            *self = self.flow.in_cell(self.cell + 1);
        }
    }
}
