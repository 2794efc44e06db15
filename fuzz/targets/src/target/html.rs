//! Pages: whatever the bytes and the charset, a page without odd blanks, with as many links as
//! were asked for.

use super::{Target, no_made_seeds};
use crate::check::split_at_zero;
use crawl_import::html::{self, Options};

pub(super) const TARGET: Target = Target {
    name: "html",
    note: "any page has texts of one line and bounded length, and no more links than asked for",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 4_000,
};

fn run(bytes: &[u8]) {
    let (page, label) = split_at_zero(bytes);
    let label = label.map(String::from_utf8_lossy);
    let text = html::decode(page, label.as_deref());
    for context_distance in [0, 5] {
        let options = Options { context_distance, links: 10 };
        let page = html::read(&text, "http://a.example/b/c", &options);
        assert!(page.links.len() <= options.links, "too many links");
        assert!(page.blocks().all(|block| !block.is_empty() && block.trim() == block));
        let texts = page.links.iter().flat_map(|link| [&link.anchor, &link.context]);
        for text in texts.chain([&page.title]) {
            assert!(!text.contains(char::is_control), "more than a line: {text:?}");
            assert!(text.len() < 4000, "too long: {}", text.len());
        }
    }
}
