//! Real pages: the computer science departments of three universities (WebKB, 1997).
//!
//! Each is crawled from its department's page with a topic learnt from the other two, whose sites are
//! excluded. All pages on topic are targets, so the focused loop, which follows no links of targets,
//! would end at once: crawls follow all links (our choice).

use super::{Search, WebContext, name};
use crate::measurement::Measurement;
use crawl_protocol::Seeds;
use crawl_run::RunError;
use crawl_world::{PageId, World};

/// The topics.
pub(super) const TOPICS: [&str; 4] = ["course", "faculty", "student", "project"];
/// Label of the seeds: one page per university.
const START: &str = "department";
/// Names of the universities.
pub(super) const PLACES: [&str; 3] = ["university 1", "university 2", "university 3"];
pub(super) const N_PIECES: usize = TOPICS.len() * PLACES.len();
/// Number of fetches: a fifth to a quarter of a university.
pub(super) const N_FETCHES: u32 = 200;

pub(super) const BREADTH: &str = super::BREADTH;

/// Strategies; topics have few pages, so JLSE learns often.
pub(super) const STRATEGIES: [&str; 8] = [
    "jlse(cf:5)",
    "jlse(cf:10)",
    "jlse(cf:20)",
    super::OPIE,
    super::ANCHOR_TEXT,
    "best-first",
    super::CONTEXT_GRAPH,
    BREADTH,
];

/// The seeds.
fn starts(world: &World) -> Vec<PageId> {
    world.pages().filter(|page| world.has_topic(*page, START)).take(PLACES.len()).collect()
}

/// Whether a world has pages with these labels on several sites.
pub(super) fn suits(world: &World) -> bool {
    let has = |topic: &str| world.pages().any(|page| world.has_topic(page, topic));
    starts(world).len() > 1 && TOPICS.iter().all(|topic| has(topic))
}

/// Crawls one university for one topic.
pub(super) fn piece(
    at: usize,
    web_context: &WebContext<'_>,
    measured: &mut Measurement,
) -> Result<(), RunError> {
    let (topic, place) = (TOPICS[at / PLACES.len()], at % PLACES.len());
    let Some(start) = starts(web_context.world).get(place).copied() else { return Ok(()) };
    let search = Search {
        topic: format!("label(of:'{topic}',train:sites)"),
        seeds: Seeds::Urls(vec![web_context.world.url(start).into_owned()]),
        focus: "none",
        budget: N_FETCHES,
    };
    let name = |what: &str, spec: &str| name(what, spec, topic, PLACES[place]);
    search.run(web_context, &STRATEGIES.map(str::to_owned), &name, measured)
}
