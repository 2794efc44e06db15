//! Sample pages, and what is learnt from them.

use super::{Classifier, Dictionary, PIPELINE, Topic};
use crate::PageText;
use crawl_learn::bayes::NaiveBayes;
use crawl_learn::svm::{self, Svm};
use crawl_world::{PageId, World, order};
use std::collections::BTreeMap;

/// Layers of the context graph besides the targets (document B, section 4; Diligenti 2000).
const LAYERS: usize = 4;
/// Most sample pages of a layer.
const LAYER_PAGES: usize = 300;
/// Words that stand for a topic.
const DICTIONARY_WORDS: usize = 40;
/// What a word of a title counts for against one of the text (document D: words of titles and
/// headings count more; how much is ours).
const TITLE_WEIGHT: u32 = 3;

/// Sample pages of a world.
pub struct Lesson<'a> {
    /// The world they stand in.
    pub world: &'a World,
    /// Pages about the topic that are what is looked for.
    pub targets: Vec<PageId>,
    /// Pages about the topic that are not.
    pub related: Vec<PageId>,
    /// Pages about other things.
    pub others: Vec<PageId>,
    /// Which pages may be looked at besides: whose links and anchors count.
    pub is_seen: &'a dyn Fn(PageId) -> bool,
}

/// What a page of a world shows of itself.
pub(super) fn page_text(world: &World, page: PageId) -> PageText<'_> {
    let anchors = world.link_range(page).map(|link| world.anchor(link)).collect();
    PageText { title: world.title_of(page), text: world.page_text(page), anchors }
}

impl Lesson<'_> {
    /// Learns all that a topic knows.
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
            // Both classes exist.
            let _ = bayes.learn(class, &words);
        }
        for (n, kind) in [(on_topic().count(), "about the topic"), (others.len(), "about others")] {
            if n == 0 {
                notes.push(format!(
                    "There was no sample page {kind}, so every page is judged alike."
                ));
            }
        }
        let targets = if related.is_empty() {
            // Told from pages about other things, they would be told by the wrong side.
            notes.push(
                "There was no sample page about the topic that is not looked for, so every page \
                 on the topic counts as a result."
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
            fenced: None,
        }
    }

    /// Tells targets from other pages about the topic.
    fn target_classifier(&self, notes: &mut Vec<String>) -> Option<Svm<3>> {
        let of = |pages: &[PageId], is_target: bool| -> Vec<([f64; 3], bool)> {
            let point = |page: &PageId| Topic::features(&page_text(self.world, *page)).point();
            pages.iter().map(|page| (point(page), is_target)).collect()
        };
        let points = [of(&self.targets, true), of(&self.related, false)].concat();
        let svm = Svm::train(&points, &svm::Settings::for_features(3));
        if let Err(error) = &svm {
            notes.push(format!("Pages on the topic all count as results: {error}."));
        }
        svm.ok()
    }

    /// A classifier of the anchors that lead to sample pages.
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

    /// A classifier of how many clicks a page is from a target, which the links to the targets tell:
    /// back-links, as a search engine would give them.
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

/// The words that tell the topic's pages from others best: by how many times more of their words
/// they are, and how often they stand there.
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
