//! The revisit benchmarks in a browser.
//!
//! `cargo xtask bench` parses the lines, compares the checksums with native runs, and the times
//! within one run.
#![cfg(target_arch = "wasm32")]

use crawl_bench::lines;
use crawl_bench::revisit::{BARE, POLICIES, changing, year_timings};
use std::sync::Arc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn years_of_a_hundred_thousand_pages() {
    let worker: web_sys::WorkerGlobalScope = js_sys::global().unchecked_into();
    let performance = worker.performance().expect("a browser's clock");
    let world = Arc::new(changing(100_000));
    let years = year_timings(&world, &POLICIES, 2, &|| performance.now());
    let names = [POLICIES.as_slice(), &BARE].concat();
    console_log!("{}", lines("year", &years.with_metrics, &names));
    console_log!("{}", lines("simulated", &years.without_metrics, &POLICIES));
}
