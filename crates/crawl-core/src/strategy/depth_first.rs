//! Depth-first: links of the page fetched last come first.
//!
//! score(u) = fetch number of the latest page that links to u, and 0 for a seed none links to

use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Rescore, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "depth-first",
        "Depth-first",
        EntryTexts {
            family: "Order of discovery",
            source: "Voronov, Mail.Ru (D)",
            summary: "Newest link first: down one path as far as it goes",
            description: "Follows the links of the page fetched last before all others, in the \
                order they stand on it; a URL seen again moves up. It runs deep into single sites \
                and is easily caught in spider traps: a warning more than a method.",
            formula: "score(u) = fetch number of the latest page linking to u",
            params: &[],
        },
    ),
    needs: Needs::nothing,
    build: |_, _| Box::new(DepthFirst::default()),
};

#[derive(Clone, Default)]
struct DepthFirst {
    latest: Vec<u32>,
}

impl Strategy for DepthFirst {
    fn discovered(&mut self, url: UrlId, known: &Known<'_>) -> f64 {
        self.score(url, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, rescore: &mut Rescore<'_>) {
        let number = known.n_fetched();
        self.latest.resize(known.n_discovered() as usize, 0);
        for link in known.links(url) {
            self.latest[link.index()] = number;
            rescore.set(link, f64::from(number));
        }
    }

    fn score(&self, url: UrlId, _: &Known<'_>) -> f64 {
        f64::from(self.latest.get(url.index()).copied().unwrap_or(0))
    }

    fn explain(&self, url: UrlId, known: &Known<'_>) -> Explanation {
        let score = self.score(url, known);
        let label = "fetch number of the latest page linking to it";
        let leaf = Explanation::given(label, score);
        match (score as usize)
            .checked_sub(1)
            .and_then(|at| known.order().get(at))
        {
            Some(latest) => leaf.with(Evidence::Fetched(*latest)),
            None => leaf.with(Evidence::Note(
                "a seed that no fetched page links to".into(),
            )),
        }
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.latest.capacity() * 4
    }
}
