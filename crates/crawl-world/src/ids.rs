//! Numbers that must not be mixed up.

use serde::{Deserialize, Serialize};

/// A page's number within its world. The crawl never shows it to a strategy.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[repr(transparent)]
pub struct PageId(pub u32);

/// A host's number within its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct HostId(pub u32);

/// A site's number within its world: all hosts under one registrable domain.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[repr(transparent)]
pub struct SiteId(pub u32);

impl PageId {
    /// As an index into an array over pages.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl HostId {
    /// As an index into an array over hosts.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl SiteId {
    /// As an index into an array over sites.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
