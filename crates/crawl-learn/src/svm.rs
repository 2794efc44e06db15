//! A support vector machine with a radial kernel for binary classification.
//!
//! The decision is f(x) = Σ αᵢ·yᵢ·K(xᵢ, x) − ρ over the training points xᵢ with labels yᵢ = ±1,
//! K(a, b) = e^(−γ·|a − b|²); x is on the positive side where f(x) > 0. The α minimise
//! ½·Σᵢⱼ αᵢ·αⱼ·yᵢ·yⱼ·K(xᵢ, xⱼ) − Σᵢ αᵢ with 0 ≤ αᵢ ≤ C and Σ αᵢ·yᵢ = 0.
//!
//! Solved by sequential minimal optimization (Platt 1998): each step changes two α, selected as in
//! LIBSVM by second-order gain (Fan, Chen & Lin 2005), the first of equals, so the result is
//! deterministic. It stops when the optimality conditions hold to [`Settings::tolerance`].
//!
//! Zhang et al. 2010 name the kernel and no constants. Our choice: standardise every feature to
//! mean 0 and variance 1 over the training points (a constant feature to 0), C = 1,
//! γ = 1 / features.

use libm::{exp, sqrt};
use thiserror::Error;

mod smo;

/// Maximum number of training points; time grows with its square.
pub const MAX_POINTS: usize = 20_000;

/// Maximum absolute value of a feature; squares of larger ones overflow.
const MAX_FEATURE: f64 = 1e100;

/// Maximum value of a setting; larger ones lose all precision.
const MAX_SETTING: f64 = 1e12;

/// The parameters of training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// C: upper bound of α, the weight of a training point.
    pub c: f64,
    /// γ of the kernel, for standardised features.
    pub gamma: f64,
    /// Tolerance of the optimality conditions.
    pub tolerance: f64,
}

impl Settings {
    /// C = 1, γ = 1 / features.
    pub fn for_features(n_features: usize) -> Self {
        Self { c: 1.0, gamma: 1.0 / n_features.max(1) as f64, tolerance: 1e-3 }
    }
}

/// Why training failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SvmError {
    /// C, γ or the tolerance is not above 0, or too large.
    #[error("{0} must be a number above 0 and at most {MAX_SETTING:e}")]
    Setting(&'static str),
    /// A feature is not finite, or too large.
    #[error("feature {feature} of training point {point} must be from -1e100 to 1e100")]
    Feature {
        /// Index of the point, from 0.
        point: usize,
        /// Index of the feature, from 0.
        feature: usize,
    },
    /// More than [`MAX_POINTS`].
    #[error("{0} training points exceed the maximum of {MAX_POINTS}")]
    TooMany(usize),
}

/// How the decision function was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The optimum, to the tolerance.
    Optimum,
    /// The optimization stopped at its step limit; the boundary is approximate.
    Unfinished,
    /// All training points had one label: every decision is 1, or −1 for the negative label.
    OneClass,
    /// No training points: every decision is 0.
    Untrained,
}

/// A trained support vector machine for points with `D` features.
#[derive(Clone, Debug)]
pub struct Svm<const D: usize> {
    scale: Scale<D>,
    gamma: f64,
    /// Support vectors: standardised training points with αᵢ > 0, and αᵢ·yᵢ.
    support: Vec<([f64; D], f64)>,
    rho: f64,
    basis: Basis,
}

