//! What a focused crawl looks for, learnt from sample pages before it starts: one file a kind of
//! topic, one line in [`TOPICS`].
//!
//! A topic says of a page how likely it is about it (naive Bayes, document B, eq. 1–2) and whether
//! it is what is looked for or a page of links (a support vector machine on three features); of an
//! anchor how likely it leads there (naive Bayes on the anchors that lead to the sample pages,
//! Algorithm 1); and which words stand for it. A topic that was only typed has no sample pages: it
//! counts its words instead (ours). Whatever was done in place of what a formula asks for stands in
//! [`Topic::notes`].

mod dictionary;
mod label;
mod lesson;
mod marked;
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
pub use lesson::Lesson;

/// Every kind of topic, in the order they are shown.
pub const TOPICS: &[&TopicEntry] = &[&label::ENTRY, &typed::ENTRY, &marked::ENTRY];

/// A kind of topic in the registry.
pub struct TopicEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Learns it.
    pub learn: fn(&Params, &Ground<'_>) -> Result<Topic, TopicError>,
    /// What is true of the pages of a world, where their labels say so.
    pub truth: fn(&Params, &World) -> Option<TopicTruth>,
}

/// What a topic may be learnt from.
pub struct Ground<'a> {
    /// The world to be crawled.
    pub world: &'a World,
    /// Where the crawl starts.
    pub seeds: &'a [PageId],
    /// The seed of all chance in the run.
    pub rng: u64,
    /// Makes another world of the same kind, where the world was made; none where it is a file.
    pub another: &'a dyn Fn() -> Option<World>,
}

/// Why a topic cannot be learnt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopicError {
    /// No page has that label.
    #[error("no page {place} is labelled '{}'{}", quoted(.label), listed(.labels))]
    NoLabel {
        /// What was asked for.
        label: String,
        /// Where it was looked for.
        place: &'static str,
        /// What there is.
        labels: Vec<String>,
    },
    /// There is nothing to learn from but what will be crawled.
    #[error(
        "nothing but the web to be crawled could teach this topic: choose seeds on some of its \
         sites only, or say train:same"
    )]
    NothingElse,
    /// A file has no other web of its kind.
    #[error(
        "this web was not made, so there is no other of its kind: say train:sites or train:same"
    )]
    NotMade,
    /// A page that was marked is not there.
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

/// What the labels of a world say, by page. It is for measures, and for oracles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicTruth {
    /// Which pages are about the topic.
    pub is_relevant: Vec<bool>,
    /// Which of them are what is looked for.
    pub is_target: Vec<bool>,
}

impl TopicTruth {
    /// What each page is worth: 1 where it is looked for, 0.5 where it is about the topic, else 0.
    pub fn ranks(&self) -> Vec<f64> {
        let worth = |(is_relevant, is_target): (&bool, &bool)| match (is_target, is_relevant) {
            (true, _) => 1.0,
            (false, true) => 0.5,
            (false, false) => 0.0,
        };
        self.is_relevant.iter().zip(&self.is_target).map(worth).collect()
    }

    /// Leaves out pages that cannot be crawled.
    pub fn retain(&mut self, is_left: impl Fn(PageId) -> bool) {
        for page in (0..self.is_relevant.len() as u32).map(PageId) {
            if !is_left(page) {
                self.is_relevant[page.index()] = false;
                self.is_target[page.index()] = false;
            }
        }
    }
}

/// A topic, learnt.
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
    fenced: Option<Arc<Vec<bool>>>,
}

/// How likely words are about the topic.
#[derive(Clone, Debug, Default)]
enum Classifier {
    /// Nothing was learnt: everything is as likely as not.
    #[default]
    Nothing,
    /// Class 1 is the topic.
    Bayes(NaiveBayes),
    /// The words that were typed; a page must have this share of them.
    Typed { least: f64 },
}

/// How likely a text is about the topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely {
    /// P(topic | text).
    pub p: f64,
    /// Whether that is enough.
    pub is_on_topic: bool,
    /// How many of its words were known.
    pub n_known: usize,
}

/// How texts are cut into words wherever a topic looks at them.
pub const PIPELINE: Pipeline = Pipeline { drop_stop_words: true, stem: true };
/// How they are when words are only counted.
const COUNTED: Pipeline = Pipeline { drop_stop_words: false, stem: false };

impl Topic {
    /// What it is called: its spec.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// From what it was learnt, and what was done in place of what a formula asks for; sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// True when there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        matches!(self.pages, Classifier::Nothing)
    }

    /// The sites that were learnt from and must not be crawled, by number.
    pub fn fenced(&self) -> Option<Arc<Vec<bool>>> {
        self.fenced.clone()
    }

    /// The words that stand for it.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// How likely an anchor leads to a page about it (Algorithm 1).
    pub fn of_anchor<W: AsRef<str>>(&self, words: &[W]) -> Likely {
        match &self.anchors {
            Classifier::Typed { .. } => {
                let n_known = self.dictionary.n_distinct(words);
                let p = if words.is_empty() { 0.0 } else { n_known as f64 / words.len() as f64 };
                Likely { p, is_on_topic: n_known > 0, n_known }
            }
            classifier => self.likely(classifier, words),
        }
    }

    /// How likely a longer text is about it, such as a page or what stands around a link.
    pub fn of_text<W: AsRef<str>>(&self, words: &[W]) -> Likely {
        self.likely(&self.pages, words)
    }

    /// P(layer | words) for each layer of the context graph, 0 for targets; nothing where no layers
    /// were learnt.
    pub fn of_layers<W: AsRef<str>>(&self, words: &[W]) -> Option<Vec<f64>> {
        let layers = self.layers.as_ref()?;
        Some(layers.classify(words).probabilities)
    }

    /// How many layers of the context graph were learnt.
    pub fn n_layers(&self) -> usize {
        self.layers.as_ref().map_or(0, NaiveBayes::n_classes)
    }

    fn likely<W: AsRef<str>>(&self, classifier: &Classifier, words: &[W]) -> Likely {
        match classifier {
            Classifier::Nothing => Likely { p: 0.5, is_on_topic: true, n_known: 0 },
            Classifier::Bayes(bayes) => {
                let posterior = bayes.classify(words);
                let p = posterior.probabilities[1];
                Likely { p, is_on_topic: p > 0.5, n_known: posterior.n_known }
            }
            Classifier::Typed { least } => {
                let n_known = self.dictionary.n_distinct(words);
                let p = n_known as f64 / self.dictionary.len().max(1) as f64;
                Likely { p, is_on_topic: n_known > 0 && p >= *least, n_known }
            }
        }
    }

    /// The words of a page, its title's first.
    pub fn page_words(page: &PageText<'_>) -> Vec<String> {
        let mut words = PIPELINE.words(page.title);
        PIPELINE.each_word(page.text, |word| words.push(word.to_owned()));
        words
    }

    /// What the support vector machine looks at.
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

    /// Whether a page on the topic is what is looked for.
    fn is_target(&self, page: &PageText<'_>) -> bool {
        // Where only words were typed, every page on the topic is what is looked for.
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

/// The registry's entry of that name.
pub fn find(id: &str) -> Option<&'static TopicEntry> {
    TOPICS.iter().copied().find(|t| t.entry.id == id)
}
