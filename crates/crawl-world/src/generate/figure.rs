//! Small graphs from papers: named pages on one host.

use crate::{BuildError, PageId, WorldBuilder};

/// A builder with the pages of a printed graph, each at `http://{host}/{name}` with its name as
/// title, numbered in order of first appearance; the first page is the seed.
pub(super) fn graph(
    title: &str,
    host: &str,
    rows: &[(&str, &[&str])],
) -> Result<WorldBuilder, BuildError> {
    let mut builder = WorldBuilder::new(title);
    for (from, targets) in rows {
        let from = named(&mut builder, host, from)?;
        for target in *targets {
            let target = named(&mut builder, host, target)?;
            builder.link(from, target);
        }
    }
    if builder.n_pages() > 0 {
        builder.seed(PageId(0));
    }
    Ok(builder)
}

/// The page of that name, added if new.
pub(super) fn named(
    builder: &mut WorldBuilder,
    host: &str,
    name: &str,
) -> Result<PageId, BuildError> {
    let url = format!("http://{host}/{name}");
    if let Some(page) = builder.find(&url) {
        return Ok(page);
    }
    let page = builder.page(&url)?;
    builder.set_title(page, name);
    Ok(page)
}

/// The last URL segments of some pages, for tests.
#[cfg(test)]
pub(super) fn names(world: &crate::World, pages: &[PageId]) -> Vec<String> {
    let name = |page: &PageId| world.url(*page).rsplit('/').next().unwrap_or("").to_owned();
    pages.iter().map(name).collect()
}
