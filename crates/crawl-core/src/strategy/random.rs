//! Random: a fixed number drawn for each URL.
//!
//! score(u) = hash(rng, u) as a fraction

use super::{Given, Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "random",
        "Random",
        EntryTexts {
            family: "Baselines",
            source: "Lebedeva 2013 (A)",
            summary: "Any waiting URL, by lot",
            description: "Every URL draws a number from the run's random seed and its own text; \
                the highest number is fetched next. The mean of 20 such runs is the baseline that \
                other orderings are measured against.",
            formula: "score(u) = hash(rng, u) ∈ [0, 1)",
            params: &[],
        },
    ),
    needs: Needs::nothing,
    build: |_, given| Box::new(Random { lot: Lot::new(given) }),
};

#[derive(Clone)]
struct Random {
    lot: Lot,
}

/// Draws a number for each URL.
#[derive(Clone, Default)]
pub(super) struct Lot {
    start: u64,
}

impl Lot {
    pub(super) fn new(given: &Given) -> Self {
        Self { start: mixed(given.rng ^ 0x6372_6177_6c73_636f) }
    }

    pub(super) fn draw(&self, url: &str) -> f64 {
        // FNV-1a over the URL, well mixed: stable for ever, as links need it.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = url.bytes().fold(self.start, step);
        (mixed(hash) >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    pub(super) fn explain(drawn: f64) -> Explanation {
        Explanation::given("number drawn for this URL", drawn)
            .with(Evidence::Note("from the run's random seed and the URL's text".into()))
    }
}

impl Strategy for Random {
    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        self.lot.draw(&known.url(url))
    }

    fn explain(&self, _: UrlId, score: f64, _: &Known<'_>) -> Explanation {
        Lot::explain(score)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }
}

/// Spreads every bit over all others (the finishing step of SplitMix64, Steele et al. 2014).
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
