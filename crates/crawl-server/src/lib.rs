//! Serves the built app on loopback.
//!
//! A [`Site`] is a table of files, read from a folder or embedded in the program. A request gets a
//! file of that table or an error, so no path can lead elsewhere. [`Server::merge`] adds routes.
//!
//! axum does routing, methods and HEAD; tower-http does response headers, panics and the time-out
//! of a handler; hyper-util does the graceful stop. Written here:
//!
//! - the file handler: `ServeDir` of tower-http serves folders, not tables in memory, and picks a
//!   compressed copy only from the file system;
//! - the accept loop: `axum::serve` has no time-out for request headers, no limit on their number
//!   and no limit on connections;
//! - the check of the Host header against DNS rebinding, which neither crate has.
//!
//! The page names its Content-Security-Policy in a `meta` element. The server sends the same policy
//! as a header with every response, because a worker takes its policy from its own script.

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
