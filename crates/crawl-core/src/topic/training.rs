//! Learning a topic from sample pages.

use super::{Classifier, Dictionary, PIPELINE, Topic};
use crate::PageText;
use crawl_learn::bayes::NaiveBayes;
use crawl_learn::svm::{self, Svm};
use crawl_world::{PageId, World, order};
use std::collections::BTreeMap;

/// Layers of the context graph besides the targets (Diligenti 2000).
const LAYERS: usize = 4;
/// Maximum number of sample pages per layer.
const LAYER_PAGES: usize = 300;
/// Number of words in the dictionary.
const DICTIONARY_WORDS: usize = 40;
/// Weight of a word in a title relative to one in the text. Voronov gives titles and headings a
/// higher weight; the value is our choice.
const TITLE_WEIGHT: u32 = 3;

/// Sample pages of a world.
pub struct TrainingSet<'a> {
    /// The world of the pages.
    pub world: &'a World,
    /// Pages about the topic that are targets.
    pub targets: Vec<PageId>,
    /// Other pages about the topic.
    pub related: Vec<PageId>,
    /// Pages about other things.
    pub others: Vec<PageId>,
    /// Pages of the training data: their links and anchors may be used.
    pub is_seen: &'a dyn Fn(PageId) -> bool,
}

/// Text of a page of a world.
pub(super) fn page_text(world: &World, page: PageId) -> PageText<'_> {
    let anchors = world.link_range(page).map(|link| world.anchor(link)).collect();
    PageText { title: world.title_of(page), text: world.page_text(page), anchors }
}

impl TrainingSet<'_> {
    /// Learns the topic.
    pub fn learn(&self, name: String, mut notes: Vec<String>) -> Topic {
        let Self { world, targets, related, others, .. } = self;
        let on_topic = || targets.iter().chain(related);
        let mut bayes = NaiveBayes::new(2);
        let mut counts: BTreeMap<String, [u32; 2]> = BTreeMap::new();
        for (class, page) in
            on_topic().map(|page| (1, *page)).chain(others.iter().map(|page| (0, *page)))
        {
            let text = page_text(world, page);
            let words = Topic::page_words(&text);
            for word in &words {
                counts.entry(word.clone()).or_default()[class] += 1;
            }
            for word in PIPELINE.words(text.title) {
                counts.entry(word).or_default()[class] += TITLE_WEIGHT - 1;
            }
            // Cannot fail: both classes exist.
            let _ = bayes.learn(class, &words);
        }
        for (n, kind) in [(on_topic().count(), "about the topic"), (others.len(), "off the topic")]
        {
            if n == 0 {
                notes.push(format!(
                    "There is no sample page {kind}, so all pages get the same judgement."
                ));
            }
        }
        let targets = if related.is_empty() {
            // Without such samples, the classifier would learn to tell topics apart instead.
            notes.push(
                "There is no sample page about the topic that is no target, so every page on the \
                 topic counts as a result."
                    .to_owned(),
            );
            None
        } else {
            self.target_classifier(&mut notes)
        };
        Topic {
            name,
            notes,
            pages: Classifier::Bayes(bayes),
            anchors: Classifier::Bayes(self.anchors()),
            targets,
            layers: self.layers(),
            dictionary: dictionary(&counts),
            training_sites: None,
        }
    }

    /// Classifier of targets among pages about the topic.
    fn target_classifier(&self, notes: &mut Vec<String>) -> Option<Svm<3>> {
        let of = |pages: &[PageId], is_target: bool| -> Vec<([f64; 3], bool)> {
            let point = |page: &PageId| Topic::features(&page_text(self.world, *page)).point();
            pages.iter().map(|page| (point(page), is_target)).collect()
        };
        let points = [of(&self.targets, true), of(&self.related, false)].concat();
        let svm = Svm::train(&points, &svm::Settings::for_features(3));
        if let Err(error) = &svm {
            notes.push(format!("Every page on the topic counts as a result: {error}."));
        }
        svm.ok()
    }

    /// Classifier of anchors that lead to sample pages.
    fn anchors(&self) -> NaiveBayes {
        const UNASKED: u8 = 2;
        let mut class_of = vec![UNASKED; self.world.n_pages() as usize];
        for page in self.targets.iter().chain(&self.related) {
            class_of[page.index()] = 1;
        }
        self.others.iter().for_each(|page| class_of[page.index()] = 0);
        let mut bayes = NaiveBayes::new(2);
        for from in self.world.pages().filter(|page| (self.is_seen)(*page)) {
            for (link, to) in self.world.link_range(from).zip(self.world.links(from)) {
                let class = class_of[to.index()];
                if class != UNASKED {
                    let _ = bayes.learn(class.into(), PIPELINE.words(self.world.anchor(link)));
                }
            }
        }
        bayes
    }

    /// Classifier of the number of clicks from a page to a target, by back-links of the targets, as
    /// a search engine would give them.
    fn layers(&self) -> Option<NaiveBayes> {
        if self.targets.is_empty() {
            return None;
        }
        let world = self.world;
        let mut linked_from: Vec<Vec<PageId>> = vec![Vec::new(); world.n_pages() as usize];
        for from in world.pages().filter(|page| (self.is_seen)(*page)) {
            for to in world.links(from) {
                linked_from[to.index()].push(from);
            }
        }
        let mut bayes = NaiveBayes::new(LAYERS + 1);
        let mut is_met = vec![false; world.n_pages() as usize];
        let mut layer: Vec<PageId> = self.targets.clone();
        layer.iter().for_each(|page| is_met[page.index()] = true);
        for class in 0..=LAYERS {
            for page in layer.iter().take(LAYER_PAGES) {
                let _ = bayes.learn(class, Topic::page_words(&page_text(world, *page)));
            }
            let mut next = Vec::new();
            for page in &layer {
                for from in &linked_from[page.index()] {
                    if !std::mem::replace(&mut is_met[from.index()], true) {
                        next.push(*from);
                    }
                }
            }
            layer = next;
        }
        Some(bayes)
    }
}

/// The words that separate the topic's pages best from others: weight = log-odds · frequency.
fn dictionary(counts: &BTreeMap<String, [u32; 2]>) -> Dictionary {
    let total = |class: usize| counts.values().map(|n| f64::from(n[class])).sum::<f64>();
    let (off, on) = (total(0), total(1));
    let n_words = counts.len() as f64;
    let weigh = |(word, n): (&String, &[u32; 2])| {
        let share = |n: u32, of: f64| (f64::from(n) + 1.0) / (of + n_words);
        let odds = libm::log(share(n[1], on) / share(n[0], off));
        let weight = odds * f64::from(n[1]) / on.max(1.0);
        (n[1] > 0 && weight > 0.0).then(|| (word.clone(), weight))
    };
    let words: Vec<(String, f64)> = counts.iter().filter_map(weigh).collect();
    let mut best = order::arranged(words, |(_, weight)| order::falling(*weight));
    best.truncate(DICTIONARY_WORDS);
    Dictionary::new(best)
}
