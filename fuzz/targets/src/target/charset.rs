//! Character sets: the page's bytes, and after a zero byte the name that an HTTP header gives.

use super::{Target, no_made_seeds};
use crate::check::split_at_zero;
use crawl_import::html::decode;

pub(super) const TARGET: Target = Target {
    name: "charset",
    note: "any bytes in any character set are text of bounded length, the same each time",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 60_000,
};

fn run(bytes: &[u8]) {
    let (page, label) = split_at_zero(bytes);
    let label = label.map(String::from_utf8_lossy);
    let text = decode(page, label.as_deref());
    // The longest: a replacement character, three bytes, for each byte.
    assert!(text.len() <= 3 * page.len() + 3, "{} bytes of {}", text.len(), page.len());
    assert_eq!(decode(page, label.as_deref()), text);
    if page.is_ascii() && label.is_none() && !page.contains(&b'<') {
        assert_eq!(text.as_bytes(), page, "plain text was changed");
    }
}
