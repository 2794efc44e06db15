//! FICA, the fast intelligent crawling algorithm (Zareh Bidoki & Yazdani).
//!
//! After Salari, Derhami & Paksima, eq. 2 and 3. For each link i → j of a fetched page:
//! d(j) ← (1−α)·d(j) + α·(log O(i) + γ·d(i)), with α = e^(−β·t). Equation 2 is printed with γ·d(i)
//! outside α's parentheses; equation 13 shows the intended form. The nearest URL is fetched next.

use super::distance::{self, BETA, DISTANCE, Distances, GAMMA, LOG};
use super::{Needs, Strategy, StrategyEntry};
use crate::{Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;

const PARAMS: &[Param] = &[GAMMA, BETA, LOG];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "fica",
        "FICA",
        EntryTexts {
            family: "Learning",
            source: "Salari, Derhami & Paksima, eq. 2 and 3; Zareh Bidoki, Yazdani & Ghodsnia 2009",
            summary: "The nearest URL, where each of a page's O links has length log O",
            description: "Breadth-first with another distance: a link of a page with O links has length \
                log O, so that a page reached through few links is near. Every path found later \
                changes a URL's distance by a learning rate α, which decreases during the crawl. \
                The paper prints γ·d(i) outside α's parentheses; a later equation shows the intended \
                form. It gives no values of β and γ: 0.01 and 0.5 are our choice, and so is that a \
                fetched page keeps its distance.",
            formula: "score(u) = −d(u); d(j) ← (1−α)·d(j) + α·(log O(i) + γ·d(i)) for each i → j, \
                α = e^(−β·t)",
            params: PARAMS,
        },
    ),
    needs: |params| Needs::near(distance::ranker(params)),
    build: |params, _| Box::new(Fica { distances: Distances::new(params) }),
};

#[derive(Clone)]
struct Fica {
    distances: Distances,
}

impl Strategy for Fica {
    fn discovered(&mut self, _: UrlId, so_far: f64, _: &Known<'_>) -> f64 {
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        self.distances.learn(url, known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.distances.learn_later(url, places, known, scores);
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        self.distances.explain(url, &self.distances.paths(url, known), score, known)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec![DISTANCE]
    }

    fn kept(&self, _: &str, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        self.distances.distance(url, score, known)
    }

    fn rate(&self, name: &str, known: &Known<'_>) -> Option<f64> {
        self.distances.rate_named(name, known)
    }

    fn bytes(&self) -> usize {
        self.distances.bytes()
    }
}
