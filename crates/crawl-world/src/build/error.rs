//! Why worlds are refused.

use super::{MAX_LINKS, MAX_PAGES, MAX_TEXT_BYTES};
use crawl_catalogue::quoted;
use std::fmt;

/// A number as it may have been typed, without hundreds of zeros.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size >= 1e16 || (size > 0.0 && size < 1e-7) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

/// Why a world could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// Two pages with one URL.
    #[error("duplicate URL {}", quoted(.0))]
    DuplicateUrl(String),
    /// Not an absolute http or https URL.
    #[error("not an absolute http(s) URL: \"{}\"", quoted(.0))]
    BadUrl(String),
    /// A number that makes no sense where it stands.
    #[error("{what} must be {expected}, not {}", Short(*.given))]
    BadNumber {
        /// Which.
        what: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        given: f64,
    },
    /// A crawl would start from a page that is not there yet.
    #[error("the seed \"{}\" is born at {} s, but a crawl starts at 0", quoted(.url), Short(*.born_s))]
    BornSeed {
        /// The seed, or the first page where none is given; on one line.
        url: String,
        /// When it is born.
        born_s: f64,
    },
    /// A page that goes before it comes.
    #[error(
        "\"{}\" is born at {} s and must be gone after that, not at {} s",
        quoted(.url),
        Short(*.born_s),
        Short(*.gone_s)
    )]
    GoneUnborn {
        /// The page, on one line.
        url: String,
        /// When it is born.
        born_s: f64,
        /// Since when it is gone.
        gone_s: f64,
    },
    /// More pages than a world may have.
    #[error("more than {MAX_PAGES} pages")]
    TooManyPages,
    /// More links than a world may have.
    #[error("more than {MAX_LINKS} links")]
    TooManyLinks,
    /// More text than a world may have.
    #[error("more than {MAX_TEXT_BYTES} bytes of text")]
    TooMuchText,
}
