//! What can be crawled.
//!
//! A [`World`] is pages and links with whatever else is known of them: text, anchors, hosts with
//! their robots.txt, topics, clicks, how often pages change. Whatever a world lacks costs it
//! nothing, so a bare graph of a million pages is two arrays. Worlds come from the [`generate`]
//! registry, from importers, or from a [`WorldBuilder`].
//!
//! Nothing here knows of a browser, a file, a clock or a source of chance other than [`Rng`].
//!
//! ```
//! use crawl_world::WorldBuilder;
//!
//! let mut builder = WorldBuilder::new("Two pages");
//! let home = builder.page("http://a.example/")?;
//! let news = builder.page("http://a.example/news")?;
//! builder.link(home, news);
//! builder.seed(home);
//! let world = builder.finish()?;
//! assert_eq!(world.links(home), [news]);
//! # Ok::<(), crawl_world::BuildError>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod build;
mod change;
mod check;
mod column;
mod csr;
mod digest;
mod drift;
pub mod generate;
mod ids;
pub mod order;
mod reach;
mod rng;
mod stored;
mod strings;
pub mod web_address;
mod world;

/// Whether worlds can be all that they can be. What a first visit plays has no timetable, and nobody is
/// made to wait for what reads one.
pub const IS_WHOLE: bool = cfg!(feature = "whole");

pub use build::{BuildError, Link, WorldBuilder};
pub use change::{ChangeProcess, ChangeTimes, Changes, MAX_CHANGES_PER_HOUR, Rhythm, Timetable};
pub use check::Unsound;
pub use column::{Column, Lists};
pub use csr::Csr;
pub use digest::{Digest, DigestError};
pub use drift::{Drift, Earlier};
pub use ids::{HostId, PageId, SiteId};
pub use reach::Reach;
pub use rng::Rng;
pub use strings::{Interner, StrId, Strings};
pub use world::{Host, World};
