//! What the world worker hands to the lanes.

use crate::{Seeds, Task};
use crawl_catalogue::Params;
use serde::{Deserialize, Serialize};

/// From the world worker to a lane worker, over the port between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Handover {
    /// A world, in place of any other. Arrays: its flat form (u8), its pages' true ranks (f64).
    World {
        /// The request by which it was opened.
        opened: Task,
        /// The digest of its content.
        digest: String,
        /// The ranker whose values the true ranks are.
        ranker: String,
    },
    /// What chance and the ideal order gather, for measures that compare with them. Arrays: the six
    /// curves of the bounds (f64).
    Bounds {
        /// For which world.
        digest: String,
        /// For which seeds, rules and seed of chance.
        of: BoundsOf,
    },
}

/// What bounds belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundsOf {
    /// Where the crawl starts.
    pub seeds: Seeds,
    /// The crawl rules.
    pub rules: Params,
    /// The seed of chance.
    pub rng: u64,
}
