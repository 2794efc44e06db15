//! `crawlscope extremes`, hidden: commands that try every parameter at its smallest and largest.
//!
//! Each line is one command of this program, as JSON: what is tried, and the arguments. Every
//! parameter is tried alone, and with every other one of its entry; rules also with every ordering and
//! every policy. `cargo xtask extremes` runs them and measures time and memory.

use crate::failure::Outcome;
use crate::terminal;
use crawl_catalogue::{Arg, Catalogue, Chosen, Entry, Kind, Param, ParamKind, Spec, TextOf, Value};
use crawl_claims::DOCUMENTS;
use crawl_claims::figure::catalogue;
use crawl_protocol::{Experiment, WorldSource};
use serde_json::json;
use std::collections::BTreeSet;

/// Modest worlds: a bare web, one whose pages change, and one with texts.
const WEB: &str = "#v=1&world=web(pages:20000)&run=breadth-first";
const CHANGING: &str =
    "#v=1&world=newsroom&run=breadth-first&revisit=uniform&hours=168&visits=1000";
const TEXTS: &str = "#v=1&world=shop&run=best-first&topic=label";
/// The web that rankers rank.
const RANKED: &str = "web(pages:20000)";

/// A command and what it tries.
#[derive(Debug)]
struct Trial {
    what: String,
    args: Vec<String>,
}

/// Prints all commands.
pub fn run() -> Outcome {
    let line = |Trial { what, args }| format!("{}\n", json!({ "what": what, "args": args }));
    let text: String = trials(&catalogue()).into_iter().map(line).collect();
    Ok(terminal::print(&text)?)
}

fn trials(catalogue: &Catalogue) -> Vec<Trial> {
    let mut trials = Vec::new();
    for kind in [Kind::World, Kind::Strategy, Kind::Policy, Kind::Ranker, Kind::Topic, Kind::Figure]
    {
        for entry in catalogue.of(kind) {
            let specs = combinations(&entry.params, catalogue).into_iter().filter_map(|pairs| {
                let args = pairs.iter().map(|(key, value)| format!("{key}:{value}"));
                let args = args.collect::<Vec<_>>().join(",");
                // Some do not go together, such as a floor above its ceiling.
                catalogue.choose(kind, &format!("{}({args})", entry.id)).ok()
            });
            let plain = catalogue.choose(kind, &entry.id).ok();
            trials.extend(
                plain.into_iter().chain(specs).filter_map(|c| trial(kind, entry, &c, catalogue)),
            );
        }
    }
    for pairs in combinations(&catalogue.rules, catalogue) {
        trials.extend(ruled(CHANGING, "rules", None, &pairs, catalogue));
    }
    // One rule at a time with every ordering and every policy.
    let alone = || combinations(&catalogue.rules, catalogue).into_iter().filter(|c| c.len() == 1);
    for entry in catalogue.of(Kind::Strategy).chain(catalogue.of(Kind::Policy)) {
        let kind = if catalogue.entry(Kind::Policy, &entry.id).is_some_and(|e| e == entry) {
            Kind::Policy
        } else {
            Kind::Strategy
        };
        let Ok(chosen) = catalogue.choose(kind, &entry.id) else { continue };
        let base = base_of(kind, entry);
        for pairs in alone() {
            trials.extend(ruled(base, &entry.id, Some(&chosen), &pairs, catalogue));
        }
    }
    // A value that is the default makes no other command.
    let mut seen = BTreeSet::new();
    trials.retain(|trial| seen.insert(trial.args.clone()));
    trials
}

fn base_of(kind: Kind, entry: &Entry) -> &'static str {
    match kind {
        Kind::Policy => CHANGING,
        _ if entry.wants_topic => TEXTS,
        _ => WEB,
    }
}

/// A run with some rules at their extremes.
fn ruled(
    base: &str,
    name: &str,
    chosen: Option<&Chosen>,
    pairs: &[(&str, String)],
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
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
    Some(crawl(format!("{name} {}", pairs.join("&")), &experiment))
}

fn crawl(what: String, experiment: &Experiment) -> Trial {
    let args = ["run", "--json", "--no-bounds", "--link"].map(str::to_owned);
    Trial { what, args: args.into_iter().chain([experiment.to_link()]).collect() }
}

