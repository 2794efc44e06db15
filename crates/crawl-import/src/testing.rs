//! Test helpers.

use crate::{File, ImportError, Limits, Source, import, no_progress};
use crawl_catalogue::{Catalogue, Kind};
use crawl_world::World;
use crawl_world::generate::WORLDS;

/// Limits small enough to be reached in tests.
pub(crate) fn limits() -> Limits {
    Limits {
        file_bytes: 1 << 20,
        line_bytes: 1 << 16,
        pages: 10_000,
        links: 5000,
        list_items: 1000,
        text_bytes: 5000,
        ..Limits::default()
    }
}

pub(crate) fn try_import(
    name: &str,
    text: &str,
    urls: Option<(&str, &str)>,
) -> Result<(World, Vec<String>), ImportError> {
    let source = Source {
        second: urls.map(|(name, text)| File::from_bytes(name, text.as_bytes())),
        ..File::from_bytes(name, text.as_bytes()).into()
    };
    let imported = import(source, &limits(), &mut no_progress)?;
    let notices = imported.notices.iter().map(ToString::to_string).collect();
    Ok((imported.world, notices))
}

pub(crate) fn world(text: &str) -> World {
    try_import("w", text, None).unwrap().0
}

pub(crate) fn notices(text: &str) -> Vec<String> {
    try_import("w", text, None).unwrap().1
}

pub(crate) fn error(text: &str) -> String {
    try_import("w", text, None).unwrap_err().to_string()
}

pub(crate) fn world_with_urls(text: &str, urls: &str) -> World {
    try_import("w", text, Some(("urls", urls))).unwrap().0
}

pub(crate) fn error_with_urls(text: &str, urls: &str) -> String {
    try_import("w", text, Some(("urls", urls))).unwrap_err().to_string()
}

pub(crate) fn urls_of(world: &World) -> Vec<String> {
    world.pages().map(|page| world.url(page).into_owned()).collect()
}

/// A generated world.
pub(crate) fn made(spec: &str) -> World {
    let entries = WORLDS.iter().map(|w| (Kind::World, w.entry.clone())).collect();
    let chosen = Catalogue { entries, rules: Vec::new() }.choose(Kind::World, spec).unwrap();
    let world = WORLDS.iter().find(|w| w.entry.id == chosen.id).unwrap();
    (world.build)(&chosen.params).unwrap()
}

/// Every generated world with its default parameters.
pub(crate) fn every_made_world() -> impl Iterator<Item = World> {
    WORLDS.iter().map(|world| made(&world.entry.id))
}
