//! `crawlscope extremes`, hidden: commands that try every parameter at its smallest and largest.
//!
//! Each line is one command of this program, as JSON: what is tried, the arguments, and the address
//! in the app that tries the same. Every parameter of every registry is tried alone, and with every
//! other one of its entry; so are the rules, with and without visits. Besides, one rule at a time is
//! tried with every strategy and every policy, and every strategy, policy and ranker in the largest
//! world that it may get. `cargo xtask extremes` runs them and measures time and memory.

use crate::failure::Outcome;
use crate::terminal;
use crawl_catalogue::{Arg, Catalogue, Chosen, Kind, Param, ParamKind, Spec, TextOf, Value};
use crawl_claims::DOCUMENTS;
use crawl_claims::figure::catalogue;
use crawl_core::RULES;
use crawl_core::revisit::REVISIT_RULES;
use crawl_protocol::{Experiment, Seeds, WorldSource};
use crawl_run::needs_topic;
use serde_json::json;
use std::collections::BTreeSet;

/// The registries whose entries have parameters that cost something; importers have none.
const KINDS: [Kind; 7] = [
    Kind::World,
    Kind::Strategy,
    Kind::Policy,
    Kind::Ranker,
    Kind::Topic,
    Kind::Metric,
    Kind::Figure,
];

/// An experiment that is changed in one respect, and the largest world in its world's place.
#[derive(Clone, Copy)]
struct Base {
    link: &'static str,
    largest: &'static str,
}

/// A bare web.
const WEB: Base = Base {
    link: "#v=1&world=web(pages:20000)&run=breadth-first",
    largest: "web(pages:1000000,links:12)",
};
/// A world whose pages change.
const CHANGING: Base = Base {
    link: "#v=1&world=newsroom&run=breadth-first&revisit=uniform&hours=168&visits=1000",
    largest: "newsroom(pages:100000,coming:5000)",
};
/// The same, where visits see boilerplate too.
const BOILERPLATE: &str =
    "#v=1&world=newsroom&run=breadth-first&revisit=uniform&hours=168&visits=1000&sees=anything";
/// A world with texts.
const TEXTS: Base = Base {
    link: "#v=1&world=shop&run=best-first&topic=label",
    largest: "shop(pages:50000,shops:12)",
};
/// The web that rankers rank.
const RANKED: &str = "web(pages:20000)";
/// An experiment of a few pages, beside which the app does something else.
const SMALL: &str = "#v=1&world=campus&run=breadth-first&budget=20";

/// A command and what it tries.
#[derive(Debug)]
struct Trial {
    what: String,
    args: Vec<String>,
    /// The address in the app that tries the same.
    page: String,
}

/// Keys and values, as they are written in a spec.
type Pairs<'a> = Vec<(&'a str, String)>;

/// Prints all commands.
pub fn run() -> Outcome {
    let line = |Trial { what, args, page }| {
        format!("{}\n", json!({ "what": what, "args": args, "page": page }))
    };
    let text: String = trials(&catalogue()).into_iter().map(line).collect();
    Ok(terminal::print(&text)?)
}

fn trials(catalogue: &Catalogue) -> Vec<Trial> {
    let mut trials = Vec::new();
    for kind in KINDS {
        for entry in catalogue.of(kind) {
            let pairs = combinations(&entry.params, catalogue);
            let all = pairs.into_iter().chain(nested(&entry.params, catalogue)).chain([Vec::new()]);
            let specs = all.filter_map(|pairs| {
                let args = pairs.iter().map(|(key, value)| format!("{key}:{value}"));
                let args = args.collect::<Vec<_>>().join(",");
                // Some do not go together, such as a floor above its ceiling.
                catalogue.choose(kind, &format!("{}({args})", entry.id)).ok()
            });
            trials.extend(specs.filter_map(|chosen| trial(&chosen, catalogue)));
        }
    }
    trials.extend(of_rules(catalogue));
    trials.extend(of_seeds(catalogue));
    trials.extend(in_largest_worlds(catalogue));
    // A value that is the default makes no other command.
    let mut seen = BTreeSet::new();
    trials.retain(|trial| seen.insert(trial.args.clone()));
    trials
}

/// Rules in pairs, with visits and without; and one at a time with every strategy and every policy.
fn of_rules(catalogue: &Catalogue) -> Vec<Trial> {
    let mut trials = Vec::new();
    let bases = [
        (CHANGING.link, "rules", &*catalogue.rules),
        (WEB.link, "rules of a bare web", RULES),
        (BOILERPLATE, "rules with boilerplate", REVISIT_RULES),
    ];
    for (base, name, rules) in bases {
        for pairs in combinations(rules, catalogue) {
            let trial = ruled(base, name, None, &pairs, catalogue);
            trials.extend(if base == WEB.link { trial.map(with_bounds) } else { trial });
        }
    }
    for kind in [Kind::Strategy, Kind::Policy] {
        for entry in catalogue.of(kind) {
            let Ok(chosen) = catalogue.choose(kind, &entry.id) else { continue };
            let base = base_of(&chosen, catalogue).link;
            for pairs in alone(&catalogue.rules, catalogue) {
                trials.extend(ruled(base, &entry.id, Some(&chosen), &pairs, catalogue));
            }
        }
    }
    trials
}