/// Has an experiment use an entry.
fn put(experiment: &mut Experiment, chosen: &Chosen) {
    match chosen.kind {
        Kind::World => experiment.world = WorldSource::Made(chosen.clone()),
        Kind::Policy => experiment.revisits = vec![chosen.clone()],
        Kind::Topic => experiment.topic = Some(chosen.clone()),
        _ => experiment.strategies = vec![chosen.clone()],
    }
}

fn trial(kind: Kind, entry: &Entry, chosen: &Chosen, catalogue: &Catalogue) -> Option<Trial> {
    let what = format!("{kind} {chosen}");
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let spec = chosen.to_string();
    match kind {
        Kind::Ranker => {
            Some(Trial { what, args: words(&["rank", RANKED, "--json", "--ranker", &spec]) })
        }
        Kind::Figure => {
            let has = |document: &&&crawl_claims::Document| {
                document.figures.iter().any(|figure| figure.entry.id == entry.id)
            };
            let document = DOCUMENTS.iter().find(has)?;
            Some(Trial {
                what,
                args: words(&["reproduce", document.id, "--json", "--figure", &spec]),
            })
        }
        _ => {
            let base = if kind == Kind::Topic { TEXTS } else { base_of(kind, entry) };
            let mut experiment = Experiment::from_link(base, catalogue).ok()?;
            put(&mut experiment, chosen);
            Some(crawl(what, &experiment))
        }
    }
}

/// Every parameter at each of its extremes, alone and with every other.
fn combinations<'a>(params: &'a [Param], catalogue: &Catalogue) -> Vec<Vec<(&'a str, String)>> {
    let values: Vec<Vec<(&str, String)>> = params
        .iter()
        .map(|param| extremes(param, catalogue).into_iter().map(|v| (&*param.key, v)).collect())
        .collect();
    let mut all: Vec<Vec<(&str, String)>> =
        values.iter().flatten().map(|one| vec![one.clone()]).collect();
    for (at, first) in values.iter().enumerate() {
        for second in values.iter().skip(at + 1) {
            for a in first {
                all.extend(second.iter().map(|b| vec![a.clone(), b.clone()]));
            }
        }
    }
    all
}

/// The smallest and the largest value of a parameter, or all of a few, as they are written in a spec.
fn extremes(param: &Param, catalogue: &Catalogue) -> Vec<String> {
    let quoted = |text: String| format!("'{}'", text.replace('\'', "''"));
    match &param.kind {
        ParamKind::Number { min, max, .. } => vec![min.to_string(), max.to_string()],
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

    #[test]
    fn every_parameter_is_tried_at_every_extreme() {
        let catalogue = catalogue();
        let trials = trials(&catalogue);
        let tried = |what: &str| trials.iter().any(|trial| trial.what.contains(what));
        for kind in
            [Kind::World, Kind::Strategy, Kind::Policy, Kind::Ranker, Kind::Topic, Kind::Figure]
        {
            for entry in catalogue.of(kind) {
                for param in entry.params.iter() {
                    let ParamKind::Number { min, max, default, .. } = param.kind else { continue };
                    for value in [min, max].into_iter().filter(|value| *value != default) {
                        let (id, key) = (&entry.id, &param.key);
                        let found = trials.iter().any(|trial| {
                            trial.what.starts_with(&format!("{kind} {id}("))
                                && trial.what.contains(&format!("{key}:{value}"))
                        });
                        assert!(found, "{kind} {id}({key}:{value})");
                    }
                }
            }
        }
        for what in [
            "rules hours=1000000",
            "rules visits=1000000000&hours=1000000",
            "pagerank batch=1000000",
            "optimal hours=1000000",
            "formula(of:'backlinks+depth+",
        ] {
            assert!(tried(what), "{what}");
        }
        // Every link can be read again.
        for trial in trials.iter().filter(|trial| trial.args[0] == "run") {
            let link = trial.args.last().expect("a link");
            let read = Experiment::from_link(link, &catalogue);
            assert_eq!(read.map(|e| e.to_link()).as_ref(), Ok(link), "{}", trial.what);
        }
    }
}
