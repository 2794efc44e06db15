//! The mathematics of revisiting, after Wen & Lu 2004 («document C») and Cho & Garcia-Molina: each
//! part is usable alone and knows nothing of crawls.
//!
//! - [`freshness`]: how fresh and how old copies are, exactly, for given rates;
//! - [`allocate`]: how many visits each page gets: uniform, proportional, classified, optimal;
//! - [`estimate`]: how often a page changes, from what visits found;
//! - [`paper`]: document C's tables, as printed and recomputed.
//!
//! Rates are per hour, per day, or per anything, as long as all are per the same.
//!
//! Nothing here reads a clock or draws a random number, and transcendental functions come from
//! `libm`: the same input gives the same bits on every machine. What comes in is checked once, by
//! [`Rate`] and [`Span`]; no function answers with a NaN.
//!
//! ```
//! use crawl_refresh::allocate::{Goal, Weights, optimal};
//! use crawl_refresh::{Rate, rates};
//!
//! // Three pages that change 1, 4 and 100 times a day, and 6 visits a day.
//! let changes = rates(&[1.0, 4.0, 100.0])?;
//! let best = optimal(Goal::Freshness, &changes, Weights::Equal, Rate::new(6.0)?)?;
//! assert!((best.spent - 6.0).abs() < 1e-9);
//! assert_eq!(best.visits[2], Rate::ZERO, "it changes too often to be kept fresh");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod allocate;
pub mod estimate;
mod exponential;
pub mod freshness;
pub mod paper;
mod rate;
mod ratio;
mod sum;

pub use rate::{BadRate, BadRates, BadSpan, Rate, Span, rates};
