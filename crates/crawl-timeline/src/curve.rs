//! A measure of the lanes over time, and from where to where it goes.

use crawl_protocol::timeline::Freshness;

/// A measure of a lane over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Seconds.
    pub at_s: Vec<f64>,
    /// Values.
    pub values: Vec<f64>,
    /// What is expected.
    pub expected: Vec<f64>,
    /// Until when it is known, in seconds; below 0 where nothing is.
    pub until_s: f64,
}

impl Default for Curve {
    fn default() -> Self {
        Self { at_s: Vec::new(), values: Vec::new(), expected: Vec::new(), until_s: -1.0 }
    }
}

impl Curve {
    /// As a lane told it.
    pub fn of(told: &Freshness, until_s: f64) -> Self {
        let there = |(_, value): &(usize, &f32)| **value >= 0.0;
        let known: Vec<(usize, &f32)> = told.values.iter().enumerate().filter(there).collect();
        let expected = |(at, _): &(usize, &f32)| match told.expected.get(*at) {
            Some(value) if *value >= 0.0 => f64::from(*value),
            _ => f64::NAN,
        };
        Self {
            at_s: known.iter().map(|(at, _)| (*at as f64 + 1.0) * told.every_s).collect(),
            values: known.iter().map(|(_, value)| f64::from(**value)).collect(),
            expected: if told.expected.is_empty() {
                Vec::new()
            } else {
                known.iter().map(expected).collect()
            },
            until_s,
        }
    }

    /// The value at a second, or at the last one before it that has one.
    pub fn at(&self, at_s: f64) -> Option<f64> {
        let after = self.at_s.partition_point(|s| *s <= at_s);
        self.values.get(after.checked_sub(1)?).copied()
    }
}

/// The values of a chart: from where to where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Default for Range {
    fn default() -> Self {
        Self { low: 0.0, high: 1.0 }
    }
}

impl Range {
    /// Of all curves: shares are drawn up to 1, from a round number below the least.
    pub fn of(curves: &[Curve]) -> Self {
        let values = curves.iter().flat_map(|curve| curve.values.iter().chain(&curve.expected));
        let mut finite = values.filter(|value| value.is_finite()).copied().peekable();
        if finite.peek().is_none() {
            return Self::default();
        }
        let (low, high) = finite
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let high = if low >= 0.0 && high <= 1.0 { 1.0 } else { high };
        let step = Self::step(high);
        let low = (libm::floor(low / step) * step).clamp(0.0, high - step);
        Self { low, high }
    }

    /// The values that have a line, at most so many.
    pub fn lines(&self, most: usize) -> Vec<f64> {
        let step = Self::step(self.high);
        let n = libm::round((self.high - self.low) / step) as usize;
        // Both ends always have one.
        let every = (1..=n.max(1)).find(|every| n.is_multiple_of(*every) && n / every < most);
        let every = every.unwrap_or(n).max(1);
        (0..=n).step_by(every).map(|at| self.low + at as f64 * step).collect()
    }

    /// Between round values.
    fn step(high: f64) -> f64 {
        if high <= 1.0 { 0.25 } else { high / 4.0 }
    }

    /// Where a value stands, 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_reach_up_to_one_from_a_round_number() {
        let curve = |values: &[f64]| Curve { values: values.to_vec(), ..Curve::default() };
        assert_eq!(Range::of(&[]), Range { low: 0.0, high: 1.0 });
        assert_eq!(Range::of(&[curve(&[0.68, 0.9])]), Range { low: 0.5, high: 1.0 });
        assert_eq!(Range::of(&[curve(&[1.0])]), Range { low: 0.75, high: 1.0 });
        assert_eq!(Range::of(&[curve(&[3.0, 8.0])]), Range { low: 2.0, high: 8.0 });
    }

    #[test]
    fn lines_are_at_round_values_and_at_both_ends() {
        let range = |low, high| Range { low, high };
        assert_eq!(range(0.25, 1.0).lines(9), [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(range(0.25, 1.0).lines(3), [0.25, 1.0], "a third cannot be round");
        assert_eq!(range(0.0, 1.0).lines(3), [0.0, 0.5, 1.0]);
        assert_eq!(range(0.75, 1.0).lines(3), [0.75, 1.0]);
        assert_eq!(range(0.0, 8.0).lines(5), [0.0, 2.0, 4.0, 6.0, 8.0]);
    }

    #[test]
    fn a_value_holds_until_the_next() {
        let told = Freshness { every_s: 1.0, values: vec![0.5, 0.75], expected: Vec::new() };
        let curve = Curve::of(&told, 2.0);
        assert_eq!((curve.at(0.5), curve.at(1.9), curve.at(9.0)), (None, Some(0.5), Some(0.75)));
    }
}
