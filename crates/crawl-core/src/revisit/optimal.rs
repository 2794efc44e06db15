//! The best fixed schedule (Cho & Garcia-Molina 2000), solved exactly by `crawl-refresh`.
//!
//! With true rates it is solved when pages are added or removed; with estimates also after as many
//! visits as there are pages. In between, a page whose estimate changed gets the rate that follows
//! from the multiplier μ of the last solution. Other pages keep the rate of the solution, since μ
//! alone does not determine the rates of pages that are barely worth a visit.
//!
//! Estimates need visits: a share of the budget, `explore`, is spread evenly over all pages, since
//! a page without visits would never get a better estimate (our choice).

use super::{
    ESTIMATOR, KNOWS, NextVisit, PageWeights, Policy, PolicyEntry, PolicyNeeds, PolicyView,
    RateSource, explain_interval, knows_rates,
};
use crate::prefetch::touch;
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
        "Objective: maximum freshness or minimum age. For age, every page that changes gets visits.",
    ),
    Param::choice(
        "weights",
        "none",
        &[Cow::Borrowed("none"), Cow::Borrowed("importance"), Cow::Borrowed("clicks")],
        "Weight of each page: 1, its true PageRank (which makes it an oracle), or its clicks.",
    ),
    KNOWS,
    ESTIMATOR,
    Param::number(
        "explore",
        0.1,
        0.0,
        1.0,
        "Share of the budget that is spread evenly over all pages. Only with knows:estimates.",
    ),
];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "optimal",
        "Optimal",
        EntryTexts {
            family: "Fixed rates",
            source: "Cho & Garcia-Molina 2000 and 2003",
            summary: "Maximum freshness; pages that change too fast get no visits",
            description: "Maximises the sum of freshness, or minimises the sum of age, over all \
                schedules of evenly spaced visits, for the given change rates. For freshness, the \
                visit rate first rises with the change rate and then falls to 0: a page that changes \
                too fast is not worth a visit. It is optimal only among fixed schedules with known \
                rates.",
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
        let by = RateSource::new(params);
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
    by: RateSource,
    explore: f64,
    /// μ of the last solution.
    multiplier: f64,
    n_planned: usize,
    /// Change rate used by the last solution and resulting visit rate, by URL.
    pages: Vec<Solved>,
}

#[derive(Clone, Copy)]
struct Solved {
    rate: f64,
    per_h: f64,
}

/// A page that was in no solution.
const UNSOLVED: Solved = Solved { rate: -1.0, per_h: 0.0 };

impl Optimal {
    fn rate(&self, url: UrlId, at: &PolicyView<'_>) -> Rate {
        let rate = at.rate(url).unwrap_or(1.0);
        let rate = if rate > 0.0 { rate.clamp(1e-50, 1e50) } else { 0.0 };
        Rate::new(rate).unwrap_or(Rate::ZERO)
    }

    fn weight(url: UrlId, at: &PolicyView<'_>) -> f64 {
        let weight = at.weight(url);
        if weight > 0.0 { weight.clamp(1e-50, 1e50) } else { 0.0 }
    }

    /// Exploration rate of every page, in visits per hour.
    fn explored(&self, at: &PolicyView<'_>) -> f64 {
        self.explore * at.budget / at.pages.len().max(1) as f64
    }

    /// Visit rate of a page by the last solution.
    fn solved(&self, url: UrlId, at: &PolicyView<'_>) -> f64 {
        let solved = self.pages.get(url.index()).copied().unwrap_or(UNSOLVED);
        // True rates do not change.
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

    fn per_h(&self, url: UrlId, at: &PolicyView<'_>) -> f64 {
        (1.0 - self.explore) * self.solved(url, at) + self.explored(at)
    }
}

impl Policy for Optimal {
    fn wanted(&mut self, url: UrlId, at: &PolicyView<'_>) -> Option<NextVisit> {
        let per_h = self.per_h(url, at);
        (per_h > 0.0).then(|| NextVisit::every(1.0 / per_h))
    }

    fn plan(&mut self, at: &PolicyView<'_>) -> bool {
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

    fn explain(&self, url: UrlId, in_h: f64, at: &PolicyView<'_>) -> Explanation {
        let weight = Self::weight(url, at);
        let rate = at.explain_rate(url);
        let worth = weight / rate.value;
        let mut notes = vec![Evidence::Note(format!("{} = {:.6}", rate.label, rate.value))];
        notes.extend(rate.evidence);
        let verdict = match self.goal {
            Goal::Freshness if worth <= self.multiplier => "not more, so it gets no visits",
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
        let explored = Explanation::given("for exploration, as for all pages", self.explored(at));
        let sum = Explanation::of("visits per hour", Op::Sum, vec![exploited, explored]);
        explain_interval("one visit", sum, in_h)
    }

    fn prefetch(&self, url: UrlId) {
        touch(self.pages.get(url.index()).map(|solved| solved.rate));
    }

    fn rate_source(&self) -> RateSource {
        self.by
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Solved>()
    }
}
