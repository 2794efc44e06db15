//! Ranks remembered from an earlier crawl (Castillo 2005; Lebedeva 2013, section 1.4.1).
//!
//! score(u) = PageRank of u in the earlier crawl; for a URL that was not known then, by `new`:
//!
//! - `oracle`: its true PageRank now;
//! - `random`: one of the earlier ranks, uniformly at random, drawn by a hash of the URL;
//! - `zero`: 0, so that all known URLs come first;
//! - `parent`: the score of its parent ÷ the parent's number of links. The parent is the page on
//!   which the URL was first found, or through which it was found nearer if depth is limited. A
//!   parent that was not known has its score from its own parent (our choice). If a parent shows
//!   more links at a later visit, the scores of waiting URLs found on it decrease.
//!
//! The earlier web is made from the present one by drift (not in the papers), see [`crate::Past`].

use super::random::UrlRandom;
use super::values::{Table, Values};
use super::{Needs, Strategy, StrategyEntry};
use crate::{Evidence, Explanation, Known, Op, Past, PastSpec, Scores, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};
use crawl_world::Drift;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

const PARAMS: &[Param] = &[
    Param::choice(
        "new",
        "parent",
        &[
            Cow::Borrowed("oracle"),
            Cow::Borrowed("random"),
            Cow::Borrowed("zero"),
            Cow::Borrowed("parent"),
        ],
        "Score of a URL not known then. oracle: its true PageRank, which no crawler knows; random: one \
         of the earlier ranks, at random; zero: 0; parent: the score of the page it was found on ÷ \
         that page's number of links.",
    ),
    Param::number(
        "born",
        0.2,
        0.0,
        0.9,
        "Share of today's pages, without seeds, that did not exist then (our choice).",
    ),
    Param::number(
        "died",
        0.1,
        0.0,
        0.9,
        "Pages removed since then, relative to those that remain (our choice).",
    ),
    Param::number(
        "changed",
        0.1,
        0.0,
        0.9,
        "Share of the links between remaining pages that had another target then (our choice).",
    ),
    Param::number(
        "memory",
        1.0,
        0.01,
        1.0,
        "Share of the reachable pages that the earlier crawl fetched, breadth first (our choice).",
    ),
    Param::integer(
        "drift",
        1,
        0,
        u32::MAX,
        "Random seed of the changes since the earlier crawl (our choice).",
    ),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "historical",
        "Historical",
        EntryTexts {
            family: "Memory",
            source: "Lebedeva 2013, section 1.4.1; Castillo 2005",
            summary: "The URL with the highest PageRank in an earlier crawl",
            description: "Remembers the PageRank of URLs in an earlier crawl from the same seeds; URLs \
                not known then get a score by the rule new. Worlds have no history, so the earlier \
                version is made from the present world by drift (our choice): some pages did not \
                exist yet, some were removed since, some links changed. The less drift, the more it \
                knows of the present. The earlier crawl followed every link, ignoring robots.txt \
                and the crawl rules. A real crawler can have such a memory, so it is no oracle, \
                except with new:oracle.",
            formula: "score(u) = earlier PageRank(u); for a new URL: by new",
            params: PARAMS,
        },
    ),
    needs: |params| Needs {
        truth: (params.text("new") == "oracle").then(|| "pagerank".to_owned()),
        pasts: vec![spec(params)],
        ..Needs::default()
    },
    build: |params, context| {
        let new = match params.text("new") {
            "oracle" => New::Oracle,
            "random" => New::Random(UrlRandom::new(context)),
            "zero" => New::Zero,
            _ => New::Parent(Table::default()),
        };
        Box::new(Historical { past: context.past(&spec(params)), new })
    },
};

fn spec(params: &Params) -> PastSpec {
    let drift = Drift {
        born: params.number("born"),
        died: params.number("died"),
        changed: params.number("changed"),
        seed: params.integer("drift").into(),
    };
    PastSpec { drift, memory: params.number("memory") }
}

#[derive(Clone)]
struct Historical {
    /// `None` if the host provides no earlier crawl.
    past: Option<Arc<Past>>,
    new: New,
}

/// Score of a URL not known then.
#[derive(Clone)]
enum New {
    Oracle,
    Random(UrlRandom),
    Zero,
    /// With the scores of all URLs that entered the frontier.
    Parent(Table),
}

impl Historical {
    fn remembered(&self, url: UrlId, known: &Known<'_>) -> Option<f64> {
        known.past_rank(self.past.as_deref()?, url)
    }

    fn ranks(&self) -> &[f64] {
        self.past.as_ref().map_or(&[], |past| past.ranks())
    }

    fn score(&mut self, url: UrlId, known: &Known<'_>) -> f64 {
        let remembered = self.remembered(url, known);
        let score = remembered.unwrap_or_else(|| self.score_of_new(url, known));
        if let New::Parent(scores) = &mut self.new {
            scores.set(url, score);
        }
        score
    }

    fn score_of_new(&self, url: UrlId, known: &Known<'_>) -> f64 {
        match &self.new {
            New::Oracle => known.true_rank(url).unwrap_or(0.0),
            New::Random(lot) => {
                let ranks = self.ranks();
                let at = (lot.draw(&known.url(url)) * ranks.len() as f64) as usize;
                ranks.get(at).copied().unwrap_or(0.0)
            }
            New::Zero => 0.0,
            New::Parent(scores) => known.parent(url).map_or(0.0, |parent| {
                scores.get(parent) / f64::from(known.out_degree(parent).max(1))
            }),
        }
    }

