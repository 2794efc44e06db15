//! Why an experiment cannot run.

use crawl_catalogue::{CatalogueError, Chosen, quoted};
use crawl_core::ranker;
use crawl_core::topic::TopicError;
use crawl_import::flat::FlatError;
use crawl_world::BuildError;

/// Why an experiment cannot run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The world could not be made.
    #[error("world {}: {error}", quoted(.name))]
    World {
        /// Which.
        name: String,
        /// Why.
        error: BuildError,
    },
    /// The link speaks of files that were not given.
    #[error("this experiment needs {} with digest {digest}", files(.names))]
    FileNeeded {
        /// The digest of the world's content.
        digest: String,
        /// What its files were called.
        names: Vec<String>,
    },
    /// The world that travelled in the link cannot be read.
    #[error(transparent)]
    Packed(#[from] FlatError),
    /// Another world than the link speaks of.
    #[error("this is another world: its digest is {found}, the link asks for {wanted}{}", made_from(.names))]
    OtherWorld {
        /// The digest of the world given.
        found: String,
        /// The digest in the link.
        wanted: String,
        /// What the files of the link's world were called.
        names: Vec<String>,
    },
    /// The world has no pages.
    #[error("the world has no pages")]
    NoPages,
    /// A seed that is no page of the world.
    #[error("seed {} is not a page of this world{}", quoted(.url), nearest.as_ref().map(|n| format!("; did you mean {}?", quoted(n))).unwrap_or_default())]
    UnknownSeed {
        /// The seed.
        url: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// More starts than pages.
    #[error("the {k} best pages cannot be seeds: the world has {n_pages}")]
    TooManySeeds {
        /// How many were asked for.
        k: u32,
        /// How many there are.
        n_pages: u32,
    },
    /// A text among a strategy's parameters cannot be used.
    #[error(transparent)]
    Param(#[from] CatalogueError),
    /// The topic cannot be learnt.
    #[error("topic {}: {error}", quoted(.name))]
    Topic {
        /// Which.
        name: String,
        /// Why.
        error: TopicError,
    },
    /// An oracle of the topic, without a topic.
    #[error("{0} needs a topic that is looked for, such as topic=label(of:phones)")]
    NoTopic(String),
    /// An oracle of a topic of which nothing is known to be true.
    #[error("{}: no labels of this world say what is true of topic {}", quoted(.name), quoted(.topic))]
    NoLabels {
        /// The oracle.
        name: String,
        /// The topic.
        topic: String,
    },
    /// The topic where links are to be ranked.
    #[error(
        "{0} ranks no links, only an omniscient ordering knows it; choose a ranker such as pagerank"
    )]
    NoRanker(String),
    /// It would take too long, or too much memory.
    #[cfg(feature = "whole")]
    #[error(transparent)]
    TooMuch(#[from] Box<crate::TooMuch>),
    /// Nothing may be fetched at all.
    #[error("{0} lets new and old pages compete for visits + new fetches an hour, which is 0")]
    NoFetches(String),
    /// A seed that is not there when the crawl starts.
    #[error("seed {} is born {born_s} s after the start, so no crawl can start there", quoted(.url))]
    UnbornSeed {
        /// The seed.
        url: String,
        /// When it is born.
        born_s: f64,
    },
    /// A registry holds no such entry; the catalogue and the registries disagree.
    #[error("{0} is not built into this program")]
    NotBuilt(String),
}

impl RunError {
    /// Why there is no ranker of a name that the catalogue has.
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
