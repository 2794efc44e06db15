//! The crawls of the benchmark, timed in a browser. Prints lines that `cargo xtask bench` reads.
#![cfg(target_arch = "wasm32")]

use crawl_bench::{TIMED, crawl_timings, focused_timings, world};
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn crawls_of_a_hundred_thousand_pages() {
    let performance = web_sys::window().and_then(|w| w.performance()).expect("a browser's clock");
    let world = world("web(pages:100000)");
    for timing in crawl_timings(&world, &TIMED, 7, &|| performance.now()) {
        assert!(timing.ms.is_finite());
        console_log!("timing\t{}\t{}", timing.name, timing.ms);
    }
}

#[wasm_bindgen_test]
fn focused_crawls() {
    let performance = web_sys::window().and_then(|w| w.performance()).expect("a browser's clock");
    for timing in focused_timings(3, &|| performance.now()) {
        assert!(timing.ms.is_finite());
        console_log!("focused\t{}\t{}", timing.name, timing.ms);
    }
}