    fn explain_new(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let note = |text: &str| Evidence::Note(text.to_owned());
        match (&self.new, known.parent(url)) {
            (New::Oracle, _) => Explanation::given("true rank of a new URL", score)
                .with(note("pagerank over the complete world, which no crawler knows")),
            (New::Random(_), _) => Explanation::given("rank drawn for a new URL", score)
                .with(note("one of the earlier ranks, drawn by the run's random seed and the URL")),
            (New::Parent(scores), Some(parent)) => {
                let label = match self.remembered(parent, known) {
                    Some(_) => "its parent's rank in the earlier crawl",
                    None => "score of its parent, a new URL too",
                };
                let rank = Explanation::given(label, scores.get(parent));
                let links = f64::from(known.out_degree(parent).max(1));
                let links = Explanation::given("its parent's links", links);
                let parts = vec![rank.with(Evidence::Fetched(parent)), links];
                Explanation::of("share of its parent, as a new URL", Op::Quotient, parts)
            }
            _ => Explanation::given("a new URL's score", score)
                .with(note("not known to the earlier crawl")),
        }
    }
}

impl Strategy for Historical {
    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        self.score(url, known)
    }

    fn fetched(&mut self, _: UrlId, _: &Known<'_>, _: &mut Scores<'_>) {}

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        if places.is_empty() || !matches!(self.new, New::Parent(_)) {
            return;
        }
        for link in known.links_at(url, 0..places.start) {
            let waits = known.fetch_number(link).is_none();
            if waits && known.parent(link) == Some(url) && self.remembered(link, known).is_none() {
                scores.set(link, self.score(link, known));
            }
        }
    }

    fn found_nearer(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        scores.set(url, self.score(url, known));
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        if self.remembered(url, known).is_none() {
            return self.explain_new(url, score, known).valued(score);
        }
        let n_known = self.ranks().len();
        let of = format!("PageRank among the {n_known} URLs known then, in a web made by drift");
        Explanation::given("rank in the earlier crawl", score).with(Evidence::Note(of))
    }

    fn keeps(&self) -> Vec<&'static str> {
        vec!["earlier-rank"]
    }

    fn kept(&self, _: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        self.remembered(url, known)
    }

    fn bytes(&self) -> usize {
        if let New::Parent(scores) = &self.new { scores.bytes() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, Session, Simulator, agree};
    use crawl_world::{PageId, World, WorldBuilder};

    /// Two seeds, 0 → 2 → 3 → the ends and 1 → 4 → the ends: they are found on the long path first.
    /// The earlier crawl fetched page 0 alone, so only 0, 1 and 2 are remembered.
    fn run(ends: &[u32], more: &[(u32, u32)], n_steps: u32) -> (Simulator, World) {
        let mut builder = WorldBuilder::numbered("two ways", 12).expect("a few pages");
        let ways = [(0, 2), (2, 3), (1, 4)].into_iter().chain(ends.iter().map(|end| (3, *end)));
        for (from, to) in ways.chain(more.iter().copied()) {
            builder.link(PageId(from), PageId(to));
        }
        let world = builder.finish().expect("a small world");
        let seeds = [PageId(0), PageId(1)];
        let drift = Drift { born: 0.0, died: 0.0, changed: 0.0, seed: 1 };
        let past = Past::new(PastSpec { drift, memory: 0.01 }, &world, &seeds);
        let new = New::Parent(Table::default());
        let strategy = Box::new(Historical { past: Some(Arc::new(past)), new });
        // Paths count only if depth is limited.
        let rules = Rules { depth: Some(9), ..Rules::default() };
        let mut run = Simulator::new(Session::new(&world, &seeds, strategy, rules, None));
        for _ in 0..n_steps {
            run.step(&world).expect("a page to fetch");
        }
        (run, world)
    }

    fn check(run: &Simulator, world: &World, page: u32, expected: f64) {
        let session = run.session();
        let url = session.book().url_of(PageId(page)).expect("it was found");
        let score = session.score(url);
        assert!((score - expected).abs() < 1e-12, "page {page}: {score}, not {expected}");
        let why = session.explain(world, url);
        assert!(agree(why.value, score) && why.fault().is_none(), "{why:?}");
    }

    const SEED: f64 = 1.0 / 3.85;
    const CHILD: f64 = 1.85 / 3.85;

    #[test]
    fn a_new_url_found_nearer_has_another_parent() {
        let ends = [5, 6, 7, 8];
        // 0, 2, 3 and 1 are fetched; 4 shows the shorter path to page 8, and to that alone.
        let (run, world) = run(&ends, &[(4, 8)], 4);
        ends.iter().for_each(|end| check(&run, &world, *end, CHILD / 4.0));
        let (mut run, world) = self::run(&ends, &[(4, 8)], 5);
        check(&run, &world, 8, SEED);
        check(&run, &world, 5, CHILD / 4.0);
        assert_eq!(run.step(&world).map(|step| step.page), Some(PageId(8)));
    }

    #[test]
    fn what_is_behind_a_page_found_nearer_follows() {
        let more = [(4, 5), (5, 6), (5, 7), (5, 8), (5, 9)];
        // 0, 2, 3, 5 and 1 are fetched; 4 shows the shorter path to 5.
        let (run, world) = run(&[5], &more, 5);
        check(&run, &world, 6, CHILD / 4.0);
        let (run, world) = self::run(&[5], &more, 6);
        check(&run, &world, 6, SEED / 4.0);
    }
}
