//! Our list against the crate psl, which is made from the same one; and how ours is made.
//!
//! To renew it: `PUBLIC_SUFFIX_LIST=public_suffix_list.dat cargo test -p crawl-import --test suffix`.

use crawl_import::suffix::registrable;
use std::collections::BTreeSet;

const RULES: &str = include_str!("../src/suffix/suffixes.txt");

#[test]
fn every_rule_gives_what_psl_gives() {
    let mut n = 0;
    for rule in RULES.lines() {
        let labels: Vec<&str> = rule.trim_end_matches('!').split('.').rev().collect();
        let name = labels.join(".").replace('*', "any");
        for host in
            [name.clone(), format!("b.{name}"), format!("a.b.{name}"), format!("a.b.c{name}")]
        {
            assert_eq!(registrable(&host), psl::domain_str(&host), "{host}");
            n += 1;
        }
        for fewer in 1..labels.len() {
            let host = format!("a.b.{}", labels[fewer..].join(".").replace('*', "any"));
            assert_eq!(registrable(&host), psl::domain_str(&host), "{host}");
        }
    }
    assert!(n > 30_000);
}

#[test]
fn the_list_can_be_renewed() {
    let published = "// a comment\n\nuk\nco.uk\n*.ck\n!www.ck\nмосква.example trailing\n";
    let ours = ["ck.*", "ck.www!", "example.xn--80adxhks", "uk", "uk.co"];
    assert_eq!(renewed(published), ours.map(|line| format!("{line}\n")).concat());
    if let Some(file) = std::env::var_os("PUBLIC_SUFFIX_LIST") {
        let published = std::fs::read_to_string(file).unwrap();
        let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/src/suffix/suffixes.txt");
        std::fs::write(ours, renewed(&published)).unwrap();
    }
}

/// The list as it is published, made ours.
fn renewed(published: &str) -> String {
    let rules = published.lines().filter_map(|line| line.split_whitespace().next());
    let rules = rules.filter(|rule| !rule.starts_with("//"));
    let ours: BTreeSet<String> = rules.map(reversed).collect();
    ours.into_iter().map(|rule| rule + "\n").collect()
}

fn reversed(rule: &str) -> String {
    let (rule, mark) = rule.strip_prefix('!').map_or((rule, ""), |rule| (rule, "!"));
    let label = |label: &str| match label {
        "*" => label.to_owned(),
        // With a name after it, or a label of digits would be an address.
        _ => url::Host::parse(&format!("{label}.a"))
            .unwrap()
            .to_string()
            .trim_end_matches(".a")
            .to_owned(),
    };
    let labels: Vec<String> = rule.rsplit('.').map(label).collect();
    labels.join(".") + mark
}
