//! DistanceRank as a strategy (Zareh Bidoki & Yazdani 2008; Salari, Derhami & Paksima, eq. 13).
//!
//! Like FICA, but a URL's distance moves towards its shortest path so far:
//! d(j) ← (1−α)·d(j) + α·min over fetched i → j of (log O(i) + γ·d(i)).

use super::distance::{self, BETA, DISTANCE, Distances, Effect, GAMMA, LOG, Path};
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
        "Learning rate α. decay: e^(−β·t), as in FICA; one: 1, so that a URL's distance is always its \
         shortest path.",
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
            source: "Salari, Derhami & Paksima, eq. 13; Zareh Bidoki & Yazdani 2008",
            summary: "The URL with the shortest logarithmic path from the seeds",
            description: "A link of a page with O links has length log O. A URL's distance moves \
                towards the shortest path found so far, where FICA takes each path as it is found. \
                Here it learns from the fetched pages; the paper ranks the complete web first, as \
                knowledge:all does (then γ is at most 0.99). The paper gives no values of β and γ: \
                0.01 and 0.5 are our choice.",
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

/// The strategy; with a discount it is IECA.
#[derive(Clone)]
pub(super) struct DistanceRank {
    distances: Distances,
    /// By URL, the length of its shortest path; 0 for seeds.
    shortest: Vec<f64>,
}

impl DistanceRank {
    pub(super) fn new(distances: Distances) -> Self {
        Self { distances, shortest: Vec::new() }
    }

    /// Processes links found by a fetch or a visit.
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
        let mut paths: Vec<Path> = Vec::new();
        for path in self.distances.paths(url, known) {
            // A path counts only while it is the shortest; its weight then goes to the new one.
            match paths.last_mut() {
                Some(best) if best.length <= path.length => best.weight += path.weight,
                _ => paths.push(path),
            }
        }
        self.distances.explain(url, &paths, score, known)
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

    fn bytes(&self) -> usize {
        self.distances.bytes() + self.shortest.capacity() * 8
    }
}
