//! The best of all fixed schedules (Cho & Garcia-Molina 2000), solved exactly by `crawl-refresh`.
//!
//! With true rates it is solved when pages come in or go; with estimates also when every page was
//! visited once more on average. In between a page whose estimate has changed gets what the multiplier
//! of the last solution gives it. Others get what the solution gave them: the multiplier alone does not
//! say that of pages that are barely worth a visit.
//! Estimates need visits: a share of the budget, `explore`, goes to all pages alike, since a page that
//! gets none would never be known better (ours).

use super::{
    At, ESTIMATOR, GoesBy, KNOWS, PageWeights, Policy, PolicyEntry, PolicyNeeds, Wanted,
    hours_wanted, knows_rates,
};
use crate::ahead::look_at;
use crate::{Evidence, Explanation, Op, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use crawl_refresh::Rate;
use crawl_refresh::allocate::{self, Goal, Weights};
use std::borrow::Cow;

const PARAMS: &[Param] = &[
    Param::choice(
        "for",
        "freshness",
        &[Cow::Borrowed("freshness"), Cow::Borrowed("age")],
        "What is to be as good as can be. For age every page that changes gets visits.",
    ),
    Param::choice(
        "weights",
        "none",
        &[Cow::Borrowed("none"), Cow::Borrowed("importance"), Cow::Borrowed("clicks")],
        "What pages count for: all the same, their true PageRank (which makes it an oracle), or the clicks on them.",
    ),
    KNOWS,
    ESTIMATOR,
    Param::number(
        "explore",
        0.1,
        0.0,
        1.0,
        "The share of the budget that goes to all pages alike; it counts only with knows:estimates.",
    ),
];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "optimal",
        "Optimal",
        EntryTexts {
            family: "Fixed rates",
            source: "Cho & Garcia-Molina 2000 and 2003",
            summary: "The visits that keep copies freshest, pages that change too fast left out",
            description: "Maximises the sum of freshness, or minimises that of age, over all \
                schedules of evenly spaced visits, for the rates it goes by. For freshness visits \
                rise with the rate and then fall again, to none at all: what changes faster than \
                one can follow is not worth a visit. Nothing more is claimed than that: it is the \
                best of fixed schedules with known rates.",
            formula: "max Σ w·F(λ, f) under Σ f = B;  w·∂F/∂f = μ, and f = 0 where w ÷ λ ≤ μ",
            params: PARAMS,
        },
    ),
    needs: |params| PolicyNeeds {
        rates: knows_rates(params),
        weights: match params.text("weights") {
            "importance" => PageWeights::Importance,
            "clicks" => PageWeights::Clicks,
            _ => PageWeights::Equal,
        },
        ..PolicyNeeds::default()
    },
    build: |params| {
        let by = GoesBy::new(params);
        Box::new(Optimal {
            goal: if params.text("for") == "age" { Goal::Age } else { Goal::Freshness },
            by,
            explore: if by.knows { 0.0 } else { params.number("explore") },
            multiplier: f64::INFINITY,
            n_planned: 0,
            pages: Vec::new(),
        })
    },
};

#[derive(Clone)]
struct Optimal {
    goal: Goal,
    by: GoesBy,
    explore: f64,
    /// μ of the last solution.
    multiplier: f64,
    n_planned: usize,
    /// The rate that the last solution went by and the visits it gave, by URL.
    pages: Vec<Solved>,
}

#[derive(Clone, Copy)]
struct Solved {
    rate: f64,
    per_h: f64,
}

/// Of a page that was in no solution.
const UNSOLVED: Solved = Solved { rate: -1.0, per_h: 0.0 };

impl Optimal {
    fn rate(&self, url: UrlId, at: &At<'_>) -> Rate {
        let rate = at.rate(url).unwrap_or(1.0);
        let rate = if rate > 0.0 { rate.clamp(1e-50, 1e50) } else { 0.0 };
        Rate::new(rate).unwrap_or(Rate::ZERO)
    }

    fn weight(url: UrlId, at: &At<'_>) -> f64 {
        let weight = at.weight(url);
        if weight > 0.0 { weight.clamp(1e-50, 1e50) } else { 0.0 }
    }

