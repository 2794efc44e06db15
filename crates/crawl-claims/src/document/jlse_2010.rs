//! Zhang, Li, Yu & Zhang 2010, "Joint Link Similarity Evaluation" (JLSE).
//!
//! The paper crawls six shops for phones, cameras and laptops with five strategies, and plots harvest
//! rate@N and target recall@N. It claims the order JLSE > OPIE > ATA > CFC > BFS, that JLSE gains by
//! pages of delayed benefit, and that its link graph is best relearnt every cf = 150 targets. All
//! strategies but breadth-first use the focused loop.
//!
//! This module: the same five strategies and three topics on `shop`, and on a control whose links
//! describe their targets; the sweep of cf; variants where the paper is ambiguous; and real pages of
//! three universities (`webkb`), each crawled with a topic learnt from the other two.

mod claims;
mod presentation;
mod samples;
#[cfg(test)]
mod tests;
mod universities;

use super::{Crawls, Document, Findings, WebContext, last, rule};
use crate::measurement::{Measurement, Series, groups};
use crawl_catalogue::Kind;
use crawl_protocol::{Seeds, WorldSource};
use crawl_run::{Lane, Run, RunError};
use std::sync::Arc;

pub(super) const DOCUMENT: Document = Document {
    id: "B",
    authors: "Zhang, Li, Yu & Zhang 2010",
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
    piece: |at, web_context, measured| match (measured.is_real, pieces().nth(at)) {
        (true, _) => universities::piece(at, web_context, measured),
        (false, Some(piece)) => piece.run(web_context, measured),
        (false, None) => Ok(()),
    },
    findings: |measured| {
        let groups = groups(measured);
        Findings {
            claims: claims::claims(&groups),
            tables: groups.iter().flat_map(presentation::tables).collect(),
            figures: groups.iter().flat_map(presentation::figures).collect(),
        }
    },
    figures: &[],
};

const TOPICS: [&str; 3] = ["phones", "cameras", "laptops"];

/// cf: a tenth of the paper's best value of 150, as topics have about 150 targets here (our choice).
const CF: u32 = 15;
/// Values of cf: a tenth of the paper's 50 to 200, and beyond at both ends.
const CFS: [u32; 6] = [2, 5, 10, 15, 20, 40];

const JLSE: &str = "jlse(cf:15)";
const OPIE: &str = "opie";
const ANCHOR_TEXT: &str = "anchor-text";
const CONTEXT_GRAPH: &str = "context-graph";
const BREADTH: &str = "breadth-first";

/// A strategy of the paper's comparison, with its printed results.
struct PaperStrategy {
    spec: &'static str,
    name: &'static str,
    /// Printed harvest rate at the first and the last N.
    harvest: [f64; 2],
    /// Printed target recall at the last N.
    recall: f64,
}

/// The paper's strategies, in the claimed order.
const STRATEGIES: [PaperStrategy; 5] = [
    PaperStrategy { spec: JLSE, name: "JLSE", harvest: [0.68, 0.55], recall: 0.28 },
    PaperStrategy { spec: OPIE, name: "OPIE", harvest: [0.65, 0.51], recall: 0.26 },
    PaperStrategy { spec: ANCHOR_TEXT, name: "ATA", harvest: [0.67, 0.38], recall: 0.22 },
    PaperStrategy { spec: CONTEXT_GRAPH, name: "CFC", harvest: [0.57, 0.31], recall: 0.18 },
    PaperStrategy { spec: BREADTH, name: "BFS", harvest: [0.26, 0.03], recall: 0.10 },
];

/// Variants where the paper is ambiguous; the first is the default here, the last the literal reading.
const READINGS: [(&str, &str); 5] = [
    (JLSE, "as here: leaf:reward, normalise:l2, queued links keep their score"),
    ("jlse(cf:15,leaf:zero)", "a target's own Q is 0, to the letter"),
    ("jlse(cf:15,normalise:max)", "scores divided by the largest"),
    ("jlse(cf:15,rescore:true)", "waiting links scored anew after learning"),
    ("jlse(cf:15,leaf:zero,normalise:max)", "leaf:zero and normalise:max"),
];

/// Whether links describe their targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Benefit {
    /// Most do not.
    Delayed,
    /// All do: the control.
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

/// Strategies of one piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum With {
    /// The paper's five.
    Strategies,
    /// JLSE with different cf.
    Cfs,
    /// JLSE with different readings.
    Readings,
}

/// Crawls of one web for one topic, which is learnt once for all.
#[derive(Clone, Copy, Debug)]
struct Piece {
    benefit: Benefit,
    topic: &'static str,
    with: With,
}

/// All pieces of work on a generated web.
fn pieces() -> impl Iterator<Item = Piece> {
    let kinds = [
        (Benefit::Delayed, With::Strategies),
        (Benefit::Direct, With::Strategies),
        (Benefit::Delayed, With::Cfs),
        (Benefit::Delayed, With::Readings),
    ];
    let of = move |topic| kinds.map(move |(benefit, with)| Piece { benefit, topic, with });
    TOPICS.into_iter().flat_map(of)
}

impl With {
    /// The strategies of this piece, without those of another piece.
    fn specs(self) -> Vec<String> {
        match self {
            Self::Strategies => STRATEGIES.iter().map(|o| o.spec.to_owned()).collect(),
            Self::Cfs => CFS.iter().filter(|cf| **cf != CF).map(|cf| jlse(*cf)).collect(),
            Self::Readings => READINGS[1..].iter().map(|(spec, _)| (*spec).to_owned()).collect(),
        }
    }
}

