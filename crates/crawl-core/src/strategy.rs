//! Crawl strategies: one file each, listed in [`STRATEGIES`].

mod anchor_text;
mod backlink_count;
mod best_first;
mod best_link;
mod breadth_first;
mod combined;
mod context_graph;
mod depth_first;
mod distance;
mod distance_rank;
mod division_score;
mod fica;
mod fish;
mod fish_search;
mod flow;
mod formula;
mod fractional_pagerank;
mod grown_links;
mod historical;
mod hits;
mod ieca;
mod jlse;
mod joint;
mod omniscient;
mod opic;
mod opie;
mod pagerank;
mod random;
mod refreshed;
mod rl_crawler;
mod shark_search;
mod topical;
mod values;

use crate::boxed_clone::boxed_clone;
use crate::topic::Topic;
use crate::{Explanation, Known, Past, PastSpec, Scores, UrlId, Work};
use crawl_catalogue::{Entry, Param, Params};
use crawl_learn::link_graph::Learned;
pub use crawl_learn::link_graph::{LinkGraph, Settings, VertexId};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// All strategies, in display order.
pub const STRATEGIES: &[&StrategyEntry] = &[
    &breadth_first::ENTRY,
    &depth_first::ENTRY,
    &random::ENTRY,
    &backlink_count::ENTRY,
    &opic::ENTRY,
    &fractional_pagerank::ENTRY,
    &pagerank::ENTRY,
    &hits::ENTRY,
    &fica::ENTRY,
    &distance_rank::ENTRY,
    &ieca::ENTRY,
    &rl_crawler::ENTRY,
    &historical::ENTRY,
    &best_first::ENTRY,
    &fish_search::ENTRY,
    &shark_search::ENTRY,
    &division_score::ENTRY,
    &opie::ENTRY,
    &anchor_text::ENTRY,
    &context_graph::ENTRY,
    &jlse::ENTRY,
    &omniscient::ENTRY,
    &formula::ENTRY,
    &combined::ENTRY,
];

/// The baseline that others are compared with.
pub(crate) const RANDOM: &StrategyEntry = &random::ENTRY;

/// A strategy in the registry.
pub struct StrategyEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Inputs it needs beyond what a crawler knows.
    pub needs: fn(&Params) -> Needs,
    /// Builds the strategy.
    pub build: fn(&Params, &StrategyContext) -> Box<dyn Strategy>,
}

/// Inputs that a strategy needs beyond what its crawl sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// Spec of the ranker whose true ranks it needs: makes the run an oracle's.
    pub truth: Option<String>,
    /// Earlier crawls whose ranks it remembers.
    pub pasts: Vec<PastSpec>,
    /// True if it needs a topic.
    pub topic: bool,
    /// Spec of the whole-graph ranker of the same idea; its best pages can serve as seeds.
    /// Optional.
    pub ranker: Option<String>,
    /// Computation beyond a few operations per link.
    pub work: Work,
}

/// Whether a strategy that ranks pages may rank the complete web.
const KNOWLEDGE: Param = Param::choice(
    "knowledge",
    "fetched",
    &[Cow::Borrowed("fetched"), Cow::Borrowed("all")],
    "Which pages are ranked. fetched: those known so far; all: the complete web, as in the paper, \
     which makes it an oracle.",
);

/// True if it ranks the complete web.
fn knows_all(params: &Params) -> bool {
    params.text(KNOWLEDGE.key.as_ref()) == "all"
}

impl Needs {
    /// No needs: no oracle.
    pub fn nothing(_: &Params) -> Self {
        Self::default()
    }

    /// No needs, but with a ranker of the same idea.
    fn near(ranker: impl Into<String>) -> Self {
        Self { ranker: Some(ranker.into()), ..Self::default() }
    }

    /// Adds the amount of computation.
    #[must_use]
    fn working(self, work: Work) -> Self {
        Self { work, ..self }
    }

    /// True ranks by its own ranker if it may rank the complete web.
    fn if_all(params: &Params, ranker: String) -> Self {
        Self { truth: knows_all(params).then(|| ranker.clone()), ..Self::near(ranker) }
    }

    /// True if the run knows more than a crawler can.
    pub fn is_oracle(&self) -> bool {
        self.truth.is_some()
    }
}

/// What every strategy is built with.
#[derive(Clone, Debug, Default)]
pub struct StrategyContext {
    /// Random seed of the run.
    pub rng: u64,
    /// Maximum number of fetches, if limited.
    pub budget: Option<u32>,
    /// The earlier crawls it needs.
    pub pasts: Vec<Arc<Past>>,
    /// The topic, if there is one.
    pub topic: Option<Arc<Topic>>,
}

impl StrategyContext {
    /// The topic; an empty one if there is none.
    pub fn topic(&self) -> Arc<Topic> {
        self.topic.clone().unwrap_or_default()
    }

    /// An earlier crawl by its parameters.
    pub fn past(&self, spec: &PastSpec) -> Option<Arc<Past>> {
        self.pasts.iter().find(|past| past.spec() == spec).cloned()
    }
}

