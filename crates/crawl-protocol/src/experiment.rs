//! The experiment: everything that determines a run.

use crate::View;
use crawl_catalogue::{Chosen, Params};
use serde::{Deserialize, Serialize};

/// Maximum number of strategies of an experiment.
pub const MAX_STRATEGIES: usize = 64;

/// World, seeds, strategies, rules and random seed; equal experiments give identical runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// The world.
    pub world: WorldSource,
    /// Seed pages.
    pub seeds: Seeds,
    /// Topic of focused crawls.
    pub topic: Option<Chosen>,
    /// Strategies, one lane each.
    pub strategies: Vec<Chosen>,
    /// Revisit policies: none, one for all lanes, or one per lane.
    ///
    /// A link with one strategy and several policies repeats the strategy for each policy.
    pub revisits: Vec<Chosen>,
    /// The crawl rules.
    pub rules: Params,
    /// Random seed of the runs.
    pub rng: u64,
    /// Step of the play-head.
    pub at: Option<u32>,
    /// Expected digest of each run, in the order of the strategies.
    pub digests: Vec<String>,
    /// View settings; no influence on the run.
    pub view: View,
}

/// Seed pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Seeds {
    /// The world's seeds.
    #[default]
    Own,
    /// These URLs; never empty.
    Urls(Vec<String>),
    /// The top pages by a ranker over the whole world (oracle).
    Top {
        /// The ranker.
        ranker: Chosen,
        /// Number of pages.
        k: u32,
    },
    /// The top pages by each strategy's own ranker; PageRank if it has none (oracle).
    ///
    /// Bounds and reach use PageRank.
    TopOwn {
        /// Number of pages.
        k: u32,
    },
}

impl Seeds {
    /// Name of [`Seeds::TopOwn`] in place of a ranker.
    pub const OWN: &str = "own";
    /// Maximum number of top pages.
    pub const MAX_TOP: u32 = 1_000;

    /// These URLs, or the world's seeds if empty.
    pub fn urls(urls: Vec<String>) -> Self {
        if urls.is_empty() { Self::Own } else { Self::Urls(urls) }
    }

    /// True if they depend on the whole world.
    pub fn is_oracle(&self) -> bool {
        matches!(self, Self::Top { .. } | Self::TopOwn { .. })
    }
}

/// Source of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WorldSource {
    /// Generated from a spec.
    Made(Chosen),
    /// Read from files, identified by the digest of its content.
    File {
        /// The digest of the world's content.
        digest: String,
        /// Names of its files.
        names: Vec<String>,
        /// Compressed flat form as base64url, if it is small enough for the link.
        data: Option<String>,
    },
}

impl Experiment {
    /// Default random seed.
    pub const DEFAULT_RNG: u64 = 1;
    /// Largest random seed: the largest exact integer of JavaScript.
    pub const MAX_RNG: u64 = (1 << 53) - 1;

    /// The revisit policy of a lane, by index.
    pub fn revisit(&self, lane: usize) -> Option<&Chosen> {
        match self.revisits.as_slice() {
            [all] => Some(all),
            each => each.get(lane),
        }
    }
}
