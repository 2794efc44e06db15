//! Topical strategies.
//!
//! The topic's judgements of texts are taken as given; scores are computed here, page by page in
//! fetch order.

use crate::crawl::{Graph, History, Reference};
use crawl_core::topic::{PIPELINE, Topic};
use crawl_core::{Judge, Judgement, PageText};
use crawl_tests::variants::{topic, topic_truth};
use crawl_world::{PageId, World};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The texts and links of every page of a world.
pub struct Seen {
    topic: Arc<Topic>,
    pages: Vec<Page>,
    /// Cached judgements, by page and number of links shown on its first fetch.
    judged: RefCell<BTreeMap<(usize, usize), Judgement>>,
}

struct Page {
    is_redirect: bool,
    title: String,
    text: String,
    words: Vec<String>,
    links: Vec<Said>,
}

/// The words of a link, its target, and the words of the target's URL.
struct Said {
    to: usize,
    says: String,
    anchor: Vec<String>,
    context: Vec<String>,
    url: Vec<String>,
}

fn judged(topic: &Topic, world: &World, page: PageId) -> Judgement {
    let anchors = world.link_range(page).map(|link| world.anchor(link)).collect();
    topic.judge(&PageText { title: world.title_of(page), text: world.page_text(page), anchors })
}

fn is_redirect(world: &World, page: PageId) -> bool {
    (300..400).contains(&world.status(page))
}

/// Whether the focused loop ignores the links of a page.
pub fn is_cut(page: usize, graph: &Graph, world: &World) -> bool {
    let id = PageId(page as u32);
    let judgement = judged(&topic(world), world, id);
    let is_wanted = judgement.is_on_topic && !judgement.is_result;
    !is_wanted && !graph.seeds.contains(&page) && !is_redirect(world, id)
}

impl Seen {
    fn new(world: &World) -> Rc<Self> {
        let topic = topic(world);
        let page = |page: PageId| {
            let mut words = PIPELINE.words(world.title_of(page));
            words.extend(PIPELINE.words(world.page_text(page)));
            let row = world.links(page).iter().zip(world.link_range(page));
            let said = |(to, link): (&PageId, usize)| Said {
                to: to.index(),
                says: world.anchor(link).to_owned(),
                anchor: PIPELINE.words(world.anchor(link)),
                context: PIPELINE.words(world.context(link)),
                url: PIPELINE.url_words(&world.url(*to)),
            };
            Page {
                is_redirect: is_redirect(world, page),
                title: world.title_of(page).to_owned(),
                text: world.page_text(page).to_owned(),
                words,
                links: row.map(said).collect(),
            }
        };
        let pages = world.pages().map(page).collect();
        Rc::new(Self { topic, pages, judged: RefCell::default() })
    }

    /// The judgement of a page at its fetch.
    fn judgement(&self, page: usize, history: &History<'_>) -> Judgement {
        let n_links = history.n_first(page);
        let Page { title, text, links, .. } = &self.pages[page];
        let judge = || {
            let anchors = links[..n_links].iter().map(|said| said.says.as_str()).collect();
            self.topic.judge(&PageText { title, text, anchors })
        };
        *self.judged.borrow_mut().entry((page, n_links)).or_insert_with(judge)
    }

    /// Cosine similarity with the topic's dictionary.
    fn sim(&self, words: &[String]) -> f64 {
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        for word in words {
            *counts.entry(word).or_default() += 1.0;
        }
        let weights = self.topic.dictionary().words();
        let product: f64 = weights
            .iter()
            .map(|(word, weight)| weight * counts.get(word.as_str()).unwrap_or(&0.0))
            .sum();
        let length =
            |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
        let lengths =
            length(&mut counts.values().copied()) * length(&mut weights.iter().map(|(_, w)| *w));
        if lengths == 0.0 { 0.0 } else { product / lengths }
    }

    fn is_relevant(&self, page: usize, history: &History<'_>) -> bool {
        self.pages[page].is_redirect || self.judgement(page, history).is_on_topic
    }

