//! The experiment, and the link that holds it.
//!
//! An [`Experiment`] is everything that decides a run. Its link is readable, leaves defaults out,
//! carries a version, and is checked against a [`Catalogue`](crawl_catalogue::Catalogue) when it is
//! opened:
//!
//! `#v=1&world=campus&run=breadth-first,opic(keep:true)&budget=400&rng=7&at=120`
//!
//! The app and its workers talk in the typed messages of [`world`], [`lane`] and [`reader`], which [`encode`]
//! turns into bytes; large arrays travel beside them, uncopied.
//!
//! This crate knows no strategy and no world: the catalogue it is handed does.

mod experiment;
pub mod lane;
mod link;
mod message;
mod percent;
pub mod reader;
pub mod timeline;
mod view;
pub mod world;

pub use experiment::{Experiment, MAX_STRATEGIES, Seeds, WorldSource};
pub use link::{LinkError, VERSION};
pub use message::{CodecError, Greeting, Progress, Task, decode, encode};
pub use view::{Axis, View};
