//! How copies stood at equal distances of time: for curves over stretches in which nothing is fetched.

use crate::Standing;

/// Most groups of pages that are measured.
pub(crate) const MOST_GROUPS: usize = 8;

/// Into how many parts a crawl's hours are cut.
const N_SAMPLES: u64 = 1000;

/// Which of the numbers of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyNumber {
    /// Share of them that is fresh.
    Freshness,
    /// Their mean age, in hours.
    Age,
    /// The mean of freshness over all time so far.
    MeanFreshness,
    /// The mean of age.
    MeanAge,
}

/// Numbers of all groups so far, the first as long after the start as the others lie apart.
#[derive(Clone, Debug)]
pub struct Samples {
    every_us: u64,
    /// By group in the order of [`CopyNumber`]; below 0 before there is a copy.
    values: Vec<[[f32; 4]; MOST_GROUPS]>,
}

impl Samples {
    /// Of a crawl that ends then.
    pub(crate) fn until(end_us: u64) -> Self {
        Self { every_us: (end_us / N_SAMPLES).max(1), values: Vec::new() }
    }

    /// Microseconds between two of them.
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

    /// One number of one group in time, the group by its place.
    pub fn curve(&self, group: usize, number: CopyNumber) -> impl ExactSizeIterator<Item = f32> {
        self.values.iter().map(move |all| all[group.min(MOST_GROUPS - 1)][number as usize])
    }

    /// When the next one is due.
    #[inline]
    pub(crate) fn next_us(&self) -> u64 {
        (self.values.len() as u64 + 1).saturating_mul(self.every_us)
    }

    /// Takes one, group by group.
    pub(crate) fn push(&mut self, standing: impl Fn(usize) -> Option<Standing>) {
        let of = |group| {
            standing(group).map_or([-1.0; 4], |now| {
                [now.freshness, now.age_h, now.mean_freshness, now.mean_age_h]
                    .map(|value| value as f32)
            })
        };
        self.values.push(std::array::from_fn(of));
    }

    /// Bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<[[f32; 4]; MOST_GROUPS]>()
    }
}