/// As many seeds as there may be, of every ranker with one parameter at its extremes.
fn of_seeds(catalogue: &Catalogue) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut start_at = |what: String, seeds: Seeds| {
        let read = Experiment::from_link(WEB.link, catalogue).ok();
        trials.extend(read.map(|experiment| crawl(what, &Experiment { seeds, ..experiment })));
    };
    let k = Seeds::MAX_TOP;
    start_at(format!("seeds top({},{k})", Seeds::OWN), Seeds::TopOwn { k });
    for entry in catalogue.of(Kind::Ranker) {
        for pairs in alone(&entry.params, catalogue).chain([Vec::new()]) {
            let args: Vec<String> = pairs.iter().map(|(key, v)| format!("{key}:{v}")).collect();
            let spec = format!("{}({})", entry.id, args.join(","));
            if let Ok(ranker) = catalogue.choose(Kind::Ranker, &spec) {
                start_at(format!("seeds top({ranker},{k})"), Seeds::Top { ranker, k });
            }
        }
    }
    trials
}

/// Every strategy, policy and ranker in the largest world of the kind that it is tried in.
fn in_largest_worlds(catalogue: &Catalogue) -> Vec<Trial> {
    let mut trials = Vec::new();
    for kind in [Kind::Strategy, Kind::Policy, Kind::Ranker] {
        for entry in catalogue.of(kind) {
            let Ok(chosen) = catalogue.choose(kind, &entry.id) else { continue };
            let largest = base_of(&chosen, catalogue).largest;
            let what = format!("largest {kind} {chosen} in {largest}");
            trials.extend(match kind {
                Kind::Ranker => ranked(what, largest, &chosen, catalogue),
                _ => in_world(what, largest, &chosen, catalogue),
            });
        }
    }
    trials
}

fn in_world(what: String, world: &str, chosen: &Chosen, catalogue: &Catalogue) -> Option<Trial> {
    let mut experiment = experiment_of(chosen, catalogue)?;
    experiment.world = WorldSource::Made(catalogue.choose(Kind::World, world).ok()?);
    Some(crawl(what, &experiment))
}

/// What a strategy, policy, world, topic or metric is tried in.
fn base_of(chosen: &Chosen, catalogue: &Catalogue) -> Base {
    match chosen.kind {
        Kind::Policy | Kind::Metric => CHANGING,
        Kind::Topic => TEXTS,
        Kind::Strategy => {
            let mut experiment = Experiment::from_link(WEB.link, catalogue);
            let wants_topic = experiment.as_mut().is_ok_and(|experiment| {
                put(experiment, chosen);
                needs_topic(experiment, 0)
            });
            if wants_topic { TEXTS } else { WEB }
        }
        _ => WEB,
    }
}

/// The base of an entry, with the entry.
fn experiment_of(chosen: &Chosen, catalogue: &Catalogue) -> Option<Experiment> {
    let mut experiment = Experiment::from_link(base_of(chosen, catalogue).link, catalogue).ok()?;
    put(&mut experiment, chosen);
    Some(experiment)
}

/// A run with some rules at their extremes.
fn ruled(
    base: &str,
    name: &str,
    chosen: Option<&Chosen>,
    pairs: &Pairs<'_>,
    catalogue: &Catalogue,
) -> Option<Trial> {
    let mut experiment = Experiment::from_link(base, catalogue).ok()?;
    if let Some(chosen) = chosen {
        put(&mut experiment, chosen);
    }
    let changed = |(key, value): &(&str, String)| (key.to_string(), value.clone());
    let kept = experiment.rules.changed().map(|(key, value)| (key.to_owned(), value.to_string()));
    let kept = kept.filter(|(key, _)| !pairs.iter().any(|(other, _)| other == key));
    let args = kept
        .chain(pairs.iter().map(changed))
        .map(|(key, value)| Arg { key: Some(key), value: Value::Spec(Spec::word(value)) });
    experiment.rules = catalogue.rules(&args.collect::<Vec<_>>()).ok()?;
    if needs_topic(&experiment, 0) && experiment.topic.is_none() {
        let texts = Experiment::from_link(TEXTS.link, catalogue).ok()?;
        (experiment.world, experiment.topic) = (texts.world, texts.topic);
    }
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
    Some(crawl(format!("{name} {}", pairs.join("&")), &experiment))
}

