//! Golden values: digests of worlds, rankings, runs and reports, equal on every machine.
//!
//! One file per kind in `tests/golden/`, one line per value: a name, a space and a value. A run is
//! named by its link; its metrics follow, one indented line each. So a new entry or metric adds
//! lines and changes none. [`golden_tests!`](crate::golden_tests) declares the tests, natively and
//! in the browser.

use crate::variants::{truth, variants};
use crate::worlds::{small_specs, world};
use crawl_catalogue::{self as registry, Catalogue, Chosen};
use crawl_claims::{DOCUMENTS, Document, Job};
use crawl_core::{metric, ranker, strategy};
use crawl_protocol::{Experiment, MAX_STRATEGIES};
use crawl_run::Run;
use crawl_world::{ChangeProcess, Digest, World};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

mod files;
mod slice;

pub use files::Kind;
pub use slice::{Slice, assert_complete, check};

/// Rules of the runs: minimal; polite and parallel; impolite, in batches and with every limit.
const RULES: [&str; 3] = [
    "budget=150",
    "budget=80&fetchers=5&delay=0.5&nofollow=true&latency=40&bandwidth=200000&rng=3",
    "budget=80&batch=16&batch-per-site=6&pages-per-site=60&sites=20&depth=6&repeats=2&robots=false&rng=4",
];

/// Topic fields of topical strategies, one per rule set; worlds without this label use no topic.
const LABEL: &str = "phones";
const TOPICS: [&str; 3] =
    ["topic=label", "topic=label&focus=topical", "topic=label(samples:20)&focus=all"];

/// Rules of the revisit runs: minimal; and polite, with all signals and costs of visits.
const VISITS: [&str; 2] = [
    "budget=250&visits=60&hours=8",
    "budget=250&fetchers=3&delay=0.5&batch=4&visits=90&new=120&hours=4&sees=last-modified&not-modified=0.3&sitemap=0.5&rng=5",
];

/// The strategy for new pages in revisit runs.
const ORDERING: &str = "opic";

/// A world whose pages show new links on later visits, crawled slowly enough that URLs wait.
const COMING: &str = "newsroom(pages:200,coming:100)";
const COMING_RULES: &str = "budget=900&visits=30&new=6&hours=36";

impl Kind {
    /// Computes the text of the kind's file.
    ///
    /// # Panics
    /// If an entry cannot be built from its own declaration.
    pub fn computed(self) -> String {
        self.slice(Slice::WHOLE)
    }

    /// Computes one slice of the text.
    fn slice(self, slice: Slice) -> String {
        let catalogue = crawl_run::catalogue();
        let specs = specs(&catalogue);
        let mine = |at: &usize| slice.has(*at);
        let lines: Vec<String> = match self {
            Self::NewLinks => new_links(&catalogue),
            Self::Documents => {
                let documents = (0..DOCUMENTS.len()).filter(mine);
                documents.map(|at| report(DOCUMENTS[at])).collect()
            }
            _ => {
                let worlds =
                    (0..specs.len()).filter(mine).map(|at| Web::new(&catalogue, &specs[at]));
                worlds.flat_map(|web| self.on(&web)).collect()
            }
        };
        lines.concat()
    }

    /// The names of the sections that are divided among slices.
    fn sections(self) -> Vec<String> {
        match self {
            Self::NewLinks => vec![COMING.to_owned()],
            Self::Documents => DOCUMENTS.iter().map(|document| document.id.to_string()).collect(),
            _ => specs(&crawl_run::catalogue()).into_iter().map(|(spec, _)| spec).collect(),
        }
    }

