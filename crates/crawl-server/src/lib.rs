//! Serves the built app on loopback.
//!
//! A [`Site`] is a table of files, read from a folder or embedded in the program; a request gets a
//! file of that table or nothing, so no path can lead elsewhere. The app's own page says which
//! Content-Security-Policy holds, and the header repeats it.

mod answer;
mod encoding;
mod error;
mod media;
mod server;
mod site;

pub use error::ServeError;
pub use server::{Options, Server, serve_until_interrupted};
pub use site::Site;
