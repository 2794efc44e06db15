//! Logarithmic distance from the seeds: shared code of FICA, DistanceRank and IECA.
//!
//! A link of a page with O links has length log O, so that a page reached through few links is
//! near. A path through a fetched page i has length log O(i) + γ·d(i). A new URL gets the length of
//! the path on which it was found; later paths change it by the learning rate α = e^(−β·t), where t
//! is the number of pages fetched before. Seeds have distance 0. A fetched page keeps its distance
//! (our choice). A link that a page shows at a later visit is a path found then, with the learning
//! rate of that time.
//!
//! In IECA every link counts by itself ([`Discount`]): it also subtracts δ, and scales the rest by
//! 1 − δ.

use super::RATES;
use super::grown_links::GrownLinks;
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

/// Weight of each further step; the papers give no value.
pub(super) const GAMMA: Param = Param::number(
    "gamma",
    OUR_GAMMA,
    0.0,
    1.0,
    "γ: weight of the previous page's distance. The default is our choice.",
);
/// Decay of the learning rate.
pub(super) const BETA: Param = Param::number(
    "beta",
    OUR_BETA,
    0.0,
    10.0,
    "β: decay of the learning rate α = e^(−β·t), t = pages fetched. The default is our choice.",
);
/// The logarithm.
pub(super) const LOG: Param = Param::choice(
    "log",
    "e",
    LOGS,
    "Base of the logarithm. The authors' figures use 10; the order is the same, since every distance \
     changes by the same factor.",
);

/// Spec of the whole-graph ranker of the same idea, which has no fixed point for γ = 1.
pub(super) fn ranker(params: &Params) -> String {
    format!("distance-rank(gamma:{})", params.number("gamma").min(0.99))
}

/// Name of the stored value.
pub(super) const DISTANCE: &str = "distance";

/// δ of IECA, the discount per link: decreases linearly as the crawl spends its budget.
#[derive(Clone, Copy, Default)]
pub(super) struct Discount {
    pub(super) from: f64,
    pub(super) to: f64,
    /// Maximum number of fetches.
    pub(super) budget: Option<u32>,
}

impl Discount {
    /// δ after `t` fetches; without a budget, the share is that of `n_known` URLs.
    fn after(&self, t: u32, n_known: u32) -> f64 {
        let whole = f64::from(self.budget.unwrap_or(n_known).max(1));
        let share = (f64::from(t) / whole).min(1.0);
        self.from - (self.from - self.to) * share
    }
}

/// Effect of a fetched page on the distances of its links' targets.
#[derive(Clone, Copy)]
pub(super) struct Effect {
    /// Length of the path through it.
    pub(super) length: f64,
    /// Learning rate α.
    pub(super) rate: f64,
    /// Discount δ.
    pub(super) delta: f64,
}

impl Effect {
    /// Distance of a URL first found through the page.
    pub(super) fn found(&self) -> f64 {
        (1.0 - self.delta) * self.length - self.delta
    }

    /// Distance of a known URL, moved towards the length of a path.
    pub(super) fn drawn(&self, before: f64, path: f64) -> f64 {
        (1.0 - self.delta) * ((1.0 - self.rate) * before + self.rate * path) - self.delta
    }
}

/// Parameters, and the distance at which each page was fetched.
#[derive(Clone)]
pub(super) struct Distances {
    pub(super) beta: f64,
    pub(super) discount: Discount,
    gamma: f64,
    log: fn(f64) -> f64,
    /// By fetch number, from 0.
    at_fetch: Vec<f64>,
    /// δ of each, by fetch number; empty without discount.
    deltas: Vec<f64>,
    /// Number of URLs known before the current page was fetched.
    n_known: u32,
    /// Discovery data of links that their page showed at a later visit.
    grown: GrownLinks<FoundAt>,
    n_grown: u32,
}