fn crawl(what: String, experiment: &Experiment) -> Trial {
    let link = experiment.to_link();
    let args = ["run", "--json", "--no-bounds", "--link", &link].map(str::to_owned).to_vec();
    Trial { what, args, page: link }
}

/// The same with the ideal order and random crawls, which depend on world and rules alone.
fn with_bounds(mut trial: Trial) -> Trial {
    trial.args.retain(|arg| arg != "--no-bounds");
    trial
}

/// Has an experiment use an entry.
fn put(experiment: &mut Experiment, chosen: &Chosen) {
    match chosen.kind {
        Kind::World => experiment.world = WorldSource::Made(chosen.clone()),
        Kind::Policy => experiment.revisits = vec![chosen.clone()],
        Kind::Topic => experiment.topic = Some(chosen.clone()),
        Kind::Metric => experiment.view.chart = chosen.to_string(),
        _ => experiment.strategies = vec![chosen.clone()],
    }
}

fn trial(chosen: &Chosen, catalogue: &Catalogue) -> Option<Trial> {
    let what = format!("{} {chosen}", chosen.kind);
    match chosen.kind {
        Kind::Ranker => ranked(what, RANKED, chosen, catalogue),
        Kind::Figure => {
            let has = |document: &&&crawl_claims::Document| {
                document.figures.iter().any(|figure| figure.entry.id == chosen.id)
            };
            let document = DOCUMENTS.iter().find(has)?;
            let spec = chosen.to_string();
            let args = ["reproduce", document.id, "--json", "--figure", &spec].map(str::to_owned);
            Some(Trial { what, args: args.to_vec(), page: format!("{SMALL}&figure={spec}") })
        }
        Kind::World => Some(with_bounds(crawl(what, &experiment_of(chosen, catalogue)?))),
        _ => Some(crawl(what, &experiment_of(chosen, catalogue)?)),
    }
}

/// A ranking of a world; the app ranks a world for its seeds.
fn ranked(what: String, world: &str, ranker: &Chosen, catalogue: &Catalogue) -> Option<Trial> {
    let mut experiment = Experiment::from_link(SMALL, catalogue).ok()?;
    experiment.world = WorldSource::Made(catalogue.choose(Kind::World, world).ok()?);
    experiment.seeds = Seeds::Top { ranker: ranker.clone(), k: 1 };
    let args = ["rank", world, "--json", "--ranker", &ranker.to_string()].map(str::to_owned);
    Some(Trial { what, args: args.to_vec(), page: experiment.to_link() })
}

/// Every parameter at each of its extremes.
fn alone<'a>(
    params: &'a [Param],
    catalogue: &Catalogue,
) -> impl Iterator<Item = Pairs<'a>> + use<'a> {
    let values = params.iter().flat_map(|param| {
        extremes(param, catalogue).into_iter().map(|value| vec![(&*param.key, value)])
    });
    values.collect::<Vec<_>>().into_iter()
}

/// Every parameter that is an entry, with each parameter of that entry at each of its extremes.
fn nested<'a>(params: &'a [Param], catalogue: &Catalogue) -> Vec<Pairs<'a>> {
    let mut all = Vec::new();
    for param in params {
        let ParamKind::Entry { kind, .. } = param.kind else { continue };
        for entry in catalogue.of(kind) {
            for pairs in alone(&entry.params, catalogue) {
                let args: Vec<String> = pairs.iter().map(|(key, v)| format!("{key}:{v}")).collect();
                all.push(vec![(&*param.key, format!("{}({})", entry.id, args.join(",")))]);
            }
        }
    }
    all
}

/// Every parameter at each of its extremes, alone and with every other.
fn combinations<'a>(params: &'a [Param], catalogue: &Catalogue) -> Vec<Pairs<'a>> {
    let mut all: Vec<Pairs<'a>> = alone(params, catalogue).collect();
    for (at, first) in params.iter().enumerate() {
        for second in &params[at + 1..] {
            for a in extremes(first, catalogue) {
                let b = extremes(second, catalogue).into_iter();
                all.extend(b.map(|b| vec![(&*first.key, a.clone()), (&*second.key, b)]));
            }
        }
    }
    all
}

