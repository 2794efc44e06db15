//! Worlds: the webs that can be crawled.
//!
//! A [`World`] has pages and links, and optionally texts, anchors, hosts with robots.txt, topic
//! labels, clicks and change rates. Missing properties use no memory, so a bare graph of a million
//! pages is two arrays. Worlds come from the [`generate`] registry, from importers, or from a
//! [`WorldBuilder`].
//!
//! This crate does no input or output and uses no random numbers but [`Rng`].
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