/// Spec of JLSE with this cf.
fn jlse(cf: u32) -> String {
    format!("jlse(cf:{cf})")
}

/// Target recall: mean over the crawl, and at its end.
const RECALL_AREA: &str = "recall area: ";
const RECALL: &str = "recall: ";
/// Harvest rate: mean over the crawl, and at its end.
const HARVEST_AREA: &str = "harvest area: ";
const HARVEST: &str = "harvest: ";
/// Delayed benefit: mean over the crawl, and at its end.
const DELAYED_AREA: &str = "delayed area: ";
const DELAYED: &str = "delayed: ";
/// Number of fetches until the first target.
const FIRST: &str = "first: ";
/// Maximum possible recall.
const CEILING: &str = "ceiling: ";
/// Number of pages fetched, if fewer than the budget are reachable.
const FETCHED: &str = "fetched: ";

/// Name of a measurement.
fn name(what: &str, strategy: &str, topic: &str, place: &str) -> String {
    format!("{what}{strategy}, {topic}, {place}")
}

/// Number of points of a curve.
const N_POINTS: u32 = 50;

/// Budget of a crawl: enough for a good strategy to find most targets, too little for a bad one.
fn n_fetches(n_pages: u32) -> u32 {
    n_pages / 10
}

/// Numbers of fetches at which curves are sampled.
fn points(n_fetches: u32) -> Vec<u32> {
    let at = |i: u32| (u64::from(n_fetches) * u64::from(i) / u64::from(N_POINTS)).max(1) as u32;
    (1..=N_POINTS).map(at).collect()
}

impl Piece {
    fn run(self, web_context: &WebContext<'_>, measured: &mut Measurement) -> Result<(), RunError> {
        let (source, world, truth) = match self.benefit {
            Benefit::Delayed => {
                (web_context.source.clone(), web_context.world.clone(), web_context.truth.clone())
            }
            Benefit::Direct => {
                let source = control(web_context)?;
                let world = Arc::new(Run::make_world(&source)?);
                let truth = Run::truth_of(&world, web_context.catalogue)?;
                (source, world, truth)
            }
        };
        let web_context = WebContext {
            catalogue: web_context.catalogue,
            source: &source,
            world: &world,
            truth: &truth,
        };
        let search = Search {
            topic: format!("label(of:'{}')", self.topic),
            seeds: Seeds::Own,
            focus: "topical",
            budget: n_fetches(world.n_pages()),
        };
        let name = |what: &str, spec: &str| name(what, spec, self.topic, self.benefit.word());
        search.run(&web_context, &self.with.specs(), &name, measured)
    }
}

/// The same web with links that describe their targets.
fn control(web_context: &WebContext<'_>) -> Result<WorldSource, RunError> {
    let mut spec = String::from("shop(benefit:direct");
    if let WorldSource::Made(chosen) = web_context.source {
        for (key, value) in chosen.params.changed().filter(|(key, _)| *key != "benefit") {
            spec += &format!(",{key}:{value}");
        }
    }
    spec.push(')');
    Ok(WorldSource::Made(web_context.catalogue.choose(Kind::World, &spec)?))
}

/// Crawls for one topic.
struct Search {
    topic: String,
    seeds: Seeds,
    focus: &'static str,
    budget: u32,
}

impl Search {
    /// Crawls with each strategy and records the results.
    fn run(
        &self,
        web_context: &WebContext<'_>,
        specs: &[String],
        name: &dyn Fn(&str, &str) -> String,
        measured: &mut Measurement,
    ) -> Result<(), RunError> {
        let rules = [rule("focus", self.focus), rule("budget", &self.budget.to_string())];
        let (seeds, topic) = (self.seeds.clone(), Some(self.topic.as_str()));
        let mut run = web_context.run(Crawls { specs, seeds, topic, rules: &rules })?;
        for (at, spec) in specs.iter().enumerate() {
            let Some((lane, setting)) = run.lane(at) else { break };
            let mut curves = Curves::default();
            while lane.forward(&setting).is_some() {
                curves.take(lane);
            }
            curves.record(lane, self.budget, &|what| name(what, spec), measured);
        }
        Ok(())
    }
}

/// Metrics after each step.
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

    fn record(
        self,
        lane: &Lane,
        n: u32,
        name: &dyn Fn(&str) -> String,
        measured: &mut Measurement,
    ) {
        measured.record(name(FETCHED), self.harvest.len() as f64);
        for (what, measure) in [(FIRST, "first-target"), (CEILING, "recall-ceiling")] {
            if let Some(value) = last(lane, measure) {
                measured.record(name(what), value);
            }
        }
        for (area, end, mut values) in [
            (HARVEST_AREA, HARVEST, self.harvest),
            (RECALL_AREA, RECALL, self.recall),
            (DELAYED_AREA, DELAYED, self.delayed),
        ] {
            // A crawl that ended keeps its last value.
            let last = values.last().copied().unwrap_or(0.0);
            values.resize(n as usize, last);
            measured.record(name(area), values.iter().sum::<f64>() / f64::from(n.max(1)));
            measured.record(name(end), last);
            let at = points(n).into_iter();
            let thin = at.filter_map(|at| values.get(at as usize - 1).copied()).collect();
            measured.series.push(Series { name: name(end), values: thin });
        }
    }
}
