//! Orderings whose score needs no arithmetic.

use crate::crawl::{History, Reference};
use crawl_core::Rules;
use crawl_import::address;
use crawl_tests::contender::contender;
use crawl_tests::driver;
use crawl_world::{PageId, World};

/// A number drawn by the seed of chance and the URL alone: which, is learnt from a crawl of another
/// world, where the same URLs are all seeds, in another order, and nothing links.
pub struct Random {
    pub drawn: Vec<f64>,
}

/// Minus the number under which it was discovered.
pub struct BreadthFirst;

/// The fetch number of the latest page that links to it; 0 for a seed without any.
pub struct DepthFirst;

/// How many fetched pages link to it.
pub struct BacklinkCount;

impl Random {
    pub fn new(world: &World) -> Self {
        let mut builder = address::builder("the same URLs, nothing else");
        let pages: Vec<PageId> = world.pages().collect();
        for page in pages.iter().rev() {
            address::add_page(&mut builder, &world.url(*page)).expect("a URL of another world");
        }
        let seeds = builder.finish().expect("as many pages as another world");
        let all: Vec<PageId> = seeds.pages().collect();
        let mut session = contender("random").session(&seeds, &all, &Rules::default());
        let mut drawn = vec![f64::NAN; all.len()];
        for fetched in driver::run(&mut session, &seeds, all.len()) {
            drawn[all.len() - 1 - fetched.fetch.page.index()] = fetched.score;
        }
        Self { drawn }
    }
}

impl Reference for Random {
    fn scores(&self, _: &History<'_>) -> Vec<f64> {
        self.drawn.clone()
    }
}

impl Reference for BreadthFirst {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; history.graph.n_pages()];
        for (number, page) in history.discovered.iter().enumerate() {
            scores[*page] = 0.0 - number as f64;
        }
        scores
    }
}

impl Reference for DepthFirst {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; history.graph.n_pages()];
        for (number, page) in (1..).zip(&history.fetched) {
            // Whenever it showed the link: the latest of the pages counts, not of the visits.
            for target in history.links(*page) {
                scores[*target] = f64::from(number);
            }
        }
        scores
    }
}

impl Reference for BacklinkCount {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; history.graph.n_pages()];
        for page in &history.fetched {
            for target in history.links(*page) {
                scores[*target] += 1.0;
            }
        }
        scores
    }
}
