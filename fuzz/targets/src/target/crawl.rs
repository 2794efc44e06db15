//! Worlds from outside, robots.txt and all: whatever opens can be crawled, and its pages visited again.

use super::{Target, no_made_seeds};
use crate::check::{check_crawl, small};
use crawl_import::{File, import, no_progress};

pub(super) const TARGET: Target = Target {
    name: "crawl",
    note: "a world that opens can be crawled and revisited, and all measures are numbers",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 600,
};

const LINKS: [&str; 2] = [
    "run=breadth-first,opic,pagerank&budget=50",
    "run=fica,opic,backlink-count&revisit=proportional,optimal,period-estimate&visits=9\
     &new=3&hours=24&sitemap=5&budget=100",
];

fn run(bytes: &[u8]) {
    let file = File::from_bytes("world.jsonl", bytes);
    if let Ok(imported) = import(file.into(), &small(), &mut no_progress) {
        LINKS.iter().for_each(|link| check_crawl(imported.world.clone(), link));
    }
}
