//! Errors of setting up an experiment.

use crawl_catalogue::{CatalogueError, Chosen, quoted};
use crawl_core::ranker;
use crawl_core::topic::TopicError;
use crawl_import::flat::FlatError;
use crawl_world::BuildError;

/// Reason why an experiment cannot run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The world cannot be generated.
    #[error("world {}: {error}", quoted(.name))]
    World {
        /// Name of the world.
        name: String,
        /// Reason.
        error: BuildError,
    },
    /// The experiment needs files that were not given.
    #[error("this experiment needs {} with digest {digest}", files(.names))]
    FileNeeded {
        /// Digest of the world.
        digest: String,
        /// Names of its files.
        names: Vec<String>,
    },
    /// The world embedded in the link cannot be decoded.
    #[error(transparent)]
    Packed(#[from] FlatError),
    /// The given world is not the one of the link.
    #[error("this is another world: its digest is {found}, the link asks for {wanted}{}", made_from(.names))]
    OtherWorld {
        /// Digest of the given world.
        found: String,
        /// Digest in the link.
        wanted: String,
        /// File names of the link's world.
        names: Vec<String>,
    },
    /// The world has no pages.
    #[error("the world has no pages")]
    NoPages,
    /// A seed is not a page of the world.
    #[error("seed {} is not a page of this world{}", quoted(.url), nearest.as_ref().map(|n| format!("; did you mean {}?", quoted(n))).unwrap_or_default())]
    UnknownSeed {
        /// The seed.
        url: String,
        /// The most similar URL.
        nearest: Option<String>,
    },
    /// More seeds than pages.
    #[error("the {k} best pages cannot be seeds: the world has {n_pages}")]
    TooManySeeds {
        /// Number of seeds asked for.
        k: u32,
        /// Number of pages.
        n_pages: u32,
    },
    /// A text parameter of a strategy is invalid.
    #[error(transparent)]
    Param(#[from] CatalogueError),
    /// The topic cannot be learnt.
    #[error("topic {}: {error}", quoted(.name))]
    Topic {
        /// Name of the topic.
        name: String,
        /// Reason.
        error: TopicError,
    },
    /// An oracle needs a topic, but there is none.
    #[error("{0} needs a topic, such as topic=label(of:phones)")]
    NoTopic(String),
    /// An oracle needs labels, but the topic has none.
    #[error("{}: this world has no labels for topic {}", quoted(.name), quoted(.topic))]
    NoLabels {
        /// The oracle.
        name: String,
        /// The topic.
        topic: String,
    },
    /// The topic was chosen as a ranker of links.
    #[error(
        "{0} ranks no links; only the strategy omniscient can use it. Choose a ranker such as pagerank"
    )]
    NoRanker(String),
    /// The run would take too long, or too much memory.
    #[error(transparent)]
    TooMuch(#[from] Box<crate::TooMuch>),
    /// The budget of fetches is 0.
    #[error(
        "{0} shares visits + new fetches per hour between new pages and revisits, but their sum is 0"
    )]
    NoFetches(String),
    /// A seed does not exist at the start of the crawl.
    #[error("seed {} is born {born_s} s after the start, so no crawl can start there", quoted(.url))]
    UnbornSeed {
        /// The seed.
        url: String,
        /// Time of its birth.
        born_s: f64,
    },
    /// The catalogue has the entry, but the program does not.
    #[error("{0} is not built into this program")]
    NotBuilt(String),
}

impl RunError {
    /// The error for a ranker that is in the catalogue but cannot be built.
    pub fn no_ranker(chosen: &Chosen) -> Self {
        let is_topic = chosen.id == ranker::TOPIC.id;
        if is_topic {
            Self::NoRanker(chosen.id.clone())
        } else {
            Self::NotBuilt(chosen.to_string())
        }
    }
}

/// The files of a world in a sentence.
fn files(names: &[String]) -> String {
    match names {
        [] => "the file".to_owned(),
        [_] => format!("the file {}", listed(names)),
        _ => format!("the files {}: a world", listed(names)),
    }
}

fn made_from(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; it was made from {}", listed(names)) }
}

/// Names in quotes, each shortened.
fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("'{}'", quoted(name))).collect::<Vec<_>>().join(" and ")
}
