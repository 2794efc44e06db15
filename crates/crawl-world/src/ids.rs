//! Typed numbers of pages, hosts and sites.

use serde::{Deserialize, Serialize};

/// Page number within a world. Strategies never see it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[repr(transparent)]
pub struct PageId(pub u32);

/// Host number within a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct HostId(pub u32);

/// Site number within a world; a site is all hosts of one registrable domain.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[repr(transparent)]
pub struct SiteId(pub u32);

impl PageId {
    /// Index into arrays over pages.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl HostId {
    /// Index into arrays over hosts.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl SiteId {
    /// Index into arrays over sites.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
