//! PageRank of what is known so far (Cho, Garcia-Molina & Page 1998).
//!
//! Every `every` fetches PageRank is computed over all known pages, where only fetched pages have
//! links. With R the ranks and base what teleports and dangling pages give every page,
//!
//! score(u) = base + Σ over fetched p → u of damping · R(p) ÷ O(p)
//!
//! which is R(u) at a refresh. Between two refreshes a page fetched since passes on the score it
//! was fetched with.

use super::{Needs, Strategy, StrategyEntry};
use crate::ranker::pagerank::Warm;
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};

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
                URL gains what newly fetched pages pass on to it. On a small part of the web \
                PageRank can mislead: early on it sees little more than the site it started on.",
            formula: "score(u) = base + Σ over fetched p → u of damping · R(p) ÷ O(p)",
            params: PARAMS,
        },
    ),
    needs: Needs::nothing,
    build: |params, _| {
        let damping = params.number("damping");
        Box::new(PageRank {
            every: params.integer("every"),
            damping,
            base: 0.0,
            passed: Vec::new(),
            warm: Warm::new(damping),
            n_ranked: 0,
        })
    },
};

#[derive(Clone)]
struct PageRank {
    every: u32,
    damping: f64,
    base: f64,
    /// What each fetched page passes along each of its links, by fetch number counted from zero.
    passed: Vec<f64>,
    warm: Warm,
    /// How many fetched pages the last computation knew.
    n_ranked: usize,
}

impl PageRank {
    fn refresh(&mut self, known: &Known<'_>, scores: &mut Scores<'_>) {
        for page in &known.order()[self.n_ranked..] {
            let links = known.links(*page).map(|link| link.0);
            self.warm.fetched(page.0, known.out_degree(*page), links);
        }
        self.n_ranked = known.order().len();
        self.warm.refresh(known.n_discovered());
        self.base = self.warm.base();
        self.passed.clear();
        self.passed.extend(known.order().iter().map(|page| self.warm.share(page.0)));
        let ranks = self.warm.scores();
        for (url, rank) in (0..).map(UrlId).zip(ranks) {
            // What does not wait gets its base when it enters the frontier.
            if !scores.waits(url) && known.fetch_number(url).is_none() {
                scores.set(url, rank - self.base);
            }
        }
        scores.set_all(|url| ranks[url.index()]);
    }
}

impl Strategy for PageRank {
    fn discovered(&mut self, _: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        if known.n_fetched() == 0 {
            // Nothing but seeds is known, and no link: all ranks are equal.
            self.base = 1.0 / f64::from(known.n_seeds());
        }
        self.base + so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        if known.n_fetched().is_multiple_of(self.every) {
            self.refresh(known, scores);
            return;
        }
        let degree = known.out_degree(url);
        let share =
            if degree == 0 { 0.0 } else { self.damping * scores.get(url) / f64::from(degree) };
        self.passed.push(share);
        scores.add_each(known.links(url), share);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let mut parts = vec![
            Explanation::given("base", self.base)
                .with(Evidence::Note("teleports and pages without links give every page this".into())),
        ];
        for page in known.linked_from(url) {
            let number = known.fetch_number(page).unwrap_or(1) as usize;
            let share = self.passed.get(number - 1).copied().unwrap_or(0.0);
            let degree = Explanation::given("its links", f64::from(known.out_degree(page)));
            let whole = Explanation::given("damping × its rank", share * degree.value);
            let part = Explanation::of("from a page", Op::Quotient, vec![whole, degree]);
            parts.push(part.valued(share).with(Evidence::Fetched(page)));
        }
        Explanation::sum("PageRank so far", parts).valued(score)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.passed.capacity() * 8 + self.warm.bytes()
    }
}
