//! Numbers that have been checked: λ, f ≥ 0 and T ≥ 0, all finite.

use thiserror::Error;

/// How often something happens per unit of time: finite and not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Rate(f64);

/// A length of time: finite and not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Span(f64);

/// Not a [`Rate`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a rate must be a finite number, 0 or above, not {0}")]
pub struct BadRate(pub f64);

/// A number among many that is not a [`Rate`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("number {index}: {bad}")]
pub struct BadRates {
    /// Its place, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub bad: BadRate,
}

/// Not a [`Span`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a length of time must be a finite number, 0 or above, not {0}")]
pub struct BadSpan(pub f64);

impl Rate {
    /// Never.
    pub const ZERO: Self = Self(0.0);

    /// `value` times per unit of time.
    ///
    /// # Errors
    /// The number is not finite, or below 0.
    pub fn new(value: f64) -> Result<Self, BadRate> {
        if value.is_finite() && value >= 0.0 { Ok(Self(value + 0.0)) } else { Err(BadRate(value)) }
    }

    /// What is known to be a rate but for rounding: 0 where it fell below, the largest where above.
    pub(crate) fn of(value: f64) -> Self {
        debug_assert!(!value.is_nan());
        Self(value.clamp(0.0, f64::MAX) + 0.0)
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Span {
    /// No time.
    pub const ZERO: Self = Self(0.0);

    /// `value` units of time.
    ///
    /// # Errors
    /// The number is not finite, or below 0.
    pub fn new(value: f64) -> Result<Self, BadSpan> {
        if value.is_finite() && value >= 0.0 { Ok(Self(value + 0.0)) } else { Err(BadSpan(value)) }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Many rates at once, or the first number that is none.
///
/// # Errors
/// The first number that is not finite, or is below 0, and its place.
pub fn rates(values: &[f64]) -> Result<Vec<Rate>, BadRates> {
    let one = |(index, &value)| Rate::new(value).map_err(|bad| BadRates { index, bad });
    values.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_rate_is_refused() {
        for bad in [-1.0, -f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Rate::new(bad).is_err() && Span::new(bad).is_err(), "{bad}");
        }
        assert!(Rate::new(-0.0).unwrap().get().is_sign_positive());
        assert_eq!(rates(&[1.0, -2.0, 3.0]), Err(BadRates { index: 1, bad: BadRate(-2.0) }));
        assert_eq!(rates(&[1.0, 0.0]).unwrap(), [Rate(1.0), Rate::ZERO]);
    }
}
