//! Compares the golden values in headless Chromium.
//!
//! Runs in a worker, as the app's crawls do: on the page's main thread it would exceed
//! ChromeDriver's timeout.
#![cfg(target_arch = "wasm32")]

use crawl_catalogue::Spec;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

crawl_tests::golden_tests!(wasm_bindgen_test);

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