/// FoundAt a link was found, and the parameters at that time.
#[derive(Clone, Copy)]
struct FoundAt {
    /// Number of pages fetched before.
    t: u32,
    /// Number of the visit among those that showed new links; 0 for a fetch.
    visit: u32,
    /// Out-degree O of its page.
    degree: u32,
    delta: f64,
}

/// A path on which a URL was found.
#[derive(Clone, Copy)]
pub(super) struct Path {
    /// The page it goes through; `None` for a seed.
    pub(super) page: Option<UrlId>,
    /// Out-degree O of that page when it was found.
    degree: u32,
    /// Length of the path.
    pub(super) length: f64,
    /// Weight of the path in the distance.
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
            grown: GrownLinks::default(),
            n_grown: 0,
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

    /// Updates distances after a fetch, as FICA does. `nearness` holds minus the distance of every
    /// URL.
    pub(super) fn learn(&mut self, url: UrlId, known: &Known<'_>, nearness: &mut impl Values) {
        let effect = self.fetched(url, 0.0 - nearness.get(url), known);
        self.take(effect, url, 0..known.links(url).len(), known, nearness);
        self.done(known);
    }

    /// Updates distances by links that a page shows at a later visit.
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

    /// Records a fetch at a distance; returns its effect on the link targets.
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

