//! Link similarity by anchor and by similar links: shared code of `jlse` and `anchor-text` (Zhang,
//! Li, Yu & Zhang 2010, section 3).
//!
//! - sim_anchor (Algorithm 1): P(topic | anchor) if the anchor is on the topic, else 0.01. An
//!   anchor without words, such as an image, is off the topic (our choice).
//! - sim_predicted = s·Q(v), where v is the vertex of the Web link graph with the highest
//!   similarity s to the link, and Q(v) its learnt value; 0 before there is one.
//! - sim = max(sim_anchor, sim_predicted).
//! - priority (eq. 10) = sim(i) ÷ √(Σ over the page's links of sim²) · P(topic | page).
//!
//! Links that a page shows at a later visit are evaluated then, among all links it shows by then;
//! older ones keep their priority, as all queued links do (our choice). A URL found on several
//! pages keeps its highest priority (our choice). Seeds have priority 1, the maximum (our choice).
//! Links of pages that a focused crawl drops are ignored. Without a topic, P(topic | page) is 1
//! (our choice).

mod explain;
mod web_links;

use super::{Learning, Learnt, Strategy};
use crate::topic::{PIPELINE, Topic};
use crate::{Explanation, Known, Scores, UrlId};
use crawl_learn::bm25::{LinkWords, Match};
use libm::sqrt;
use std::ops::Range;
use std::sync::Arc;

pub(super) use web_links::{Learner, Settings};

/// sim_anchor of an anchor that is off the topic.
const OFF_TOPIC: f64 = 0.01;
/// Priority of seeds.
const SEED: f64 = 1.0;

const RELEVANCE: &str = "relevance";
const SIMILARITY: &str = "similarity";
const Q: &str = "q";

/// A strategy by eq. 10.
#[derive(Clone)]
pub(super) struct JointLinks {
    topic: Arc<Topic>,
    /// Learner on the Web link graph; `None` for anchor text alone.
    learner: Option<Learner>,
    /// The link that gives each URL its priority. Shared between checkpoints.
    bases: Vec<Option<Arc<Basis>>>,
}

/// The link that gives a URL its priority, with all intermediate numbers at that time.
#[derive(Clone, Debug)]
struct Basis {
    /// The page of the link.
    from: UrlId,
    /// Position of the link on that page.
    place: u32,
    own: OwnSimilarity,
    predicted: Option<Box<Predicted>>,
    /// √(Σ over the page's links of sim²), and the number of links.
    norm: f64,
    n_links: u32,
    /// P(topic | page).
    relevance: f64,
}

/// sim_anchor.
#[derive(Clone, Copy, Debug)]
struct OwnSimilarity {
    value: f64,
    /// P(topic | anchor).
    p: f64,
    n_words: usize,
}

/// sim_predicted, and how it was found.
#[derive(Clone, Debug)]
struct Predicted {
    matched: Match,
    /// Q of the matched vertex.
    q: f64,
    /// Number of the learning, and its number of vertices.
    number: u32,
    n_vertices: u32,
}

/// The words of a link's anchor, URL and context.
struct Words {
    anchor: Vec<String>,
    url: Vec<String>,
    context: Vec<String>,
}

impl Words {
    /// Words of a link of a fetched page, by position.
    fn of_link(from: UrlId, place: usize, to: UrlId, known: &Known<'_>) -> Self {
        Self {
            anchor: PIPELINE.words(known.anchor(from, place)),
            url: PIPELINE.url_words(&known.url(to)),
            context: PIPELINE.words(known.context(from, place)),
        }
    }

    /// Words of a seed, which has only its URL.
    fn of_seed(seed: UrlId, known: &Known<'_>) -> Self {
        let url = PIPELINE.url_words(&known.url(seed));
        Self { anchor: Vec::new(), url, context: Vec::new() }
    }

    fn link(&self) -> LinkWords<'_, String> {
        LinkWords { anchor: &self.anchor, url: &self.url, context: &self.context }
    }
}

impl Predicted {
    fn value(&self) -> f64 {
        self.matched.score * self.q
    }
}

impl Basis {
    fn similarity(&self) -> f64 {
        let predicted = self.predicted.as_ref().map_or(0.0, |predicted| predicted.value());
        self.own.value.max(predicted)
    }

    /// Eq. 10.
    fn priority(&self) -> f64 {
        // Never 0 for a page with links, since every similarity is positive.
        if self.norm > 0.0 { self.similarity() / self.norm * self.relevance } else { 0.0 }
    }
}

impl JointLinks {
    pub(super) fn new(topic: Arc<Topic>, learner: Option<Learner>) -> Self {
        Self { topic, learner, bases: Vec::new() }
    }

