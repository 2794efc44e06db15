//! Logarithmic distance from the seeds: a link of a page with O links is log O long, so that a page
//! reached through few links is near, and each step farther counts γ times as much.
//!
//! A way through a fetched page i is log O(i) + γ·d(i) long. A new URL is as far as the way on which
//! it was found; later ways move it, by a rate α = e^(−β·t) that falls with t, the number of pages
//! fetched before. Seeds are at 0. A fetched page keeps the distance it was fetched at (ours). A link
//! that a page shows at a later visit is a way found then, at the rate of that moment.
//!
//! Where every link found counts by itself ([`Discount`], IECA), it also takes δ off, from what it
//! leads to and from what that had learnt.

use super::RATES;
use super::later::Later;
use super::values::Values;
use crate::{Evidence, Explanation, Known, Op, UrlId};
use crawl_catalogue::{Param, Params};
use crawl_world::order;
use std::borrow::Cow;
use std::ops::Range;

pub(super) const LOGS: &[Cow<'static, str>] =
    &[Cow::Borrowed("e"), Cow::Borrowed("2"), Cow::Borrowed("10")];

const OUR_GAMMA: f64 = 0.5;
const OUR_BETA: f64 = 0.01;

/// How far each way counts; the printed equations leave the value open.
pub(super) const GAMMA: Param = Param::number(
    "gamma",
    OUR_GAMMA,
    0.0,
    1.0,
    "γ: how much the distance of the page before counts (ours: 0.5).",
);
/// How fast the rate falls.
pub(super) const BETA: Param = Param::number(
    "beta",
    OUR_BETA,
    0.0,
    10.0,
    "β: how fast the learning rate α = e^(−β·t) falls with the pages fetched (ours: 0.01).",
);
/// The logarithm.
pub(super) const LOG: Param = Param::choice(
    "log",
    "e",
    LOGS,
    "The base of the logarithm. The authors' own figures use 10; the order is the same, since every \
     distance changes by the same factor.",
);

/// The whole-graph ranker of the same idea, which has no fixed point for γ = 1.
pub(super) fn ranker(params: &Params) -> String {
    format!("distance-rank(gamma:{})", params.number("gamma").min(0.99))
}

/// What is kept of every URL, by name.
pub(super) const DISTANCE: &str = "distance";

/// What each link found takes off: δ falls from one value to another as the crawl spends its budget.
#[derive(Clone, Copy, Default)]
pub(super) struct Discount {
    pub(super) from: f64,
    pub(super) to: f64,
    /// Pages that may be fetched.
    pub(super) budget: Option<u32>,
}

impl Discount {
    /// δ after `t` pages of `n_known` were fetched.
    fn after(&self, t: u32, n_known: u32) -> f64 {
        let whole = f64::from(self.budget.unwrap_or(n_known).max(1));
        let share = (f64::from(t) / whole).min(1.0);
        self.from - (self.from - self.to) * share
    }
}

/// What a page fetched does to what its links lead to.
#[derive(Clone, Copy)]
pub(super) struct Effect {
    /// How long the way through it is.
    pub(super) length: f64,
    /// How much of a distance known before is learnt anew.
    pub(super) rate: f64,
    /// What the link takes off.
    pub(super) delta: f64,
}

impl Effect {
    /// The distance of a URL first found through that page.
    pub(super) fn found(&self) -> f64 {
        (1.0 - self.delta) * self.length - self.delta
    }

    /// The distance of a URL known before, drawn towards a way.
    pub(super) fn drawn(&self, before: f64, way: f64) -> f64 {
        (1.0 - self.delta) * ((1.0 - self.rate) * before + self.rate * way) - self.delta
    }
}

/// The constants, and the distance at which each page was fetched.
#[derive(Clone)]
pub(super) struct Distances {
    pub(super) beta: f64,
    pub(super) discount: Discount,
    gamma: f64,
    log: fn(f64) -> f64,
    /// By fetch number, counted from zero.
    at_fetch: Vec<f64>,
    /// δ of each, likewise; empty where there is none.
    deltas: Vec<f64>,
    /// URLs known before the present page was fetched.
    n_known: u32,
    /// When links were found that their page showed at a later visit.
    later: Later<When>,
    n_later: u32,
}

/// When a link was found, and what was so then.
#[derive(Clone, Copy)]
struct When {
    /// Pages fetched before.
    t: u32,
    /// As which of the visits that showed new links; 0 for a fetch.
    visit: u32,
    /// O of its page.
    degree: u32,
    delta: f64,
}

/// A way on which a URL was found.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The page it goes through; none for a seed, which is where it starts.
    pub(super) page: Option<UrlId>,
    /// O of that page when it was found.
    degree: u32,
    /// How long it is.
    pub(super) length: f64,
    /// How much of the distance it makes up.
    pub(super) weight: f64,
}

