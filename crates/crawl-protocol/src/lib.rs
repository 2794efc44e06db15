//! The experiment, and the link that holds it.
//!
//! An [`Experiment`] is everything that decides a run. Its link is readable, leaves defaults out,
//! carries a version, and is checked against a [`Catalogue`](crawl_catalogue::Catalogue) when it is
//! opened:
//!
//! `#v=1&world=campus&run=breadth-first,opic(keep:true)&budget=400&rng=7&at=120`
//!
//! This crate knows no strategy and no world: the catalogue it is handed does.

mod experiment;
mod link;
mod percent;

pub use experiment::{Experiment, MAX_STRATEGIES, WorldSource};
pub use link::{LinkError, VERSION};
