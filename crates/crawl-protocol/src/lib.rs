//! Experiments, their links, and the messages between the app and its workers.
//!
//! An [`Experiment`] determines a run completely. Its link is readable, omits defaults, has a
//! version, and is checked against a [`Catalogue`](crawl_catalogue::Catalogue) when it is opened:
//!
//! `#v=1&world=campus&run=breadth-first,opic(keep:true)&budget=400&rng=7&at=120`
//!
//! The messages of [`world`], [`lane`], [`reader`] and [`timeline`] are encoded by [`encode`];
//! large arrays are transferred with them, without copying.
//!
//! This crate knows no strategy and no world; the catalogue does.
//!
//! ```
//! use crawl_catalogue::{Catalogue, Entry, EntryTexts, Kind};
//! use crawl_protocol::Experiment;
//!
//! let entry = |kind, id| (kind, Entry::new(id, id, EntryTexts::default()));
//! let entries = vec![entry(Kind::World, "campus"), entry(Kind::Strategy, "opic")];
//! let catalogue = Catalogue { entries, rules: Vec::new() };
//! let experiment = Experiment::from_link("#v=1&world=campus&run=opic&rng=7", &catalogue)?;
//! assert_eq!((experiment.strategies.len(), experiment.rng), (1, 7));
//! assert_eq!(experiment.to_link(), "#v=1&world=campus&run=opic&rng=7");
//! # Ok::<(), crawl_protocol::LinkError>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod experiment;
pub mod lane;
mod link;
mod message;
mod percent;
pub mod reader;
pub mod timeline;
mod view;
pub mod world;

pub use crawl_catalogue::visible;
pub use experiment::{Experiment, MAX_STRATEGIES, Seeds, WorldSource};
pub use link::{LinkError, VERSION};
pub use message::{CodecError, Greeting, Progress, Task, decode, encode};
pub use view::{Axis, View};
