//! JLSE (Zhang et al. 2010) in a simple form, and context graphs (Diligenti et al. 2000).
//!
//! Texts are lists of words, G_w is rebuilt from all results on every learning, Q is computed edge
//! by edge, and a link is compared with every vertex.

use crate::crawl::{History, Reference};
use crawl_core::topic::{PIPELINE, Topic};
use crawl_core::{Judge, Judgement, PageText};
use crawl_tests::variants::topic;
use crawl_world::{PageId, World};
use std::sync::Arc;

/// Words of anchor, URL and context.
type Texts = [Vec<String>; 3];

/// The content of a page, and its judgement once fetched.
struct Page {
    links: Vec<(usize, Texts)>,
    url: Vec<String>,
    title: String,
    text: String,
    anchors: Vec<String>,
    words: Vec<String>,
    judgement: Judgement,
    is_redirect: bool,
}

fn pages(world: &World) -> Vec<Page> {
    let page = |page: PageId| {
        let link = |(link, to): (usize, &PageId)| {
            let anchor = PIPELINE.words(world.anchor(link));
            let context = PIPELINE.words(world.context(link));
            (to.index(), [anchor, PIPELINE.url_words(&world.url(*to)), context])
        };
        let anchors = world.link_range(page).map(|link| world.anchor(link).to_owned());
        Page {
            links: world.link_range(page).zip(world.links(page)).map(link).collect(),
            url: PIPELINE.url_words(&world.url(page)),
            title: world.title_of(page).to_owned(),
            text: world.page_text(page).to_owned(),
            anchors: anchors.collect(),
            words: Vec::new(),
            judgement: Judgement { relevance: f64::NAN, is_on_topic: false, is_result: false },
            is_redirect: (300..400).contains(&world.status(page)),
        }
    };
    world.pages().map(page).collect()
}

/// State shared by both strategies: judgements, discovery parents, and best scores.
struct Crawl {
    topic: Arc<Topic>,
    pages: Vec<Page>,
    /// The discovery parent of each page.
    parent: Vec<Option<usize>>,
    scores: Vec<f64>,
}

impl Crawl {
    fn new(world: &World) -> Self {
        let topic = topic(world);
        let pages = pages(world);
        let n = pages.len();
        Self { topic, pages, parent: vec![None; n], scores: vec![0.0; n] }
    }

    /// Judges a fetched page; a redirect has the judgement of the page that led to it.
    fn judge(&mut self, page: usize, history: &History<'_>) {
        let Page { title, text, anchors, .. } = &self.pages[page];
        let n_links = history.links(page).len();
        let anchors = anchors[..n_links].iter().map(String::as_str).collect();
        let seen = PageText { title, text, anchors };
        let (words, judgement) = (Topic::page_words(&seen), self.topic.judge(&seen));
        (self.pages[page].words, self.pages[page].judgement) = (words, judgement);
        if self.pages[page].is_redirect {
            let before = self.parent[page].map(|parent| self.pages[parent].judgement.relevance);
            self.pages[page].judgement =
                Judgement { relevance: before.unwrap_or(1.0), is_on_topic: true, is_result: false };
        }
    }

    fn find(&mut self, page: usize, history: &History<'_>) {
        if !history.is_evidence(page) {
            return;
        }
        for to in history.links(page) {
            let is_found = self.parent[*to].is_some() || history.graph.seeds.contains(to);
            if !is_found && history.follows(page, *to) {
                self.parent[*to] = Some(page);
            }
        }
    }

    fn raise(&mut self, page: usize, score: f64) {
        self.scores[page] = self.scores[page].max(score);
    }

    fn scores(&self, history: &History<'_>, of_seeds: f64) -> Vec<f64> {
        let mut scores = self.scores.clone();
        history.graph.seeds.iter().for_each(|seed| scores[*seed] = of_seeds);
        scores
    }
}

/// JLSE; without settings, anchor text analysis (ATA).
pub struct Joint {
    crawl: Crawl,
    settings: Option<Settings>,
    results: Vec<usize>,
    learnt: Vec<Vertex>,
}

