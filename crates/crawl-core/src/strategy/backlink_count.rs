//! Backlink count: the URL that most fetched pages link to.
//!
//! score(u) = |{p fetched : p → u}|

use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Rescore, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "backlink-count",
        "Backlink count",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013 (A); Cho, Garcia-Molina & Page 1998",
            summary: "The URL that most fetched pages link to",
            description: "Counts the fetched pages that link to each URL. Simple and often strong, \
                but it counts every link alike: a site whose pages all link to each other holds \
                the crawler.",
            formula: "score(u) = number of fetched pages linking to u",
            params: &[],
        },
    ),
    needs: Needs::nothing,
    build: |_, _| Box::new(BacklinkCount::default()),
};

#[derive(Clone, Default)]
struct BacklinkCount {
    counts: Vec<u32>,
}

impl Strategy for BacklinkCount {
    fn discovered(&mut self, url: UrlId, known: &Known<'_>) -> f64 {
        self.score(url, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, rescore: &mut Rescore<'_>) {
        self.counts.resize(known.n_discovered() as usize, 0);
        for link in known.links(url) {
            let count = &mut self.counts[link.index()];
            *count += 1;
            rescore.set(link, f64::from(*count));
        }
    }

    fn score(&self, url: UrlId, _: &Known<'_>) -> f64 {
        f64::from(self.counts.get(url.index()).copied().unwrap_or(0))
    }

    fn explain(&self, url: UrlId, known: &Known<'_>) -> Explanation {
        let one = |page: UrlId| Explanation::given("link", 1.0).with(Evidence::Fetched(page));
        let links = known.linked_from(url).into_iter().map(one).collect();
        Explanation::sum("fetched pages linking to it", links)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.counts.capacity() * 4
    }
}
