//! Document B: Zhang, Li, Yu & Zhang 2010, "Joint Link Similarity Evaluation" (JLSE).
//!
//! The paper crawls for phones, cameras and laptops from six shops with five orderings and draws
//! harvest rate@N and target recall@N; it claims the order JLSE > OPIE > ATA > CFC > BFS, that JLSE
//! gains by pages of delayed benefit, and that its graph is best learnt anew every cf = 150 targets.
//! All but breadth-first crawl in the focused loop.
//!
//! Here: the same five for the same three topics on `shop`, and on its control, where links say what
//! they lead to; the sweep of cf; readings that the paper leaves open; and real pages of three
//! universities (`webkb`), each crawled with what was learnt from the other two.

mod claims;
mod samples;
mod shown;
#[cfg(test)]
mod tests;
mod universities;

use super::{Crawls, Document, Findings, Ground, last, rule};
use crate::tried::{Series, Tried, groups};
use crawl_catalogue::Kind;
use crawl_protocol::{Seeds, WorldSource};
use crawl_run::{Lane, Run, RunError};
use std::sync::Arc;

pub(super) const DOCUMENT: Document = Document {
    id: "B",
    title: "Zhang, Li, Yu & Zhang",
    caption: "Shares are means over the three topics and over the fetches of a crawl: harvest of \
        the pages fetched that are about the topic, recall of the targets that were found, delayed \
        of the targets found through links whose own text is off the topic. Crawls have a tenth \
        as many fetches as a web has pages. Intervals are of 95 % over webs; on universities over \
        pairs of topic and university.",
    pages: 600..=50_000,
    web: |n_pages, rng| format!("shop(home:categories,pages:{n_pages},rng:{rng})"),
    real: &["webkb"],
    suits: universities::suits,
    n_pieces: |is_real| if is_real { universities::N_PIECES } else { pieces().count() },
    piece: |at, ground, tried| match (tried.is_real, pieces().nth(at)) {
        (true, _) => universities::piece(at, ground, tried),
        (false, Some(piece)) => piece.run(ground, tried),
        (false, None) => Ok(()),
    },
    findings: |tried| {
        let groups = groups(tried);
        Findings {
            claims: claims::claims(&groups),
            tables: groups.iter().flat_map(shown::tables).collect(),
            figures: groups.iter().flat_map(shown::figures).collect(),
        }
    },
    figures: &[],
};

const TOPICS: [&str; 3] = ["phones", "cameras", "laptops"];

/// A topic has about as many targets here as the paper's best cf, 150: a tenth of it (ours).
const CF: u32 = 15;
/// What is tried for cf: a tenth of the paper's 50 to 200, and beyond on both sides.
const CFS: [u32; 6] = [2, 5, 10, 15, 20, 40];

const JLSE: &str = "jlse(cf:15)";
const OPIE: &str = "opie";
const ANCHOR_TEXT: &str = "anchor-text";
const CONTEXT_GRAPH: &str = "context-graph";
const BREADTH: &str = "breadth-first";

/// An ordering of the paper's comparison, and what the paper printed of it.
struct Ordering {
    spec: &'static str,
    name: &'static str,
    /// Its harvest rate at the first and the last N.
    harvest: [f64; 2],
    /// Its target recall at the last.
    recall: f64,
}

/// The paper's, in the order it claims.
const ORDERINGS: [Ordering; 5] = [
    Ordering { spec: JLSE, name: "JLSE", harvest: [0.68, 0.55], recall: 0.28 },
    Ordering { spec: OPIE, name: "OPIE", harvest: [0.65, 0.51], recall: 0.26 },
    Ordering { spec: ANCHOR_TEXT, name: "ATA", harvest: [0.67, 0.38], recall: 0.22 },
    Ordering { spec: CONTEXT_GRAPH, name: "CFC", harvest: [0.57, 0.31], recall: 0.18 },
    Ordering { spec: BREADTH, name: "BFS", harvest: [0.26, 0.03], recall: 0.10 },
];