/// The smallest and the largest value of a parameter, or all of a few, as they are written in a spec.
fn extremes(param: &Param, catalogue: &Catalogue) -> Vec<String> {
    let quoted = |text: String| format!("'{}'", text.replace('\'', "''"));
    match &param.kind {
        // 0 stands for none where it is the default: the least that is something is tried too.
        ParamKind::Number { default, min, max, integer } => {
            let least = if *integer { 1.0 } else { 1e-6 };
            let is_none = *min == 0.0 && *default == 0.0;
            let values = [Some(*min), is_none.then_some(least), Some(*max)];
            values.into_iter().flatten().map(|value| value.to_string()).collect()
        }
        ParamKind::Choice { options, .. } => options.iter().map(ToString::to_string).collect(),
        ParamKind::Flag { .. } => vec!["false".to_owned(), "true".to_owned()],
        ParamKind::Vector { default, min, max } => {
            let all = |value: &f64| vec![value.to_string(); default.len()].join(";");
            vec![all(min), all(max)]
        }
        ParamKind::Entry { kind, .. } => catalogue.of(*kind).map(|e| e.id.to_string()).collect(),
        ParamKind::Text { max_chars, of, .. } => {
            let word = |n: usize| match of {
                TextOf::Pages => format!("http://shop{n}.example/ "),
                TextOf::Words | TextOf::Label => format!("battery{n} "),
            };
            let text: String = (0..)
                .flat_map(|n| word(n).into_bytes())
                .map(char::from)
                .take(*max_chars as usize)
                .collect();
            vec![quoted(text)]
        }
        ParamKind::Formula { max_chars, variables, .. } => {
            // The longest sum of all variables that is allowed, and each alone.
            let each = variables.iter().map(|variable| quoted(variable.name.to_string()));
            let names = variables.iter().map(|variable| variable.name.as_ref()).cycle();
            let mut longest = String::new();
            for (n, name) in names.enumerate() {
                let longer = if n == 0 { name.to_owned() } else { format!("{longest}+{name}") };
                let is_read = param.check.0.is_none_or(|check| check(&longer).is_ok());
                if longer.len() > *max_chars as usize || !is_read {
                    break;
                }
                longest = longer;
            }
            each.chain([quoted(longest)]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a trial of that name has a value of a parameter.
    fn has(trials: &[Trial], start: &str, value: &str) -> bool {
        trials.iter().any(|trial| trial.what.starts_with(start) && trial.what.contains(value))
    }

    #[test]
    fn every_parameter_is_tried_at_every_extreme() {
        let catalogue = catalogue();
        let trials = trials(&catalogue);
        for (kind, entry) in &catalogue.entries {
            if *kind == Kind::Importer {
                assert!(entry.params.is_empty(), "{} has parameters now", entry.id);
                continue;
            }
            for param in entry.params.iter() {
                let (id, key) = (&entry.id, &param.key);
                let values = extremes(param, &catalogue);
                assert!(!values.is_empty(), "{kind} {id}({key})");
                let start = format!("{kind} {id}(");
                for value in values.iter().filter(|value| **value != param.kind.default_text()) {
                    let start_of_value: String = value.chars().take(40).collect();
                    assert!(
                        has(&trials, &start, &format!("{key}:{start_of_value}")),
                        "{kind} {id}({key}:{value})"
                    );
                }
            }
        }
        for rule in &catalogue.rules {
            let values = extremes(rule, &catalogue).into_iter();
            for value in values.filter(|value| *value != rule.kind.default_text()) {
                let changed = format!("{}={value}", rule.key);
                assert!(has(&trials, "rules ", &changed), "{changed}");
            }
        }
    }

    #[test]
    fn pairs_seeds_and_the_largest_worlds_are_tried() {
        let catalogue = catalogue();
        let trials = trials(&catalogue);
        for (start, value) in [
            ("rules ", "hours=1000000"),
            ("rules ", "visits=1000000000&hours=1000000"),
            ("rules of a bare web ", "batch=1000000&batch-per-site=1000000"),
            ("rules with boilerplate ", "hours=1000000&boilerplate=1000000"),
            ("pagerank ", "batch=1000000"),
            ("optimal ", "hours=1000000"),
            ("world web(", "pages:1000000,links:30"),
            ("strategy pagerank(", "every:1,damping:0)"),
            ("strategy combined(", "a:pagerank(every:1)"),
            ("strategy formula(", "of:'backlinks+depth+"),
            ("ranker opic(", "window:sweep,tolerance:0.00000000000001"),
            ("figure figure-1(", "visits:200,pages:10000"),
            ("seeds ", "top(own,1000)"),
            ("seeds ", "top(opic(sweeps:10000),1000)"),
            ("largest strategy opic", "web(pages:1000000,links:12)"),
            ("largest strategy best-first", "shop(pages:50000"),
            ("largest policy optimal", "newsroom(pages:100000"),
            ("largest ranker hits", "web(pages:1000000,links:12)"),
        ] {
            assert!(has(&trials, start, value), "{start}{value}");
        }
    }

    #[test]
    fn every_link_can_be_read_again() {
        let catalogue = catalogue();
        for trial in trials(&catalogue) {
            let read = Experiment::from_link(&trial.page, &catalogue);
            assert_eq!(read.map(|e| e.to_link()).as_ref(), Ok(&trial.page), "{}", trial.what);
            let link = trial.args.last().filter(|_| trial.args[0] == "run");
            assert!(link.is_none_or(|link| *link == trial.page), "{}", trial.what);
        }
    }
}
