//! The prioritization core.
//!
//! A [`Session`] decides which URL a crawler fetches next. It knows what a crawler would know
//! ([`Known`]) and nothing else; a [`strategy`] gives scores to what it knows, the [`Frontier`] keeps
//! waiting URLs in order of score, and [`Rules`] say what a crawler may do. The session does no
//! input or output: a host asks it for the next fetch and tells it what came back. The
//! [`Simulator`] is such a host, over a [`crawl_world::World`] and a simulated clock; [`Travel`]
//! lets a simulation be stepped, stepped back and sought to any step.
//!
//! Everything is deterministic: the same input gives the same digest on every machine.
//!
//! Rank the pages of a graph:
//!
//! ```
//! use crawl_core::ranker::{Graph, RANKERS, ranker};
//! use crawl_catalogue::{Catalogue, Kind};
//! use crawl_world::{PageId, WorldBuilder};
//!
//! let mut builder = WorldBuilder::numbered("Two pages link to one", 3)?;
//! builder.link(PageId(0), PageId(2));
//! builder.link(PageId(1), PageId(2));
//! let world = builder.finish()?;
//! let entries = RANKERS.iter().map(|ranker| (Kind::Ranker, ranker.entry.clone())).collect();
//! let catalogue = Catalogue { entries, rules: Vec::new() };
//! let pagerank = catalogue.choose(Kind::Ranker, "pagerank(damping:0.9)").expect("it is listed");
//! let ranking = ranker(&pagerank).expect("it is built in").rank(&Graph::of(&world));
//! assert!(ranking.values[2] > ranking.values[0]);
//! # Ok::<(), crawl_world::BuildError>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod admission;
mod again;
mod ahead;
mod bound;
mod copies;
pub mod correlation;
mod explanation;
pub mod formula;
mod frontier;
mod heap;
mod judge;
mod known;
pub mod metric;
mod only;
mod past;
mod politeness;
mod queue;
pub mod ranker;
pub mod revisit;
mod robots;
mod rules;
mod run_digest;
mod samples;
mod scores;
mod session;
mod simulate;
pub mod strategy;
pub mod topic;
mod travel;
mod truth;
mod web;
mod work;

pub use admission::Refusal;
pub use again::{Again, Ledger, Life, Plan, Seen, Visit};
pub use bound::{Bounds, BoundsSearch, N_RANDOM_RUNS, area_pages};
pub use copies::{Copies, Group, Groups, Standing};
pub use explanation::{Evidence, Explanation, MAX_PARTS, Op, agree};
pub use frontier::{Frontier, GroupId, rounded};
pub use judge::{Judge, Judgement, PageText};
pub use known::{Book, Known, UrlId};
pub use past::{Past, PastSpec};
pub use robots::RobotsPolicy;
pub use rules::{Focus, RULES, Rules};
pub use run_digest::RunDigest;
pub use samples::{CopyNumber, Samples};
pub use scores::{Move, Scores};
pub use session::{Aids, Counters, Fetch, Next, Session};
pub use simulate::{Simulator, Step, VisitKind};
pub use travel::{Trace, Travel};
pub use truth::Truth;
pub use web::Web;
pub use work::Work;
