//! Ranks that a crawler remembers from an earlier crawl.
//!
//! [`Drift`] makes the earlier version of the web (not in the papers). The earlier crawl was
//! breadth first from the same seeds, followed every link, and stopped after a share of the
//! reachable pages. Then PageRank was computed over the fetched pages and the URLs they linked to.

use crate::ranker::{Graph, pagerank};
use crawl_world::{Csr, Drift, Earlier, PageId, Reach, World};

/// Parameters of an earlier crawl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastSpec {
    /// Changes of the web since the earlier crawl.
    pub drift: Drift,
    /// Share of the reachable pages that were fetched; at least one page.
    pub memory: f64,
}

/// The ranks of an earlier crawl. A strategy that uses them is no oracle.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    spec: PastSpec,
    /// Rank of each URL known then, in order of discovery.
    ranks: Vec<f64>,
    /// Index into `ranks` by page of today's web.
    places: Vec<u32>,
}

/// Not known then.
const NONE: u32 = u32::MAX;

impl Past {
    /// Crawls the earlier version of a world from these seeds.
    pub fn new(spec: PastSpec, world: &World, seeds: &[PageId]) -> Self {
        let earlier = Earlier::new(world, seeds, &spec.drift);
        let reach = Reach::new(earlier.links(), seeds);
        let found = reach.pages();
        let mut places = vec![NONE; earlier.links().n_pages() as usize];
        for (place, page) in (0..).zip(found) {
            places[page.index()] = place;
        }
        let n_fetched = (spec.memory * f64::from(reach.n_pages()) + 0.5) as usize;
        let fetched = &found[..n_fetched.max(1).min(found.len())];
        let leaving = |page: PageId| {
            let page = earlier.like(page);
            world.out_degree(page) - world.links(page).len() as u32
        };
        let (mut offsets, mut targets, mut outside) = (vec![0], Vec::new(), Vec::new());
        let mut n_known = found.iter().filter(|page| reach.depth(**page) == Some(0)).count();
        for page in fetched {
            for to in earlier.links().links(*page) {
                let place = places[to.index()];
                n_known = n_known.max(place as usize + 1);
                targets.push(PageId(place));
            }
            offsets.push(targets.len() as u32);
            outside.push(leaving(*page));
        }
        // URLs found but not fetched show no links.
        offsets.resize(n_known + 1, targets.len() as u32);
        outside.resize(n_known, 0);
        let links = Csr::new(offsets, targets);
        let ranks = pagerank::usual(&Graph::leaving(&links, outside));
        places.truncate(world.n_pages() as usize);
        let forget = |place: &mut u32| {
            if *place as usize >= n_known {
                *place = NONE;
            }
        };
        places.iter_mut().for_each(forget);
        Self { spec, ranks, places }
    }

    /// Parameters of the crawl.
    pub fn spec(&self) -> &PastSpec {
        &self.spec
    }

    /// The rank of a page then, if its URL was known.
    #[inline]
    pub fn rank(&self, page: PageId) -> Option<f64> {
        let place = self.places.get(page.index()).copied().unwrap_or(NONE);
        self.ranks.get(place as usize).copied()
    }

    /// Ranks of all URLs known then, including pages since removed, in order of discovery.
    pub fn ranks(&self) -> &[f64] {
        &self.ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree;
    use crawl_world::WorldBuilder;

    const STILL: Drift = Drift { born: 0.0, died: 0.0, changed: 0.0, seed: 1 };

    fn world(links: &[(u32, u32)], n_pages: u32) -> World {
        let mut builder = WorldBuilder::numbered("test", n_pages).expect("a few pages");
        links.iter().for_each(|(from, to)| builder.link(PageId(*from), PageId(*to)));
        builder.finish().expect("a small world")
    }

    fn ranks(past: &Past, n_pages: u32) -> Vec<Option<f64>> {
        (0..n_pages).map(|page| past.rank(PageId(page))).collect()
    }

    #[test]
    fn an_unchanged_web_that_was_all_fetched_has_the_ranks_of_what_can_be_reached() {
        let world = world(&[(2, 0), (0, 1), (3, 2)], 4);
        let past = Past::new(PastSpec { drift: STILL, memory: 1.0 }, &world, &[PageId(2)]);
        // In units of the base rank: 1, 1.85, 2.5725.
        let (y1, y2) = (1.85, 1.0 + 0.85 * 1.85);
        let sum = 1.0 + y1 + y2;
        let expected = [Some(y1 / sum), Some(y2 / sum), Some(1.0 / sum), None];
        for (rank, expected) in ranks(&past, 4).into_iter().zip(expected) {
            assert!((rank.unwrap_or(-1.0) - expected.unwrap_or(-1.0)).abs() < 1e-12);
        }
        assert_eq!(past.ranks().len(), 3);
        assert_eq!(past.rank(PageId(9)), None, "a page that came later");
    }

    #[test]
    fn what_is_gone_counts_and_links_that_leave_count() {
        let mut builder = WorldBuilder::new("test");
        let home = builder.page("http://a.example/").expect("a URL");
        let other = builder.page("http://a.example/b").expect("a URL");
        builder.link(home, other);
        builder.link_outside(home, "http://elsewhere.example/");
        let world = builder.finish().expect("two pages");
        let spec = PastSpec { drift: Drift { died: 1.0, ..STILL }, memory: 1.0 };
        let past = Past::new(spec, &world, &[home]);
        // Two of home's three links led to b and its sister.
        let y = 1.0 + 0.85 / 3.0;
        assert_eq!(past.ranks().len(), 3);
        assert!(agree(past.rank(other).unwrap_or(0.0), y / (1.0 + 2.0 * y)));
        assert_eq!(past.ranks()[1], past.ranks()[2]);
    }

    #[test]
    fn nothing_there_but_the_seeds_is_a_past_too() {
        let spec = PastSpec { drift: Drift { born: 1.0, died: 0.5, ..STILL }, memory: 0.01 };
        let world = world(&[(0, 1), (1, 2), (2, 0)], 3);
        let past = Past::new(spec, &world, &[PageId(1), PageId(1), PageId(0)]);
        assert_eq!(past.rank(PageId(2)), None);
        // One of two seeds was fetched, which no longer links to the other.
        let known = [PageId(0), PageId(1)].map(|page| past.rank(page).unwrap_or(0.0));
        assert!(known.iter().all(|rank| *rank > 0.0), "{known:?}");
        let one = self::world(&[], 1);
        assert_eq!(Past::new(spec, &one, &[PageId(0)]).rank(PageId(0)), Some(1.0));
        assert_eq!(Past::new(spec, &one, &[]).ranks(), &[] as &[f64]);
    }
}
