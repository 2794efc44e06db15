//! Digests of everything that must come out the same on every machine, as they are natively.
#![cfg(not(target_arch = "wasm32"))]

crawl_tests::golden_tests!(test);
