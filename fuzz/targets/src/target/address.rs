//! URLs: the page and the link before and after a zero byte.

use super::{Target, no_made_seeds};
use crate::check::split_at_zero;
use crawl_import::{address, suffix};

pub(super) const TARGET: Target = Target {
    name: "address",
    note: "a URL in normal form stays so, and its site is a part of its host",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 40_000,
};

fn run(bytes: &[u8]) {
    let (page, link) = split_at_zero(bytes);
    let page = String::from_utf8_lossy(page);
    let link = link.map(String::from_utf8_lossy).unwrap_or_default();
    for url in [address::normal(&page), address::resolve(&page, &link)].into_iter().flatten() {
        assert_eq!(address::normal(&url).as_deref(), Some(url.as_str()), "not in normal form");
        let Some(host) = address::host(&url) else { continue };
        let site = address::site(&host);
        assert!(host.ends_with(site) && !site.is_empty(), "{site:?} is no part of {host:?}");
    }
    if let Some(name) = suffix::registrable(&page) {
        assert!(page.ends_with(name), "{name:?} is no part of {page:?}");
    }
}
