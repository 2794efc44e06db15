//! Edge lists; what follows a zero byte is the file of URLs.

#![no_main]

use crawl_fuzz::{check_import, split_at_zero};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (edges, urls) = split_at_zero(bytes);
    check_import(edges, urls, Some("edge-list"));
});
