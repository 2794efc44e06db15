//! Worlds from outside, robots.txt and all: whatever opens can be crawled, and its pages visited again.

#![no_main]

use crawl_fuzz::{check_crawl, small};
use crawl_import::{File, import, no_progress};
use libfuzzer_sys::fuzz_target;

const LINKS: [&str; 2] = [
    "v=1&world=campus&run=breadth-first,opic,pagerank&budget=50",
    "v=1&world=campus&run=fica,opic,backlink-count&revisit=proportional,optimal,period-estimate&visits=9\
     &new=3&hours=24&sitemap=5&budget=100",
];

fuzz_target!(|bytes: &[u8]| {
    let file = File::from_bytes("world.jsonl", bytes);
    if let Ok(imported) = import(file.into(), &small(), &mut no_progress) {
        LINKS.iter().for_each(|link| check_crawl(imported.world.clone(), link));
    }
});
