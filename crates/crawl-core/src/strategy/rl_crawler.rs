//! RL-Crawler (Salari, Derhami & Paksima): greedy on RL-Rank.
//!
//! R(p) = Σ over i → p of prob(i)/O(i) · (1/O(i) + γ·R(i)); a URL's score is the part of that sum over
//! fetched pages. Every `every` fetches R is computed over all known pages, where only fetched pages have
//! links. In between, a URL gains what newly fetched pages send; links shown at later visits carry what
//! their page would send if it were fetched then.

use super::omniscient::Omniscient;
use super::refreshed::{Ranked, Ranking, Refreshed};
use super::{Needs, StrategyEntry};
use crate::ranker::pagerank::Warm;
use crate::ranker::rl_rank::{self, DAMPING, Earnings, GAMMA, PROB, Sent};
use crate::{Explanation, Known, Op, Scores, UrlId, Work};
use crawl_catalogue::{Entry, EntryTexts, Param};

/// Maximum number of sweeps per computation; the next one continues from there.
const MAX_SWEEPS: u32 = 10_000;

const PARAMS: &[Param] = &[
    GAMMA,
    PROB,
    super::KNOWLEDGE,
    Param::integer(
        "every",
        100,
        1,
        1_000_000,
        "Number of fetches between two computations (our choice).",
    ),
];

/// Passes over all links that every computation makes besides (measured on generated webs).
const PASSES: f64 = 20.0;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "rl-crawler",
        "RL-Crawler",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima, eq. 7 to 9 and figure 3",
            summary: "The URL with the highest RL-Rank: reward 1/O per click",
            description: "Greedy on RL-Rank: a click on a page with O links has the reward 1/O, and a \
                URL is worth the rewards that surfers collect on the way to it. The paper ranks the \
                complete web first and then crawls it, which no crawler can do: that is \
                knowledge:all, an oracle. With knowledge:fetched it is computed over the fetched \
                pages at regular intervals, each time from the previous result (our choice).",
            formula: "score(p) = Σ over fetched i → p of prob(i)/O(i) · (1/O(i) + γ·R(i))",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let (gamma, prob) = (params.number("gamma"), params.text("prob"));
        let sweeps = (PASSES + rl_rank::sweeps(params)) / f64::from(params.integer("every"));
        let sweeps_per_fetch = if super::knows_all(params) { 0.0 } else { sweeps };
        Needs::if_all(params, format!("rl-rank(gamma:{gamma},prob:{prob})"))
            .working(Work { sweeps_per_fetch, ..Work::default() })
    },
    build: |params, _| {
        if super::knows_all(params) {
            return Box::new(Omniscient);
        }
        let is_stationary = params.text("prob") == "stationary";
        let crawler = RlCrawler {
            earnings: Earnings::new(params.number("gamma")),
            presence: is_stationary.then(|| Warm::new(DAMPING)),
            base: 0.0,
            n_added: 0,
        };
        Box::new(Refreshed::new(params.integer("every"), crawler))
    },
};

#[derive(Clone)]
struct RlCrawler {
    earnings: Earnings,
    /// Probability of the surfer's presence; `None` if it is 1 everywhere.
    presence: Option<Warm>,
    /// Presence on a page that was unknown at the last computation.
    base: f64,
    /// Number of fetched pages at the last computation.
    n_added: usize,
}

impl RlCrawler {
    fn prob(&self, url: UrlId) -> f64 {
        let Some(presence) = &self.presence else { return 1.0 };
        presence.scores().get(url.index()).copied().unwrap_or(self.base)
    }
}

impl Ranking for RlCrawler {
    type Share = Sent;
    const LABEL: &'static str = "rewards on the way";
    const STORED: &'static [&'static str] = &["rank", "surfer"];

    fn start(&mut self, n_seeds: u32) {
        // Only seeds are known; the surfer is on any of them.
        self.base = 1.0 / f64::from(n_seeds.max(1));
    }

    fn share(&self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) -> (Sent, f64) {
        let degree = known.out_degree(url);
        let pay = if degree == 0 { 0.0 } else { 1.0 / f64::from(degree) };
        let sent = self.earnings.send(self.prob(url), pay, scores.get(url));
        (sent, sent.amount)
    }

    fn refresh(&mut self, known: &Known<'_>, has_grown: bool) -> Ranked<Sent> {
        if has_grown {
            self.earnings.forget_links();
            self.presence = self.presence.as_ref().map(|_| Warm::new(DAMPING));
            self.n_added = 0;
        }
        for page in &known.order()[self.n_added..] {
            let degree = known.out_degree(*page);
            let links = || known.links(*page).map(|link| link.0);
            self.earnings.add(page.0, degree, links());
            if let Some(presence) = &mut self.presence {
                presence.fetched(page.0, degree, links());
            }
        }
        self.n_added = known.order().len();
        let n_known = known.n_discovered();
        if let Some(presence) = &mut self.presence {
            presence.refresh(n_known);
            self.base = presence.base();
        }
        let presence = self.presence.as_ref().map(Warm::scores);
        let prob = |page: u32| presence.map_or(1.0, |presence| presence[page as usize]);
        self.earnings.settle(n_known, prob, MAX_SWEEPS);
        let (shares, values) = (self.earnings.sent().to_vec(), self.earnings.values().to_vec());
        Ranked { shares, scores: Some(values) }
    }

    fn explain(&self, sent: Sent) -> Explanation {
        let before = vec![
            Explanation::given("γ", self.earnings.gamma()),
            Explanation::given("its own R", sent.value),
        ];
        let pay = || Explanation::given("1 ÷ its links", sent.pay);
        let before = Explanation::of("earlier rewards, discounted", Op::Product, before);
        let earned = Explanation::of("reward and earlier rewards", Op::Sum, vec![pay(), before]);
        let prob = Explanation::given("the surfer's presence", sent.prob);
        let part = Explanation::of("from a page", Op::Product, vec![prob, pay(), earned]);
        part.valued(sent.amount)
    }

    fn stored(&self, name: &str, url: UrlId, score: f64, _: Option<Sent>) -> Option<f64> {
        Some(if name == "rank" { score } else { self.prob(url) })
    }

    fn bytes(&self) -> usize {
        self.earnings.bytes() + self.presence.as_ref().map_or(0, Warm::bytes)
    }
}
