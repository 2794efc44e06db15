//! Errors before the first request.

use std::io;
use std::path::PathBuf;

/// Why the app cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A folder or file that cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A folder without index.html.
    #[error("{}: no index.html in this folder", .0.display())]
    NoPage(PathBuf),
    /// An invalid base path.
    #[error(
        "`{0}` is not a base path: it must look like /some/path/, of letters, digits and -._~/"
    )]
    Base(String),
    /// An invalid host name.
    #[error("`{0}` is not a host: give a name or an address without a port, such as box.example")]
    Host(String),
    /// A port in use.
    #[error("port {0} is in use; choose another, or none to get a free one")]
    Busy(u16),
    /// A port that needs administrator rights.
    #[error("port {0} needs administrator rights; choose one above 1023")]
    Forbidden(u16),
    /// Any other network error.
    #[error("cannot listen on loopback: {0}")]
    Listen(io::Error),
}
