//! Random order: a hash of each URL.
//!
//! score(u) = hash(rng, u) as a fraction

use super::{Needs, Strategy, StrategyContext, StrategyEntry};
use crate::{Evidence, Explanation, Known, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "random",
        "Random",
        EntryTexts {
            family: "Baselines",
            source: "Lebedeva 2013",
            summary: "A random waiting URL",
            description: "Every URL gets a random number from the run's random seed and its text; the \
                highest is fetched next. The mean of 20 such runs is the baseline for other \
                strategies.",
            formula: "score(u) = hash(rng, u) ∈ [0, 1)",
            params: &[],
        },
    ),
    needs: Needs::nothing,
    build: |_, context| Box::new(Random { lot: UrlRandom::new(context) }),
};

#[derive(Clone)]
struct Random {
    lot: UrlRandom,
}

/// Draws a random number for each URL.
#[derive(Clone, Default)]
pub(super) struct UrlRandom {
    start: u64,
}

impl UrlRandom {
    pub(super) fn new(context: &StrategyContext) -> Self {
        Self { start: mixed(context.rng ^ 0x6372_6177_6c73_636f) }
    }

    pub(super) fn draw(&self, url: &str) -> f64 {
        // FNV-1a over the URL, mixed. Must never change, since links depend on it.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = url.bytes().fold(self.start, step);
        (mixed(hash) >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    pub(super) fn explain(drawn: f64) -> Explanation {
        Explanation::given("random number of this URL", drawn)
            .with(Evidence::Note("from the run's random seed and the URL".into()))
    }
}

impl Strategy for Random {
    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        self.lot.draw(&known.url(url))
    }

    fn explain(&self, _: UrlId, score: f64, _: &Known<'_>) -> Explanation {
        UrlRandom::explain(score)
    }
}

/// Finaliser of SplitMix64 (Steele et al. 2014).
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
