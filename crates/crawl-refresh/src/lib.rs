//! The mathematics of revisiting pages, after Wen & Lu 2004 and Cho & Garcia-Molina 2000, 2003.
//!
//! Each module is usable alone; none depends on a crawl.
//!
//! - [`freshness`]: exact freshness and age of copies, for given rates;
//! - [`allocate`]: visit rates under a budget: uniform, proportional, classified, optimal;
//! - [`estimate`]: estimators of a page's change rate from the results of visits;
//! - [`paper`]: the tables of Wen & Lu 2004, as printed and recomputed.
//!
//! Rates may be per hour, per day or per any other unit, if all use the same unit.
//!
//! Results are deterministic: no clock, no random numbers, and transcendental functions from
//! `libm`. The same input gives the same bits on every machine. [`Rate`] and [`Span`] check the
//! input; no function returns NaN.
//!
//! ```
//! use crawl_refresh::allocate::{Goal, Weights, optimal};
//! use crawl_refresh::{Rate, rates};
//!
//! // Three pages that change 1, 4 and 100 times a day; the budget is 6 visits a day.
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
