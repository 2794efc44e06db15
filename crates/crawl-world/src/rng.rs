//! The one source of chance: seeded, and the same on every machine.
//!
//! The generator is PCG XSL-RR 128/64 (O'Neill 2014). What is drawn from it (numbers below a
//! bound, fractions, shuffles) is written here and not taken from a library of distributions,
//! because those change their streams between versions and a link must replay for ever.

use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A seeded stream of random numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Rng(Pcg64Mcg);

impl Rng {
    /// The stream of a seed; `purpose` keeps streams with one seed apart.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&seed.to_le_bytes()).update(purpose.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(Pcg64Mcg::from_seed(bytes))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number below `bound`, all equally likely; 0 when the bound is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        // Lemire 2019: multiply, and reject the few values that would make some more likely.
        let bound64 = u64::from(bound);
        loop {
            let product = (self.bits() >> 32) * bound64;
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return (product >> 32) as u32;
            }
        }
    }

    /// A whole number from `from` to `to`, both included.
    pub fn between(&mut self, from: u32, to: u32) -> u32 {
        from + self.below(to.saturating_sub(from).saturating_add(1))
    }

    /// A fraction in 0 ≤ x < 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// True with that probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// A draw from a power law: x ≥ 1 with density ∝ x^(−exponent), cut at `most`.
    pub fn power_law(&mut self, exponent: f64, most: f64) -> f64 {
        let tail = 1.0 - exponent;
        let least = libm::pow(most, tail);
        libm::pow(least + (1.0 - least) * (1.0 - self.fraction()), 1.0 / tail)
    }

    /// A draw from an exponential distribution with that mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.fraction())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_seed_and_purpose_and_repeat() {
        let draw = |seed, purpose| Rng::new(seed, purpose).bits();
        assert_eq!(draw(7, "a"), draw(7, "a"));
        assert_ne!(draw(7, "a"), draw(8, "a"));
        assert_ne!(draw(7, "a"), draw(7, "b"));
    }

    #[test]
    fn numbers_below_a_bound_are_even() {
        let mut rng = Rng::new(1, "test");
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // 4 standard deviations of a binomial with n = 70,000, p = 1/7.
        for count in counts {
            assert!((f64::from(count) - 10_000.0).abs() < 4.0 * 92.6, "{counts:?}");
        }
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
    }
}
