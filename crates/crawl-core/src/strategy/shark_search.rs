//! Shark search (Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim & Ur 1998): fish search with graded
//! scores.
//!
//! inherited(p → u) = δ·sim(p) if sim(p) > 0, else δ·inherited(p)
//! context(p → u) = 1 if sim(anchor) > 0, else sim(text around the link)
//! neighbourhood(p → u) = β·sim(anchor) + (1 − β)·context(p → u)
//! score(u) = max over fetched p → u of γ·inherited(p → u) + (1 − γ)·neighbourhood(p → u)
//!
//! sim is the cosine between the word counts of a text and the weights of the topic's dictionary
//! (the authors also use the vector space model). inherited(u) is the highest of its links, 0 for a
//! seed (our choice). Depth is that of fish search, with sim(p) > 0 as "relevant".

use super::best_link::{BestLink, LinkWorth};
use super::fish::{DEPTH, RemainingDepth};
use super::topical::{page_words, spoken};
use super::values::{Table, Values};
use super::{Needs, StrategyEntry};
use crate::topic::{PIPELINE, Topic};
use crate::{Evidence, Explanation, Known, Op, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;
use std::sync::Arc;

const PARAMS: &[Param] = &[
    Param::number(
        "delta",
        0.5,
        0.0,
        1.0,
        "δ: share of a page's similarity that its links inherit.",
    ),
    Param::number(
        "gamma",
        0.5,
        0.0,
        1.0,
        "γ: weight of the inherited score; the neighbourhood has weight 1 − γ.",
    ),
    Param::number(
        "beta",
        0.8,
        0.0,
        1.0,
        "β: weight of the anchor in the neighbourhood; its context has weight 1 − β.",
    ),
    DEPTH,
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "shark-search",
        "Shark search",
        EntryTexts {
            family: "Focused",
            source: "Hersovici et al. 1998, after De Bra & Post 1994",
            summary: "The URL with the best mixture of inherited score and link text",
            description: "Fish search with graded scores. A link inherits a share of its page's \
                similarity to the topic or, if that is 0, a share of what the page itself inherited. \
                The similarity of the link's own text and of the text around it is added. Similarity \
                is the cosine with the topic's dictionary, for pages, anchors and contexts. Depth \
                works as in fish search, where any positive similarity counts as relevant. A \
                redirect passes on its own score, depth and inheritance, a URL found on several \
                pages keeps the highest of each, and seeds score 1 (our choice).",
            formula: "score(u) = max over fetched p → u of γ·inherited + (1 − γ)·(β·anchor + (1 − β)·context)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, context| {
        Box::new(BestLink::new(SharkSearch {
            topic: context.topic(),
            delta: params.number("delta"),
            gamma: params.number("gamma"),
            beta: params.number("beta"),
            depths: RemainingDepth::new(params.integer("depth")),
            inherited: Table::default(),
            passed: Vec::new(),
        }))
    },
};

#[derive(Clone)]
struct SharkSearch {
    topic: Arc<Topic>,
    delta: f64,
    gamma: f64,
    beta: f64,
    depths: RemainingDepth,
    /// Highest value that each URL inherited.
    inherited: Table,
    /// What each page passed on, by fetch number from 0.
    passed: Vec<Inheritance>,
}

/// What the links of a page inherit, before δ; `is_own` if it is the page's own similarity.
#[derive(Clone, Copy, Default)]
struct Inheritance {
    whole: f64,
    is_own: bool,
}

/// Words and similarities of a link's text.
struct LinkText {
    anchor: Vec<String>,
    context: Vec<String>,
    by_anchor: f64,
    by_context: f64,
}

impl SharkSearch {
    fn sim(&self, words: &[String]) -> f64 {
        self.topic.dictionary().cosine(words)
    }

    fn text(&self, page: UrlId, place: usize, known: &Known<'_>) -> LinkText {
        let anchor = PIPELINE.words(known.anchor(page, place));
        let context = PIPELINE.words(known.context(page, place));
        let by_anchor = self.sim(&anchor);
        let by_context = if by_anchor > 0.0 { 1.0 } else { self.sim(&context) };
        LinkText { anchor, context, by_anchor, by_context }
    }

    fn potential(&self, page: UrlId, place: usize, inherited: f64, known: &Known<'_>) -> f64 {
        let text = self.text(page, place, known);
        let neighbourhood = self.beta * text.by_anchor + (1.0 - self.beta) * text.by_context;
        self.gamma * inherited + (1.0 - self.gamma) * neighbourhood
    }

    /// What a page had to pass on when it was fetched.
    fn passed_by(&self, page: UrlId, known: &Known<'_>) -> Inheritance {
        let number = known.fetch_number(page).unwrap_or(0) as usize;
        let at = number.checked_sub(1).and_then(|at| self.passed.get(at));
        at.copied().unwrap_or_default()
    }

    /// Passes remaining depth and inheritance along links of a page.
    fn pass(&mut self, url: UrlId, places: Range<usize>, known: &Known<'_>) {
        let Inheritance { whole, is_own } = self.passed_by(url, known);
        // Without a topic, every page counts as relevant.
        let feeds = is_own || self.topic.dictionary().is_empty();
        self.depths.found(url, places.clone(), feeds, known);
        if known.follows(url) {
            let passed = if known.is_redirect(url) { whole } else { self.delta * whole };
            self.inherited.make_room(known.n_discovered());
            for link in known.links_at(url, places) {
                self.inherited.set(link, passed.max(self.inherited.get(link)));
            }
        }
    }

    fn explain_inherited(&self, page: UrlId, known: &Known<'_>) -> Explanation {
        let Inheritance { whole, is_own } = self.passed_by(page, known);
        let label = if is_own { "similarity of its page" } else { "what its page inherited" };
        let whole = Explanation::given(label, whole)
            .with(Evidence::Fetched(page))
            .with(spoken(&self.topic, &page_words(page, known)));
        let delta = Explanation::given("δ", self.delta);
        Explanation::of("inherited", Op::Product, vec![delta, whole])
    }

    fn explain_text(&self, page: UrlId, place: usize, known: &Known<'_>) -> Explanation {
        let text = self.text(page, place, known);
        let anchor = Explanation::given("similarity of its anchor", text.by_anchor)
            .with(spoken(&self.topic, &text.anchor));
        let context = if text.by_anchor > 0.0 {
            let note = "counts 1, because the anchor has words of the topic".to_owned();
            Explanation::given("its context", text.by_context).with(Evidence::Note(note))
        } else {
            Explanation::given("similarity of its context", text.by_context)
                .with(spoken(&self.topic, &text.context))
        };
        let parts =
            vec![weighed("β", self.beta, anchor), weighed("1 − β", 1.0 - self.beta, context)];
        Explanation::of("neighbourhood", Op::Sum, parts)
    }
}

fn weighed(name: &str, weight: f64, what: Explanation) -> Explanation {
    let label = format!("{name} of: {}", what.label);
    Explanation::of(label, Op::Product, vec![Explanation::given(name, weight), what])
}

impl LinkWorth for SharkSearch {
    const STORED: &'static [&'static str] = &["inherited", "depth-left"];

    fn worth(&self, page: UrlId, place: usize, _: UrlId, known: &Known<'_>) -> f64 {
        let inherited = self.delta * self.passed_by(page, known).whole;
        self.potential(page, place, inherited, known)
    }

    fn explain(&self, page: UrlId, place: usize, _: UrlId, known: &Known<'_>) -> Explanation {
        let inherited = weighed("γ", self.gamma, self.explain_inherited(page, known));
        let text = self.explain_text(page, place, known);
        let text = weighed("1 − γ", 1.0 - self.gamma, text);
        Explanation::of("potential score", Op::Sum, vec![inherited, text])
            .with(Evidence::Fetched(page))
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>) {
        let is_redirect = known.is_redirect(url);
        let sim = if is_redirect { 0.0 } else { self.sim(&page_words(url, known)) };
        let is_own = sim > 0.0;
        let whole = if is_own { sim } else { self.inherited.get(url) };
        self.passed.push(Inheritance { whole, is_own });
    }

    fn shown(&mut self, url: UrlId, places: Range<usize>, known: &Known<'_>) {
        self.pass(url, places, known);
    }

    fn depths(&self) -> Option<&RemainingDepth> {
        Some(&self.depths)
    }

    fn stored(&self, name: &str, url: UrlId, known: &Known<'_>) -> Option<f64> {
        if name == "inherited" {
            return Some(self.inherited.get(url));
        }
        Some(f64::from(self.depths.left(url, known)))
    }

    fn bytes(&self) -> usize {
        let passed = self.passed.capacity() * size_of::<Inheritance>();
        self.depths.bytes() + self.inherited.bytes() + passed
    }
}
