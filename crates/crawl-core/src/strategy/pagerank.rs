//! PageRank of what is known so far (Cho, Garcia-Molina & Page 1998).
//!
//! Every `every` fetches PageRank R is computed over all known pages, where only fetched pages have
//! links. A URL scores what its fetched parents pass on,
//!
//! score(u) = Σ over fetched p → u of damping · R(p) ÷ O(p)
//!
//! which is R(u) at that moment but for the base that teleports and pages without links give every
//! page alike. A page fetched since the last computation passes on the rank it had then, if it was
//! known, and what came to it after that; links that a page shows at a later visit have as much of what
//! it has by then as they would, had it been fetched then.

use super::later::Passed;
use super::{Needs, Strategy, StrategyEntry};
use crate::ranker::pagerank::Warm;
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId, Work};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;

const PARAMS: &[Param] = &[
    Param::integer("every", 100, 1, 1_000_000, "Fetches between two computations."),
    Param::number(
        "damping",
        0.85,
        0.0,
        0.999,
        "Share of a page's rank that follows its links; the rest goes anywhere.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "pagerank",
        "PageRank so far",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013 (A); Cho, Garcia-Molina & Page 1998",
            summary: "The URL of highest PageRank in what is known so far",
            description: "Every so many fetches, PageRank is computed over all pages known by \
                then; URLs not fetched yet have no links, so their rank is spread evenly over \
                all. Each computation starts from the last one's result. Between two of them a \
                URL gains what newly fetched pages pass on to it. The score leaves out what \
                every page has alike, so that URLs found since compare with those ranked. On a small part of the web \
                PageRank can mislead: early on it sees little more than the site it started on.",
            formula: "score(u) = Σ over fetched p → u of damping · R(p) ÷ O(p)",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let damping = params.number("damping");
        let sweeps = Warm::sweeps(damping) / f64::from(params.integer("every"));
        Needs::near(format!("pagerank(damping:{damping})"))
            .working(Work { sweeps_per_fetch: sweeps, ..Work::default() })
    },
    build: |params, _| {
        let damping = params.number("damping");
        Box::new(PageRank {
            every: params.integer("every"),
            damping,
            passed: Passed::default(),
            base: 0.0,
            n_ranked: 0,
            n_fetched: 0,
            warm: Warm::new(damping),
        })
    },
};

#[derive(Clone)]
struct PageRank {
    every: u32,
    damping: f64,
    /// What each fetched page passes along each of its links, and among how many.
    passed: Passed<(f64, u32)>,
    /// What every page has without a link to it, at the last computation.
    base: f64,
    /// How many URLs, and how many fetched pages, the last computation knew.
    n_ranked: u32,
    n_fetched: usize,
    warm: Warm,
}

impl PageRank {
    /// What a page passes along each of its links when it is fetched or visited now.
    fn share(&self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) -> ((f64, u32), f64) {
        let base = if url.0 < self.n_ranked { self.base } else { 0.0 };
        let degree = known.out_degree(url);
        let share = match degree {
            0 => 0.0,
            degree => self.damping * (base + scores.get(url)) / f64::from(degree),
        };
        ((share, degree), share)
    }

    fn refresh(&mut self, known: &Known<'_>, scores: &mut Scores<'_>) {
        if self.passed.has_grown() {
            // Ranks go on from the last ones only where links were added by fetches.
            (self.warm, self.n_fetched) = (Warm::new(self.damping), 0);
        }
        for page in &known.order()[self.n_fetched..] {
            let links = known.links(*page).map(|link| link.0);
            self.warm.fetched(page.0, known.out_degree(*page), links);
        }
        self.n_fetched = known.order().len();
        self.n_ranked = known.n_discovered();
        self.warm.refresh(self.n_ranked);
        self.base = self.warm.base();
        let mut sums = vec![0.0; self.n_ranked as usize];
        self.passed.computed(known.order().iter().map(|page| {
            let share = self.warm.share(page.0);
            known.links(*page).for_each(|link| sums[link.index()] += share);
            (share, known.out_degree(*page))
        }));
        for (url, sum) in (0..).map(UrlId).zip(&sums) {
            if !scores.waits(url) {
                scores.set(url, *sum);
            }
        }
        scores.set_all(|url| sums[url.index()]);
    }
}

impl Strategy for PageRank {
    fn discovered(&mut self, _: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        if known.n_fetched() == 0 {
            // Nothing but seeds is known, and no link: all ranks are equal.
            self.n_ranked = known.n_seeds();
            self.base = 1.0 / f64::from(self.n_ranked);
        }
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        if known.n_fetched().is_multiple_of(self.every) {
            self.refresh(known, scores);
            return;
        }
        let share = self.share(url, known, scores);
        self.passed.fetched(url, share, known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        if !places.is_empty() {
            let share = self.share(url, known, scores);
            self.passed.revisited(url, places, share, known, scores);
        }
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page: UrlId| {
            let (share, degree) = self.passed.along(page, url, known);
            let degree = Explanation::given("its links", f64::from(degree));
            let whole = Explanation::given("damping × its rank", share * degree.value);
            let part = Explanation::of("from a page", Op::Quotient, vec![whole, degree]);
            part.valued(share).with(Evidence::Fetched(page))
        };
        let parts = known.linked_from(url).into_iter().map(part).collect();
        Explanation::sum("rank passed on by fetched pages", parts).valued(score)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["rank"]
    }

    fn kept(&self, _: &str, url: UrlId, score: f64, _: &Known<'_>) -> Option<f64> {
        Some(score + if url.0 < self.n_ranked { self.base } else { 0.0 })
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.passed.bytes() + self.warm.bytes()
    }
}