    /// Computes all lines of this kind for one world.
    fn on(self, web: &Web<'_>) -> Vec<String> {
        let (catalogue, spec, world) = (web.catalogue, &web.spec, &web.world);
        match self {
            Self::Worlds => vec![format!("world={spec} {}\n", world.digest())],
            Self::Rankers => {
                let mut rankers = all(catalogue, registry::Kind::Ranker);
                // A topic has no true ranking.
                rankers.retain(|chosen| ranker::ranker(chosen).is_some());
                let line =
                    |ranker| format!("world={spec}&rank={ranker} {}\n", ranking(world, ranker));
                rankers.iter().map(line).collect()
            }
            Self::Strategies => {
                let has_topic = world.pages().any(|page| world.has_topic(page, LABEL));
                let topics = TOPICS.map(|topic| if has_topic { topic } else { "" });
                let all = RULES.into_iter().zip(topics);
                all.flat_map(|(rules, topic)| runs(catalogue, spec, world, rules, topic)).collect()
            }
            Self::Policies => VISITS
                .iter()
                .flat_map(|rules| visits(catalogue, spec, world, rules, web.is_first))
                .collect(),
            Self::NewLinks | Self::Documents => Vec::new(),
        }
    }
}

/// A world with its spec.
struct Web<'a> {
    catalogue: &'a Catalogue,
    spec: String,
    world: Arc<World>,
    /// Whether it is the first spec of its registry entry.
    is_first: bool,
}

impl<'a> Web<'a> {
    fn new(catalogue: &'a Catalogue, (spec, is_first): &(String, bool)) -> Self {
        Self { catalogue, spec: spec.clone(), world: Arc::new(world(spec)), is_first: *is_first }
    }
}

/// The specs of all worlds, and whether each is the first of its entry.
fn specs(catalogue: &Catalogue) -> Vec<(String, bool)> {
    let of = |entry| small_specs(entry).into_iter().enumerate().map(|(at, spec)| (spec, at == 0));
    catalogue.of(registry::Kind::World).flat_map(of).collect()
}

/// Runs of every strategy with its defaults on a world with new links.
fn new_links(catalogue: &Catalogue) -> Vec<String> {
    let world = Arc::new(world(COMING));
    let mut orderings = all(catalogue, registry::Kind::Strategy);
    orderings.retain(|ordering| ordering.id == ordering.to_string());
    let mut lines = Vec::new();
    for some in orderings.chunks(MAX_STRATEGIES) {
        let visits = vec!["uniform"; some.len()].join(",");
        let link =
            format!("v=1&world={COMING}&run={}&revisit={visits}&{COMING_RULES}", names(some));
        let experiment = Experiment::from_link(&link, catalogue).expect("a valid link");
        let alone = |at: usize| Experiment {
            strategies: vec![some[at].clone()],
            revisits: experiment.revisits[at..=at].to_vec(),
            ..experiment.clone()
        };
        lines.extend(lanes(&experiment, catalogue, &world, alone));
    }
    lines
}

/// Digest of the report on a document's claims, tested on two small worlds.
fn report(document: &'static Document) -> String {
    let job = Job::generated(document, 2, 1000);
    let report = job.run(&mut |_| ControlFlow::Continue(())).expect("it can be tried");
    let text = serde_json::to_string(&report).expect("a report can be written");
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    format!("document={} {}\n", document.id, Digest::of(&hasher))
}

/// Every entry of a registry, with its defaults and with other parameters.
fn all(catalogue: &Catalogue, kind: registry::Kind) -> Vec<Chosen> {
    catalogue.of(kind).flat_map(|entry| variants(catalogue, kind, entry)).collect()
}

fn ranking(world: &World, ranker: &Chosen) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for value in truth(world, ranker).ranks {
        hasher.update(&value.to_bits().to_le_bytes());
    }
    Digest::of(&hasher)
}

