//! The documents of the repository: links open and run, examples of files are read, generated pages
//! are current.
#![cfg(not(target_arch = "wasm32"))]

use crawl_import::{File, IMPORTERS, ImporterEntry, Limits, Source, import, no_progress};
use crawl_protocol::{Experiment, WorldSource};
use crawl_run::Run;
use crawl_tests::documents::{self, Document};
use crawl_tests::registry_page;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Steps of each lane that a link of a document is tried for.
const STEPS: usize = 60;

/// Lanes that the playground shows.
const LANES_ON_SCREEN: usize = 4;

/// Shown for a tab, which documents do not hold.
const TAB: &str = "⇥";

fn all() -> Vec<Document> {
    documents::all().expect("the documents can be read")
}

fn named(path: &str) -> Document {
    all().into_iter().find(|document| document.path == path).expect("the document exists")
}

#[test]
fn the_page_of_registries_is_current() {
    let page = registry_page::render(&crawl_claims::figure::catalogue());
    let written = named(registry_page::PATH).text;
    let differs = page.lines().zip(written.lines()).find(|(new, old)| new != old);
    assert!(
        page == written,
        "{} is out of date, run `cargo xtask docs`; it first differs at {differs:?}",
        registry_page::PATH
    );
}

#[test]
fn every_link_opens_and_runs() {
    let catalogue = crawl_claims::figure::catalogue();
    let mut n_run = 0;
    for document in all() {
        for (line, link) in document.links() {
            let place = format!("{}:{line}: {link}", document.path);
            let experiment = Experiment::from_link(link, &catalogue)
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            if matches!(experiment.world, WorldSource::File { .. }) {
                continue;
            }
            let world = Run::make_world(&experiment.world).expect("a made world");
            let n_lanes = experiment.strategies.len();
            let mut run = Run::new(experiment, Arc::new(world), &catalogue)
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            for at in 0..n_lanes {
                let (lane, setting) = run.lane(at).expect("a lane per strategy");
                let steps = (0..STEPS).map_while(|_| lane.forward(&setting)).count();
                assert!(steps > 0, "{place}: lane {at} fetches nothing");
            }
            n_run += 1;
        }
    }
    assert!(n_run > 5, "only {n_run} links were run");
}

#[test]
fn the_readme_offers_five_experiments() {
    let readme = named("README.md");
    let catalogue = crawl_claims::figure::catalogue();
    let clickable =
        readme.text.lines().filter(|line| line.contains("](http://127.0.0.1:8080/#v=1&"));
    let links: BTreeSet<String> = clickable
        .map(|line| Document { path: String::new(), text: line.to_owned() })
        .flat_map(|line| {
            line.links().iter().map(|(_, link)| (*link).to_owned()).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(links.len(), 5, "{links:?}");
    for link in links {
        let experiment = Experiment::from_link(&link, &catalogue).expect("a valid link");
        assert!(experiment.strategies.len() <= LANES_ON_SCREEN, "{link}");
    }
}

#[test]
fn registry_texts_name_papers_by_author() {
    for (kind, entry) in &crawl_claims::figure::catalogue().entries {
        let helps = entry.params.iter().map(|param| &param.help);
        for text in [&entry.source, &entry.summary, &entry.description].into_iter().chain(helps) {
            for letter in ["A", "B", "C", "D", "E"] {
                let is_named = text.contains(&format!("ocument {letter}"))
                    || text.contains(&format!(" ({letter})"))
                    || text.starts_with(&format!("{letter}, "));
                assert!(!is_named, "{kind} {}: letter {letter} in {text:?}", entry.id);
            }
        }
    }
}

#[test]
fn every_cited_paper_is_in_the_bibliography() {
    let bibliography = named("docs/sources.md").text;
    let is_year =
        |word: &str| word.len() == 4 && word.starts_with(['1', '2']) && word.parse::<u16>().is_ok();
    for (kind, entry) in &crawl_claims::figure::catalogue().entries {
        let words: Vec<&str> = entry.source.split([' ', ';', ',', '(', ')']).collect();
        for pair in words.windows(2).filter(|pair| is_year(pair[1]) && !pair[0].is_empty()) {
            let cited = pair.join(" ");
            // "Cho & Garcia-Molina 2000 and 2003"
            let known = pair[0] == "and" || bibliography.contains(&cited);
            assert!(known, "{kind} {}: {cited} is not in docs/sources.md", entry.id);
        }
    }
}

#[test]
fn every_example_of_a_file_is_read() {
    let document = named("docs/worlds.md");
    let blocks = document.blocks();
    let mut read = BTreeSet::new();
    for (at, block) in blocks.iter().enumerate() {
        let importer = IMPORTERS.iter().copied().find(|importer| importer.id() == block.info);
        let Some(importer) = importer else { continue };
        let second =
            blocks.get(at + 1).filter(|next| next.info == format!("{} second", block.info));
        let (first, second) = (bytes(block.info, &block.body), second.map(|b| bytes("", &b.body)));
        let mut source = Source::from(File::from_bytes("example", first.as_bytes()));
        source.second = second.as_ref().map(|text| File::from_bytes("second", text.as_bytes()));
        let place = format!("docs/worlds.md:{}", block.line);
        let imported = import(source, &Limits::default(), &mut no_progress)
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(imported.format, importer.id(), "{place}");
        let notices: Vec<String> = imported.notices.iter().map(ToString::to_string).collect();
        // A history is told of its home page and of pages that are deleted; all else would be odd.
        let most = if importer.id() == "change-history" { 2 } else { 0 };
        assert!(notices.len() <= most, "{place}: {notices:?}");
        assert!(imported.world.n_pages() > 1, "{place}");
        read.insert(importer.id());
    }
    let all: BTreeSet<_> = IMPORTERS.iter().copied().map(ImporterEntry::id).collect();
    assert_eq!(read, all, "a format has no example");
}

/// The bytes that a block stands for: tabs are shown as a sign, archives end their lines in CR LF.
fn bytes(format: &str, body: &str) -> String {
    let body = body.replace(TAB, "\t");
    if format == "warc" { body.replace('\n', "\r\n") } else { body }
}
