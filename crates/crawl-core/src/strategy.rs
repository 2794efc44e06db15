//! Crawl orderings: one file each, one line in [`STRATEGIES`].

mod anchor_text;
mod backlink_count;
mod best_first;
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
mod historical;
mod hits;
mod ieca;
mod jlse;
mod joint;
mod later;
mod omniscient;
mod opic;
mod opie;
mod pagerank;
mod random;
mod rl_crawler;
mod shark_search;
mod topical;
mod values;

use crate::topic::Topic;
use crate::{Explanation, Known, Past, PastSpec, Scores, UrlId, Work};
use crawl_catalogue::{Entry, Param, Params};
use crawl_learn::link_graph::Learned;
pub use crawl_learn::link_graph::{LinkGraph, Settings, VertexId};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Every ordering, in the order they are shown.
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

/// Those that a first visit plays; its program holds no others.
pub const FIRST: &[&StrategyEntry] =
    &[&breadth_first::ENTRY, &depth_first::ENTRY, &opic::ENTRY, &omniscient::ENTRY];

/// The one that others are measured against.
pub(crate) const RANDOM: &StrategyEntry = &random::ENTRY;

/// An ordering in the registry.
pub struct StrategyEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// What it must be given beyond what a crawler knows.
    pub needs: fn(&Params) -> Needs,
    /// Makes it.
    pub build: fn(&Params, &Given) -> Box<dyn Strategy>,
}

/// What an ordering uses beyond what is seen on its crawl.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// True ranks by the ranker of this spec: makes the run an oracle's.
    pub truth: Option<String>,
    /// Ranks that a crawler may have kept of these earlier crawls.
    pub pasts: Vec<PastSpec>,
    /// A topic to look for.
    pub topic: bool,
    /// Not needed, but near to it: the whole-graph ranker of its own idea, by spec, whose best pages
    /// are its own seeds.
    pub ranker: Option<String>,
    /// How much it computes beyond a few operations for each link.
    pub work: Work,
}

/// Whether an ordering that ranks pages may rank the whole web.
const KNOWLEDGE: Param = Param::choice(
    "knowledge",
    "fetched",
    &[Cow::Borrowed("fetched"), Cow::Borrowed("all")],
    "What is ranked: fetched is what the crawl has seen so far; all is the whole web, as in the \
     paper, which makes it an oracle.",
);

/// Whether it does.
fn knows_all(params: &Params) -> bool {
    params.text(KNOWLEDGE.key.as_ref()) == "all"
}

impl Needs {
    /// Nothing: an honest crawler.
    pub fn nothing(_: &Params) -> Self {
        Self::default()
    }

    /// Nothing, but with a ranker of its own.
    fn near(ranker: impl Into<String>) -> Self {
        Self { ranker: Some(ranker.into()), ..Self::default() }
    }

    /// The same, with that much to compute.
    #[must_use]
    fn working(self, work: Work) -> Self {
        Self { work, ..self }
    }

    /// True ranks by its own ranker where the whole web may be ranked.
    fn if_all(params: &Params, ranker: String) -> Self {
        Self { truth: knows_all(params).then(|| ranker.clone()), ..Self::near(ranker) }
    }

    /// True when the run knows more than a crawler can.
    pub fn is_oracle(&self) -> bool {
        self.truth.is_some()
    }
}

/// What every ordering is given.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The seed of all chance in the run.
    pub rng: u64,
    /// How many pages may be fetched, where that is limited.
    pub budget: Option<u32>,
    /// The earlier crawls it needs.
    pub pasts: Vec<Arc<Past>>,
    /// The topic it looks for, where there is one.
    pub topic: Option<Arc<Topic>>,
}

impl Given {
    /// The topic it looks for; one that says nothing where there is none.
    pub fn topic(&self) -> Arc<Topic> {
        self.topic.clone().unwrap_or_default()
    }

    /// What was kept of an earlier crawl.
    pub fn past(&self, spec: &PastSpec) -> Option<Arc<Past>> {
        self.pasts.iter().find(|past| past.spec() == spec).cloned()
    }
}

