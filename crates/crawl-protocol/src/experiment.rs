//! Everything that decides a run.

use crate::View;
use crawl_catalogue::{Chosen, Params};
use serde::{Deserialize, Serialize};

/// Most strategies one experiment may compare.
pub const MAX_STRATEGIES: usize = 64;

/// World, seeds, strategies, rules and chance: the same experiment is the same run, bit for bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// What is crawled.
    pub world: WorldSource,
    /// Where the crawl starts.
    pub seeds: Seeds,
    /// What focused crawls look for.
    pub topic: Option<Chosen>,
    /// What is compared, one lane each.
    pub strategies: Vec<Chosen>,
    /// When pages are visited again: none for never, one policy for all lanes, or one a lane. A link
    /// may name a single strategy for several policies, which then stands here once for each.
    pub revisits: Vec<Chosen>,
    /// The crawl rules.
    pub rules: Params,
    /// The seed of all chance in the runs.
    pub rng: u64,
    /// The step at which it is shown.
    pub at: Option<u32>,
    /// The digest each run should have, in the order of the strategies.
    pub digests: Vec<String>,
    /// How it is shown; decides nothing about the run.
    pub view: View,
}

/// Where crawls start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Seeds {
    /// At the world's own seeds.
    #[default]
    Own,
    /// At these URLs; never none.
    Urls(Vec<String>),
    /// At the best pages of the whole world, which no crawler knows.
    Top {
        /// By which ranker.
        ranker: Chosen,
        /// How many.
        k: u32,
    },
    /// Each ordering at the best pages by its own ranker, or by PageRank where it has none. What all
    /// share (bounds, reach) starts at the best by PageRank.
    TopOwn {
        /// How many.
        k: u32,
    },
}

impl Seeds {
    /// In place of a ranker: each ordering's own.
    pub const OWN: &str = "own";
    /// Most of the best pages that a crawl may start from.
    pub const MAX_TOP: u32 = 1_000;

    /// At these URLs, or the world's own seeds where there are none.
    pub fn urls(urls: Vec<String>) -> Self {
        if urls.is_empty() { Self::Own } else { Self::Urls(urls) }
    }

    /// True when they were found by knowing the whole world.
    pub fn is_oracle(&self) -> bool {
        matches!(self, Self::Top { .. } | Self::TopOwn { .. })
    }
}

/// Where the world comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WorldSource {
    /// Made from a spec.
    Made(Chosen),
    /// Read from files, and known by the digest of its content.
    File {
        /// The digest of the world's content.
        digest: String,
        /// The names of all files it was read from, to ask for them.
        names: Vec<String>,
        /// Its content, where it is small enough to travel in the link: the world's flat form,
        /// compressed, as base64url.
        data: Option<String>,
    },
}

impl Experiment {
    /// The seed of chance when none is given.
    pub const DEFAULT_RNG: u64 = 1;
    /// The largest seed of chance: what JavaScript's numbers hold exactly.
    pub const MAX_RNG: u64 = (1 << 53) - 1;

    /// The revisit policy of a lane, counted from 0; none where no page is visited again.
    pub fn revisit(&self, lane: usize) -> Option<&Chosen> {
        match self.revisits.as_slice() {
            [all] => Some(all),
            each => each.get(lane),
        }
    }
}