    fn own_similarity(&self, words: &[String]) -> OwnSimilarity {
        let likely = self.topic.of_anchor(words);
        let is_on_topic = likely.is_on_topic && !words.is_empty();
        let value = if is_on_topic { likely.p } else { OFF_TOPIC };
        OwnSimilarity { value, p: likely.p, n_words: words.len() }
    }

    /// Evaluates all links of a page, in order.
    fn evaluated(&self, from: UrlId, known: &Known<'_>) -> Vec<Basis> {
        let relevance = known.judgement(from).map_or(1.0, |judgement| judgement.relevance);
        let n_links = known.links(from).len() as u32;
        let evaluate = |(place, to)| {
            let words = Words::of_link(from, place, to, known);
            let own = self.own_similarity(&words.anchor);
            let predicted = self.learner.as_ref().and_then(|learner| learner.predict(&words));
            let predicted = predicted.map(Box::new);
            Basis { from, place: place as u32, own, predicted, norm: 0.0, n_links, relevance }
        };
        let mut bases: Vec<Basis> = known.links(from).enumerate().map(evaluate).collect();
        let norm = sqrt(bases.iter().map(|b| b.similarity() * b.similarity()).sum());
        bases.iter_mut().for_each(|basis| basis.norm = norm);
        bases
    }

    /// Evaluates links of a page and raises the priorities of their targets where higher; calls
    /// `changed` for each.
    fn take(
        &mut self,
        from: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        mut changed: impl FnMut(UrlId, f64),
    ) {
        let waits = |url: UrlId| known.fetch_number(url).is_none() && !known.is_seed(url);
        if !known.follows(from) || !known.links_at(from, places.clone()).any(waits) {
            return;
        }
        self.bases.resize(known.n_discovered() as usize, None);
        let evaluated = self.evaluated(from, known).into_iter().skip(places.start);
        for (to, basis) in known.links_at(from, places).zip(evaluated) {
            let priority = basis.priority();
            if waits(to) && self.basis(to).is_none_or(|so_far| priority > so_far.priority()) {
                self.bases[to.index()] = Some(Arc::new(basis));
                changed(to, priority);
            }
        }
    }

    /// Evaluates all known links again.
    fn take_all(&mut self, known: &Known<'_>) {
        for (basis, url) in self.bases.iter_mut().zip((0..).map(UrlId)) {
            if known.fetch_number(url).is_none() {
                *basis = None;
            }
        }
        for page in known.order() {
            self.take(*page, 0..known.links(*page).len(), known, |_, _| ());
        }
    }

    fn basis(&self, url: UrlId) -> Option<&Basis> {
        self.bases.get(url.index())?.as_deref()
    }

    fn priority(&self, url: UrlId, known: &Known<'_>) -> f64 {
        if known.is_seed(url) { SEED } else { self.basis(url).map_or(0.0, Basis::priority) }
    }
}

impl Strategy for JointLinks {
    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        self.priority(url, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        let has_learnt = self.learner.as_mut().is_some_and(|learner| learner.fetched(url, known));
        if has_learnt && self.learner.as_ref().is_some_and(|learner| learner.settings.rescore) {
            self.take_all(known);
            scores.set_all(|url| self.priority(url, known));
            return;
        }
        let places = 0..known.links(url).len();
        self.take(url, places, known, |url, priority| scores.set(url, priority));
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.take(url, places, known, |url, priority| scores.set(url, priority));
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        self.explained(url, score, known)
    }

    fn learnt(&self) -> Option<Learnt<'_>> {
        self.learner.as_ref()?.learnt()
    }

    fn learning(&self) -> Option<Learning> {
        self.learner.as_ref().map(Learner::learning)
    }

    fn keeps(&self) -> Vec<&'static str> {
        let mut names = vec![RELEVANCE, SIMILARITY];
        names.extend(self.learner.is_some().then_some(Q));
        names
    }

    fn kept(&self, name: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        match name {
            RELEVANCE => known.judgement(url).map(|judgement| judgement.relevance),
            SIMILARITY => self.basis(url).map(Basis::similarity),
            // All Q start at 0; a page that led to no result keeps it.
            _ => {
                let q = self.learner.as_ref()?.q(url);
                q.or_else(|| known.fetch_number(url).map(|_| 0.0))
            }
        }
    }

    fn bytes(&self) -> usize {
        let basis = |basis: &Arc<Basis>| {
            let predicted = basis.predicted.is_some();
            size_of::<Basis>() + usize::from(predicted) * size_of::<Predicted>()
        };
        let bases: usize = self.bases.iter().flatten().map(basis).sum();
        let learner = self.learner.as_ref().map_or(0, Learner::bytes);
        self.bases.capacity() * size_of::<Option<Arc<Basis>>>() + bases + learner
    }
}
