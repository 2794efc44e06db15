//! Change histories: whatever is read of one reads back the same, and can be crawled by policies that
//! come back to its pages.

use super::{Target, no_made_seeds};
use crate::check::{check_crawl, check_import, small};
use crawl_import::{File, Source, import, no_progress};

pub(super) const TARGET: Target = Target {
    name: "change_history",
    note: "an error of one line, or a world that reads back the same and can be revisited",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 600,
};

const LINK: &str = "run=breadth-first,opic,pagerank&revisit=uniform,optimal,adaptive\
                    &visits=20&hours=48&sees=last-modified&budget=200";

fn run(bytes: &[u8]) {
    let format = Some("change-history");
    check_import(bytes, None, format);
    let source = Source { format, ..File::from_bytes("file", bytes).into() };
    if let Ok(imported) = import(source, &small(), &mut no_progress) {
        check_crawl(imported.world, LINK);
    }
}
