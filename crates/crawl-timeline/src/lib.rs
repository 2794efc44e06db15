//! Revisits in time: a row a page, time across, every lane on one clock.
//!
//! A program of its own, which the app loads when the timeline is first shown. [`model`] is all it
//! knows, without a browser; [`shell`] has the elements on screen and listens to them; [`paint`]
//! draws the rows.

pub mod clock;
pub mod curve;
pub mod dense;
pub mod facts;
pub mod held;
pub mod layout;
pub mod model;
pub mod names;
pub mod paint;
pub mod pointer;
pub mod shell;
pub mod table;
#[cfg(test)]
mod tests;
pub mod text;