impl Default for Distances {
    fn default() -> Self {
        Self {
            beta: OUR_BETA,
            discount: Discount::default(),
            gamma: OUR_GAMMA,
            log: libm::log,
            at_fetch: Vec::new(),
            deltas: Vec::new(),
            n_known: 0,
            later: Later::default(),
            n_later: 0,
        }
    }
}

impl Distances {
    pub(super) fn new(params: &Params) -> Self {
        let log: fn(f64) -> f64 = match params.text("log") {
            "2" => libm::log2,
            "10" => libm::log10,
            _ => libm::log,
        };
        let (beta, gamma) = (params.number("beta"), params.number("gamma"));
        Self { beta, gamma, log, ..Self::default() }
    }

    /// Learns from a page just fetched as FICA does; `nearness` holds every URL's distance with its
    /// sign turned.
    pub(super) fn learn(&mut self, url: UrlId, known: &Known<'_>, nearness: &mut impl Values) {
        let effect = self.fetched(url, 0.0 - nearness.get(url), known);
        self.take(effect, url, 0..known.links(url).len(), known, nearness);
        self.done(known);
    }

    /// Learns from links that a page shows at a later visit.
    pub(super) fn learn_later(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        nearness: &mut impl Values,
    ) {
        if let Some(effect) = self.revisited(url, &places, known) {
            self.take(effect, url, places, known, nearness);
            self.done(known);
        }
    }

    fn take(
        &self,
        effect: Effect,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        nearness: &mut impl Values,
    ) {
        let is_new = |link: &UrlId| self.is_new(*link, known);
        let links = || known.links_at(url, places.clone());
        nearness.set_each(links().filter(is_new), 0.0 - effect.found());
        for link in links().filter(|link| !is_new(link)) {
            if known.fetch_number(link).is_none() {
                let before = 0.0 - nearness.get(link);
                nearness.set(link, 0.0 - effect.drawn(before, effect.length));
            }
        }
    }

    /// Takes note of a page just fetched at a distance; gives what it does to what it links to.
    pub(super) fn fetched(&mut self, url: UrlId, distance: f64, known: &Known<'_>) -> Effect {
        self.at_fetch.push(distance);
        let t = known.n_fetched().saturating_sub(1);
        let mut delta = 0.0;
        if self.discount.from > 0.0 {
            delta = self.discount.after(t, self.n_known.max(known.n_seeds()));
            self.deltas.push(delta);
        }
        let length = self.length(known.out_degree(url), distance);
        Effect { length, rate: self.rate(t), delta }
    }

    /// Takes note of links that a page shows at a later visit; gives what that does to where they lead.
    pub(super) fn revisited(
        &mut self,
        url: UrlId,
        places: &Range<usize>,
        known: &Known<'_>,
    ) -> Option<Effect> {
        let number = known.fetch_number(url).filter(|_| !places.is_empty())?;
        let distance = self.at_fetch.get(number as usize - 1).copied()?;
        let (t, degree) = (known.n_fetched(), known.out_degree(url));
        let mut delta = 0.0;
        if self.discount.from > 0.0 {
            delta = self.discount.after(t, self.n_known.max(known.n_seeds()));
        }
        self.n_later += 1;
        let first = self.when(number, degree - places.len() as u32);
        let now = When { t, visit: self.n_later, degree, delta };
        self.later.note(url, places.start, first, now);
        Some(Effect { length: self.length(degree, distance), rate: self.rate(t), delta })
    }

    /// When the links of a page were found that it showed as the page fetched as that.
    fn when(&self, number: u32, degree: u32) -> When {
        When { t: number - 1, visit: 0, degree, delta: self.delta(number - 1) }
    }

    /// The pages that link to a URL, each with when that was found, in that order; of a page fetched
    /// only what was found before.
    fn found(&self, url: UrlId, known: &Known<'_>) -> Vec<(UrlId, When)> {
        let own = known.fetch_number(url).unwrap_or(u32::MAX);
        let when = |page: UrlId| {
            let number = known.fetch_number(page)?;
            let alike = || self.when(number, known.out_degree(page));
            let when = self.later.of_link(page, url, known).unwrap_or_else(alike);
            // A fetch is over before visits to what was fetched before begin.
            let before_own = when.t + u32::from(when.visit == 0) < own;
            before_own.then_some((page, when))
        };
        let found = known.linked_from(url).into_iter().filter_map(when).collect();
        // By fetch, as they are where no link was found later, and before the next fetch by visit.
        order::arranged(found, |(_, When { t, visit, .. })| {
            ((2 * u64::from(*t) + u64::from(*visit == 0)) << 30) + u64::from(*visit)
        })
    }

    /// True for URLs that the page just fetched showed first.
    pub(super) fn is_new(&self, url: UrlId, known: &Known<'_>) -> bool {
        url.0 >= self.n_known.max(known.n_seeds())
    }