/// What the paper leaves open, read one way or another; the first is the default here, the last is
/// to the letter.
const READINGS: [(&str, &str); 5] = [
    (JLSE, "as here: leaf:reward, normalise:l2, queued links keep their score"),
    ("jlse(cf:15,leaf:zero)", "a target's own Q is 0, to the letter"),
    ("jlse(cf:15,normalise:max)", "scores divided by the largest"),
    ("jlse(cf:15,rescore:true)", "waiting links scored anew after learning"),
    ("jlse(cf:15,leaf:zero,normalise:max)", "leaf:zero and normalise:max"),
];

/// Whether links keep silent about what they lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Benefit {
    /// Most do.
    Delayed,
    /// They name it: the control.
    Direct,
}

impl Benefit {
    const BOTH: [Self; 2] = [Self::Delayed, Self::Direct];

    const fn word(self) -> &'static str {
        match self {
            Self::Delayed => "shop",
            Self::Direct => "control",
        }
    }
}

/// What is crawled with in one piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum With {
    /// The paper's five.
    Orderings,
    /// JLSE, learning more or less often.
    Cfs,
    /// JLSE, read otherwise.
    Readings,
}

/// Crawls of one web for one topic, which is learnt once for all of them.
#[derive(Clone, Copy, Debug)]
struct Piece {
    benefit: Benefit,
    topic: &'static str,
    with: With,
}

/// Every piece of work on a generated web.
fn pieces() -> impl Iterator<Item = Piece> {
    let kinds = [
        (Benefit::Delayed, With::Orderings),
        (Benefit::Direct, With::Orderings),
        (Benefit::Delayed, With::Cfs),
        (Benefit::Delayed, With::Readings),
    ];
    let of = move |topic| kinds.map(move |(benefit, with)| Piece { benefit, topic, with });
    TOPICS.into_iter().flat_map(of)
}

impl With {
    /// What runs in its piece of work; whatever another piece runs as well is left to that.
    fn specs(self) -> Vec<String> {
        match self {
            Self::Orderings => ORDERINGS.iter().map(|o| o.spec.to_owned()).collect(),
            Self::Cfs => CFS.iter().filter(|cf| **cf != CF).map(|cf| jlse(*cf)).collect(),
            Self::Readings => READINGS[1..].iter().map(|(spec, _)| (*spec).to_owned()).collect(),
        }
    }
}

/// JLSE that learns every so many targets.
fn jlse(cf: u32) -> String {
    format!("jlse(cf:{cf})")
}

/// Mean target recall over the fetches of a crawl, and at its end.
const RECALL_AREA: &str = "recall area: ";
const RECALL: &str = "recall: ";
/// The same of the harvest rate.
const HARVEST_AREA: &str = "harvest area: ";
const HARVEST: &str = "harvest: ";
/// The same of delayed benefit.
const DELAYED_AREA: &str = "delayed area: ";
const DELAYED: &str = "delayed: ";
/// Fetches until the first target.
const FIRST: &str = "first: ";
/// What recall could come to.
const CEILING: &str = "ceiling: ";
/// Pages fetched, where fewer than the budget could be reached.
const FETCHED: &str = "fetched: ";

/// The name of what a crawl measured.
fn name(what: &str, ordering: &str, topic: &str, place: &str) -> String {
    format!("{what}{ordering}, {topic}, {place}")
}

/// Points of a curve.
const N_POINTS: u32 = 50;

/// Fetches of a crawl of so many pages: a good ordering finds most of a class in that many, a bad
/// one does not.
fn n_fetches(n_pages: u32) -> u32 {
    n_pages / 10
}

/// Where curves are read, by number of fetches.
fn points(n_fetches: u32) -> Vec<u32> {
    let at = |i: u32| (u64::from(n_fetches) * u64::from(i) / u64::from(N_POINTS)).max(1) as u32;
    (1..=N_POINTS).map(at).collect()
}

