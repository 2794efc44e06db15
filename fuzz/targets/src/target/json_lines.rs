//! JSON Lines worlds: a header is put before input that does not start like one, since random
//! input would hardly ever get past it.

use super::{Target, no_made_seeds};
use crate::check::check_import;

pub(super) const TARGET: Target = Target {
    name: "json_lines",
    note: "an error of one line, or a world that reads back the same",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 8_000,
};

const HEADER: &[u8] = b"{\"format\":\"crawlscope-world\",\"version\":1}\n";

fn run(bytes: &[u8]) {
    let format = Some("json-lines");
    if bytes.starts_with(b"{\"f") {
        check_import(bytes, None, format);
    } else {
        check_import(&[HEADER, bytes].concat(), None, format);
    }
}
