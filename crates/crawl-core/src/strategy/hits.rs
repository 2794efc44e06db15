//! HITS authority in what is known so far (Kleinberg 1999).
//!
//! Every `every` fetches hubs and authorities are computed over all known pages, from a uniform
//! start. With h the hubs and A the factor that makes authorities sum to 1,
//!
//! score(u) = Σ over fetched p → u of h(p) ÷ A
//!
//! Between two computations a page fetched since is given the hub value that its links' present
//! scores say, and before the first one every page counts 1 (our reading); links that a page shows at a
//! later visit have the hub value that it would be given then.

use super::later::Passed;
use super::{Needs, Strategy, StrategyEntry};
use crate::ranker::hits::{Hits as Weights, Limits};
use crate::{Evidence, Explanation, Known, Op, Scores, UrlId, Work};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::ops::Range;

const PARAMS: &[Param] =
    &[Param::integer("every", 100, 1, 1_000_000, "Fetches between two computations.")];

/// Sweeps of a computation, about (measured on generated webs of 20,000 pages).
const USUAL_SWEEPS: f64 = 200.0;

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "hits",
        "HITS so far",
        EntryTexts {
            family: "Link structure",
            source: "Lebedeva 2013 (A); Kleinberg 1999",
            summary: "The URL of highest authority in what is known so far",
            description: "Good hubs link to good authorities, and good authorities are linked to \
                by good hubs; every so many fetches both are computed over all known pages. A \
                tightly knit group of pages can take all the weight, so that the crawl stays \
                with it for long.",
            formula: "score(u) = Σ over fetched p → u of hub(p) ÷ sum of all authorities",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let sweeps = USUAL_SWEEPS / f64::from(params.integer("every"));
        Needs::near("hits").working(Work { sweeps_per_fetch: sweeps, ..Work::default() })
    },
    build: |params, _| {
        let every = params.integer("every");
        Box::new(Hits {
            every,
            passed: Passed::default(),
            norms: None,
            links: Vec::new(),
            ends: Vec::new(),
        })
    },
};

#[derive(Clone)]
struct Hits {
    every: u32,
    /// What each fetched page gives each of its links.
    passed: Passed<f64>,
    /// What hubs and authorities are divided by to sum to 1, since the first computation.
    norms: Option<(f64, f64)>,
    /// The links of fetched pages, one after the other, and where each page's end.
    links: Vec<u32>,
    ends: Vec<u32>,
}

impl Hits {
    /// What a page gives each of its links when it is fetched or visited now.
    fn share(&self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) -> f64 {
        match self.norms {
            None => 1.0,
            Some((hub_norm, authority_norm)) => {
                let sum: f64 = known.links(url).map(|link| scores.get(link)).sum();
                sum / hub_norm / authority_norm
            }
        }
    }

    fn refresh(&mut self, known: &Known<'_>, scores: &mut Scores<'_>) {
        if self.passed.has_grown() {
            self.links.clear();
            self.ends.clear();
        }
        for page in &known.order()[self.ends.len()..] {
            self.links.extend(known.links(*page).map(|link| link.0));
            self.ends.push(self.links.len() as u32);
        }
        if self.links.is_empty() {
            // No page has shown a link: still every page counts 1.
            return self.passed.computed(known.order().iter().map(|_| 1.0));
        }
        let starts = std::iter::once(&0).chain(&self.ends);
        let rows = known.order().iter().zip(starts).zip(&self.ends);
        let rows =
            rows.map(|((page, start), end)| (page.0, &self.links[*start as usize..*end as usize]));
        let weights = Weights::new(known.n_discovered(), rows, Limits::default());
        self.passed.computed(known.order().iter().map(|page| weights.share(page.0)));
        self.norms = Some((weights.hub_norm, weights.authority_norm));
        let authorities = weights.authorities;
        for (url, authority) in (0..).map(UrlId).zip(&authorities) {
            if !scores.waits(url) {
                scores.set(url, *authority);
            }
        }
        scores.set_all(|url| authorities[url.index()]);
    }
}

impl Strategy for Hits {
    fn discovered(&mut self, _: UrlId, so_far: f64, _: &Known<'_>) -> f64 {
        so_far
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        if known.n_fetched().is_multiple_of(self.every) {
            self.refresh(known, scores);
            return;
        }
        let share = self.share(url, known, scores);
        self.passed.fetched(url, (share, share), known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        if !places.is_empty() {
            let share = self.share(url, known, scores);
            self.passed.revisited(url, places, (share, share), known, scores);
        }
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let scale = self.norms.map_or(1.0, |(_, authority_norm)| authority_norm);
        let part = |page: UrlId| {
            let share = self.passed.along(page, url, known);
            let factors = vec![
                Explanation::given("hub", share * scale),
                Explanation::given("sum of all authorities before scaling", scale),
            ];
            let part = Explanation::of("from a page", Op::Quotient, factors);
            part.valued(share).with(Evidence::Fetched(page))
        };
        let parts = known.linked_from(url).into_iter().map(part).collect();
        Explanation::sum("authority so far", parts).valued(score)
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["authority", "hub"]
    }

    fn kept(&self, name: &str, url: UrlId, score: f64, known: &Known<'_>) -> Option<f64> {
        if name == "authority" {
            return Some(score);
        }
        let scale = self.norms.map_or(1.0, |(_, authority_norm)| authority_norm);
        known.fetch_number(url).map(|_| self.passed.by(url, known) * scale)
    }

    fn boxed(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.passed.bytes() + (self.links.capacity() + self.ends.capacity()) * 4
    }
}
