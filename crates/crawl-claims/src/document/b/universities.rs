//! Real pages: the computer science departments of three universities (WebKB, 1997).
//!
//! Each is crawled from its department's page with a topic learnt from the others, whose sites are
//! not crawled then. All pages about these topics are what is looked for, so that the focused loop,
//! which follows no links of results, would end at once: crawls follow all links (ours).

use super::{Ground, Search, name};
use crate::tried::Tried;
use crawl_protocol::Seeds;
use crawl_run::RunError;
use crawl_world::{PageId, World};

/// What is looked for.
pub(super) const TOPICS: [&str; 4] = ["course", "faculty", "student", "project"];
/// Where crawls start: one page of each university.
const START: &str = "department";
/// As many are looked at.
pub(super) const PLACES: [&str; 3] = ["university 1", "university 2", "university 3"];
pub(super) const N_PIECES: usize = TOPICS.len() * PLACES.len();
/// Pages fetched: a fourth to a fifth of a university.
pub(super) const N_FETCHES: u32 = 200;

pub(super) const BREADTH: &str = super::BREADTH;

/// What is compared; classes are small, so JLSE learns often.
pub(super) const ORDERINGS: [&str; 8] = [
    "jlse(cf:5)",
    "jlse(cf:10)",
    "jlse(cf:20)",
    super::OPIE,
    super::ANCHOR_TEXT,
    "best-first",
    super::CONTEXT_GRAPH,
    BREADTH,
];

/// Where crawls start.
fn starts(world: &World) -> Vec<PageId> {
    world.pages().filter(|page| world.has_topic(*page, START)).take(PLACES.len()).collect()
}

/// Whether a world has pages with such labels, on several sites.
pub(super) fn suits(world: &World) -> bool {
    let has = |topic: &str| world.pages().any(|page| world.has_topic(page, topic));
    starts(world).len() > 1 && TOPICS.iter().all(|topic| has(topic))
}

/// One topic at one university.
pub(super) fn piece(at: usize, ground: &Ground<'_>, tried: &mut Tried) -> Result<(), RunError> {
    let (topic, place) = (TOPICS[at / PLACES.len()], at % PLACES.len());
    let Some(start) = starts(ground.world).get(place).copied() else { return Ok(()) };
    let search = Search {
        topic: format!("label(of:'{topic}',train:sites)"),
        seeds: Seeds::Urls(vec![ground.world.url(start).into_owned()]),
        focus: "none",
        budget: N_FETCHES,
    };
    let name = |what: &str, spec: &str| name(what, spec, topic, PLACES[place]);
    search.run(ground, &ORDERINGS.map(str::to_owned), &name, tried)
}
