//! Depth-first: links of the latest fetched page first.
//!
//! score(u) = fetch number of the latest page that links to u, and 0 for a seed without such a page

use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts};
use std::ops::Range;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "depth-first",
        "Depth-first",
        EntryTexts {
            family: "Order of discovery",
            source: "Voronov, Mail.Ru",
            summary: "Newest link first: down one path as far as it goes",
            description: "Follows the links of the latest fetched page before all others. A URL seen \
                again moves up; of the links of one page, the one discovered earlier goes first. It \
                runs deep into single sites and is easily caught in spider traps: a warning rather \
                than a method.",
            formula: "score(u) = fetch number of the latest page linking to u",
            params: &[],
        },
    ),
    needs: Needs::nothing,
    build: |_, _| Box::new(DepthFirst),
};

#[derive(Clone)]
struct DepthFirst;

impl Strategy for DepthFirst {
    fn discovered(&mut self, _: UrlId, so_far: f64, _: &Known<'_>) -> f64 {
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        scores.set_each(known.links(url), f64::from(known.n_fetched()));
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        // A revisited page has the number of its fetch, which may not be the latest.
        let number = f64::from(known.fetch_number(url).unwrap_or(0));
        for link in known.links_at(url, places) {
            if number > scores.get(link) {
                scores.set(link, number);
            }
        }
    }

    fn explain(&self, _: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let label = "fetch number of the latest page linking to it";
        let leaf = Explanation::given(label, score);
        match (score as usize).checked_sub(1).and_then(|at| known.order().get(at)) {
            Some(latest) => leaf.with(Evidence::Fetched(*latest)),
            None => leaf.with(Evidence::Note("a seed that no fetched page links to".into())),
        }
    }
}
