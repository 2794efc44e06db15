//! Strategies whose scores need no arithmetic.

use crate::crawl::{History, Reference};
use crawl_core::Rules;
use crawl_import::address;
use crawl_tests::driver;
use crawl_tests::variants::strategy_variant;
use crawl_world::{PageId, World};

/// A random number determined by random seed and URL.
///
/// Obtained from a crawl of another world in which the same URLs are all seeds, in another order.
pub struct Random {
    pub drawn: Vec<f64>,
}

/// Minus the discovery number.
pub struct BreadthFirst;

/// The fetch number of the latest page that links to it; 0 for a seed without any.
pub struct DepthFirst;

/// Number of fetched pages that link to it.
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
        let mut session = strategy_variant("random").session(&seeds, &all, &Rules::default());
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
            // The latest fetched page counts, not the latest visit.
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
