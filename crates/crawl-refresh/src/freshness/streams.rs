//! Two visit streams to one page, as in classified refresh (Wen & Lu 2004).
//!
//! Every page is visited at rate f₀, pages of a class additionally at f.
//!
//! *Even*: all visits together are evenly spaced, so F(λ, f₀ + f) and A(λ, f₀ + f).
//!
//! *Aligned*: each stream is evenly spaced and both start together, as in the paper's example
//! ("every page once a month, besides that some every week"). Of two simultaneous visits one is
//! wasted. With f the faster stream, f/f₀ = p/q in lowest terms, ρ = f₀/f and y = λ/f: the slower
//! stream's visits are at 0, 1/q, …, (q−1)/q of the faster one's intervals, each equally often, and
//! never two in one interval. Summing over them,
//!
//! F = (1 − ρ(1 − 1/q))·φ₁(y) + 2ρ·(φ₂(y) − φ₂(y/q)/q) / φ₁(y/q),
//! A = (1/f)·[(1 − ρ(1 − 1/q))·b(1) + 2ρ·(1/q)·Σ over j < q of b(j/q)], b(t) = y·t³·φ₃(yt).
//!
//! For q = 1 the slower stream adds nothing. For q → ∞ (an irrational ratio) the sums become
//! integrals, which are also the mean over all shifts of one stream against the other.

use super::{age, freshness};
use crate::Rate;
use crate::exponential::phi;
use crate::ratio::lowest_terms;

/// How two visit streams are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Each stream evenly spaced, both starting at the same moment.
    Aligned,
    /// All visits together evenly spaced.
    Even,
}

/// The rates of two visit streams to one page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Streams {
    /// f₀: the rate for every page.
    pub base: Rate,
    /// f: the additional rate of the page's class.
    pub extra: Rate,
}

impl Streams {
    /// The total rate, including simultaneous visits.
    pub fn total(self) -> Rate {
        Rate::of(self.base.get() + self.extra.get())
    }

    /// The fraction of time a copy is fresh.
    pub fn freshness(self, changes: Rate, phase: Phase) -> f64 {
        let Some(Grid { fast, share, q }) = self.grid(phase) else {
            return freshness(changes, self.total());
        };
        let y = changes.get() / fast;
        if changes.get() == 0.0 || y == 0.0 {
            return 1.0;
        }
        let split = if y.is_infinite() {
            0.0
        } else if y < 1.0 {
            (phi(2, y) - phi(2, y / q) / q) / phi(1, y / q)
        } else {
            // the same, where φ₂ loses digits
            (1.0 - phi(1, y) / phi(1, y / q)) / y
        };
        ((1.0 - share * (1.0 - 1.0 / q)) * phi(1, y) + 2.0 * share * split).min(1.0)
    }

    /// The mean age of a copy.
    pub fn age(self, changes: Rate, phase: Phase) -> f64 {
        let Some(Grid { fast, share, q }) = self.grid(phase) else {
            return age(changes, self.total());
        };
        let y = changes.get() / fast;
        ((1.0 - share * (1.0 - 1.0 / q)) * aged(y, 1.0) + 2.0 * share * mean_aged(y, q)) / fast
    }

    fn grid(self, phase: Phase) -> Option<Grid> {
        let (base, extra) = (self.base.get(), self.extra.get());
        let (fast, slow) = (base.max(extra), base.min(extra));
        if phase == Phase::Even || slow == 0.0 {
            return None;
        }
        let ratio = fast / slow;
        // Above this the slower stream has no measurable effect.
        let q = if ratio < 1e15 { lowest_terms(ratio).1 } else { 1.0 };
        Some(Grid { fast, share: slow / fast, q })
    }
}

struct Grid {
    fast: f64,
    /// ρ.
    share: f64,
    q: f64,
}

/// b(t) = y·t³·φ₃(yt): the age accumulated until t, in units of the faster stream's interval.
fn aged(y: f64, t: f64) -> f64 {
    if t == 0.0 {
        0.0
    } else if y * t > 1e16 {
        t * t / 2.0
    } else {
        y * t * t * t * phi(3, y * t)
    }
}

