//! Worlds and experiments in the browser's store.

use super::Summary;
use serde::{Deserialize, Serialize};

/// Content of the browser's store.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// Worlds, most recently used first.
    pub worlds: Vec<KeptWorld>,
    /// Experiments, newest first.
    pub experiments: Vec<KeptExperiment>,
    /// Size of the worlds, in bytes.
    pub n_bytes: u64,
    /// Quota of the browser in bytes, if known.
    pub quota: Option<u64>,
    /// Why the store is unavailable.
    pub error: Option<String>,
}

/// Why saving failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotKept {
    /// The quota is exceeded.
    Full,
    /// Another error, as text.
    Words(String),
}

/// A world in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptWorld {
    /// Its name.
    pub name: String,
    /// Names of its files; empty if an older build saved it.
    pub files: Vec<String>,
    /// Its summary.
    pub summary: Summary,
    /// When it was last used, in milliseconds since 1970.
    pub used_ms: f64,
}

/// An experiment in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptExperiment {
    /// Its link, from `#` on.
    pub link: String,
    /// Its name.
    pub name: String,
    /// When it was last open, in milliseconds since 1970.
    pub used_ms: f64,
}