/// Gives scores to URLs; the highest is fetched next.
///
/// When a page is fetched, `fetched` comes first and may change scores, those of URLs that this page
/// showed for the first time included; then `discovered` is asked for the score of each URL that
/// enters the frontier. URLs that the rules refuse are known, and linked to, but never asked about.
///
/// When a page fetched before is visited again, `revisited` takes the place of `fetched`. Pages may then
/// show links that they did not show before, and all orderings deal with these alike: with a link shown
/// at a later visit as a fetch at that moment would, while links shown before keep what they have (ours,
/// since the papers' pages do not grow).
///
/// - Orderings by a number of the URL alone have nothing to note, since `discovered` gives it at once:
///   breadth-first, random, omniscient, historical but for `new:parent`.
/// - What counts or ranks links adds what the new ones bring, with O(p) as it is now: backlink-count,
///   depth-first (by the page's own fetch number), pagerank, hits, rl-crawler, whose next computation
///   takes all links as they are then; fractional-pagerank; fica, distance-rank and ieca, by the present
///   rate of learning.
/// - Focused orderings judge a page once, when it is fetched, and give its new links their worth by that.
/// - Where a number belongs to the page and not to the link, it changes for all that was found there:
///   historical's share of the parent, a formula's parent_links.
/// - OPIC's pages are read over and over: at every visit, whether it shows new links or not, a page
///   shares out what it gathered since the last one. So do opie's and a formula's cash.
pub trait Strategy: Send + Sync {
    /// The score of a URL that enters the frontier; `so_far` is what was written for it before.
    fn discovered(&mut self, url: UrlId, so_far: f64, known: &Known<'_>) -> f64;

    /// Takes note of a page just fetched.
    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>);

    /// Takes note that a page fetched before was visited again, and shows the links at these places for
    /// the first time: the last of its links, often none.
    fn revisited(
        &mut self,
        _url: UrlId,
        _places: Range<usize>,
        _known: &Known<'_>,
        _scores: &mut Scores<'_>,
    ) {
    }

    /// Takes note that a known URL was found closer to the seeds than before: it has another depth
    /// and another parent now.
    fn found_nearer(&mut self, _url: UrlId, _known: &Known<'_>, _scores: &mut Scores<'_>) {}

    /// True when a fetch may change scores of URLs that the page does not link to, other than by
    /// [`Scores::set_all`].
    fn changes_others(&self) -> bool {
        false
    }

    /// Why a waiting URL has its score: a tree whose root is the score.
    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation;

    /// True when it may give URLs up: then [`Strategy::wants`] is asked whenever a link is found to
    /// a URL that does not wait.
    fn gives_up(&self) -> bool {
        false
    }

    /// Whether a URL that was found is to be fetched at all, as things stand.
    fn wants(&self, _url: UrlId, _known: &Known<'_>) -> bool {
        true
    }

    /// What it learnt last on the Web link graph, if it learns there.
    fn learnt(&self) -> Option<Learnt<'_>> {
        None
    }

    /// How far it is with learning on the Web link graph, if it learns there.
    fn learning(&self) -> Option<Learning> {
        let of = |learnt: Learnt<'_>| Learning {
            number: learnt.number,
            step: learnt.step,
            n_results: 0,
            next_at: 0,
        };
        self.learnt().map(of)
    }

    /// Names of what it keeps of URLs besides their scores, to be shown on them.
    fn keeps(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What it keeps of a URL by that name; nothing where it has none. `score` is its score.
    fn kept(&self, _name: &str, _url: UrlId, _score: f64, _known: &Known<'_>) -> Option<f64> {
        None
    }

    /// A number by which it learns, as it stands now, by its name in [`RATES`].
    fn rate(&self, _name: &str, _known: &Known<'_>) -> Option<f64> {
        None
    }

    /// A copy, for checkpoints.
    fn boxed(&self) -> Box<dyn Strategy>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize {
        0
    }
}

/// What an ordering learnt on the Web link graph G_w of document B, as it stands now.
#[derive(Clone, Copy)]
pub struct Learnt<'a> {
    /// How many times it has learnt; this is the latest.
    pub number: u32,
    /// After which step that was.
    pub step: u32,
    /// G_w as it was then.
    pub graph: &'a LinkGraph,
    /// Q-values, and in which sweep each came about.
    pub learned: &'a Learned,
    /// γ, rd and the like.
    pub settings: &'a Settings,
    /// What each vertex is, by number.
    pub vertices: &'a [LinkVertex],
}

/// How far an ordering is with learning on the Web link graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learning {
    /// How many times it has learnt.
    pub number: u32,
    /// After which step it did last; 0 before the first.
    pub step: u32,
    /// How many result pages it has.
    pub n_results: u32,
    /// With how many it learns next; 0 where it does not say.
    pub next_at: u32,
}

/// A vertex of G_w: a link, and the page it led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkVertex {
    /// The page.
    pub url: UrlId,
    /// The page on which the link was found, and its place among that page's links; none for a
    /// seed.
    pub found: Option<(UrlId, u32)>,
}

/// Of α, how much of what is new counts, and of δ, what a link takes off a distance.
pub const RATES: [&str; 2] = ["alpha", "delta"];

impl Clone for Box<dyn Strategy> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// The registry's entry of that name.
pub fn find(id: &str) -> Option<&'static StrategyEntry> {
    STRATEGIES.iter().copied().find(|s| s.entry.id == id)
}