/// (1/q)·Σ over j < q of b(j/q).
fn mean_aged(y: f64, q: f64) -> f64 {
    if q <= 64.0 {
        return (0..q as u32).map(|j| aged(y, f64::from(j) / q)).sum::<f64>() / q;
    }
    if y < 1.0 {
        // Euler–Maclaurin: for a grid this fine, four terms are exact.
        return y * phi(4, y) - aged(y, 1.0) / (2.0 * q)
            + y * phi(2, y) / (12.0 * q * q)
            + y * y * phi(1, y) / (720.0 * q * q * q * q);
    }
    let squares = 1.0 / 6.0 - 1.0 / (4.0 * q) + 1.0 / (12.0 * q * q);
    let fresh = if y.is_infinite() { 0.0 } else { 1.0 - phi(1, y) / phi(1, y / q) };
    squares - (1.0 - 1.0 / q) / (2.0 * y) + fresh / y / y
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(value: f64) -> Rate {
        Rate::new(value).unwrap()
    }

    /// Freshness and age over p intervals of the faster stream, visit by visit.
    fn by_visits(lambda: f64, fast: f64, p: u32, q: u32) -> (f64, f64) {
        let mut visits: Vec<f64> = (0..=p).map(|i| f64::from(i) / fast).collect();
        let slow = fast * f64::from(q) / f64::from(p);
        visits.extend((1..q).map(|i| f64::from(i) / slow));
        visits.sort_by(f64::total_cmp);
        let (mut fresh, mut old) = (0.0, 0.0);
        for gap in visits.windows(2).map(|pair| pair[1] - pair[0]) {
            fresh += gap * phi(1, lambda * gap);
            old += lambda * gap * gap * gap * phi(3, lambda * gap);
        }
        let all = f64::from(p) / fast;
        (fresh / all, old / all)
    }

    #[test]
    fn aligned_streams_are_the_mean_over_their_common_period() {
        for (p, q) in
            [(6, 1), (1, 1), (3, 2), (7, 5), (113, 16), (1009, 64), (1009, 65), (997, 500)]
        {
            for lambda in [1e-6, 0.1, 0.9, 3.0, 40.0] {
                let fast = 1.3;
                let slow = fast * f64::from(q) / f64::from(p);
                let (fresh, old) = by_visits(lambda, fast, p, q);
                for streams in [
                    Streams { base: rate(slow), extra: rate(fast) },
                    Streams { base: rate(fast), extra: rate(slow) },
                ] {
                    let is = streams.freshness(rate(lambda), Phase::Aligned);
                    assert!((is - fresh).abs() < 1e-12, "{p}/{q} {lambda}: {is} {fresh}");
                    let is = streams.age(rate(lambda), Phase::Aligned);
                    assert!((is / old - 1.0).abs() < 1e-11, "{p}/{q} {lambda}: {is} {old}");
                }
            }
        }
    }

    #[test]
    fn visits_that_meet_are_wasted() {
        let streams = Streams { base: rate(1.0 / 6.0), extra: rate(1.0) };
        let changes = rate(0.9);
        assert_eq!(streams.freshness(changes, Phase::Aligned), freshness(changes, rate(1.0)));
        assert_eq!(streams.freshness(changes, Phase::Even), freshness(changes, streams.total()));
        assert!(streams.age(changes, Phase::Aligned) > streams.age(changes, Phase::Even));
    }

    #[test]
    fn even_is_never_worse_and_one_stream_is_plain() {
        for (base, extra) in [(0.3, 0.7), (1.0, 1.0), (0.1, 2.0), (std::f64::consts::SQRT_2, 1.0)] {
            for lambda in [0.01, 1.0, 20.0] {
                let streams = Streams { base: rate(base), extra: rate(extra) };
                let [aligned, even] =
                    [Phase::Aligned, Phase::Even].map(|p| streams.freshness(rate(lambda), p));
                assert!(
                    aligned <= even && aligned >= freshness(rate(lambda), rate(base.max(extra)))
                );
            }
        }
        let alone = Streams { base: rate(0.5), extra: Rate::ZERO };
        assert_eq!(alone.freshness(rate(2.0), Phase::Aligned), freshness(rate(2.0), rate(0.5)));
        assert_eq!(alone.age(rate(2.0), Phase::Aligned), age(rate(2.0), rate(0.5)));
    }

    #[test]
    fn no_rate_makes_a_nan() {
        let sizes = [0.0, 5e-324, 1e-200, 1e-9, 0.7, 1e9, 1e200, f64::MAX];
        for base in sizes {
            for extra in sizes {
                for changes in sizes {
                    let streams = Streams { base: rate(base), extra: rate(extra) };
                    for phase in [Phase::Aligned, Phase::Even] {
                        let fresh = streams.freshness(rate(changes), phase);
                        assert!((0.0..=1.0).contains(&fresh), "{base} {extra} {changes} {fresh}");
                        let old = streams.age(rate(changes), phase);
                        assert!(old >= 0.0, "{base} {extra} {changes} {old}");
                    }
                }
            }
        }
    }
}
