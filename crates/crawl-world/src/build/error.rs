//! Why worlds are refused.

use super::{MAX_LINKS, MAX_PAGES, MAX_TEXT_BYTES};

/// Why a world could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// Two pages with one URL.
    #[error("duplicate URL {0}")]
    DuplicateUrl(String),
    /// Not an absolute http or https URL.
    #[error("not an absolute http(s) URL: {0:?}")]
    BadUrl(String),
    /// A number that makes no sense where it stands.
    #[error("{what} must be {expected}, not {given}")]
    BadNumber {
        /// Which.
        what: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        given: f64,
    },
    /// A crawl would start from a page that is not there yet.
    #[error("the seed \"{url}\" is born at {born_s} s, but a crawl starts at 0")]
    BornSeed {
        /// The seed, or the first page where none is given; on one line.
        url: String,
        /// When it is born.
        born_s: f64,
    },
    /// A page that goes before it comes.
    #[error("\"{url}\" is born at {born_s} s and must be gone after that, not at {gone_s} s")]
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
