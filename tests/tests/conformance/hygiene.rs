//! Registry entries have complete and valid texts, ids and parameters.

use crawl_catalogue::{Catalogue, Entry, Kind, ParamKind};
use crawl_core::metric::METRICS;
use crawl_tests::variants::variants;
use std::collections::BTreeSet;

fn every_entry(check: impl Fn(&Catalogue, Kind, &Entry)) {
    let catalogue = crawl_run::catalogue();
    for (kind, entry) in &catalogue.entries {
        check(&catalogue, *kind, entry);
    }
    let kinds: BTreeSet<Kind> = catalogue.entries.iter().map(|(kind, _)| *kind).collect();
    let expected = [
        Kind::World,
        Kind::Strategy,
        Kind::Ranker,
        Kind::Policy,
        Kind::Metric,
        Kind::Topic,
        Kind::Importer,
    ];
    assert_eq!(kinds, BTreeSet::from(expected));
}

fn is_name(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && parts.iter().all(|part| !part.is_empty() && part.chars().all(word))
}

#[test]
fn ids_are_names_and_unique_in_their_registry() {
    let catalogue = crawl_run::catalogue();
    let mut seen = BTreeSet::new();
    for (kind, entry) in &catalogue.entries {
        assert!(is_name(&entry.id), "{kind} {:?}", entry.id);
        assert!(seen.insert((*kind, entry.id.clone())), "{kind} {} twice", entry.id);
        assert_eq!(catalogue.entry(*kind, &entry.id), Some(entry));
    }
}

#[test]
fn texts_are_there_and_in_their_form() {
    every_entry(|_, kind, entry| {
        let name = format!("{kind} {}", entry.id);
        for (what, text) in [
            ("title", &entry.title),
            ("family", &entry.family),
            ("source", &entry.source),
            ("summary", &entry.summary),
            ("description", &entry.description),
        ] {
            assert!(!text.trim().is_empty(), "{name} has no {what}");
            assert_eq!(text.trim(), text.as_ref(), "{name}: blanks around its {what}");
            assert!(!text.contains("  "), "{name}: a gap in its {what}");
        }
        // File formats and topics have no formula.
        let is_formal = ![Kind::Importer, Kind::Topic].contains(&kind);
        assert!(!is_formal || !entry.formula.is_empty(), "{name} has no formula");
        assert!(!entry.summary.ends_with('.'), "{name}: a full stop after its summary");
        assert!(!entry.summary.contains('\n'), "{name}: its summary has several lines");
        assert!(entry.description.ends_with('.'), "{name}: its description is no sentence");
    });
}

#[test]
fn parameters_are_named_once_and_explained() {
    every_entry(|_, kind, entry| {
        let mut seen = BTreeSet::new();
        for param in entry.params.iter() {
            let name = format!("{kind} {}: {}", entry.id, param.key);
            assert!(is_name(&param.key), "{name}");
            assert!(seen.insert(&param.key), "{name} twice");
            assert!(!param.help.trim().is_empty(), "{name} has no help");
            assert!(is_sound(&param.kind), "{name}: {:?}", param.kind);
        }
    });
    let mut seen = BTreeSet::new();
    for rule in crawl_run::rules() {
        assert!(
            is_name(&rule.key) && !rule.help.is_empty() && is_sound(&rule.kind),
            "{}",
            rule.key
        );
        assert!(seen.insert(&rule.key), "rule {} twice", rule.key);
    }
}

/// Whether the range is valid and contains the default.
fn is_sound(kind: &ParamKind) -> bool {
    match kind {
        ParamKind::Number { default, min, max, integer } => {
            let whole = |x: &f64| !integer || x.fract() == 0.0;
            min < max
                && (*min..=*max).contains(default)
                && [default, min, max].iter().all(|x| whole(x))
        }
        ParamKind::Choice { default, options } => {
            let distinct: BTreeSet<_> = options.iter().collect();
            options.len() > 1 && distinct.len() == options.len() && options.contains(default)
        }
        ParamKind::Flag { .. } => true,
        ParamKind::Text { default, max_chars, .. } => {
            default.chars().count() <= *max_chars as usize
        }
        ParamKind::Formula { default, max_chars, variables, functions } => {
            let words: Vec<_> = variables.iter().chain(functions.iter()).collect();
            let names: BTreeSet<_> = words.iter().map(|word| word.name.as_ref()).collect();
            default.chars().count() <= *max_chars as usize
                && names.len() == words.len()
                && words.iter().all(|word| word.help.ends_with('.'))
        }
        ParamKind::Vector { default, min, max } => {
            min < max && !default.is_empty() && default.iter().all(|x| (*min..=*max).contains(x))
        }
        ParamKind::Entry { default, .. } => !default.is_empty(),
    }
}

/// Defaults and all variants resolve, and their names parse back to themselves.
#[test]
fn names_of_variants_read_back() {
    every_entry(|catalogue, kind, entry| {
        for chosen in variants(catalogue, kind, entry) {
            let name = chosen.to_string();
            let again = catalogue.choose(kind, &name);
            assert_eq!(again.as_ref(), Ok(&chosen), "{name}");
        }
        let default = catalogue.choose(kind, &entry.id).expect("defaults resolve");
        assert_eq!(default.to_string(), entry.id, "defaults are left out");
    });
    let rules = crawl_run::catalogue().rules(&[]).expect("defaults of the rules resolve");
    assert_eq!(rules.changed().count(), 0);
    assert_eq!(crawl_core::Rules::from(&rules), crawl_core::Rules::default());
}

#[test]
fn shown_metrics_exist() {
    let catalogue = crawl_run::catalogue();
    for metric in METRICS {
        assert!(!metric.shown.is_empty(), "{} is never shown", metric.entry.id);
        for shown in metric.shown {
            let chosen = catalogue.choose(Kind::Metric, shown).expect("it resolves");
            assert_eq!(chosen.id, metric.entry.id, "{shown}");
            assert_eq!(chosen.to_string(), *shown, "shown under its canonical name");
        }
    }
}
