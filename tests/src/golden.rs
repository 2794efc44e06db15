//! One digest a line for everything that must come out the same on every machine: worlds, rankings,
//! runs, measures, and reports of what documents claim.
//!
//! A line is a name, a blank and a value. A run is named by the link that replays it.

use crate::contender::{truth, variants};
use crate::worlds::{small_specs, world};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_claims::{DOCUMENTS, Document, Job};
use crawl_core::{metric, ranker, strategy};
use crawl_protocol::{Experiment, MAX_STRATEGIES};
use crawl_run::Run;
use crawl_world::{ChangeProcess, Digest, World};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Rules that runs are made under: bare; polite and parallel; rude, in batches and with every limit.
const RULES: [&str; 3] = [
    "budget=150",
    "budget=80&fetchers=5&delay=0.5&nofollow=true&latency=40&bandwidth=200000&rng=3",
    "budget=80&batch=16&batch-per-site=6&pages-per-site=60&sites=20&depth=6&repeats=2&robots=false&rng=4",
];

/// What orderings that look for a topic run with besides, under each of the rules; on a world that
/// has no such label they run without a topic.
const LABEL: &str = "phones";
const TOPICS: [&str; 3] =
    ["topic=label", "topic=label&focus=topical", "topic=label(samples:20)&focus=all"];

/// Rules that pages are visited again under: bare; and polite, with all that visits may tell and cost.
const VISITS: [&str; 2] = [
    "budget=250&visits=60&hours=8",
    "budget=250&fetchers=3&delay=0.5&batch=4&visits=90&new=120&hours=4&sees=last-modified&not-modified=0.3&sitemap=0.5&rng=5",
];

/// The ordering that new pages come in by where old ones are visited again.
const ORDERING: &str = "opic";

/// Where pages show new links when they are visited again: every ordering, slowly enough that some
/// URLs wait while that happens.
const COMING: &str = "newsroom(pages:200,coming:100)";
const COMING_RULES: &str = "budget=900&visits=30&new=6&hours=36";

/// Computes all lines.
///
/// # Panics
/// If an entry cannot be built from its own declaration.
pub fn lines() -> Vec<String> {
    let catalogue = crawl_run::catalogue();
    let mut rankers = all(&catalogue, Kind::Ranker);
    // What is true of a topic is none.
    rankers.retain(|chosen| ranker::ranker(chosen).is_some());
    let mut lines = Vec::new();
    for entry in catalogue.of(Kind::World) {
        for (at, spec) in small_specs(entry).into_iter().enumerate() {
            let world = Arc::new(world(&spec));
            lines.push(format!("world={spec} {}", world.digest()));
            for ranker in &rankers {
                lines.push(format!("world={spec}&rank={ranker} {}", ranking(&world, ranker)));
            }
            let has_topic = world.pages().any(|page| world.has_topic(page, LABEL));
            for (rules, topic) in RULES.into_iter().zip(TOPICS) {
                let topic = if has_topic { topic } else { "" };
                lines.extend(runs(&catalogue, &spec, &world, rules, topic));
            }
            for rules in VISITS {
                lines.extend(visits(&catalogue, &spec, &world, rules, at == 0));
            }
        }
    }
    lines.extend(shown_later(&catalogue));
    lines.extend(DOCUMENTS.iter().map(|document| report(document)));
    lines
}

/// A run of every ordering with its defaults where links are shown later.
fn shown_later(catalogue: &Catalogue) -> Vec<String> {
    let world = Arc::new(world(COMING));
    let mut orderings = all(catalogue, Kind::Strategy);
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

/// Everything that follows from trying a document on two small webs, to the last digit.
fn report(document: &'static Document) -> String {
    let job = Job::generated(document, 2, 1000);
    let report = job.run(&mut |_| ControlFlow::Continue(())).expect("it can be tried");
    let text = serde_json::to_string(&report).expect("a report can be written");
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    format!("document={} {}", document.id, Digest::of(&hasher))
}

/// Every entry of a registry, with its defaults and with others.
fn all(catalogue: &Catalogue, kind: Kind) -> Vec<Chosen> {
    catalogue.of(kind).flat_map(|entry| variants(catalogue, kind, entry)).collect()
}

fn ranking(world: &World, ranker: &Chosen) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for value in truth(world, ranker).ranks {
        hasher.update(&value.to_bits().to_le_bytes());
    }
    Digest::of(&hasher)
}

/// A run of every ordering, and the values that all measures end with.
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
        all(catalogue, Kind::Strategy).into_iter().partition(|ordering| needs(ordering).topic);
    if topic.is_empty() {
        // There is no truth about no topic.
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

/// The same of as many as one experiment may compare.
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

/// A run of every policy with its defaults; with others too on the first world of a kind, if its pages
/// change.
fn visits(
    catalogue: &Catalogue,
    spec: &str,
    world: &Arc<World>,
    rules: &str,
    is_first: bool,
) -> Vec<String> {
    let changes = world.pages().any(|page| world.change_process(page) != ChangeProcess::Never);
    let mut policies = all(catalogue, Kind::Policy);
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

/// A line for each lane, named by the experiment that runs it alone.
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
        let mut line = format!("{} {digest}", alone(at).to_link());
        for measured in lane.measures() {
            // Where no page is visited again, nothing is measured of visits.
            if lane.revisit.is_none() && is_of_visits(&measured.name) {
                continue;
            }
            // To the bit, as people cannot read it: a value that differs in its last digit differs.
            match measured.series.last() {
                Some(value) => write!(line, " {}={:016x}", measured.name, value.to_bits()),
                None => write!(line, " {}=none", measured.name),
            }
            .expect("a string takes all");
        }
        lines.push(line);
    }
    lines
}

fn is_of_visits(measure: &str) -> bool {
    let id = measure.split('(').next().unwrap_or(measure);
    metric::find(id).is_some_and(|entry| entry.entry.family == "Freshness")
}

/// Where the lines kept and the lines computed part, for people; nothing where they agree.
pub fn difference(kept: &str, computed: &[String]) -> Option<String> {
    let kept: Vec<&str> = kept.lines().collect();
    let gone = kept.iter().filter(|line| !computed.iter().any(|c| c == *line));
    let new = computed.iter().filter(|line| !kept.contains(&line.as_str()));
    let mut text: Vec<String> = gone.map(|line| format!("- {line}")).collect();
    text.extend(new.map(|line| format!("+ {line}")));
    let same_order = kept.len() == computed.len() && kept.iter().zip(computed).all(|(a, b)| a == b);
    if same_order {
        return None;
    }
    text.sort_by(|a, b| a[2..].cmp(&b[2..]).then(b.cmp(a)));
    let n = text.len();
    text.truncate(40);
    Some(format!(
        "{n} golden lines differ (- kept, + computed now):\n{}\nafter an intended change run `cargo \
         xtask golden` and look at what changed",
        text.join("\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_names_its_lines_and_says_what_to_do() {
        let computed = ["a 1".to_owned(), "b 3".to_owned()];
        assert_eq!(difference("a 1\nb 3\n", &computed), None);
        let told = difference("a 1\nb 2\n", &computed).expect("they differ");
        assert!(told.contains("- b 2\n+ b 3\n") && !told.contains("a 1"), "{told}");
        assert!(told.contains("cargo xtask golden"), "{told}");
        assert!(difference("b 3\na 1\n", &computed).is_some(), "the order counts");
        assert!(difference("", &computed).is_some());
    }
}
