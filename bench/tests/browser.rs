//! The crawl benchmarks in a browser.
//!
//! `cargo xtask bench` parses the lines, compares the checksums with native runs, and the times
//! within one run. Runs in a worker, as the app's crawls do: a page that computes for a minute does
//! not answer its driver.
#![cfg(target_arch = "wasm32")]

use crawl_bench::{FOCUSED, TIMED, crawl_timings, focused_timings, lines, world};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn clock() -> impl Fn() -> f64 {
    let worker: web_sys::WorkerGlobalScope = js_sys::global().unchecked_into();
    let performance = worker.performance().expect("a browser's clock");
    move || performance.now()
}

#[wasm_bindgen_test]
fn crawls_of_a_hundred_thousand_pages() {
    let world = world("web(pages:100000)");
    let timings = crawl_timings(&world, &TIMED, 7, &clock());
    console_log!("{}", lines("timing", &timings, &[&["bare loop"], TIMED.as_slice()].concat()));
}

#[wasm_bindgen_test]
fn focused_crawls() {
    console_log!("{}", lines("focused", &focused_timings(3, &clock()), &FOCUSED));
}
