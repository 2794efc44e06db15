//! The timeline of revisits: one row per page, time on the x axis, all lanes on one scale.
//!
//! A separate program that the app loads when the timeline is first shown. [`model`] is its state,
//! browser-free; [`shell`] owns the elements and their listeners; [`paint`] draws the rows.

pub mod cache;
pub mod clock;
pub mod curve;
pub mod dense;
pub mod facts;
pub mod layout;
pub mod model;
pub mod names;
pub mod paint;
pub mod pointer;
pub mod shell;
pub mod table;
#[cfg(test)]
mod tests;
