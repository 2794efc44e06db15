//! Digests of everything that must come out the same on every machine, as they are natively.
//!
//! `CRAWLSCOPE_BLESS=1` rewrites the file that they are compared with.
#![cfg(not(target_arch = "wasm32"))]

use crawl_tests::golden::{difference, lines};
use std::path::Path;
use std::{env, fs};

#[test]
fn golden_digests_natively() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/digests.txt");
    let lines = lines();
    if env::var_os("CRAWLSCOPE_BLESS").is_some_and(|bless| bless == "1") {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&file, text).expect("the golden file can be written");
        return;
    }
    let kept = fs::read_to_string(&file).expect("the golden file can be read");
    if let Some(difference) = difference(&kept, &lines) {
        panic!("{difference}");
    }
}
