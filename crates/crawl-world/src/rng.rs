//! Random numbers: seeded, and the same on every machine.
//!
//! The generator is PCG XSL-RR 128/64 (O'Neill 2014). Distributions are implemented here, not taken
//! from a library, because libraries change their streams between versions and links must replay
//! forever.

use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A seeded stream of random numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Rng(Pcg64Mcg);

impl Rng {
    /// The stream of a seed; `purpose` separates streams of the same seed.
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

    /// A uniform integer below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        // Lemire 2019: multiply, and reject the few values that would cause a bias.
        let bound64 = u64::from(bound);
        loop {
            let product = (self.bits() >> 32) * bound64;
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return (product >> 32) as u32;
            }
        }
    }

    /// A uniform integer from `from` to `to`, both included.
    pub fn between(&mut self, from: u32, to: u32) -> u32 {
        from + self.below(to.saturating_sub(from).saturating_add(1))
    }

    /// A uniform number in 0 ≤ x < 1.
    pub fn fraction(&mut self) -> f64 {
        fraction(self.bits())
    }

    /// True with that probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// A uniformly chosen item.
    ///
    /// # Panics
    /// If there are no items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// A draw from a power law: x ≥ 1 with density ∝ x^(−exponent), truncated at `most`.
    pub fn power_law(&mut self, exponent: f64, most: f64) -> f64 {
        let tail = 1.0 - exponent;
        let least = libm::pow(most, tail);
        libm::pow(least + (1.0 - least) * (1.0 - self.fraction()), 1.0 / tail)
    }

    /// A draw from an exponential distribution with that mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        exponential(self.bits(), mean)
    }
}

/// A random stream with 8 bytes of state, seekable by key: SplitMix64 (Steele, Lea & Flood 2014).
/// For many short streams in any order; all else uses [`Rng`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Keyed(u64);

impl Keyed {
    /// Stream number `number` of a key.
    #[inline]
    pub(crate) fn new(key: u64, number: u64) -> Self {
        Self(mixed_with(key, number))
    }

    #[inline]
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mixed(self.0)
    }

    /// A draw from an exponential distribution with that mean.
    #[inline]
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        exponential(self.bits(), mean)
    }

    /// exp(−x) of an exponential draw x with mean 1, without a logarithm.
    #[inline]
    pub(crate) fn survival(&mut self) -> f64 {
        1.0 - fraction(self.bits())
    }
}

/// 2⁶⁴ divided by the golden ratio; odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Combines two keys into one.
#[inline]
pub(crate) fn mixed_with(key: u64, number: u64) -> u64 {
    mixed(mixed(key.wrapping_add(GOLDEN)).wrapping_add(number.wrapping_mul(GOLDEN)))
}

/// Finaliser of SplitMix64.
#[inline]
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[inline]
fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[inline]
fn exponential(bits: u64, mean: f64) -> f64 {
    -mean * libm::log(1.0 - fraction(bits))
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

    /// The first numbers of SplitMix64 from state 0, as printed by its authors' program.
    #[test]
    fn keyed_streams_are_splitmix64() {
        let mut stream = Keyed(0);
        let expected = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!([stream.bits(), stream.bits(), stream.bits()], expected);
        assert_ne!(mixed_with(1, 2), mixed_with(2, 1));
        assert_ne!(Keyed::new(1, 2), Keyed::new(1, 3));
    }
}
