//! Topics of focused crawls, learnt from sample pages: one file per kind, listed in [`TOPICS`].
//!
//! A topic classifies pages (naive Bayes; Zhang, Li, Yu & Zhang 2010, eq. 1–2), tells targets from
//! pages of links (a support vector machine on three features), classifies anchors (naive Bayes on
//! the anchors that lead to the sample pages, Algorithm 1), and has a dictionary of its words. A
//! topic of typed words has no sample pages: it counts its words instead (our choice). Deviations
//! from the formulas are listed in [`Topic::notes`].

mod dictionary;
mod label;
mod marked;
mod training;
mod typed;

use crate::{Judge, Judgement, PageText};
use crawl_catalogue::{Entry, Params, quoted};
use crawl_learn::bayes::NaiveBayes;
use crawl_learn::page::{PageCounts, PageFeatures};
use crawl_learn::svm::Svm;
use crawl_learn::text::Pipeline;
use crawl_world::{PageId, World};
use std::sync::Arc;

pub use dictionary::Dictionary;
pub use label::{MOST_LABELS, labelled};
pub use training::TrainingSet;

/// All kinds of topics, in display order.
pub const TOPICS: &[&TopicEntry] = &[&label::ENTRY, &typed::ENTRY, &marked::ENTRY];

/// A kind of topic in the registry.
pub struct TopicEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Learns the topic.
    pub learn: fn(&Params, &TopicInputs<'_>) -> Result<Topic, TopicError>,
    /// True labels of the pages of a world, if it has any.
    pub truth: fn(&Params, &World) -> Option<TopicTruth>,
}

/// What a topic can be learnt from.
pub struct TopicInputs<'a> {
    /// The world to be crawled.
    pub world: &'a World,
    /// The seeds of the crawl.
    pub seeds: &'a [PageId],
    /// Random seed of the run.
    pub rng: u64,
    /// Generates another world of the same kind; `None` if the world is a file.
    pub another: &'a dyn Fn() -> Option<World>,
}

/// Why a topic cannot be learnt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopicError {
    /// No page has that label.
    #[error("no page {place} is labelled '{}'{}", quoted(.label), listed(.labels))]
    NoLabel {
        /// The label asked for.
        label: String,
        /// Where it was looked up.
        place: &'static str,
        /// The labels that exist.
        labels: Vec<String>,
    },
    /// There is no training data besides the web to be crawled.
    #[error(
        "this topic can only be learnt from the web to be crawled: choose seeds on some of its sites \
         only, or use train:same"
    )]
    NothingElse,
    /// A world from a file has no other world of its kind.
    #[error(
        "this world was not generated, so there is no other of its kind: use train:sites or train:same"
    )]
    NotMade,
    /// A marked page does not exist.
    #[error("the marked page {} is not a page of this world", quoted(.0))]
    NoPage(String),
    /// Nothing was marked or typed.
    #[error("the topic is empty: {0}")]
    Empty(&'static str),
}

fn listed(labels: &[String]) -> String {
    match labels {
        [] => "; its pages have no labels".to_owned(),
        _ => {
            let labels: Vec<_> = labels.iter().map(|label| quoted(label)).collect();
            format!("; there are {}", labels.join(", "))
        }
    }
}

/// True labels of a topic, by page, for metrics and oracles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicTruth {
    /// Which pages are about the topic.
    pub is_relevant: Vec<bool>,
    /// Which of them are targets.
    pub is_target: Vec<bool>,
}

impl TopicTruth {
    /// Rank of each page: 1 for targets, 0.5 for other pages about the topic, else 0.
    pub fn ranks(&self) -> Vec<f64> {
        let worth = |(is_relevant, is_target): (&bool, &bool)| match (is_target, is_relevant) {
            (true, _) => 1.0,
            (false, true) => 0.5,
            (false, false) => 0.0,
        };
        self.is_relevant.iter().zip(&self.is_target).map(worth).collect()
    }

    /// Removes the labels of pages that cannot be crawled.
    pub fn retain(&mut self, is_left: impl Fn(PageId) -> bool) {
        for page in (0..self.is_relevant.len() as u32).map(PageId) {
            if !is_left(page) {
                self.is_relevant[page.index()] = false;
                self.is_target[page.index()] = false;
            }
        }
    }
}

/// A learnt topic.
#[derive(Clone, Debug, Default)]
pub struct Topic {
    name: String,
    notes: Vec<String>,
    pages: Classifier,
    anchors: Classifier,
    targets: Option<Svm<3>>,
    /// Classes are layers of the context graph, 0 for targets.
    layers: Option<NaiveBayes>,
    dictionary: Dictionary,
    training_sites: Option<Arc<Vec<bool>>>,
}

