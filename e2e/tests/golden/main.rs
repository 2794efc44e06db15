//! The worker program as it is shipped gives the golden digests: every strategy and every revisit
//! policy, the first of its golden runs on each of two worlds.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};

/// Runs in one link.
const MOST_LANES: usize = 4;
/// The generators of the worlds.
const WORLDS: [&str; 2] = ["campus", "newsroom"];

/// A golden run.
struct Golden<'a> {
    /// Its link, but for the field under test.
    rest: Vec<(&'a str, &'a str)>,
    /// That field's value.
    value: &'a str,
    digest: &'a str,
}

/// The first run of every registry entry on each world, of a file whose links have the entry in a
/// field.
fn first_runs<'a>(text: &'a str, field: &str) -> Vec<Golden<'a>> {
    let mut seen = BTreeSet::new();
    let mut runs = Vec::new();
    for line in text.lines() {
        let Some((link, digest)) = line.strip_prefix('#').and_then(|line| line.split_once(' '))
        else {
            continue;
        };
        let fields = link.split('&').filter_map(|field| field.split_once('='));
        let (own, rest): (Vec<_>, Vec<_>) = fields.partition(|(key, _)| *key == field);
        let id = |value: &'a str| value.split('(').next().unwrap_or(value);
        let world = rest.iter().find(|(key, _)| *key == "world").map(|(_, world)| id(world));
        let ([(_, value)], Some(world)) = (own.as_slice(), world) else { continue };
        if WORLDS.contains(&world) && seen.insert((world, id(value))) {
            runs.push(Golden { rest, value, digest });
        }
    }
    runs
}

/// Links that hold all runs and the digests they must have: runs that differ in the field alone are
/// lanes of one link.
fn links(mut runs: Vec<Golden<'_>>, field: &str) -> Vec<String> {
    runs.sort_by(|a, b| a.rest.cmp(&b.rest));
    let mut links = Vec::new();
    for alike in runs.chunk_by(|a, b| a.rest == b.rest) {
        for lanes in alike.chunks(MOST_LANES) {
            let joined = |part: fn(&Golden<'_>) -> String| {
                lanes.iter().map(part).collect::<Vec<_>>().join(",")
            };
            let mut link: Vec<String> = lanes[0]
                .rest
                .iter()
                .map(|(key, value)| match *key {
                    // A policy belongs to a lane, and a lane to a strategy.
                    "run" => format!("run={}", vec![*value; lanes.len()].join(",")),
                    _ => format!("{key}={value}"),
                })
                .collect();
            link.push(format!("{field}={}", joined(|lane| lane.value.to_owned())));
            link.push(format!("digest={}", joined(|lane| lane.digest.to_owned())));
            links.push(format!("#{}", link.join("&")));
        }
    }
    links
}

async fn reproduces(tab: &Tab, file: &str, field: &str) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tests/golden");
    let path = folder.join(file);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let runs = first_runs(&text, field);
    assert!(runs.len() > WORLDS.len(), "{file} has too few runs");
    for link in links(runs, field) {
        tab.open("about:blank").await?;
        tab.open(&link).await?;
        tab.wait_for(".badge, .lane-note[role=alert], .broken-link")
            .await
            .with_context(|| link.clone())?;
        assert_eq!(tab.texts(".badge").await?, ["✓ reproduced"], "{link}");
    }
    Ok(())
}

#[test]
fn every_strategy_gives_its_golden_digests() {
    scenario("golden strategies", Setup::default(), async |scene| {
        reproduces(&scene.tab, "strategies.txt", "run").await
    });
}

#[test]
fn every_policy_gives_its_golden_digests() {
    scenario("golden policies", Setup::default(), async |scene| {
        reproduces(&scene.tab, "policies.txt", "revisit").await
    });
}

#[test]
fn runs_that_differ_in_one_field_are_lanes_of_one_link() {
    let text = "#v=1&world=campus(pages:9)&run=opic(keep:true,b:2)&budget=5 aa\n  metric 3fe\n\
                #v=1&world=campus(pages:9)&run=opic&budget=5 bb\n\
                #v=1&world=campus(pages:9)&run=random&budget=5 cc\n\
                #v=1&world=shop&run=random&budget=5 dd\n\
                #v=1&world=campus(pages:9)&run=hits&budget=6 ee\n";
    let made = links(first_runs(text, "run"), "run");
    let expected = [
        "#v=1&world=campus(pages:9)&budget=5&run=opic(keep:true,b:2),random&digest=aa,cc",
        "#v=1&world=campus(pages:9)&budget=6&run=hits&digest=ee",
    ];
    assert_eq!(made, expected);
    let text =
        "#v=1&world=campus&run=opic&revisit=never 1\n#v=1&world=campus&run=opic&revisit=x 2\n";
    let made = links(first_runs(text, "revisit"), "revisit");
    assert_eq!(made, ["#v=1&world=campus&run=opic,opic&revisit=never,x&digest=1,2"]);
}
