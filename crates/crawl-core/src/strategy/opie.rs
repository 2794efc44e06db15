//! OPIE (Guan, Wang, Chen, Bu & Wang 2008, where it is called OTIE): OPIC biased towards the topic.
//!
//! relevance(p → u) = w·P(topic | the link's context) + (1 − w)·P(topic | p)
//! cash(u) = 1/|seeds| [u a seed] + Σ over fetched p → u of P(topic | p) · cash(p) · relevance(p → u) ÷
//! Σ over the links of p
//!
//! Zhang, Li, Yu & Zhang 2010 (reference 9) say that it resembles their eq. 10 in two ways: the
//! topic of a page counts for its links, and within a page more similar links get more. Hence the
//! factor P(topic | p), with `fades`. Without it, a page off the topic passes on all its cash, and
//! the order is OPIC's wherever links say nothing.
//!
//! Our choices: a page without relevant links shares equally; links that leave the snapshot, whose
//! text is unknown, get the mean of the page's other links; the anchor is part of the context; a
//! redirect passes on everything. Cash of a page whose links are not followed leaves the crawl.

use super::flow::{AfterFetch, Flow};
use super::topical::{explain_relevance, relevance, spoken};
use super::{Needs, Strategy, StrategyEntry};
use crate::topic::{PIPELINE, Topic};
use crate::{Explanation, Known, Op, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;
use std::sync::Arc;

const PARAMS: &[Param] = &[
    Param::number(
        "weight",
        0.8,
        0.0,
        1.0,
        "w: weight of a link's context in its relevance (our choice); its page has weight 1 − w.",
    ),
    Param::flag(
        "fades",
        true,
        "A page passes on only P(topic | page) of its cash; the rest leaves the crawl. After Zhang, Li, \
         Yu & Zhang 2010: in this strategy, too, the topic of a page counts for its links.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "opie",
        "OPIE",
        EntryTexts {
            family: "Focused",
            source: "Guan, Wang, Chen, Bu & Wang 2008; Zhang, Li, Yu & Zhang 2010, reference 9",
            summary: "The richest URL, where links about the topic get more cash",
            description: "OPIC with a bias: a fetched page shares its cash in proportion to the \
                relevance of each link, a mixture of the text around the link, including its \
                anchor, and the topic of its page. It passes on only the share P(topic | page) of \
                its cash. So cash accumulates where links about the topic lead. If no link is \
                relevant, cash is shared equally; links that leave the snapshot get an equal share \
                (our choice). Cash of a page without links, or whose links are not followed, \
                leaves the crawl.",
            formula: "cash(u) = 1/|seeds| [u a seed] + Σ over fetched p → u of P(topic | p) · cash(p) · \
                relevance(p → u) ÷ Σ relevance of p's links",
            params: PARAMS,
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |params, context| {
        let (weight, fades) = (params.number("weight"), params.flag("fades"));
        Box::new(Opie { topic: context.topic(), weight, fades, cash: Flow::default() })
    },
};

#[derive(Clone)]
struct Opie {
    topic: Arc<Topic>,
    weight: f64,
    fades: bool,
    cash: Flow,
}

impl Opie {
    /// The words of a link's anchor and context.
    fn words(page: UrlId, place: usize, known: &Known<'_>) -> Vec<String> {
        let mut words = PIPELINE.words(known.anchor(page, place));
        words.extend(PIPELINE.words(known.context(page, place)));
        words
    }

    fn of_context(&self, page: UrlId, place: usize, known: &Known<'_>) -> f64 {
        self.topic.of_text(&Self::words(page, place, known)).p
    }

    /// Relevance of each link of a page.
    fn relevances(&self, page: UrlId, known: &Known<'_>) -> Vec<f64> {
        let of_page = relevance(page, known);
        let of_link = |place| {
            self.weight * self.of_context(page, place, known) + (1.0 - self.weight) * of_page
        };
        (0..known.links(page).len()).map(of_link).collect()
    }

    /// Share of its cash that a page passes on; 1 for redirects.
    fn part(&self, page: UrlId, known: &Known<'_>) -> f64 {
        let fades = self.fades && !known.is_redirect(page);
        if fades { relevance(page, known) } else { 1.0 }
    }

    /// Explains the factor of a link's share relative to an equal share.
    fn explain_factor(&self, page: UrlId, place: usize, known: &Known<'_>) -> Explanation {
        let relevances = self.relevances(page, known);
        let mean = mean(&relevances);
        if mean == 0.0 {
            return Explanation::given("no link of the page is relevant: equal shares", 1.0);
        }
        let words = Self::words(page, place, known);
        let context = self.of_context(page, place, known);
        let context =
            Explanation::given("P(topic | context)", context).with(spoken(&self.topic, &words));
        let weighed = |label: &str, weight: f64, what: Explanation| {
            Explanation::of(
                label,
                Op::Product,
                vec![Explanation::given("its weight", weight), what],
            )
        };
        let parts = vec![
            weighed("by its context", self.weight, context),
            weighed("by its page", 1.0 - self.weight, explain_relevance(&self.topic, page, known)),
        ];
        let own = Explanation::of("relevance of the link", Op::Sum, parts);
        let mean = Explanation::given("mean relevance of the page's links", mean);
        Explanation::of("relative to the page's other links", Op::Quotient, vec![own, mean])
    }
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// Factor of each link's share relative to an equal share.
fn factors(mut relevances: Vec<f64>) -> Vec<f64> {
    let mean = mean(&relevances);
    let factor = |relevance: f64| if mean > 0.0 { relevance / mean } else { 1.0 };
    relevances.iter_mut().for_each(|value| *value = factor(*value));
    relevances
}

impl Strategy for Opie {
    fn discovered(&mut self, _: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        self.cash.discovered(so_far, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        if !known.follows(url) {
            self.cash.withheld(url, scores);
            return;
        }
        let factors = factors(self.relevances(url, known));
        let part = self.part(url, known);
        self.cash.fetched_in_parts(url, known, scores, part, &factors);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        if !known.follows(url) {
            // Cash that arrived is lost, as at its fetch.
            scores.set(url, 0.0);
            return;
        }
        let relevances = self.relevances(url, known);
        let before = factors(relevances[..relevances.len() - places.len()].to_vec());
        let (part, now) = (self.part(url, known), factors(relevances));
        self.cash.revisited_in_parts(url, places, known, scores, part, [&before, &now]);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page: UrlId, share: Explanation| {
            let place = known.links(page).position(|link| link == url).unwrap_or(0);
            let evidence = share.evidence.clone();
            let factor = self.explain_factor(page, place, known);
            let label = "from a page, by relevance";
            let mut part = Explanation::of(label, Op::Product, vec![share, factor]);
            part.evidence = evidence;
            part
        };
        self.cash.explain_in_parts(url, score, known, "cash", AfterFetch::StartsAnew, part)
    }

    fn keeps(&self) -> Vec<&'static str> {
        Flow::keeps()
    }

    fn kept(&self, name: &str, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        self.cash.kept(name, url, score, known)
    }

    fn bytes(&self) -> usize {
        self.cash.bytes()
    }
}