/// Assigns scores to URLs; the URL with the highest score is fetched next.
///
/// When a page is fetched, `fetched` is called first and may change any scores, including those of
/// URLs that this page showed for the first time. Then `discovered` is called for the score of each
/// URL that enters the frontier. It is not called for URLs that the rules refuse, although these
/// are known.
///
/// When a page is revisited, `revisited` is called instead of `fetched`. The page may show new
/// links. All strategies treat a new link as if the page were fetched now; older links keep their
/// scores (our choice, since pages do not grow in the papers).
///
/// - Strategies whose score depends on the URL alone do nothing, since `discovered` gives the
///   score: breadth-first, random, omniscient, historical except with `new:parent`.
/// - Strategies that count or rank links add the contribution of the new ones, with the current
///   O(p): backlink-count, depth-first (by the page's own fetch number), fractional-pagerank, and
///   by the current learning rate fica, distance-rank and ieca. In pagerank, hits and rl-crawler
///   the next computation takes all links as they are then.
/// - Focused strategies judge a page once, when it is fetched, and score its new links by that.
/// - Values that belong to the page and not to the link change for all URLs found there:
///   historical's share of the parent, a formula's parent_links.
/// - In OPIC, a page hands out at every visit the cash it received since the last one, whether it
///   shows new links or not. The same holds for opie and a formula's cash.
pub trait Strategy: StrategyClone + Send + Sync {
    /// The score of a URL that enters the frontier; `so_far` is the score written before, or 0.
    fn discovered(&mut self, url: UrlId, so_far: f64, known: &Known<'_>) -> f64;

    /// Called after a page was fetched.
    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>);

    /// Called after a revisit. `places` are the positions of links shown for the first time: the
    /// last ones of the page, often none.
    fn revisited(
        &mut self,
        _url: UrlId,
        _places: Range<usize>,
        _known: &Known<'_>,
        _scores: &mut Scores<'_>,
    ) {
    }

    /// Called when a known URL was found closer to the seeds: its depth and parent have changed.
    fn found_nearer(&mut self, _url: UrlId, _known: &Known<'_>, _scores: &mut Scores<'_>) {}

    /// True if a fetch may change scores of URLs that the page does not link to, other than by
    /// [`Scores::set_all`].
    fn changes_others(&self) -> bool {
        false
    }

    /// Explains the score of a waiting URL: a tree whose root is the score.
    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation;

    /// True if it may give URLs up. Then [`Strategy::wants`] is called whenever a link is found to
    /// a URL that does not wait.
    fn gives_up(&self) -> bool {
        false
    }

    /// True if a discovered URL should be fetched, as far as is known now.
    fn wants(&self, _url: UrlId, _known: &Known<'_>) -> bool {
        true
    }

    /// The latest result of learning on the Web link graph, if it learns there.
    fn learnt(&self) -> Option<Learnt<'_>> {
        None
    }

    /// Progress of learning on the Web link graph, if it learns there.
    fn learning(&self) -> Option<Learning> {
        let of = |learnt: Learnt<'_>| Learning {
            number: learnt.number,
            step: learnt.step,
            n_results: 0,
            next_at: 0,
        };
        self.learnt().map(of)
    }

    /// Names of the values it stores per URL besides scores, for display.
    fn keeps(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// A stored value of a URL by name, or `None`. `score` is the URL's score.
    fn kept(&self, _name: &str, _url: UrlId, _score: f64, _known: &Known<'_>) -> Option<f64> {
        None
    }

    /// Its current learning rate by name, see [`RATES`].
    fn rate(&self, _name: &str, _known: &Known<'_>) -> Option<f64> {
        None
    }

    /// Memory in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// Result of learning on the Web link graph G_w (Zhang, Li, Yu & Zhang 2010).
#[derive(Clone, Copy)]
pub struct Learnt<'a> {
    /// Number of this learning, from 1.
    pub number: u32,
    /// Step after which it happened.
    pub step: u32,
    /// G_w at that time.
    pub graph: &'a LinkGraph,
    /// Q-values, and the sweep in which each was set.
    pub learned: &'a Learned,
    /// Parameters of learning: γ, rd and others.
    pub settings: &'a Settings,
    /// The link and page of each vertex.
    pub vertices: &'a [LinkVertex],
}

/// Progress of learning on the Web link graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learning {
    /// Number of learnings so far.
    pub number: u32,
    /// Step of the latest one; 0 before the first.
    pub step: u32,
    /// Number of result pages.
    pub n_results: u32,
    /// Number of result pages at which it learns next; 0 if unknown.
    pub next_at: u32,
}

/// A vertex of G_w: a link and the page it led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkVertex {
    /// The page.
    pub url: UrlId,
    /// The page on which the link was found, and its position among that page's links; `None` for a
    /// seed.
    pub found: Option<(UrlId, u32)>,
}

/// Names of learning rates: step size α of the update, and δ, the discount per link.
pub const RATES: [&str; 2] = ["alpha", "delta"];

boxed_clone!(StrategyClone for Strategy);

/// Finds a strategy by id.
pub fn find(id: &str) -> Option<&'static StrategyEntry> {
    STRATEGIES.iter().copied().find(|s| s.entry.id == id)
}