    /// The maximum of `worth` over the links to each page; `worth` takes a page, a link and its
    /// index.
    fn best(
        &self,
        history: &History<'_>,
        mut worth: impl FnMut(usize, &Said, usize) -> f64,
    ) -> Vec<f64> {
        let mut scores = vec![0.0_f64; self.pages.len()];
        history.graph.seeds.iter().for_each(|seed| scores[*seed] = 1.0);
        for visit in history.visits.iter().filter(|visit| history.is_evidence(visit.page)) {
            let (from, page) = (visit.page, &self.pages[visit.page]);
            for place in visit.new.clone() {
                let (said, own) = (&page.links[place], scores[from]);
                let worth = if page.is_redirect { own } else { worth(from, said, place) };
                scores[said.to] = scores[said.to].max(worth);
            }
        }
        scores
    }

    /// Remaining depth of each page; `feeds` says which pages reset it to the maximum.
    fn lives(&self, history: &History<'_>, most: u32, feeds: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut left = vec![0; self.pages.len()];
        history.graph.seeds.iter().for_each(|seed| left[*seed] = most);
        for visit in history.visits.iter().filter(|visit| history.is_evidence(visit.page)) {
            let from = visit.page;
            let passed = match () {
                () if self.pages[from].is_redirect => left[from],
                () if feeds(from) => most,
                () => left[from].max(1) - 1,
            };
            for to in visit.new_links(history.graph) {
                left[*to] = left[*to].max(passed);
            }
        }
        left
    }
}

/// 1 for a labelled page, 0.5 for a related label, else 0.
pub struct Omniscient(Vec<f64>);

impl Omniscient {
    pub fn new(world: &World) -> Self {
        let truth = topic_truth(world);
        let worth = |page: PageId| match &truth {
            Some(truth) if truth.is_target[page.index()] => 1.0,
            Some(truth) if truth.is_relevant[page.index()] => 0.5,
            _ => 0.0,
        };
        Self(world.pages().map(worth).collect())
    }
}

impl Reference for Omniscient {
    fn scores(&self, _: &History<'_>) -> Vec<f64> {
        self.0.clone()
    }
}

/// A link scores as its page.
pub struct BestFirst(Rc<Seen>);

impl BestFirst {
    pub fn new(world: &World) -> Self {
        Self(Seen::new(world))
    }
}

impl Reference for BestFirst {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        self.0.best(history, |page, _, _| self.0.judgement(page, history).relevance)
    }
}

/// Fish search: 1 and 0.5 for the first links of a page, and a remaining depth.
pub struct Fish {
    pub depth: u32,
    /// Number of links followed from irrelevant and from relevant pages.
    pub taken: [usize; 2],
    pub parent: bool,
    pub seen: Rc<Seen>,
    pub parents: Vec<Option<usize>>,
}

impl Fish {
    pub fn new(world: &World) -> Self {
        let parents = vec![None; world.n_pages() as usize];
        Self { depth: 3, taken: [5, 7], parent: true, seen: Seen::new(world), parents }
    }
}

impl Reference for Fish {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        self.seen.best(history, |page, _, place| match self.seen.is_relevant(page, history) {
            true if place < self.taken[1] => 1.0,
            false if place < self.taken[0] => 0.5,
            _ => 0.0,
        })
    }

    fn wants(&self, page: usize, history: &History<'_>) -> bool {
        let feeds = |page: usize| {
            let parent = self.parents[page].filter(|_| self.parent);
            self.seen.is_relevant(page, history)
                && parent.is_none_or(|p| self.seen.is_relevant(p, history))
        };
        self.seen.lives(history, self.depth, feeds)[page] > 0
    }

    fn admitted(&mut self, page: usize, by: usize, _: &History<'_>) {
        self.parents[page] = Some(by);
    }
}

/// Shark search: fish search with graded relevance.
pub struct Shark {
    pub delta: f64,
    pub gamma: f64,
    pub beta: f64,
    pub depth: u32,
    pub seen: Rc<Seen>,
}

impl Shark {
    pub fn new(world: &World) -> Self {
        Self { delta: 0.5, gamma: 0.5, beta: 0.8, depth: 3, seen: Seen::new(world) }
    }

