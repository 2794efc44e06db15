//! Curves of a metric over time, and their value range.

use crawl_protocol::timeline::Freshness;

/// Known values with their times; all are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Seconds, ascending.
    pub at_s: Vec<f64>,
    /// Values.
    pub values: Vec<f64>,
}

impl Line {
    /// Samples taken every `every_s` seconds. A value below 0 or NaN means that there is none.
    fn of(samples: &[f32], every_s: f64) -> Self {
        let known = samples.iter().zip(1_u32..).filter(|(value, _)| **value >= 0.0);
        let (at_s, values) = known
            .map(|(value, n)| (f64::from(n) * every_s, f64::from(*value)))
            .filter(|(at_s, value)| at_s.is_finite() && value.is_finite())
            .unzip();
        Self { at_s, values }
    }
}

/// A measure of a lane over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Simulated values.
    pub simulated: Line,
    /// Values expected by the formula.
    pub expected: Line,
    /// Until when it is known, in seconds; below 0 where nothing is.
    pub until_s: f64,
}

impl Default for Curve {
    fn default() -> Self {
        Self { simulated: Line::default(), expected: Line::default(), until_s: -1.0 }
    }
}

impl Curve {
    /// The curve that a lane sent.
    pub fn of(answer: &Freshness, until_s: f64) -> Self {
        let line = |samples: &[f32]| Line::of(samples, answer.every_s);
        Self { simulated: line(&answer.values), expected: line(&answer.expected), until_s }
    }

    /// The last value up to a time.
    pub fn at(&self, at_s: f64) -> Option<f64> {
        let after = self.simulated.at_s.partition_point(|s| *s <= at_s);
        self.simulated.values.get(after.checked_sub(1)?).copied()
    }
}

/// Value range of the curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Default for Range {
    fn default() -> Self {
        Self { low: 0.0, high: 1.0 }
    }
}

impl Range {
    /// Range of all curves: from a round number below the minimum; up to 1 for shares.
    pub fn of(curves: &[Curve]) -> Self {
        let lines = curves.iter().flat_map(|curve| [&curve.simulated, &curve.expected]);
        let mut values = lines.flat_map(|line| &line.values).copied().peekable();
        if values.peek().is_none() {
            return Self::default();
        }
        let (low, high) = values
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let high = if low >= 0.0 && high <= 1.0 { 1.0 } else { high };
        let step = Self::step(high);
        let low = (libm::floor(low / step) * step).clamp(0.0, high - step);
        Self { low, high }
    }

    /// Values of the grid lines, fewer than `most` if possible; includes both ends.
    pub fn lines(&self, most: usize) -> Vec<f64> {
        let step = Self::step(self.high);
        let n = libm::round((self.high - self.low) / step) as usize;
        // Both ends always have a line.
        let every = (1..=n.max(1)).find(|every| n.is_multiple_of(*every) && n / every < most);
        let every = every.unwrap_or(n).max(1);
        (0..=n).step_by(every).map(|at| self.low + at as f64 * step).collect()
    }

    /// Distance of round values.
    fn step(high: f64) -> f64 {
        if high <= 1.0 { 0.25 } else { high / 4.0 }
    }

    /// Position of a value in the range, 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_reach_up_to_one_from_a_round_number() {
        let curve = |values: &[f64]| Curve {
            simulated: Line { at_s: vec![0.0; values.len()], values: values.to_vec() },
            ..Curve::default()
        };
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
        let freshness = Freshness { every_s: 1.0, values: vec![0.5, 0.75], expected: Vec::new() };
        let curve = Curve::of(&freshness, 2.0);
        assert_eq!((curve.at(0.5), curve.at(1.9), curve.at(9.0)), (None, Some(0.5), Some(0.75)));
    }

    #[test]
    fn nothing_is_drawn_where_no_value_is_known() {
        let freshness = Freshness {
            every_s: 2.0,
            values: vec![-1.0, 0.5, f32::NAN, f32::INFINITY, 0.25],
            expected: vec![-1.0, f32::NAN, 0.75],
        };
        let curve = Curve::of(&freshness, 10.0);
        assert_eq!(curve.simulated, Line { at_s: vec![4.0, 10.0], values: vec![0.5, 0.25] });
        assert_eq!(curve.expected, Line { at_s: vec![6.0], values: vec![0.75] });
        assert_eq!(Range::of(&[curve]), Range { low: 0.25, high: 1.0 });
    }
}
