//! The registry of worlds that are made, not uploaded: one file each, one line here.

use crate::{BuildError, World};
use crawl_catalogue::{Entry, Params};

/// A world in the registry.
pub struct WorldEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Makes it; the same parameters give the same world on every machine.
    pub build: fn(&Params) -> Result<World, BuildError>,
}

/// Every built-in world.
pub const WORLDS: &[&WorldEntry] = &[];
