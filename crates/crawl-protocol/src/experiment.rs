//! Everything that decides a run.

use crawl_catalogue::{Chosen, Params};

/// Most strategies one experiment may compare.
pub const MAX_STRATEGIES: usize = 64;

/// World, seeds, strategies, rules and chance: the same experiment is the same run, bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// What is crawled.
    pub world: WorldSource,
    /// Where the crawl starts; none for the world's own seeds.
    pub seeds: Vec<String>,
    /// What is compared, one lane each.
    pub strategies: Vec<Chosen>,
    /// The crawl rules.
    pub rules: Params,
    /// The seed of all chance in the runs.
    pub rng: u64,
    /// The step at which it is shown.
    pub at: Option<u32>,
    /// The digest each run should have, in the order of the strategies.
    pub digests: Vec<String>,
}

/// Where the world comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldSource {
    /// Made from a spec.
    Made(Chosen),
    /// A file that does not travel in the link: known by the digest of its content.
    File {
        /// The digest of its content.
        digest: String,
        /// What it was called, to ask for it by name.
        name: String,
    },
}

impl Experiment {
    /// The seed of chance when none is given.
    pub const DEFAULT_RNG: u64 = 1;
    /// The largest seed of chance: what JavaScript's numbers hold exactly.
    pub const MAX_RNG: u64 = (1 << 53) - 1;
}