/// Probability that words are about the topic.
#[derive(Clone, Debug, Default)]
enum Classifier {
    /// Nothing was learnt: probability 0.5.
    #[default]
    Nothing,
    /// Class 1 is the topic.
    Bayes(NaiveBayes),
    /// Typed words; a page on the topic has at least this share of them.
    Typed { least: f64 },
}

/// Probability that a text is about the topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relevance {
    /// P(topic | text).
    pub p: f64,
    /// True if the probability is high enough.
    pub is_on_topic: bool,
    /// Number of known words.
    pub n_known: usize,
}

/// Tokenisation of texts for topics.
pub const PIPELINE: Pipeline = Pipeline { drop_stop_words: true, stem: true };
/// Tokenisation for word counts.
const COUNTED: Pipeline = Pipeline { drop_stop_words: false, stem: false };

impl Topic {
    /// Its name, for display.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Training data, and deviations from the formulas; one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// True if it is an empty topic.
    pub fn is_empty(&self) -> bool {
        matches!(self.pages, Classifier::Nothing)
    }

    /// Sites of the training data, which must not be crawled, by site number.
    pub fn training_sites(&self) -> Option<Arc<Vec<bool>>> {
        self.training_sites.clone()
    }

    /// The words of the topic.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Probability that an anchor leads to a page about it (Algorithm 1).
    pub fn of_anchor<W: AsRef<str>>(&self, words: &[W]) -> Relevance {
        match &self.anchors {
            Classifier::Typed { .. } => {
                let n_known = self.dictionary.n_distinct(words);
                let p = if words.is_empty() { 0.0 } else { n_known as f64 / words.len() as f64 };
                Relevance { p, is_on_topic: n_known > 0, n_known }
            }
            classifier => self.likely(classifier, words),
        }
    }

    /// Probability that a longer text is about it, such as a page or the context of a link.
    pub fn of_text<W: AsRef<str>>(&self, words: &[W]) -> Relevance {
        self.likely(&self.pages, words)
    }

    /// P(layer | words) for each layer of the context graph, 0 for targets; `None` if no layers
    /// were learnt.
    pub fn of_layers<W: AsRef<str>>(&self, words: &[W]) -> Option<Vec<f64>> {
        let layers = self.layers.as_ref()?;
        Some(layers.classify(words).probabilities)
    }

    /// Number of learnt layers of the context graph.
    pub fn n_layers(&self) -> usize {
        self.layers.as_ref().map_or(0, NaiveBayes::n_classes)
    }

    fn likely<W: AsRef<str>>(&self, classifier: &Classifier, words: &[W]) -> Relevance {
        match classifier {
            Classifier::Nothing => Relevance { p: 0.5, is_on_topic: true, n_known: 0 },
            Classifier::Bayes(bayes) => {
                let posterior = bayes.classify(words);
                let p = posterior.probabilities[1];
                Relevance { p, is_on_topic: p > 0.5, n_known: posterior.n_known }
            }
            Classifier::Typed { least } => {
                let n_known = self.dictionary.n_distinct(words);
                let p = n_known as f64 / self.dictionary.len().max(1) as f64;
                Relevance { p, is_on_topic: n_known > 0 && p >= *least, n_known }
            }
        }
    }

    /// The words of a page, those of its title first.
    pub fn page_words(page: &PageText<'_>) -> Vec<String> {
        let mut words = PIPELINE.words(page.title);
        PIPELINE.each_word(page.text, |word| words.push(word.to_owned()));
        words
    }

    /// Features of a page for the support vector machine.
    pub fn features(page: &PageText<'_>) -> PageFeatures {
        let count = |text: &str| {
            let mut n = 0;
            COUNTED.each_word(text, |_| n += 1);
            n
        };
        let blocks: Vec<usize> = page.text.lines().map(count).collect();
        PageFeatures::of(&PageCounts {
            n_words: blocks.iter().sum(),
            n_link_words: page.anchors.iter().map(|anchor| count(anchor)).sum(),
            n_links: page.anchors.len(),
            blocks: &blocks,
        })
    }

    /// True if a page on the topic is a target.
    fn is_target(&self, page: &PageText<'_>) -> bool {
        // With typed words, every page on the topic is a target.
        self.targets.as_ref().is_none_or(|svm| svm.is_positive(&Self::features(page).point()))
    }
}

impl Judge for Topic {
    fn judge(&self, page: &PageText<'_>) -> Judgement {
        let likely = self.of_text(&Self::page_words(page));
        let is_result = likely.is_on_topic && !self.is_empty() && self.is_target(page);
        Judgement { relevance: likely.p, is_on_topic: likely.is_on_topic, is_result }
    }

    fn is_named(&self, anchor: &str) -> bool {
        self.of_anchor(&PIPELINE.words(anchor)).is_on_topic
    }
}

/// Finds a kind of topic by id.
pub fn find(id: &str) -> Option<&'static TopicEntry> {
    TOPICS.iter().copied().find(|t| t.entry.id == id)
}
