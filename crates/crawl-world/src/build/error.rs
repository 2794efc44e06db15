//! Errors of the world builder.

use super::{MAX_LINKS, MAX_PAGES, MAX_TEXT_BYTES};
use crawl_catalogue::quoted;
use std::fmt;

/// Formats very large and small numbers in scientific notation.
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
    /// Two pages have the same URL.
    #[error("duplicate URL {}", quoted(.0))]
    DuplicateUrl(String),
    /// Not an absolute http or https URL.
    #[error("not an absolute http(s) URL: \"{}\"", quoted(.0))]
    BadUrl(String),
    /// A number is out of range.
    #[error("{what} must be {expected}, not {}", Short(*.given))]
    BadNumber {
        /// Name of the number.
        what: &'static str,
        /// The allowed range.
        expected: &'static str,
        /// The given value.
        given: f64,
    },
    /// A seed does not exist at the start.
    #[error("the seed \"{}\" is born at {} s, but a crawl starts at 0", quoted(.url), Short(*.born_s))]
    BornSeed {
        /// The seed, or the first page if there are no seeds; on one line.
        url: String,
        /// Time of its birth.
        born_s: f64,
    },
    /// A page is gone before it is born.
    #[error(
        "\"{}\" is born at {} s and must be gone after that, not at {} s",
        quoted(.url),
        Short(*.born_s),
        Short(*.gone_s)
    )]
    GoneUnborn {
        /// The page, on one line.
        url: String,
        /// Time of its birth.
        born_s: f64,
        /// Time since which it is gone.
        gone_s: f64,
    },
    /// The maximum number of pages is exceeded.
    #[error("more than {MAX_PAGES} pages")]
    TooManyPages,
    /// The maximum number of links is exceeded.
    #[error("more than {MAX_LINKS} links")]
    TooManyLinks,
    /// The maximum amount of text is exceeded.
    #[error("more than {MAX_TEXT_BYTES} bytes of text")]
    TooMuchText,
}
