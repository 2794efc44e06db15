//! Messages from the world worker to the lane workers.

use crate::{Seeds, Task};
use crawl_catalogue::Params;
use serde::{Deserialize, Serialize};

/// From the world worker to a lane worker, over the port between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Handover {
    /// A world that replaces the previous one. Arrays: flat form (u8), true ranks (f64).
    World {
        /// The request that opened it.
        opened: Task,
        /// The digest of its content.
        digest: String,
        /// Ranker of the true ranks.
        ranker: String,
    },
    /// Ideal and random crawls, for metrics that compare with them. Arrays: six curves (f64).
    Bounds {
        /// Digest of the world.
        digest: String,
        /// Seeds, rules and random seed.
        of: BoundsOf,
    },
}

/// Parameters of the bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundsOf {
    /// Seed pages.
    pub seeds: Seeds,
    /// The crawl rules.
    pub rules: Params,
    /// Random seed.
    pub rng: u64,
}
