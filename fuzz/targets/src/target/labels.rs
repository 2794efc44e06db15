//! Tables of labels, beside a web archive that is sound.

use super::{Target, no_made_seeds};
use crate::check::check_import;

pub(super) const TARGET: Target = Target {
    name: "labels",
    note: "an error of one line, or a world with topics that reads back the same",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 2_500,
};

fn run(bytes: &[u8]) {
    check_import(&archive(), Some(bytes), Some("warc"));
}

/// Two pages that link to each other.
fn archive() -> Vec<u8> {
    let record = |url: &str, to: &str| {
        let page = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>{to}</title><a href={to}>{to}</a>"
        );
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n\
             {page}\r\n\r\n",
            page.len()
        )
    };
    let pages = [record("http://a.example/", "/b"), record("http://a.example/b", "/")];
    pages.concat().into_bytes()
}
