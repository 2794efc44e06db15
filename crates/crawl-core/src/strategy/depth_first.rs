//! Depth-first: links of the page fetched last come first.
//!
//! score(u) = fetch number of the latest page that links to u, and 0 for a seed none links to

use super::{Needs, Strategy, StrategyEntry};
use crate::only::IS_WHOLE;
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts};
use std::ops::Range;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "depth-first",
        "Depth-first",
        EntryTexts {
            family: "Order of discovery",
            source: "Voronov, Mail.Ru (D)",
            summary: "Newest link first: down one path as far as it goes",
            description: "Follows the links of the page fetched last before all others; a URL seen \
                again moves up, and of links on one page the one discovered earlier goes first. It \
                runs deep into single sites and is easily caught in spider traps: a warning more \
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
        if !IS_WHOLE {
            return;
        }
        // A page visited again has the number of its fetch: it may not be the latest.
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

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }
}