impl<const D: usize> Svm<D> {
    /// Trains on points labelled `true` (positive) or `false`.
    ///
    /// # Errors
    /// Returns an [`SvmError`] for a setting out of range, more than [`MAX_POINTS`] points, or a
    /// feature that is not finite or too large.
    ///
    /// ```
    /// use crawl_learn::svm::{Settings, Svm};
    ///
    /// let points = [([0.0], false), ([1.0], false), ([4.0], true), ([5.0], true)];
    /// let svm = Svm::train(&points, &Settings::for_features(1))?;
    /// assert!(svm.is_positive(&[4.5]) && !svm.is_positive(&[0.5]));
    /// # Ok::<(), crawl_learn::svm::SvmError>(())
    /// ```
    pub fn train(points: &[([f64; D], bool)], settings: &Settings) -> Result<Self, SvmError> {
        let named = [("C", settings.c), ("γ", settings.gamma), ("tolerance", settings.tolerance)];
        for (name, value) in named {
            if !(value > 0.0 && value <= MAX_SETTING) {
                return Err(SvmError::Setting(name));
            }
        }
        if points.len() > MAX_POINTS {
            return Err(SvmError::TooMany(points.len()));
        }
        for (point, (features, _)) in points.iter().enumerate() {
            let unusual = |x: &f64| !x.is_finite() || x.abs() > MAX_FEATURE;
            if let Some(feature) = features.iter().position(unusual) {
                return Err(SvmError::Feature { point, feature });
            }
        }

        let scale = Scale::of(points);
        let gamma = settings.gamma;
        let constant = |rho, basis| Self { scale, gamma, support: Vec::new(), rho, basis };
        let n_positive = points.iter().filter(|(_, positive)| *positive).count();
        if points.is_empty() {
            return Ok(constant(0.0, Basis::Untrained));
        }
        if n_positive == 0 || n_positive == points.len() {
            return Ok(constant(if n_positive == 0 { 1.0 } else { -1.0 }, Basis::OneClass));
        }
        let scaled: Vec<[f64; D]> = points.iter().map(|(x, _)| scale.apply(x)).collect();
        let labels: Vec<f64> = points.iter().map(|(_, p)| if *p { 1.0 } else { -1.0 }).collect();
        let solved = smo::solve(&labels, settings, |i, row| {
            row.extend(scaled.iter().map(|x| kernel(&scaled[i], x, gamma)));
        });
        let weights = solved.alpha.iter().zip(&labels).map(|(alpha, y)| alpha * y);
        let support = scaled.iter().copied().zip(weights).filter(|(_, w)| *w != 0.0).collect();
        let basis = if solved.finished { Basis::Optimum } else { Basis::Unfinished };
        Ok(Self { scale, gamma, support, rho: solved.rho, basis })
    }

    /// f(x), always finite. A feature that is NaN counts as the training mean.
    pub fn decision(&self, x: &[f64; D]) -> f64 {
        let x = self.scale.apply(x);
        let sum = |sum, (s, weight): &([f64; D], f64)| sum + weight * kernel(s, &x, self.gamma);
        self.support.iter().fold(0.0, sum) - self.rho
    }

    /// Whether f(x) > 0.
    pub fn is_positive(&self, x: &[f64; D]) -> bool {
        self.decision(x) > 0.0
    }

    /// How the decision function was obtained.
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// Number of support vectors.
    pub fn n_support(&self) -> usize {
        self.support.len()
    }

    /// The threshold ρ.
    pub fn rho(&self) -> f64 {
        self.rho
    }
}

fn kernel<const D: usize>(a: &[f64; D], b: &[f64; D], gamma: f64) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    exp(-gamma * squares.sum::<f64>())
}

/// Mean and standard deviation of every feature over the training points.
#[derive(Clone, Copy, Debug)]
struct Scale<const D: usize> {
    mean: [f64; D],
    deviation: [f64; D],
}

impl<const D: usize> Scale<D> {
    fn of(points: &[([f64; D], bool)]) -> Self {
        let n = points.len().max(1) as f64;
        let mean = std::array::from_fn(|f| points.iter().map(|(x, _)| x[f] / n).sum());
        let deviation = std::array::from_fn(|f| {
            let square = |(x, _): &([f64; D], bool)| (x[f] - mean[f]) * (x[f] - mean[f]) / n;
            let deviation = sqrt(points.iter().map(square).sum());
            // Below this, the variance of a constant feature is rounding error.
            let noise = 1e-12 * points.iter().map(|(x, _)| x[f].abs()).fold(0.0, f64::max);
            if deviation > noise { deviation } else { f64::INFINITY }
        });
        Self { mean, deviation }
    }

    fn apply(&self, x: &[f64; D]) -> [f64; D] {
        std::array::from_fn(|f| {
            let scaled = (x[f] - self.mean[f]) / self.deviation[f];
            if scaled.is_nan() { 0.0 } else { scaled }
        })
    }
}

#[cfg(test)]
mod tests;
