//! What can go wrong before the first request.

use std::io;
use std::path::PathBuf;

/// Why the app is not served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A folder that is not there, or a file in it that cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder without a page.
    #[error("{}: there is no index.html in it", .0.display())]
    NoPage(PathBuf),
    /// Something else than a path that begins and ends with a slash.
    #[error("`{0}` is no base path: it must look like /some/path/, of letters, digits and -._~/")]
    Base(String),
    /// Something else than a host without a port.
    #[error("`{0}` is no host: give a name or an address without a port, as in box.example")]
    Host(String),
    /// Somebody else listens there.
    #[error("port {0} is taken; choose another, or none to get a free one")]
    Busy(u16),
    /// A port that only the system's administrator may use.
    #[error("port {0} may not be used by this user; choose one above 1023")]
    Forbidden(u16),
    /// Anything else about the network.
    #[error("cannot listen on loopback: {0}")]
    Listen(io::Error),
}
