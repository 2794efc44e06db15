//! Edge lists; what follows a zero byte is the file of URLs.

use super::{Target, no_made_seeds};
use crate::check::{check_import, split_at_zero};

pub(super) const TARGET: Target = Target {
    name: "edge_list",
    note: "an error of one line, or a world that reads back the same",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 10_000,
};

fn run(bytes: &[u8]) {
    let (edges, urls) = split_at_zero(bytes);
    check_import(edges, urls, Some("edge-list"));
}
