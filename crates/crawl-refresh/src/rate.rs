//! Checked numbers: rates λ, f ≥ 0 and time spans T ≥ 0, all finite.

use thiserror::Error;

/// Events per unit of time: finite and not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Rate(f64);

/// A time span: finite and not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Span(f64);

/// Error: not a [`Rate`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("rate {0} must be finite and not negative")]
pub struct BadRate(pub f64);

/// Error: an element of a list is not a [`Rate`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("number {index}: {bad}")]
pub struct BadRates {
    /// Its index, from 0.
    pub index: usize,
    /// The error.
    pub bad: BadRate,
}

/// Error: not a [`Span`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("time span {0} must be finite and not negative")]
pub struct BadSpan(pub f64);

impl Rate {
    /// The rate 0.
    pub const ZERO: Self = Self(0.0);

    /// `value` times per unit of time.
    ///
    /// # Errors
    /// Returns [`BadRate`] if `value` is not finite or is negative.
    pub fn new(value: f64) -> Result<Self, BadRate> {
        if value.is_finite() && value >= 0.0 { Ok(Self(value + 0.0)) } else { Err(BadRate(value)) }
    }

    /// Clamps a value that is a rate up to rounding to 0…`f64::MAX`.
    pub(crate) fn of(value: f64) -> Self {
        debug_assert!(!value.is_nan());
        Self(value.clamp(0.0, f64::MAX) + 0.0)
    }

    /// The rate as a number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Span {
    /// The span 0.
    pub const ZERO: Self = Self(0.0);

    /// `value` units of time.
    ///
    /// # Errors
    /// Returns [`BadSpan`] if `value` is not finite or is negative.
    pub fn new(value: f64) -> Result<Self, BadSpan> {
        if value.is_finite() && value >= 0.0 { Ok(Self(value + 0.0)) } else { Err(BadSpan(value)) }
    }

    /// The span as a number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Converts a list of numbers to rates.
///
/// # Errors
/// Returns [`BadRates`] for the first number that is not finite or is negative.
pub fn rates(values: &[f64]) -> Result<Vec<Rate>, BadRates> {
    let one = |(index, &value)| Rate::new(value).map_err(|bad| BadRates { index, bad });
    values.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_and_non_finite_rates_are_rejected() {
        for bad in [-1.0, -f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Rate::new(bad).is_err() && Span::new(bad).is_err(), "{bad}");
        }
        assert!(Rate::new(-0.0).unwrap().get().is_sign_positive());
        assert_eq!(rates(&[1.0, -2.0, 3.0]), Err(BadRates { index: 1, bad: BadRate(-2.0) }));
        assert_eq!(rates(&[1.0, 0.0]).unwrap(), [Rate(1.0), Rate::ZERO]);
    }
}
