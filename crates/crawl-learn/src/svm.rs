//! A support vector machine with a radial kernel: on which side of a boundary a point lies.
//!
//! The decision is f(x) = Σ αᵢ·yᵢ·K(xᵢ, x) − ρ over the training points xᵢ with labels yᵢ = ±1,
//! K(a, b) = e^(−γ·|a − b|²); x is on the positive side where f(x) > 0. The α minimise
//! ½·Σᵢⱼ αᵢ·αⱼ·yᵢ·yⱼ·K(xᵢ, xⱼ) − Σᵢ αᵢ with 0 ≤ αᵢ ≤ C and Σ αᵢ·yᵢ = 0.
//!
//! They are found by sequential minimal optimization (Platt 1998): two of the α are moved at a
//! time, chosen as in LIBSVM by the gain of the second order (Fan, Chen & Lin 2005), the first of
//! equals, so that there is no chance in it. It ends where the conditions of the optimum hold to
//! [`Settings::tolerance`].
//!
//! Document B names the kernel and no constants. Ours: every feature is first brought to mean 0
//! and variance 1 over the training points (a constant feature to 0), C = 1, γ = 1 / features.

use libm::{exp, sqrt};
use thiserror::Error;

mod smo;

/// More training points are refused: time grows with their square.
pub const MOST_POINTS: usize = 20_000;

/// Larger features are refused: their squares leave the numbers.
const LARGEST_FEATURE: f64 = 1e100;

/// Larger constants are refused: what is computed with them would be rounding.
const LARGEST_SETTING: f64 = 1e12;

/// The constants of the optimization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// C: the most that one training point may weigh.
    pub c: f64,
    /// γ of the kernel, on scaled features.
    pub gamma: f64,
    /// How far the conditions of the optimum may be missed.
    pub tolerance: f64,
}

impl Settings {
    /// C = 1, γ = 1 / features.
    pub fn for_features(n_features: usize) -> Self {
        Self { c: 1.0, gamma: 1.0 / n_features.max(1) as f64, tolerance: 1e-3 }
    }
}

/// Why nothing was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SvmError {
    /// C, γ or the tolerance is not above 0, or absurdly large.
    #[error("{0} must be a number above 0 and at most {LARGEST_SETTING:e}")]
    Setting(&'static str),
    /// A feature is not finite, or absurdly large.
    #[error("feature {feature} of training point {point} is not a number of usual size")]
    Feature {
        /// The point, from 0.
        point: usize,
        /// The feature, from 0.
        feature: usize,
    },
    /// More than [`MOST_POINTS`].
    #[error("{0} training points are more than {MOST_POINTS}")]
    TooMany(usize),
}

/// What a machine's decisions rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// On an optimum, reached to the tolerance.
    Optimum,
    /// The optimization was stopped after very many steps; the boundary is near the best.
    Unfinished,
    /// All training points were on one side: every decision is 1, or −1 if it was the negative.
    OneClass,
    /// There were no training points: every decision is 0.
    Untrained,
}

/// A trained machine for points of `D` features.
#[derive(Clone, Debug)]
pub struct Svm<const D: usize> {
    scale: Scale<D>,
    gamma: f64,
    /// Scaled training points with αᵢ > 0, and αᵢ·yᵢ.
    support: Vec<([f64; D], f64)>,
    rho: f64,
    basis: Basis,
}

impl<const D: usize> Svm<D> {
    /// Learns from points and whether each is on the positive side.
    ///
    /// # Errors
    /// A setting that is not above 0, too many points, or a feature that is no number of usual size.
    pub fn train(points: &[([f64; D], bool)], settings: &Settings) -> Result<Self, SvmError> {
        let named = [("C", settings.c), ("γ", settings.gamma), ("tolerance", settings.tolerance)];
        for (name, value) in named {
            if !(value > 0.0 && value <= LARGEST_SETTING) {
                return Err(SvmError::Setting(name));
            }
        }
        if points.len() > MOST_POINTS {
            return Err(SvmError::TooMany(points.len()));
        }
        for (point, (features, _)) in points.iter().enumerate() {
            let unusual = |x: &f64| !x.is_finite() || x.abs() > LARGEST_FEATURE;
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

    /// f(x); always finite. A feature that is not a number counts as the training mean.
    pub fn decision(&self, x: &[f64; D]) -> f64 {
        let x = self.scale.apply(x);
        let sum = |sum, (s, weight): &([f64; D], f64)| sum + weight * kernel(s, &x, self.gamma);
        self.support.iter().fold(0.0, sum) - self.rho
    }

    /// Whether a point is on the positive side.
    pub fn is_positive(&self, x: &[f64; D]) -> bool {
        self.decision(x) > 0.0
    }

    /// What the decisions rest on.
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// How many training points hold up the boundary.
    pub fn n_support(&self) -> usize {
        self.support.len()
    }

    /// ρ.
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
            // What is left of a constant feature is rounding.
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
