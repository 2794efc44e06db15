//! HITS authority over the known pages (Kleinberg 1999).
//!
//! Every `every` fetches, hubs and authorities are computed over all known pages, from a uniform
//! start. With h the hubs and A the factor that makes authorities sum to 1,
//!
//! score(u) = Σ over fetched p → u of h(p) ÷ A
//!
//! Between two computations, a newly fetched page gets the hub value that follows from its links'
//! current scores; before the first one, every hub value is 1 (our reading). Links that a page
//! shows at a later visit get the hub value that it would have then.

use super::refreshed::{Ranked, Ranking, Refreshed};
use super::{Needs, StrategyEntry};
use crate::ranker::hits::{Hits as Weights, Limits};
use crate::{Explanation, Known, Op, Scores, UrlId, Work};
use crawl_catalogue::{Entry, EntryTexts, Param};

const PARAMS: &[Param] =
    &[Param::integer("every", 100, 1, 1_000_000, "Number of fetches between two computations.")];

/// Typical number of sweeps per computation (measured on generated webs of 20,000 pages).
const USUAL_SWEEPS: f64 = 200.0;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "hits",
        "HITS so far",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013; Kleinberg 1999",
            summary: "The URL of highest authority among the known pages",
            description: "Good hubs link to good authorities, and good authorities are linked from \
                good hubs. Both are computed over all known pages at regular intervals. A tightly \
                knit group of pages can attract all the weight, so that the crawl stays in it for \
                long.",
            formula: "score(u) = Σ over fetched p → u of hub(p) ÷ sum of all authorities",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let sweeps = USUAL_SWEEPS / f64::from(params.integer("every"));
        Needs::near("hits").working(Work { sweeps_per_fetch: sweeps, ..Work::default() })
    },
    build: |params, _| {
        let hits = Hits { norms: None, links: Vec::new(), ends: Vec::new() };
        Box::new(Refreshed::new(params.integer("every"), hits))
    },
};

#[derive(Clone)]
struct Hits {
    /// Sums of hubs and authorities, since the first computation.
    norms: Option<(f64, f64)>,
    /// The links of fetched pages, concatenated, and the end of each page's links.
    links: Vec<u32>,
    ends: Vec<u32>,
}

impl Hits {
    /// Sum of all authorities before scaling.
    fn scale(&self) -> f64 {
        self.norms.map_or(1.0, |(_, authority_norm)| authority_norm)
    }
}

impl Ranking for Hits {
    /// Hub value ÷ sum of authorities.
    type Share = f64;
    const LABEL: &'static str = "authority so far";
    const STORED: &'static [&'static str] = &["authority", "hub"];

    fn share(&self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) -> (f64, f64) {
        let share = match self.norms {
            None => 1.0,
            Some((hub_norm, authority_norm)) => {
                let sum: f64 = known.links(url).map(|link| scores.get(link)).sum();
                sum / hub_norm / authority_norm
            }
        };
        (share, share)
    }

    fn refresh(&mut self, known: &Known<'_>, has_grown: bool) -> Ranked<f64> {
        if has_grown {
            self.links.clear();
            self.ends.clear();
        }
        for page in &known.order()[self.ends.len()..] {
            self.links.extend(known.links(*page).map(|link| link.0));
            self.ends.push(self.links.len() as u32);
        }
        if self.links.is_empty() {
            // No page has shown a link yet: every hub value stays 1.
            return Ranked { shares: vec![1.0; known.order().len()], scores: None };
        }
        let starts = std::iter::once(&0).chain(&self.ends);
        let rows = known.order().iter().zip(starts).zip(&self.ends);
        let rows =
            rows.map(|((page, start), end)| (page.0, &self.links[*start as usize..*end as usize]));
        let weights = Weights::new(known.n_discovered(), rows, Limits::default());
        self.norms = Some((weights.hub_norm, weights.authority_norm));
        let shares = known.order().iter().map(|page| weights.share(page.0)).collect();
        Ranked { shares, scores: Some(weights.authorities) }
    }

    fn explain(&self, share: f64) -> Explanation {
        let factors = vec![
            Explanation::given("hub", share * self.scale()),
            Explanation::given("sum of all authorities before scaling", self.scale()),
        ];
        Explanation::of("from a page", Op::Quotient, factors).valued(share)
    }

    fn stored(&self, name: &str, _: UrlId, score: f64, own_share: Option<f64>) -> Option<f64> {
        if name == "authority" { Some(score) } else { own_share.map(|share| share * self.scale()) }
    }

    fn bytes(&self) -> usize {
        (self.links.capacity() + self.ends.capacity()) * 4
    }
}