impl Piece {
    fn run(self, ground: &Ground<'_>, tried: &mut Tried) -> Result<(), RunError> {
        let (source, world, truth) = match self.benefit {
            Benefit::Delayed => (ground.source.clone(), ground.world.clone(), ground.truth.clone()),
            Benefit::Direct => {
                let source = control(ground)?;
                let world = Arc::new(Run::make_world(&source)?);
                let truth = Run::truth_of(&world, ground.catalogue)?;
                (source, world, truth)
            }
        };
        let ground =
            Ground { catalogue: ground.catalogue, source: &source, world: &world, truth: &truth };
        let search = Search {
            topic: format!("label(of:'{}')", self.topic),
            seeds: Seeds::Own,
            focus: "topical",
            budget: n_fetches(world.n_pages()),
        };
        let name = |what: &str, spec: &str| name(what, spec, self.topic, self.benefit.word());
        search.run(&ground, &self.with.specs(), &name, tried)
    }
}

/// The web whose links say what they lead to; all else is the same.
fn control(ground: &Ground<'_>) -> Result<WorldSource, RunError> {
    let mut spec = String::from("shop(benefit:direct");
    if let WorldSource::Made(chosen) = ground.source {
        for (key, value) in chosen.params.changed().filter(|(key, _)| *key != "benefit") {
            spec += &format!(",{key}:{value}");
        }
    }
    spec.push(')');
    Ok(WorldSource::Made(ground.catalogue.choose(Kind::World, &spec)?))
}

/// Looking for a topic.
struct Search {
    topic: String,
    seeds: Seeds,
    focus: &'static str,
    budget: u32,
}

impl Search {
    /// Crawls with each ordering and notes what it found.
    fn run(
        &self,
        ground: &Ground<'_>,
        specs: &[String],
        name: &dyn Fn(&str, &str) -> String,
        tried: &mut Tried,
    ) -> Result<(), RunError> {
        let rules = [rule("focus", self.focus), rule("budget", &self.budget.to_string())];
        let (seeds, topic) = (self.seeds.clone(), Some(self.topic.as_str()));
        let mut run = ground.run(Crawls { specs, seeds, topic, rules: &rules })?;
        for (at, spec) in specs.iter().enumerate() {
            let Some((lane, setting)) = run.lane(at) else { break };
            let mut curves = Curves::default();
            while lane.forward(&setting).is_some() {
                curves.take(lane);
            }
            curves.note(lane, self.budget, &|what| name(what, spec), tried);
        }
        Ok(())
    }
}

/// The measures after each step.
#[derive(Default)]
struct Curves {
    harvest: Vec<f64>,
    recall: Vec<f64>,
    delayed: Vec<f64>,
}

impl Curves {
    fn take(&mut self, lane: &Lane) {
        let Self { harvest, recall, delayed } = self;
        for (values, measure) in
            [(harvest, "harvest-rate"), (recall, "target-recall"), (delayed, "delayed-benefit")]
        {
            values.push(last(lane, measure).unwrap_or(0.0));
        }
    }

    fn note(self, lane: &Lane, n: u32, name: &dyn Fn(&str) -> String, tried: &mut Tried) {
        tried.note(name(FETCHED), self.harvest.len() as f64);
        for (what, measure) in [(FIRST, "first-target"), (CEILING, "recall-ceiling")] {
            if let Some(value) = last(lane, measure) {
                tried.note(name(what), value);
            }
        }
        for (area, end, mut values) in [
            (HARVEST_AREA, HARVEST, self.harvest),
            (RECALL_AREA, RECALL, self.recall),
            (DELAYED_AREA, DELAYED, self.delayed),
        ] {
            // A crawl that has ended keeps what it has.
            let last = values.last().copied().unwrap_or(0.0);
            values.resize(n as usize, last);
            tried.note(name(area), values.iter().sum::<f64>() / f64::from(n.max(1)));
            tried.note(name(end), last);
            let at = points(n).into_iter();
            let thin = at.filter_map(|at| values.get(at as usize - 1).copied()).collect();
            tried.series.push(Series { name: name(end), values: thin });
        }
    }
}
