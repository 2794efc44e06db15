//! PageRank over the known pages (Cho, Garcia-Molina & Page 1998).
//!
//! Every `every` fetches, PageRank R is computed over all known pages, where only fetched pages
//! have links. A URL scores what its fetched parents pass on,
//!
//! score(u) = Σ over fetched p → u of damping · R(p) ÷ O(p)
//!
//! which at that time is R(u) minus the base that every page gets by teleports and from pages
//! without links. A page fetched after the last computation passes on the rank it had then, if it
//! was known, plus what it received since. Links that a page shows at a later visit get what they
//! would if the page were fetched then.

use super::refreshed::{Ranked, Ranking, Refreshed};
use super::{Needs, StrategyEntry};
use crate::ranker::pagerank::Warm;
use crate::{Explanation, Known, Op, Scores, UrlId, Work};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] = &[
    Param::integer("every", 100, 1, 1_000_000, "Number of fetches between two computations."),
    Param::number(
        "damping",
        0.85,
        0.0,
        0.999,
        "Damping: share of a page's rank that follows its links; the rest goes to random pages.",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "pagerank",
        "PageRank so far",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013; Cho, Garcia-Molina & Page 1998",
            summary: "The URL of highest PageRank among the known pages",
            description: "PageRank is computed over all known pages at regular intervals. URLs not \
                fetched yet have no links, so their rank is spread evenly over all. Each \
                computation starts from the previous result. In between, a URL gains what newly \
                fetched pages pass on to it. The score leaves out the base that every page has, so \
                that new URLs are comparable with ranked ones. On a small part of the web PageRank \
                can mislead: early on it sees little more than the start site.",
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
        let warm = Warm::new(damping);
        let pagerank = PageRank { damping, base: 0.0, n_ranked: 0, n_fetched: 0, warm };
        Box::new(Refreshed::new(params.integer("every"), pagerank))
    },
};

#[derive(Clone)]
struct PageRank {
    damping: f64,
    /// Rank of a page without links to it, at the last computation.
    base: f64,
    /// Number of URLs, and of fetched pages, at the last computation.
    n_ranked: u32,
    n_fetched: usize,
    warm: Warm,
}

impl PageRank {
    /// The base of a URL; 0 if it was unknown at the last computation.
    fn base(&self, url: UrlId) -> f64 {
        if url.0 < self.n_ranked { self.base } else { 0.0 }
    }
}

impl Ranking for PageRank {
    /// Rank passed along each link, and the number of links.
    type Share = (f64, u32);
    const LABEL: &'static str = "rank passed on by fetched pages";
    const STORED: &'static [&'static str] = &["rank"];

    fn start(&mut self, n_seeds: u32) {
        // Only seeds are known, and no link: all ranks are equal.
        self.n_ranked = n_seeds;
        self.base = 1.0 / f64::from(self.n_ranked);
    }

    fn share(&self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) -> ((f64, u32), f64) {
        let degree = known.out_degree(url);
        let share = match degree {
            0 => 0.0,
            degree => self.damping * (self.base(url) + scores.get(url)) / f64::from(degree),
        };
        ((share, degree), share)
    }

    fn refresh(&mut self, known: &Known<'_>, has_grown: bool) -> Ranked<(f64, u32)> {
        if has_grown {
            // A warm start is possible only if links were added by fetches alone.
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
        let share = |page: &UrlId| {
            let share = self.warm.share(page.0);
            known.links(*page).for_each(|link| sums[link.index()] += share);
            (share, known.out_degree(*page))
        };
        let shares = known.order().iter().map(share).collect();
        Ranked { shares, scores: Some(sums) }
    }

    fn explain(&self, (share, degree): (f64, u32)) -> Explanation {
        let degree = Explanation::given("its links", f64::from(degree));
        let total = Explanation::given("damping × its rank", share * degree.value);
        Explanation::of("from a page", Op::Quotient, vec![total, degree]).valued(share)
    }

    fn stored(&self, _: &str, url: UrlId, score: f64, _: Option<(f64, u32)>) -> Option<f64> {
        Some(score + self.base(url))
    }

    fn bytes(&self) -> usize {
        self.warm.bytes()
    }
}
