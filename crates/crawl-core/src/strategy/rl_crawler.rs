//! RL-Crawler (Salari, Derhami & Paksima; document E): greedy on RL-Rank.
//!
//! R(p) = Σ over i → p of prob(i)/O(i) · (1/O(i) + γ·R(i)), of which a URL's score is the sum over the
//! pages fetched. Every `every` fetches R is computed over all that is known, where only fetched pages
//! have links; in between a URL gains what each page sends that is fetched, and by links shown at later
//! visits what their page would send if it were fetched then.

use super::later::Passed;
use super::omniscient::Omniscient;
use super::{Needs, Strategy, StrategyEntry};
use crate::ranker::pagerank::Warm;
use crate::ranker::rl_rank::{self, DAMPING, Earnings, GAMMA, PROB, Sent};
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId, Work};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;

/// Most sweeps of a computation; the next one goes on from there.
const MAX_SWEEPS: u32 = 10_000;

const PARAMS: &[Param] = &[
    GAMMA,
    PROB,
    super::KNOWLEDGE,
    Param::integer("every", 100, 1, 1_000_000, "Fetches between two computations (ours)."),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "rl-crawler",
        "RL-Crawler",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima (E), eq. 7 to 9 and figure 3",
            summary: "The URL to which a surfer who is paid for rare links earns most",
            description: "Greedy on RL-Rank: a click on a page with O links is paid 1/O, and a \
                URL is worth what surfers have earned on the way to it. The paper ranks the whole \
                web first and then crawls it, which no crawler can: that is knowledge:all, an \
                oracle. With knowledge:fetched it is computed over what was fetched so far, every \
                so many fetches, each time starting from the last result (ours).",
            formula: "score(p) = Σ over fetched i → p of prob(i)/O(i) · (1/O(i) + γ·R(i))",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let (gamma, prob) = (params.number("gamma"), params.text("prob"));
        let sweeps = rl_rank::sweeps(params) / f64::from(params.integer("every"));
        let sweeps_per_fetch = if super::knows_all(params) { 0.0 } else { sweeps };
        Needs::if_all(params, format!("rl-rank(gamma:{gamma},prob:{prob})"))
            .working(Work { sweeps_per_fetch, ..Work::default() })
    },
    build: |params, _| {
        if super::knows_all(params) {
            return Box::new(Omniscient);
        }
        let is_stationary = params.text("prob") == "stationary";
        Box::new(RlCrawler {
            every: params.integer("every"),
            earnings: Earnings::new(params.number("gamma")),
            presence: is_stationary.then(|| Warm::new(DAMPING)),
            base: 0.0,
            sent: Passed::default(),
            n_added: 0,
        })
    },
};

#[derive(Clone)]
struct RlCrawler {
    every: u32,
    earnings: Earnings,
    /// The surfer's presence; none where it is 1.
    presence: Option<Warm>,
    /// The presence on a page that the last computation did not know.
    base: f64,
    /// What each fetched page sends along each of its links.
    sent: Passed<Sent>,
    /// How many fetched pages the last computation knew.
    n_added: usize,
}

impl RlCrawler {
    /// What a page sends along each of its links when it is fetched or visited now.
    fn send(&self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) -> (Sent, f64) {
        let degree = known.out_degree(url);
        let pay = if degree == 0 { 0.0 } else { 1.0 / f64::from(degree) };
        let sent = self.earnings.send(self.prob(url), pay, scores.get(url));
        (sent, sent.amount)
    }

    fn prob(&self, url: UrlId) -> f64 {
        let Some(presence) = &self.presence else { return 1.0 };
        presence.scores().get(url.index()).copied().unwrap_or(self.base)
    }

    fn refresh(&mut self, known: &Known<'_>, scores: &mut Scores<'_>) {
        if self.sent.has_grown() {
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
        self.sent.computed(self.earnings.sent().iter().copied());
        let values = self.earnings.values();
        for (url, value) in (0..).map(UrlId).zip(values) {
            if !scores.waits(url) {
                scores.set(url, *value);
            }
        }
        scores.set_all(|url| values[url.index()]);
    }
}

impl Strategy for RlCrawler {
    fn discovered(&mut self, _: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        if known.n_fetched() == 0 {
            // Nothing but seeds is known, and the surfer is on any of them.
            self.base = 1.0 / f64::from(known.n_seeds().max(1));
        }
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        if known.n_fetched().is_multiple_of(self.every) {
            self.refresh(known, scores);
            return;
        }
        let sent = self.send(url, known, scores);
        self.sent.fetched(url, sent, known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        if !places.is_empty() {
            let sent = self.send(url, known, scores);
            self.sent.revisited(url, places, sent, known, scores);
        }
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let part = |page: UrlId| {
            let sent = self.sent.along(page, url, known);
            let before = vec![
                Explanation::given("γ", self.earnings.gamma()),
                Explanation::given("its own R", sent.value),
            ];
            let pay = || Explanation::given("1 ÷ its links", sent.pay);
            let before = Explanation::of("what was earned before", Op::Product, before);
            let earned = Explanation::of("pay and past", Op::Sum, vec![pay(), before]);
            let prob = Explanation::given("the surfer's presence", sent.prob);
            let part = Explanation::of("from a page", Op::Product, vec![prob, pay(), earned]);
            part.valued(sent.amount).with(Evidence::Fetched(page))
        };
        let parts = known.linked_from(url).into_iter().map(part).collect();
        Explanation::sum("earned on the way", parts).valued(score)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["rank", "surfer"]
    }

    fn kept(&self, name: &str, url: UrlId, score: f64, _: &Known<'_>) -> Option<f64> {
        Some(if name == "rank" { score } else { self.prob(url) })
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        let presence = self.presence.as_ref().map_or(0, Warm::bytes);
        self.earnings.bytes() + presence + self.sent.bytes()
    }
}
