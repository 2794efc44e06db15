//! Weighted mixture of two strategies (not in the papers).
//!
//! score(u) = w·a(u) ÷ A + (1 − w)·b(u) ÷ B, where a(u) and b(u) are the scores of the two strategies,
//! and A and B the largest absolute scores that each gave to a waiting URL, up to the previous fetch.
//! Both strategies keep their own scores of all URLs, as if each were alone.

use super::{Learnt, Needs, Strategy, StrategyContext, StrategyEntry, find};
use crate::formula::LIMIT;
use crate::{Explanation, Frontier, Known, Op, Scores, UrlId, Work};
use crawl_catalogue::{Chosen, Entry, EntryTexts, Kind, Param, Params};
use std::ops::Range;

const PARAMS: &[Param] = &[
    Param::entry("a", Kind::Strategy, "opic", "The first strategy."),
    Param::entry("b", Kind::Strategy, "backlink-count", "The second strategy."),
    Param::number(
        "weight",
        0.5,
        0.0,
        1.0,
        "w: weight of the first strategy; the second has weight 1 − w.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "combined",
        "Combined",
        EntryTexts {
            family: "Your own",
            source: "(ours)",
            summary: "A weighted mixture of two strategies",
            description: "Both strategies score every URL as if each were alone; the score is the \
                weighted sum. Since scales differ (one may count links, the other share cash), each \
                score is first divided by the largest absolute score given to a waiting URL so far. \
                If both need true ranks, both get those of the first. When the largest score \
                grows, all waiting URLs are scored again, which is slow for strategies that number \
                URLs, such as breadth-first.",
            formula: "score(u) = w·a(u) ÷ max|a| + (1 − w)·b(u) ÷ max|b|",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let needs = |key: &str| {
            let chosen = params.entry(key);
            let needs = chosen.and_then(|c| Some((find(&c.id)?.needs)(&c.params)));
            needs.unwrap_or_default()
        };
        let (a, b) = (needs("a"), needs("b"));
        let topic = a.topic || b.topic;
        let (truth, ranker) = (a.truth.or(b.truth), a.ranker.or(b.ranker));
        // All waiting URLs are scored again whenever the largest score grows.
        let again = Work { scans_per_fetch: 1.0, ..Work::default() };
        let work = a.work.plus(b.work).plus(again);
        Needs { truth, pasts: [a.pasts, b.pasts].concat(), topic, ranker, work }
    },
    build: |params, context| {
        let weight = params.number("weight");
        Box::new(Combined {
            sides: [
                Side::new(params, "a", weight, context),
                Side::new(params, "b", 1.0 - weight, context),
            ],
        })
    },
};

#[derive(Clone)]
struct Combined {
    sides: [Side; 2],
}

/// One of the two strategies, with its own scores.
#[derive(Clone)]
struct Side {
    name: String,
    weight: f64,
    strategy: Box<dyn Strategy>,
    scores: Frontier,
    /// Largest absolute score in use, and the largest seen since.
    most: f64,
    newest: f64,
}

impl Side {
    fn new(params: &Params, key: &str, weight: f64, context: &StrategyContext) -> Self {
        let chosen: Option<&Chosen> = params.entry(key);
        let built = chosen.and_then(|c| Some((find(&c.id)?.build)(&c.params, context)));
        Self {
            name: chosen.map(ToString::to_string).unwrap_or_default(),
            weight,
            // The catalogue has checked that there is such an entry.
            strategy: built.unwrap_or_else(|| Box::new(super::omniscient::Omniscient)),
            scores: Frontier::default(),
            most: 0.0,
            newest: 0.0,
        }
    }

    /// Lets the strategy update its own scores; returns true if scores of other URLs than the
    /// page's links changed.
    fn tell(
        &mut self,
        known: &Known<'_>,
        outer: &Scores<'_>,
        tell: impl FnOnce(&mut dyn Strategy, &mut Scores<'_>),
    ) -> bool {
        self.scores.make_room(known.n_discovered());
        let n_before = self.scores.n_set_all();
        let (step, by) = (outer.step, outer.by);
        let mut scores = Scores { frontier: &mut self.scores, watch: &mut None, step, by };
        tell(&mut *self.strategy, &mut scores);
        self.scores.n_set_all() != n_before || self.strategy.changes_others()
    }

    /// Updates the largest score with those of some waiting URLs; returns true if it grew.
    fn grows(&mut self, urls: impl Iterator<Item = UrlId>) -> bool {
        let waiting = urls.filter(|url| self.scores.contains(*url));
        let scores = waiting.map(|url| size(self.scores.score(url)));
        let most = scores.fold(self.most.max(self.newest), f64::max);
        std::mem::replace(&mut self.most, most) < most
    }

    fn scale(&self) -> f64 {
        if self.most > 0.0 { self.most } else { 1.0 }
    }

    fn part(&self, url: UrlId) -> f64 {
        self.weight * (self.scores.score(url) / self.scale())
    }
}

/// Absolute value of a score; 0 for the clamped score of an undefined formula.
fn size(score: f64) -> f64 {
    if score.abs() < LIMIT { score.abs() } else { 0.0 }
}

/// Calls a strategy with access to its scores.
type Tell<'a> = dyn FnMut(&mut dyn Strategy, &mut Scores<'_>) + 'a;

impl Combined {
    /// Reports a fetch or visit to both strategies and mixes their scores.
    fn tell(
        &mut self,
        url: UrlId,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
        tell: &mut Tell<'_>,
    ) {
        let mut all = false;
        for side in &mut self.sides {
            let others = side.tell(known, scores, &mut *tell);
            all |= others;
            all |= if others {
                let waiting: Vec<UrlId> = side.scores.waiting().collect();
                side.grows(waiting.into_iter())
            } else {
                side.grows(known.links(url))
            };
        }
        if all {
            scores.set_all(|url| self.score(url));
        }
        for link in known.links(url) {
            scores.set(link, self.score(link));
        }
    }

    fn score(&self, url: UrlId) -> f64 {
        self.sides[0].part(url) + self.sides[1].part(url)
    }
}

impl Strategy for Combined {
    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        for side in &mut self.sides {
            side.scores.make_room(known.n_discovered());
            let score = side.strategy.discovered(url, side.scores.score(url), known);
            side.scores.push(url, score, None);
            side.newest = side.newest.max(size(score));
        }
        self.score(url)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        self.sides.iter_mut().for_each(|side| side.scores.remove(url));
        self.tell(url, known, scores, &mut |strategy, own| strategy.fetched(url, known, own));
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.tell(url, known, scores, &mut |strategy, own| {
            strategy.revisited(url, places.clone(), known, own);
        });
    }

    fn found_nearer(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        for side in &mut self.sides {
            side.tell(known, scores, |strategy, own| strategy.found_nearer(url, known, own));
        }
        scores.set(url, self.score(url));
    }

    fn changes_others(&self) -> bool {
        true
    }

    /// A URL is given up only if both strategies give it up.
    fn gives_up(&self) -> bool {
        self.sides.iter().all(|side| side.strategy.gives_up())
    }

    fn wants(&self, url: UrlId, known: &Known<'_>) -> bool {
        self.sides.iter().any(|side| side.strategy.wants(url, known))
    }

    fn learnt(&self) -> Option<Learnt<'_>> {
        self.sides.iter().find_map(|side| side.strategy.learnt())
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |side: &Side| {
            let own = side.strategy.explain(url, side.scores.score(url), known);
            let most = Explanation::given("its largest score so far", side.scale());
            let share = Explanation::of(side.name.clone(), Op::Quotient, vec![own, most]);
            let weight = Explanation::given("its weight", side.weight);
            Explanation::of("part", Op::Product, vec![weight, share]).valued(side.part(url))
        };
        Explanation::of("both", Op::Sum, self.sides.iter().map(part).collect()).valued(score)
    }

    fn keeps(&self) -> Vec<&'static str> {
        let [a, b] = &self.sides;
        let mut names = a.strategy.keeps();
        names.extend(
            b.strategy.keeps().into_iter().filter(|name| !a.strategy.keeps().contains(name)),
        );
        names
    }

    fn kept(&self, name: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        let side = self.sides.iter().find(|side| side.strategy.keeps().contains(&name))?;
        side.strategy.kept(name, url, side.scores.score(url), known)
    }

    fn rate(&self, name: &str, known: &Known<'_>) -> Option<f64> {
        self.sides.iter().find_map(|side| side.strategy.rate(name, known))
    }

    fn bytes(&self) -> usize {
        self.sides.iter().map(|side| side.strategy.bytes() + side.scores.bytes()).sum()
    }
}
