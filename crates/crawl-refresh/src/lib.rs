//! The mathematics of revisiting, after Wen & Lu 2004 («document C») and Cho & Garcia-Molina: each
//! part is usable alone and knows nothing of crawls.
//!
//! - [`freshness`]: how fresh and how old copies are, exactly, for given rates;
//! - [`allocate`]: how many visits each page gets: uniform, proportional, classified, optimal;
//!
//! Rates are per hour, per day, or per anything, as long as all are per the same.
//!
//! Nothing here reads a clock or draws a random number, and transcendental functions come from
//! `libm`: the same input gives the same bits on every machine. What comes in is checked once, by
//! [`Rate`] and [`Span`]; no function answers with a NaN.

pub mod allocate;
mod exponential;
pub mod freshness;
mod rate;
mod ratio;
mod sum;

pub use rate::{BadRate, BadSpan, Rate, Span, rates};
