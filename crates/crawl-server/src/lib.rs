//! Serves the built app on loopback.
//!
//! A [`Site`] is a table of files, read from a folder or embedded in the program. Requests are looked up
//! in that table, so no path can lead outside. [`Server::merge`] adds routes.
//!
//! axum does routing, methods and HEAD; tower-http does response headers, panics and the handler
//! time-out; hyper-util does graceful shutdown. Implemented here:
//!
//! - the file handler: tower-http's `ServeDir` serves folders, not tables in memory, and finds
//!   compressed copies only in the file system;
//! - the accept loop: `axum::serve` has no time-out for request headers and no limits on headers and
//!   connections;
//! - the check of the Host header against DNS rebinding.
//!
//! The page has a Content-Security-Policy in a `meta` element. The server also sends it as a header,
//! because a worker takes its policy from the response of its own script.
//!
//! ```no_run
//! use crawl_server::{Options, Site, serve_until_interrupted};
//!
//! let site = Site::read("dist".as_ref())?;
//! serve_until_interrupted(site, &Options::default(), |url| println!("{url}"))?;
//! # Ok::<(), crawl_server::ServeError>(())
//! ```

mod connections;
mod encoding;
mod error;
mod files;
mod hosts;
mod layers;
mod media;
mod range;
mod server;
mod site;

pub use error::ServeError;
pub use media::media_type;
pub use server::{Options, Server, serve_until_interrupted};
pub use site::Site;
