//! Runs in headless Chromium: what comes out in a browser is what comes out natively.
#![cfg(target_arch = "wasm32")]

use crawl_catalogue::Spec;
use crawl_tests::golden::{difference, lines};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// As computed natively.
const KEPT: &str = include_str!("golden/digests.txt");

#[wasm_bindgen_test]
fn golden_digests_in_the_browser() {
    if let Some(difference) = difference(KEPT, &lines()) {
        panic!("{difference}");
    }
}

#[wasm_bindgen_test]
fn a_spec_prints_as_it_was_read() {
    let text = "omniscient(of:pagerank(damping:0.85),title:'it''s here')";
    let spec: Spec = text.parse().expect("the spec is well formed");
    assert_eq!(spec.args.len(), 2);
    assert_eq!(spec.to_string(), text);
}

#[wasm_bindgen_test]
fn an_unbalanced_spec_is_refused_with_its_place() {
    let error = "opic(keep:true".parse::<Spec>().expect_err("a bracket is open");
    assert_eq!(error.at, 4, "{error}");
}