    /// Records links shown at a later visit; returns their effect on the link targets.
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
        self.n_grown += 1;
        let first = self.when(number, degree - places.len() as u32);
        let now = FoundAt { t, visit: self.n_grown, degree, delta };
        self.grown.note(url, places.start, first, now);
        Some(Effect { length: self.length(degree, distance), rate: self.rate(t), delta })
    }

    /// Discovery data of the links that a page showed when it was fetched.
    fn when(&self, number: u32, degree: u32) -> FoundAt {
        FoundAt { t: number - 1, visit: 0, degree, delta: self.delta(number - 1) }
    }

    /// The pages that link to a URL, with the time each link was found, in that order. For a
    /// fetched page, only links found before its fetch.
    fn found(&self, url: UrlId, known: &Known<'_>) -> Vec<(UrlId, FoundAt)> {
        let own = known.fetch_number(url).unwrap_or(u32::MAX);
        let when = |page: UrlId| {
            let number = known.fetch_number(page)?;
            let alike = || self.when(number, known.out_degree(page));
            let when = self.grown.of_link(page, url, known).unwrap_or_else(alike);
            // A fetch completes before later visits to other pages begin.
            let before_own = when.t + u32::from(when.visit == 0) < own;
            before_own.then_some((page, when))
        };
        let found = known.linked_from(url).into_iter().filter_map(when).collect();
        // By fetch, and between two fetches by visit.
        order::arranged(found, |(_, FoundAt { t, visit, .. })| {
            ((2 * u64::from(*t) + u64::from(*visit == 0)) << 30) + u64::from(*visit)
        })
    }

    /// True for URLs that the latest fetched page showed first.
    pub(super) fn is_new(&self, url: UrlId, known: &Known<'_>) -> bool {
        url.0 >= self.n_known.max(known.n_seeds())
    }

    /// Updates the number of known URLs after a page was processed.
    pub(super) fn done(&mut self, known: &Known<'_>) {
        self.n_known = known.n_discovered();
    }

    fn rate(&self, t: u32) -> f64 {
        libm::exp(-self.beta * f64::from(t))
    }

    fn length(&self, degree: u32, distance: f64) -> f64 {
        // Pages with out-degree 0 have no paths; avoid log 0.
        (self.log)(f64::from(degree.max(1))) + self.gamma * distance
    }

    /// The paths through fetched pages on which a URL was found before its own fetch, in order,
    /// with their weights.
    pub(super) fn paths(&self, url: UrlId, known: &Known<'_>) -> Vec<Path> {
        let start = Path { page: None, degree: 0, length: 0.0, weight: 1.0 };
        let mut paths: Vec<Path> = known.is_seed(url).then_some(start).into_iter().collect();
        for (page, when) in self.found(url, known) {
            let length = self.length(when.degree, self.distance_of(page, known));
            let kept = 1.0 - when.delta;
            let weight = if paths.is_empty() { 1.0 } else { self.rate(when.t) };
            paths.iter_mut().for_each(|path| path.weight *= kept * (1.0 - weight));
            paths.push(Path {
                page: Some(page),
                degree: when.degree,
                length,
                weight: kept * weight,
            });
        }
        paths
    }

    /// The total discount of a URL's distance, and the number of links.
    fn taken_off(&self, url: UrlId, known: &Known<'_>) -> (f64, u32) {
        let (mut sum, mut n_links) = (0.0, 0);
        let mut is_found = known.is_seed(url);
        for (_, FoundAt { t, delta, .. }) in self.found(url, known) {
            let rate = if is_found { self.rate(t) } else { 1.0 };
            sum = (1.0 - delta) * (1.0 - rate) * sum + delta;
            n_links += 1;
            is_found = true;
        }
        (sum, n_links)
    }

    /// The distance at which a page was fetched.
    fn distance_of(&self, page: UrlId, known: &Known<'_>) -> f64 {
        let at = known.fetch_number(page).unwrap_or(1) as usize - 1;
        self.at_fetch.get(at).copied().unwrap_or(0.0)
    }

    fn delta(&self, t: u32) -> f64 {
        self.deltas.get(t as usize).copied().unwrap_or(0.0)
    }

    /// Explains minus the distance.
    pub(super) fn explain(
        &self,
        url: UrlId,
        paths: &[Path],
        score: f64,
        known: &Known<'_>,
    ) -> Explanation {
        let distance = self.explain_distance(url, paths, 0.0 - score, known);
        Explanation::of("nearness", Op::Negative, vec![distance]).valued(score)
    }

    /// Explains a distance as a weighted sum of paths.
    pub(super) fn explain_distance(
        &self,
        url: UrlId,
        paths: &[Path],
        value: f64,
        known: &Known<'_>,
    ) -> Explanation {
        let part = |path: &Path| {
            let Some(page) = path.page else { return Explanation::given("as a seed", 0.0) };
            let degree = f64::from(path.degree.max(1));
            let step = Explanation::given(format!("log of its {degree} links"), (self.log)(degree));
            let before = vec![
                Explanation::given("γ", self.gamma),
                Explanation::given("its own distance", self.distance_of(page, known)),
            ];
            let before = Explanation::of("the path to it", Op::Product, before);
            let length = Explanation::of("path through a page", Op::Sum, vec![step, before]);
            let length = length.valued(path.length).with(Evidence::Fetched(page));
            let weight = Explanation::given("its weight", path.weight);
            Explanation::of("part", Op::Product, vec![weight, length])
        };
        let parts = paths.iter().filter(|path| path.weight != 0.0).map(part).collect();
        let mut distance = Explanation::sum("distance", parts);
        if self.discount.from > 0.0 {
            let (sum, n_links) = self.taken_off(url, known);
            let label = format!("taken off by {n_links} links found");
            let links = Explanation::given(label, sum);
            distance.label = "by its paths".to_owned();
            distance = Explanation::of("distance", Op::Difference, vec![distance, links]);
        }
        distance.valued(value)
    }

    /// A URL's distance; for a fetched page, the distance at its fetch.
    pub(super) fn distance(&self, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        match known.fetch_number(url) {
            Some(number) => self.at_fetch.get(number as usize - 1).copied(),
            None => Some(0.0 - score),
        }
    }

    /// A learning rate at the latest fetch, by name.
    pub(super) fn rate_named(&self, name: &str, known: &Known<'_>) -> Option<f64> {
        let t = known.n_fetched().checked_sub(1)?;
        if name == RATES[0] { Some(self.rate(t)) } else { self.deltas.get(t as usize).copied() }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.at_fetch.capacity() + self.deltas.capacity()) * 8 + self.grown.bytes()
    }
}