    /// Takes note of what is known, once a page is dealt with.
    pub(super) fn done(&mut self, known: &Known<'_>) {
        self.n_known = known.n_discovered();
    }

    fn rate(&self, t: u32) -> f64 {
        libm::exp(-self.beta * f64::from(t))
    }

    fn length(&self, degree: u32, distance: f64) -> f64 {
        // A page whose links all lead nowhere has no way through it that anybody asks for.
        (self.log)(f64::from(degree.max(1))) + self.gamma * distance
    }

    /// The ways through fetched pages on which a URL was found before it was fetched itself, in
    /// order, each with the weight it came to have.
    pub(super) fn ways(&self, url: UrlId, known: &Known<'_>) -> Vec<Way> {
        let start = Way { page: None, degree: 0, length: 0.0, weight: 1.0 };
        let mut ways: Vec<Way> = known.is_seed(url).then_some(start).into_iter().collect();
        for (page, when) in self.found(url, known) {
            let length = self.length(when.degree, self.distance_of(page, known));
            let kept = 1.0 - when.delta;
            let weight = if ways.is_empty() { 1.0 } else { self.rate(when.t) };
            ways.iter_mut().for_each(|way| way.weight *= kept * (1.0 - weight));
            ways.push(Way { page: Some(page), degree: when.degree, length, weight: kept * weight });
        }
        ways
    }

    /// What the links found took off a URL's distance, and how many they were.
    fn taken_off(&self, url: UrlId, known: &Known<'_>) -> (f64, u32) {
        let (mut sum, mut n_links) = (0.0, 0);
        let mut is_found = known.is_seed(url);
        for (_, When { t, delta, .. }) in self.found(url, known) {
            let rate = if is_found { self.rate(t) } else { 1.0 };
            sum = (1.0 - delta) * (1.0 - rate) * sum + delta;
            n_links += 1;
            is_found = true;
        }
        (sum, n_links)
    }

    /// The distance a page was fetched at.
    fn distance_of(&self, page: UrlId, known: &Known<'_>) -> f64 {
        let at = known.fetch_number(page).unwrap_or(1) as usize - 1;
        self.at_fetch.get(at).copied().unwrap_or(0.0)
    }

    fn delta(&self, t: u32) -> f64 {
        self.deltas.get(t as usize).copied().unwrap_or(0.0)
    }

    /// A distance with its sign turned.
    pub(super) fn explain(
        &self,
        url: UrlId,
        ways: &[Way],
        score: f64,
        known: &Known<'_>,
    ) -> Explanation {
        let distance = self.explain_distance(url, ways, 0.0 - score, known);
        Explanation::of("nearness", Op::Negative, vec![distance]).valued(score)
    }

    /// A distance as the sum of ways by weight.
    pub(super) fn explain_distance(
        &self,
        url: UrlId,
        ways: &[Way],
        value: f64,
        known: &Known<'_>,
    ) -> Explanation {
        let part = |way: &Way| {
            let Some(page) = way.page else { return Explanation::given("as a seed", 0.0) };
            let degree = f64::from(way.degree.max(1));
            let step = Explanation::given(format!("log of its {degree} links"), (self.log)(degree));
            let before = vec![
                Explanation::given("γ", self.gamma),
                Explanation::given("its own distance", self.distance_of(page, known)),
            ];
            let before = Explanation::of("the way to it", Op::Product, before);
            let length = Explanation::of("way through a page", Op::Sum, vec![step, before]);
            let length = length.valued(way.length).with(Evidence::Fetched(page));
            let weight = Explanation::given("its weight", way.weight);
            Explanation::of("part", Op::Product, vec![weight, length])
        };
        let parts = ways.iter().filter(|way| way.weight != 0.0).map(part).collect();
        let mut distance = Explanation::sum("distance", parts);
        if self.discount.from > 0.0 {
            let (sum, n_links) = self.taken_off(url, known);
            let label = format!("taken off by {n_links} links found");
            let links = Explanation::given(label, sum);
            distance.label = "by its ways".to_owned();
            distance = Explanation::of("distance", Op::Difference, vec![distance, links]);
        }
        distance.valued(value)
    }

    /// A URL's distance; that of a fetched page is the one it was fetched at.
    pub(super) fn distance(&self, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        match known.fetch_number(url) {
            Some(number) => self.at_fetch.get(number as usize - 1).copied(),
            None => Some(0.0 - score),
        }
    }

    /// The rates by which it learnt from the page fetched last.
    pub(super) fn rate_named(&self, name: &str, known: &Known<'_>) -> Option<f64> {
        let t = known.n_fetched().checked_sub(1)?;
        if name == RATES[0] { Some(self.rate(t)) } else { self.deltas.get(t as usize).copied() }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.at_fetch.capacity() + self.deltas.capacity()) * 8 + self.later.bytes()
    }
}