#[derive(Clone, Copy)]
pub struct Settings {
    pub gamma: f64,
    pub reward: f64,
    pub cf: usize,
    pub weights: [f64; 3],
    pub by_max: bool,
    pub of_leaf: f64,
    pub rescore: bool,
}

pub const USUAL: Settings = Settings {
    gamma: 0.9,
    reward: 1.0,
    cf: 150,
    weights: [0.5, 0.2, 0.3],
    by_max: false,
    of_leaf: 1.0,
    rescore: false,
};

struct Vertex {
    texts: Texts,
    q: f64,
}

impl Joint {
    pub fn boxed(world: &World, settings: Option<Settings>) -> Box<dyn Reference> {
        Box::new(Self::new(world, settings))
    }

    pub fn new(world: &World, settings: Option<Settings>) -> Self {
        let crawl = Crawl::new(world);
        Self { crawl, settings, results: Vec::new(), learnt: Vec::new() }
    }

    /// Builds G_w with its Q from all results.
    fn learn(&self, settings: &Settings, history: &History<'_>) -> Vec<Vertex> {
        let mut members: Vec<usize> = Vec::new();
        for result in &self.results {
            let mut path = vec![*result];
            while let Some(parent) = self.crawl.parent[path[path.len() - 1]] {
                path.push(parent);
            }
            for page in path.into_iter().rev() {
                if !members.contains(&page) {
                    members.push(page);
                }
            }
        }
        let is_leaf = |page: usize| self.results.contains(&page);
        let mut q = vec![0.0_f64; self.crawl.pages.len()];
        loop {
            let of = |page: usize| {
                let mut best = 0.0_f64;
                for to in history.links(page).iter().filter(|to| members.contains(to)) {
                    let worth =
                        if is_leaf(*to) { settings.reward } else { settings.gamma * q[*to] };
                    best = best.max(worth);
                }
                best
            };
            let mut next = q.clone();
            for page in members.iter().filter(|page| !is_leaf(**page)) {
                next[*page] = of(*page);
            }
            if next == q {
                break;
            }
            q = next;
        }
        let vertex = |page: &usize| {
            let texts = match self.crawl.parent[*page] {
                Some(parent) => {
                    let links = &self.crawl.pages[parent].links;
                    links.iter().find(|(to, _)| to == page).expect("its parent's link").1.clone()
                }
                None => [Vec::new(), self.crawl.pages[*page].url.clone(), Vec::new()],
            };
            let q = if is_leaf(*page) { settings.of_leaf } else { q[*page] };
            Vertex { texts, q }
        };
        members.iter().map(vertex).collect()
    }

    fn predicted(&self, texts: &Texts, settings: &Settings) -> f64 {
        let n = self.learnt.len();
        let mut scores = vec![0.0; n];
        for (field, asked) in texts.iter().enumerate() {
            let documents: Vec<&Vec<String>> =
                self.learnt.iter().map(|v| &v.texts[field]).collect();
            let sims = bm25(asked, &documents);
            let divisor = if settings.by_max {
                sims.iter().copied().fold(0.0, f64::max)
            } else {
                libm::sqrt(sims.iter().map(|sim| sim * sim).sum())
            };
            if divisor > 0.0 {
                for (score, sim) in scores.iter_mut().zip(&sims) {
                    *score += settings.weights[field] * (sim / divisor);
                }
            }
        }
        let mut best = (0.0, 0.0);
        for (score, vertex) in scores.iter().zip(&self.learnt) {
            // The first of scores that are equal up to the order of summation.
            if *score > best.0 * (1.0 + 1e-12) {
                best = (*score, vertex.q);
            }
        }
        best.0 * best.1
    }

    fn similarity(&self, texts: &Texts) -> f64 {
        let likely = self.crawl.topic.of_anchor(&texts[0]);
        let own = if likely.is_on_topic && !texts[0].is_empty() { likely.p } else { 0.01 };
        own.max(self.settings.map_or(0.0, |settings| self.predicted(texts, &settings)))
    }

