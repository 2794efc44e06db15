//! Years of revisiting, timed in a browser. Prints lines that `cargo xtask bench` reads.
#![cfg(target_arch = "wasm32")]

use crawl_bench::revisit::{POLICIES, changing, year_timings};
use std::sync::Arc;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn years_of_a_hundred_thousand_pages() {
    let performance = web_sys::window().and_then(|w| w.performance()).expect("a browser's clock");
    let world = Arc::new(changing(100_000));
    let years = year_timings(&world, &POLICIES, 2, &|| performance.now());
    for timing in &years.lived {
        assert!(timing.ms.is_finite());
        console_log!("year\t{}\t{}", timing.name, timing.ms);
    }
    for timing in &years.simulated {
        console_log!("simulated\t{}\t{}", timing.name, timing.ms);
    }
}
