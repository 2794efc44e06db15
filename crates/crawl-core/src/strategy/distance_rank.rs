//! DistanceRank as an ordering (Zarei Bidoki & Yazdani 2008; document E, eq. 13).
//!
//! As FICA, but what moves a URL's distance is its shortest way so far:
//! d(j) ← (1−α)·d(j) + α·min over fetched i → j of (log O(i) + γ·d(i)).

use super::distance::{self, BETA, DISTANCE, Distances, Effect, GAMMA, LOG, Way};
use super::omniscient::Omniscient;
use super::{Needs, Strategy, StrategyEntry};
use crate::{Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;
use std::ops::Range;

const RATES: &[Cow<'static, str>] = &[Cow::Borrowed("decay"), Cow::Borrowed("one")];

const PARAMS: &[Param] = &[
    GAMMA,
    Param::choice(
        "alpha",
        "decay",
        RATES,
        "The learning rate α: decay is e^(−β·t), as for FICA; with one a URL is always as far as its \
         shortest way.",
    ),
    BETA,
    LOG,
    super::KNOWLEDGE,
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "distance-rank",
        "DistanceRank",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima (E), eq. 13; Zarei Bidoki & Yazdani 2008",
            summary: "The URL with the shortest logarithmic way from the seeds",
            description: "A link of a page with O links is log O long, and a URL is drawn towards \
                the shortest way that leads to it, where FICA takes the ways as they come. Here it \
                learns from the pages fetched so far; the paper ranks the whole web first, as \
                knowledge:all does (γ at most 0.99 then). β and γ have no printed values: 0.01 and \
                0.5 are ours.",
            formula: "score(u) = −d(u); d(j) ← (1−α)·d(j) + α·min over i → j of (log O(i) + γ·d(i)), \
                α = e^(−β·t)",
            params: PARAMS,
        },
    ),
    needs: |params| Needs::if_all(params, distance::ranker(params)),
    build: |params, _| {
        if super::knows_all(params) {
            return Box::new(Omniscient);
        }
        let mut distances = Distances::new(params);
        if params.text("alpha") == "one" {
            distances.beta = 0.0;
        }
        Box::new(DistanceRank::new(distances))
    },
};

/// The ordering; with a discount it is IECA.
#[derive(Clone)]
pub(super) struct DistanceRank {
    distances: Distances,
    /// By URL, the length of its shortest way; 0 for seeds.
    shortest: Vec<f64>,
}

impl DistanceRank {
    pub(super) fn new(distances: Distances) -> Self {
        Self { distances, shortest: Vec::new() }
    }

    /// Deals with links found on a page that was fetched or visited just now.
    fn take(
        &mut self,
        effect: Effect,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.shortest.resize(known.n_seeds().max(self.shortest.len() as u32) as usize, 0.0);
        self.shortest.resize(known.n_discovered() as usize, effect.length);
        let is_new = |link: &UrlId| self.distances.is_new(*link, known);
        let links = || known.links_at(url, places.clone());
        scores.set_each(links().filter(is_new), 0.0 - effect.found());
        for link in links().filter(|link| !is_new(link)) {
            if known.fetch_number(link).is_none() {
                let shortest = &mut self.shortest[link.index()];
                *shortest = shortest.min(effect.length);
                let before = 0.0 - scores.get(link);
                scores.set(link, 0.0 - effect.drawn(before, *shortest));
            }
        }
        self.distances.done(known);
    }
}

impl Strategy for DistanceRank {
    fn discovered(&mut self, _: UrlId, so_far: f64, _: &Known<'_>) -> f64 {
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        let effect = self.distances.fetched(url, 0.0 - scores.get(url), known);
        self.take(effect, url, 0..known.links(url).len(), known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        if let Some(effect) = self.distances.revisited(url, &places, known) {
            self.take(effect, url, places, known, scores);
        }
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let mut ways: Vec<Way> = Vec::new();
        for way in self.distances.ways(url, known) {
            // A way counts only as long as it is the shortest; its weight goes to the one that is.
            match ways.last_mut() {
                Some(best) if best.length <= way.length => best.weight += way.weight,
                _ => ways.push(way),
            }
        }
        self.distances.explain(url, &ways, score, known)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec![DISTANCE, "shortest-way"]
    }

    fn kept(&self, name: &str, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        if name == DISTANCE {
            return self.distances.distance(url, score, known);
        }
        self.shortest.get(url.index()).copied()
    }

    fn rate(&self, name: &str, known: &Known<'_>) -> Option<f64> {
        self.distances.rate_named(name, known)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.distances.bytes() + self.shortest.capacity() * 8
    }
}