    /// Eq. 10 for all links of a page from an index on.
    fn evaluate(&mut self, page: usize, from: usize, history: &History<'_>) {
        if !history.is_evidence(page) {
            return;
        }
        let links = &self.crawl.pages[page].links[..history.links(page).len()];
        let sims: Vec<(usize, f64)> =
            links.iter().map(|(to, texts)| (*to, self.similarity(texts))).collect();
        let norm = libm::sqrt(sims.iter().map(|(_, sim)| sim * sim).sum());
        let relevance = self.crawl.pages[page].judgement.relevance;
        for (to, sim) in sims.into_iter().skip(from) {
            self.crawl.raise(to, sim / norm * relevance);
        }
    }
}

/// BM25 of a set of words against documents, by the formula.
fn bm25(asked: &[String], documents: &[&Vec<String>]) -> Vec<f64> {
    let (k1, b) = (2.0, 0.75);
    let n = documents.len() as f64;
    let mean = documents.iter().map(|d| d.len() as f64).sum::<f64>() / n;
    let mut words: Vec<&String> = asked.iter().collect();
    words.sort();
    words.dedup();
    let mut sims = vec![0.0; documents.len()];
    for word in words {
        let df = documents.iter().filter(|d| d.contains(word)).count() as f64;
        let idf = libm::log((n - df + 0.5) / (df + 0.5)).max(0.0);
        for (sim, document) in sims.iter_mut().zip(documents) {
            let f = document.iter().filter(|w| *w == word).count() as f64;
            if f > 0.0 {
                let l = document.len() as f64;
                *sim += idf * (f * (k1 + 1.0) / (k1 * (b * l / mean + 1.0 - b) + f));
            }
        }
    }
    sims
}

impl Reference for Joint {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        self.crawl.scores(history, 1.0)
    }

    fn fetched(&mut self, page: usize, _: f64, history: &History<'_>) {
        self.crawl.judge(page, history);
        self.crawl.find(page, history);
        if self.crawl.pages[page].judgement.is_result {
            self.results.push(page);
            if let Some(settings) =
                self.settings.filter(|s| self.results.len().is_multiple_of(s.cf))
            {
                self.learnt = self.learn(&settings, history);
                if settings.rescore {
                    self.crawl.scores.fill(0.0);
                    for page in history.fetched.clone() {
                        self.evaluate(page, 0, history);
                    }
                }
            }
        }
        self.evaluate(page, 0, history);
    }

    fn revisited(&mut self, page: usize, from: usize, _: f64, history: &History<'_>) {
        self.crawl.find(page, history);
        self.evaluate(page, from, history);
    }
}

/// Context graph: six queues by the layer of a page.
pub struct ContextGraph {
    crawl: Crawl,
    confidence: f64,
}

impl ContextGraph {
    pub fn boxed(world: &World, confidence: f64) -> Box<dyn Reference> {
        Box::new(Self::new(world, confidence))
    }

    pub fn new(world: &World, confidence: f64) -> Self {
        Self { crawl: Crawl::new(world), confidence }
    }
}

impl Reference for ContextGraph {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        self.crawl.scores(history, 6.0)
    }

    fn fetched(&mut self, page: usize, _: f64, history: &History<'_>) {
        self.crawl.judge(page, history);
        self.revisited(page, 0, f64::NAN, history);
    }

    fn revisited(&mut self, page: usize, from: usize, _: f64, history: &History<'_>) {
        self.crawl.find(page, history);
        if !history.is_evidence(page) {
            return;
        }
        let layers = self.crawl.topic.of_layers(&self.crawl.pages[page].words).expect("layers");
        let p = layers.iter().copied().fold(0.0, f64::max);
        let layer = layers.iter().position(|of_layer| *of_layer == p).expect("one is the largest");
        // Queue 5 is layer 0, queue 1 layer 4, queue 0 all others.
        let queue = if p > self.confidence { 5 - layer } else { 0 };
        for to in &history.links(page)[from..] {
            self.crawl.raise(*to, queue as f64 + p);
        }
    }
}
