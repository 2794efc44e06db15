//! Adjacency text; what follows a zero byte is the file of URLs.

use super::{Target, no_made_seeds};
use crate::check::{check_import, split_at_zero};

pub(super) const TARGET: Target = Target {
    name: "adjacency_text",
    note: "an error of one line, or a world that reads back the same",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 20_000,
};

fn run(bytes: &[u8]) {
    let (rows, urls) = split_at_zero(bytes);
    check_import(rows, urls, Some("adjacency-text"));
}