    /// What every page gets so that it can be known.
    fn explored(&self, at: &At<'_>) -> f64 {
        self.explore * at.budget / at.pages.len().max(1) as f64
    }

    /// What the solution gives a page.
    fn solved(&self, url: UrlId, at: &At<'_>) -> f64 {
        let solved = self.pages.get(url.index()).copied().unwrap_or(UNSOLVED);
        // True rates stay what they were.
        if self.by.knows && solved.rate >= 0.0 {
            return solved.per_h;
        }
        let (rate, weight) = (self.rate(url, at), Self::weight(url, at));
        if solved.rate == rate.get() {
            return solved.per_h;
        }
        if !self.multiplier.is_finite() || self.multiplier <= 0.0 {
            return 0.0;
        }
        allocate::visits_at(self.goal, rate, weight, self.multiplier).map_or(0.0, Rate::get)
    }

    fn per_h(&self, url: UrlId, at: &At<'_>) -> f64 {
        (1.0 - self.explore) * self.solved(url, at) + self.explored(at)
    }
}

impl Policy for Optimal {
    fn wanted(&mut self, url: UrlId, at: &At<'_>) -> Option<Wanted> {
        let per_h = self.per_h(url, at);
        (per_h > 0.0).then(|| Wanted::every(1.0 / per_h))
    }

    fn plan(&mut self, at: &At<'_>) -> bool {
        if self.by.knows && at.pages.len() == self.n_planned {
            return false;
        }
        self.n_planned = at.pages.len();
        let rates: Vec<Rate> = at.pages.iter().map(|url| self.rate(*url, at)).collect();
        let weights: Vec<f64> = at.pages.iter().map(|url| Self::weight(*url, at)).collect();
        let Ok(budget) = Rate::new(at.budget) else { return false };
        let best = allocate::optimal(self.goal, &rates, Weights::Each(&weights), budget);
        self.pages.fill(UNSOLVED);
        let Ok(best) = best else {
            self.multiplier = f64::INFINITY;
            return true;
        };
        self.multiplier = best.multiplier;
        for ((url, rate), visits) in at.pages.iter().zip(&rates).zip(&best.visits) {
            if url.index() >= self.pages.len() {
                self.pages.resize(url.index() + 1, UNSOLVED);
            }
            self.pages[url.index()] = Solved { rate: rate.get(), per_h: visits.get() };
        }
        true
    }

    fn explain(&self, url: UrlId, in_h: f64, at: &At<'_>) -> Explanation {
        let weight = Self::weight(url, at);
        let rate = at.explain_rate(url);
        let worth = weight / rate.value;
        let mut notes = vec![Evidence::Note(format!("{} = {:.6}", rate.label, rate.value))];
        notes.extend(rate.evidence);
        let verdict = match self.goal {
            Goal::Freshness if worth <= self.multiplier => "not more, so it gets none",
            _ => "more, so it gets visits until one more is worth μ",
        };
        notes.push(Evidence::Note(format!(
            "its first visit is worth w ÷ λ = {worth:.6}; one visit is worth μ = {:.6}: {verdict}",
            self.multiplier
        )));
        let mut solved = Explanation::given("f of the optimum", self.solved(url, at));
        solved.evidence = notes;
        if !in_h.is_finite() {
            solved.value = in_h;
            return solved;
        }
        let exploited = Explanation::of(
            "its part of the budget",
            Op::Product,
            vec![Explanation::given("1 − explore", 1.0 - self.explore), solved],
        );
        let explored = Explanation::given("for exploring, as all pages", self.explored(at));
        let sum = Explanation::of("visits an hour", Op::Sum, vec![exploited, explored]);
        hours_wanted("one visit", sum, in_h)
    }

    fn look_at(&self, url: UrlId) {
        look_at(self.pages.get(url.index()).map(|solved| solved.rate));
    }

    fn goes_by(&self) -> GoesBy {
        self.by
    }

    fn boxed(&self) -> Box<dyn Policy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Solved>()
    }
}
