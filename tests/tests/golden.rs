//! Compares the golden values natively.
#![cfg(not(target_arch = "wasm32"))]

crawl_tests::golden_tests!(test);