/// Runs of all strategies, and the final values of all metrics.
fn runs(
    catalogue: &Catalogue,
    spec: &str,
    world: &Arc<World>,
    rules: &str,
    topic: &str,
) -> Vec<String> {
    let needs = |ordering: &Chosen| {
        let entry = strategy::find(&ordering.id).expect("a registered strategy");
        (entry.needs)(&ordering.params)
    };
    let (mut topical, others): (Vec<Chosen>, Vec<Chosen>) =
        all(catalogue, registry::Kind::Strategy)
            .into_iter()
            .partition(|ordering| needs(ordering).topic);
    if topic.is_empty() {
        // Without a topic there are no true values.
        topical.retain(|ordering| !needs(ordering).is_oracle());
    }
    let with_topic = if topic.is_empty() { rules.to_owned() } else { format!("{topic}&{rules}") };
    let mut lines = Vec::new();
    for (orderings, rules) in [(others, rules), (topical, with_topic.as_str())] {
        for some in orderings.chunks(MAX_STRATEGIES) {
            lines.extend(runs_of(catalogue, spec, world, rules, some));
        }
    }
    lines
}

/// Runs of at most as many strategies as one experiment may compare.
fn runs_of(
    catalogue: &Catalogue,
    spec: &str,
    world: &Arc<World>,
    rules: &str,
    orderings: &[Chosen],
) -> Vec<String> {
    let link = format!("v=1&world={spec}&run={}&{rules}", names(orderings));
    let experiment = Experiment::from_link(&link, catalogue).expect("a valid link");
    let alone =
        |at: usize| Experiment { strategies: vec![orderings[at].clone()], ..experiment.clone() };
    lanes(&experiment, catalogue, world, alone)
}

/// Runs of all policies: with other parameters only on the first world of a kind whose pages
/// change.
fn visits(
    catalogue: &Catalogue,
    spec: &str,
    world: &Arc<World>,
    rules: &str,
    is_first: bool,
) -> Vec<String> {
    let changes = world.pages().any(|page| world.change_process(page) != ChangeProcess::Never);
    let mut policies = all(catalogue, registry::Kind::Policy);
    policies.retain(|policy| is_first && changes || policy.id == policy.to_string());
    let mut lines = Vec::new();
    for some in policies.chunks(MAX_STRATEGIES) {
        let orderings = vec![ORDERING; some.len()].join(",");
        let link = format!("v=1&world={spec}&run={orderings}&revisit={}&{rules}", names(some));
        let experiment = Experiment::from_link(&link, catalogue).expect("a valid link");
        let strategies = experiment.strategies[..1].to_vec();
        let alone = |at: usize| Experiment {
            strategies: strategies.clone(),
            revisits: vec![some[at].clone()],
            ..experiment.clone()
        };
        lines.extend(lanes(&experiment, catalogue, world, alone));
    }
    lines
}

fn names(chosen: &[Chosen]) -> String {
    let names: Vec<String> = chosen.iter().map(ToString::to_string).collect();
    names.join(",")
}

/// The lines of each lane, named by the link of an experiment with this lane alone.
fn lanes(
    experiment: &Experiment,
    catalogue: &Catalogue,
    world: &Arc<World>,
    alone: impl Fn(usize) -> Experiment,
) -> Vec<String> {
    let mut run = Run::new(experiment.clone(), world.clone(), catalogue).expect("it can be set up");
    run.compute_bounds(&mut |_| ControlFlow::Continue(()));
    let mut lines = Vec::new();
    for at in 0..experiment.strategies.len() {
        let (lane, setting) = run.lane(at).expect("a lane a strategy");
        let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
        let digest = lane.travel().now().session().digest(setting.world);
        let mut text = format!("{} {digest}\n", alone(at).to_link());
        for measured in lane.measures() {
            // Without revisits, metrics of visits have no values.
            if lane.revisit.is_none() && is_of_visits(&measured.name) {
                continue;
            }
            // Bit patterns: a difference in the last digit is a difference.
            match measured.series.last() {
                Some(value) => writeln!(text, "  {} {:016x}", measured.name, value.to_bits()),
                None => writeln!(text, "  {} none", measured.name),
            }
            .expect("a string takes all");
        }
        lines.push(text);
    }
    lines
}

fn is_of_visits(measure: &str) -> bool {
    let id = measure.split('(').next().unwrap_or(measure);
    metric::find(id).is_some_and(|entry| entry.entry.family == "Freshness")
}
