//! Freshness and age of copies, sampled at equal time intervals, for curves over time.

use crate::CopyStats;

/// Maximum number of measured groups of pages.
pub(crate) const MOST_GROUPS: usize = 8;

/// Number of samples over the duration of a crawl.
const N_SAMPLES: u64 = 1000;

/// A statistic of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyNumber {
    /// Share of copies that are fresh.
    Freshness,
    /// Mean age, in hours.
    Age,
    /// Mean of freshness over time.
    MeanFreshness,
    /// Mean of age over time, in hours.
    MeanAge,
}

/// Statistics of all groups at equal intervals; the first sample is one interval after the start.
#[derive(Clone, Debug)]
pub struct Samples {
    every_us: u64,
    /// By group, in the order of [`CopyNumber`]; −1 before there is a copy.
    values: Vec<[[f32; 4]; MOST_GROUPS]>,
}

impl Samples {
    /// Samples of a crawl that ends at `end_us`.
    pub(crate) fn until(end_us: u64) -> Self {
        Self { every_us: (end_us / N_SAMPLES).max(1), values: Vec::new() }
    }

    /// Sampling interval, in microseconds.
    pub fn every_us(&self) -> u64 {
        self.every_us
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// One statistic of one group over time; the group by its index.
    pub fn curve(&self, group: usize, number: CopyNumber) -> impl ExactSizeIterator<Item = f32> {
        self.values.iter().map(move |all| all[group.min(MOST_GROUPS - 1)][number as usize])
    }

    /// Time of the next sample.
    #[inline]
    pub(crate) fn next_us(&self) -> u64 {
        (self.values.len() as u64 + 1).saturating_mul(self.every_us)
    }

    /// Adds a sample.
    pub(crate) fn push(&mut self, stats: impl Fn(usize) -> Option<CopyStats>) {
        let of = |group| {
            stats(group).map_or([-1.0; 4], |now| {
                [now.freshness, now.age_h, now.mean_freshness, now.mean_age_h]
                    .map(|value| value as f32)
            })
        };
        self.values.push(std::array::from_fn(of));
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<[[f32; 4]; MOST_GROUPS]>()
    }
}
