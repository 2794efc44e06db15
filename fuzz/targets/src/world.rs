//! The small web that experiments and workers are tried on.

use crate::check;
use crawl_core::Truth;
use crawl_import::{File, import, no_progress};
use crawl_protocol::{Experiment, LinkError};
use crawl_run::Run;
use crawl_world::World;
use std::sync::{Arc, OnceLock};

/// A web of 24 pages with all that a page can have: texts, topics, redirects, errors, robots.txt,
/// changes of every kind, births and deaths.
const TEXT: &str = include_str!("world.jsonl");

/// That web, with its true ranks.
///
/// # Panics
/// If its file is damaged, which the tests of this crate notice.
pub fn small_world() -> (Arc<World>, Arc<Truth>) {
    static WORLD: OnceLock<(Arc<World>, Arc<Truth>)> = OnceLock::new();
    let made = WORLD.get_or_init(|| {
        let file = File::from_bytes("world.jsonl", TEXT.as_bytes());
        let imported =
            import(file.into(), &check::small(), &mut no_progress).expect("it can be read");
        let truth = Run::truth_of(&imported.world, check::catalogue()).expect("ranks");
        (Arc::new(imported.world), truth)
    });
    made.clone()
}

/// The experiment of a link without version and world, on that web.
///
/// # Errors
/// See [`Experiment::from_link`].
pub fn experiment(parts: &str) -> Result<Experiment, LinkError> {
    check::experiment_on(&small_world().0, parts)
}

#[cfg(test)]
mod tests {
    use super::small_world;

    #[test]
    fn it_has_all_that_a_page_can_have() {
        let (world, truth) = small_world();
        assert_eq!(world.n_pages(), 24);
        assert_eq!(truth.ranks.len(), 24);
        assert!(world.has_births() && !world.timetable().is_empty());
    }
}
