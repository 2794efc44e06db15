//! The strategy that CONTRIBUTING.md shows: it compiles, crawls, and explains itself.
//!
//! `link_depth.rs` is written as a file of `crates/crawl-core/src/strategy/`, whose `super` and `crate`
//! are imitated here.
#![cfg(not(target_arch = "wasm32"))]

mod link_depth;

use crawl_catalogue::{Catalogue, Kind};
use crawl_core::strategy::{Needs, Strategy, StrategyEntry};
use crawl_core::{Evidence, Explanation, Known, Op, Rules, Scores, Session, UrlId, agree};
use crawl_tests::{documents, driver, worlds};
use link_depth::ENTRY;

#[test]
fn the_document_shows_this_very_code() {
    let documents = documents::all().expect("the documents can be read");
    let document = documents.iter().find(|document| document.path == "CONTRIBUTING.md");
    let blocks = document.expect("CONTRIBUTING.md exists").blocks();
    let shown = blocks.iter().any(|block| block.info == "rust" && block.body == SOURCE);
    assert!(shown, "no block of CONTRIBUTING.md equals tests/tests/example/link_depth.rs");
}

const SOURCE: &str = include_str!("link_depth.rs");

#[test]
fn the_example_crawls_and_its_explanations_add_up() {
    let entries = vec![(Kind::Strategy, ENTRY.entry)];
    let catalogue = Catalogue { entries, rules: Vec::new() };
    let chosen = catalogue.choose(Kind::Strategy, "link-depth(weight:2)").expect("a valid spec");
    let world = worlds::world("campus(pages:200)");
    let strategy = (ENTRY.build)(&chosen.params, &Default::default());
    let rules = Rules::default();
    let mut session = Session::new(&world, &world.seeds(), strategy, rules, None);
    driver::run(&mut session, &world, 50);
    let waiting = session.upcoming(&world, 20);
    assert_eq!(waiting.len(), 20);
    for url in waiting {
        let (score, explanation) = (session.score(url), session.explain(&world, url));
        assert!(agree(explanation.value, score), "{score}: {explanation:?}");
        assert!(explanation.fault().is_none(), "{explanation:?}");
    }
}
