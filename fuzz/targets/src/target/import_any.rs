//! Whatever the bytes are, the format found out from them, gzip included.

use super::Target;
use crate::check::check_import;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

pub(super) const TARGET: Target = Target {
    name: "import_any",
    note: "an error of one line, or a world that reads back the same",
    run,
    made_seeds,
    n_mutations: 8_000,
};

fn run(bytes: &[u8]) {
    check_import(bytes, None, None);
}

/// Files within gzip, one of them of two members.
fn made_seeds() -> Vec<Vec<u8>> {
    let packed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).expect("memory takes everything");
        encoder.finish().expect("memory takes everything")
    };
    vec![packed("0 1\n1 2\n2 0\n"), [packed("2\n1\n"), packed("0\n")].concat()]
}
