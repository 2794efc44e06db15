//! Shark search (Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim & Ur 1998): fish search in degrees.
//!
//! inherited(p → u) = δ·sim(p) where sim(p) > 0, else δ·inherited(p)
//! context(p → u) = 1 where sim(anchor) > 0, else sim(text around the link)
//! neighbourhood(p → u) = β·sim(anchor) + (1 − β)·context(p → u)
//! score(u) = max over fetched p → u of γ·inherited(p → u) + (1 − γ)·neighbourhood(p → u)
//!
//! sim is the cosine of the angle between the counts of a text's words and the weights of the topic's
//! dictionary (the authors use the vector space model as well). inherited(u) is the highest of those
//! of the links to u, 0 for a seed (ours). Depths are fish search's, with sim(p) > 0 for relevant.

use super::fish::{DEPTH, School};
use super::topical::{page_words, spoken};
use super::values::{Table, Values};
use super::{Needs, Strategy, StrategyEntry};
use crate::topic::{PIPELINE, Topic};
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;
use std::sync::Arc;

const PARAMS: &[Param] = &[
    Param::number("delta", 0.5, 0.0, 1.0, "δ: how much of a page's similarity its links inherit."),
    Param::number(
        "gamma",
        0.5,
        0.0,
        1.0,
        "γ: how much the inherited score counts; the neighbourhood counts 1 − γ.",
    ),
    Param::number(
        "beta",
        0.8,
        0.0,
        1.0,
        "β: how much the anchor counts in the neighbourhood; its context counts 1 − β.",
    ),
    DEPTH,
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "shark-search",
        "Shark search",
        EntryTexts {
            family: "Focused",
            source: "Hersovici et al. 1998, after De Bra & Post 1994 (beside D's fish search)",
            summary: "The URL with the best mixture of what its page passes on and its link says",
            description: "Fish search in degrees. A link inherits a part of how similar its page is \
                to the topic, or, where that is nothing, a part of what the page itself inherited; \
                to this comes how similar the link's own text is, and the text around it. \
                Similarity is the cosine with the topic's dictionary, for pages, anchors and \
                contexts alike. Depth works as in fish search, with any similarity at all for \
                relevant. A redirect passes on its own score, depth and inheritance, a URL found \
                on several pages keeps the highest of each, and seeds score 1 (ours).",
            formula: "score(u) = max over fetched p → u of γ·inherited + (1 − γ)·(β·anchor + (1 − β)·context)",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, given| {
        Box::new(SharkSearch {
            topic: given.topic(),
            delta: params.number("delta"),
            gamma: params.number("gamma"),
            beta: params.number("beta"),
            school: School::new(params.integer("depth")),
            inherited: Table::default(),
            passed: Vec::new(),
        })
    },
};

#[derive(Clone)]
struct SharkSearch {
    topic: Arc<Topic>,
    delta: f64,
    gamma: f64,
    beta: f64,
    school: School,
    /// The highest that a URL inherited so far.
    inherited: Table,
    /// What each page passed on, by fetch number counted from zero.
    passed: Vec<Passed>,
}

/// What the links of a page inherit, and of what that is a part.
#[derive(Clone, Copy, Default)]
struct Passed {
    whole: f64,
    is_own: bool,
}

/// What a link says of where it leads.
struct Said {
    anchor: Vec<String>,
    context: Vec<String>,
    by_anchor: f64,
    by_context: f64,
}

impl SharkSearch {
    fn sim(&self, words: &[String]) -> f64 {
        self.topic.dictionary().cosine(words)
    }

    fn said(&self, page: UrlId, place: usize, known: &Known<'_>) -> Said {
        let anchor = PIPELINE.words(known.anchor(page, place));
        let context = PIPELINE.words(known.context(page, place));
        let by_anchor = self.sim(&anchor);
        let by_context = if by_anchor > 0.0 { 1.0 } else { self.sim(&context) };
        Said { anchor, context, by_anchor, by_context }
    }

    fn potential(&self, page: UrlId, place: usize, inherited: f64, known: &Known<'_>) -> f64 {
        let said = self.said(page, place, known);
        let neighbourhood = self.beta * said.by_anchor + (1.0 - self.beta) * said.by_context;
        self.gamma * inherited + (1.0 - self.gamma) * neighbourhood
    }

    /// What a page had to pass on when it was fetched.
    fn passed_by(&self, page: UrlId, known: &Known<'_>) -> Passed {
        let number = known.fetch_number(page).unwrap_or(0) as usize;
        let at = number.checked_sub(1).and_then(|at| self.passed.get(at));
        at.copied().unwrap_or_default()
    }

    /// Passes lives and what is inherited on along links that a page shows.
    fn pass(&mut self, url: UrlId, places: Range<usize>, known: &Known<'_>) {
        let Passed { whole, is_own } = self.passed_by(url, known);
        // Where no topic says otherwise, every page is as relevant as any.
        let feeds = is_own || self.topic.dictionary().is_empty();
        self.school.lives.found(url, places.clone(), feeds, known);
        if known.follows(url) {
            let passed = if known.is_redirect(url) { whole } else { self.delta * whole };
            self.inherited.make_room(known.n_discovered());
            for link in known.links_at(url, places) {
                self.inherited.set(link, passed.max(self.inherited.get(link)));
            }
        }
    }

    fn explain_inherited(&self, page: UrlId, known: &Known<'_>) -> Explanation {
        let Passed { whole, is_own } = self.passed_by(page, known);
        let label = if is_own { "similarity of its page" } else { "what its page inherited" };
        let whole = Explanation::given(label, whole)
            .with(Evidence::Fetched(page))
            .with(spoken(&self.topic, &page_words(page, known)));
        let delta = Explanation::given("δ", self.delta);
        Explanation::of("inherited", Op::Product, vec![delta, whole])
    }

    fn explain_said(&self, page: UrlId, place: usize, known: &Known<'_>) -> Explanation {
        let said = self.said(page, place, known);
        let anchor = Explanation::given("similarity of its anchor", said.by_anchor)
            .with(spoken(&self.topic, &said.anchor));
        let context = if said.by_anchor > 0.0 {
            let note = "counts 1, since the anchor has words of the topic".to_owned();
            Explanation::given("its context", said.by_context).with(Evidence::Note(note))
        } else {
            Explanation::given("similarity of its context", said.by_context)
                .with(spoken(&self.topic, &said.context))
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

impl Strategy for SharkSearch {
    fn discovered(&mut self, url: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        School::discovered(url, so_far, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        let is_redirect = known.is_redirect(url);
        let sim = if is_redirect { 0.0 } else { self.sim(&page_words(url, known)) };
        let is_own = sim > 0.0;
        let whole = if is_own { sim } else { self.inherited.get(url) };
        self.passed.push(Passed { whole, is_own });
        self.school.best.came(url, known, scores);
        self.revisited(url, 0..known.links(url).len(), known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.pass(url, places.clone(), known);
        let inherited = self.delta * self.passed_by(url, known).whole;
        let potential = |place, _| self.potential(url, place, inherited, known);
        self.school.best.found(url, places, known, scores, potential);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page: UrlId, place: usize| {
            let inherited = weighed("γ", self.gamma, self.explain_inherited(page, known));
            let said = self.explain_said(page, place, known);
            let said = weighed("1 − γ", 1.0 - self.gamma, said);
            Explanation::of("potential score", Op::Sum, vec![inherited, said])
                .with(Evidence::Fetched(page))
        };
        self.school.explain(url, score, known, part)
    }

    fn gives_up(&self) -> bool {
        true
    }

    fn wants(&self, url: UrlId, known: &Known<'_>) -> bool {
        self.school.wants(url, known)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["inherited", "depth-left"]
    }

    fn kept(&self, name: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        if name == "inherited" {
            return Some(self.inherited.get(url));
        }
        Some(f64::from(self.school.lives.left(url, known)))
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        let passed = self.passed.capacity() * size_of::<Passed>();
        self.school.bytes() + self.inherited.bytes() + passed
    }
}
