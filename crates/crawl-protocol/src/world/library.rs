//! What the browser's store holds.

use super::Summary;
use serde::{Deserialize, Serialize};

/// What the browser's store holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// Worlds, the latest used first.
    pub worlds: Vec<KeptWorld>,
    /// Experiments, the latest first.
    pub experiments: Vec<KeptExperiment>,
    /// Bytes the worlds take.
    pub n_bytes: u64,
    /// Bytes the browser would allow, where it says.
    pub quota: Option<u64>,
    /// Why nothing can be kept, where nothing can.
    pub error: Option<String>,
}

/// Why the store did not take something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotKept {
    /// The browser gives this page no more space.
    Full,
    /// Anything else, in words.
    Words(String),
}

/// A world in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptWorld {
    /// The name it goes by.
    pub name: String,
    /// The names of the files it was read from; none where an older build stored it.
    pub files: Vec<String>,
    /// What it is.
    pub summary: Summary,
    /// When it was last used, in milliseconds since 1970.
    pub used_ms: f64,
}

/// An experiment in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptExperiment {
    /// Its link, from `#` on.
    pub link: String,
    /// The name it goes by.
    pub name: String,
    /// When it was last open, in milliseconds since 1970.
    pub used_ms: f64,
}
