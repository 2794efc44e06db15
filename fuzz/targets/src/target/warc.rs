//! Web archives: input that does not start like one is the block of a response; what follows two
//! zero bytes is the table of labels.

use super::{Target, no_made_seeds};
use crate::check::check_import;

pub(super) const TARGET: Target = Target {
    name: "warc",
    note: "an error of one line, or a world that reads back the same",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 6_000,
};

fn run(bytes: &[u8]) {
    let at = bytes.windows(2).position(|pair| pair == [0, 0]);
    let (archive, labels) = match at {
        Some(at) => (&bytes[..at], Some(&bytes[at + 2..])),
        None => (bytes, None),
    };
    if archive.starts_with(b"WARC/") || archive.starts_with(&[0x1f, 0x8b]) {
        return check_import(archive, labels, Some("warc"));
    }
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
         Content-Length: {}\r\n\r\n",
        archive.len()
    );
    check_import(&[header.as_bytes(), archive].concat(), labels, Some("warc"));
}