    /// The inherited score of each page, at its fetch or now.
    fn inherited(&self, history: &History<'_>) -> Vec<f64> {
        let mut inherited = vec![0.0_f64; self.seen.pages.len()];
        let mut at_fetch = inherited.clone();
        for visit in &history.visits {
            let from = visit.page;
            if visit.is_first {
                at_fetch[from] = inherited[from];
            }
            let page = &self.seen.pages[from];
            let passed = match self.seen.sim(&page.words) {
                _ if page.is_redirect => at_fetch[from],
                0.0 => self.delta * at_fetch[from],
                sim => self.delta * sim,
            };
            let links = visit.new_links(history.graph).iter();
            for to in links.filter(|_| history.is_evidence(from)) {
                inherited[*to] = inherited[*to].max(passed);
            }
        }
        at_fetch
    }
}

impl Reference for Shark {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let inherited = self.inherited(history);
        self.seen.best(history, |page, said, _| {
            let sim = self.seen.sim(&self.seen.pages[page].words);
            let passed = self.delta * if sim > 0.0 { sim } else { inherited[page] };
            let anchor = self.seen.sim(&said.anchor);
            let context = if anchor > 0.0 { 1.0 } else { self.seen.sim(&said.context) };
            self.gamma * passed
                + (1.0 - self.gamma) * (self.beta * anchor + (1.0 - self.beta) * context)
        })
    }

    fn wants(&self, page: usize, history: &History<'_>) -> bool {
        let feeds = |page: usize| self.seen.sim(&self.seen.pages[page].words) > 0.0;
        self.seen.lives(history, self.depth, feeds)[page] > 0
    }

    fn tolerance(&self) -> f64 {
        1e-9
    }
}

/// The share of the dictionary that occurs in a link.
pub struct Division {
    pub coefficient: f64,
    pub other: f64,
    pub seen: Rc<Seen>,
}

impl Division {
    pub fn new(world: &World) -> Self {
        Self { coefficient: 1.0, other: 0.5, seen: Seen::new(world) }
    }
}

impl Reference for Division {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let dictionary = self.seen.topic.dictionary().words();
        let whole: f64 = dictionary.iter().map(|(_, weight)| weight).sum();
        self.seen.best(history, |page, said, _| {
            let all = [&said.anchor, &said.url, &said.context];
            let is_there = |word: &String| all.iter().any(|words| words.contains(word));
            let shared = dictionary.iter().filter(|(word, _)| is_there(word));
            let shared: f64 = shared.map(|(_, weight)| weight).sum();
            let is_relevant = self.seen.is_relevant(page, history);
            shared / whole * if is_relevant { self.coefficient } else { self.other }
        })
    }

    fn tolerance(&self) -> f64 {
        1e-9
    }
}

/// OPIC with cash distributed by relevance.
pub struct Opie {
    weight: f64,
    fades: bool,
    pub seen: Rc<Seen>,
}

impl Opie {
    pub fn new(world: &World, weight: f64, fades: bool) -> Self {
        Self { weight, fades, seen: Seen::new(world) }
    }
}

impl Reference for Opie {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let graph = history.graph;
        let mut cash = vec![0.0; graph.n_pages()];
        graph.seeds.iter().for_each(|seed| cash[*seed] = 1.0 / graph.seeds.len() as f64);
        for visit in &history.visits {
            let (from, page) = (visit.page, &self.seen.pages[visit.page]);
            let of_page = self.seen.judgement(from, history).relevance;
            let mut shared = std::mem::replace(&mut cash[from], 0.0);
            if self.fades && !page.is_redirect {
                shared *= of_page;
            }
            let relevance = |said: &Said| {
                let context = [said.anchor.clone(), said.context.clone()].concat();
                let context = self.seen.topic.of_text(&context).p;
                self.weight * context + (1.0 - self.weight) * of_page
            };
            let links = &page.links[..visit.new.end];
            let relevances: Vec<f64> = links.iter().map(relevance).collect();
            let total: f64 = relevances.iter().sum();
            let n_links = links.len() as f64;
            // The rest after links that leave the world took equal shares.
            let inside = shared * n_links / visit.degree(graph) as f64;
            for (said, relevance) in links.iter().zip(relevances) {
                let part = match () {
                    () if page.is_redirect || total == 0.0 => 1.0 / n_links,
                    () => relevance / total,
                };
                if history.is_evidence(from) {
                    cash[said.to] += inside * part;
                }
            }
        }
        cash
    }

    fn tolerance(&self) -> f64 {
        1e-9
    }
}
