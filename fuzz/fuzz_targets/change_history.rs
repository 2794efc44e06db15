//! Change histories: whatever is read of one reads back the same, and can be crawled by policies that
//! come back to its pages.

#![no_main]

use crawl_fuzz::{check_crawl, check_import, small};
use crawl_import::{File, Source, import, no_progress};
use libfuzzer_sys::fuzz_target;

const LINK: &str = "v=1&world=campus&run=breadth-first,opic,pagerank&revisit=uniform,optimal,adaptive\
                    &visits=20&hours=48&sees=last-modified&budget=200";

fuzz_target!(|bytes: &[u8]| {
    let format = Some("change-history");
    check_import(bytes, None, format);
    let source = Source { format, ..File::from_bytes("file", bytes).into() };
    if let Ok(imported) = import(source, &small(), &mut no_progress) {
        check_crawl(imported.world, LINK);
    }
});
