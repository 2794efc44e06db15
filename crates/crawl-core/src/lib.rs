//! The prioritization core: which URL a crawler fetches next, and why.
//!
//! A [`Session`] is one crawl. It knows what a crawler would know ([`Known`]) and nothing else. A
//! [`strategy`] assigns scores to URLs, the [`Frontier`] keeps waiting URLs by score, and [`Rules`]
//! limit the crawl. The session does no input or output: a host asks it for the next fetch and
//! reports the result. The [`Simulator`] is a host over a [`crawl_world::World`] with a simulated
//! clock; [`Travel`] takes a simulation to any step, forward or back.
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
mod bound;
mod boxed_clone;
mod copies;
pub mod correlation;
mod explanation;
pub mod formula;
mod frontier;
mod heap;
mod judge;
mod known;
pub mod metric;
mod past;
mod politeness;
mod prefetch;
mod queue;
pub mod ranker;
pub mod revisit;
mod robots;
mod rules;
mod run_digest;
mod samples;
mod scheduler;
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
pub use bound::{Bounds, BoundsSearch, N_RANDOM_RUNS, area_pages};
pub use copies::{Copies, CopyStats, Group, Groups};
pub use explanation::{Evidence, Explanation, MAX_PARTS, Op, agree};
pub use frontier::{Frontier, GroupId, rounded};
pub use judge::{Judge, Judgement, PageText};
pub use known::{Book, Known, UrlId};
pub use past::{Past, PastSpec};
pub use robots::RobotsPolicy;
pub use rules::{Focus, RULES, Rules};
pub use run_digest::RunDigest;
pub use samples::{CopyNumber, Samples};
pub use scheduler::{Ledger, LivePages, Plan, RevisitScheduler, Visit, VisitFindings};
pub use scores::{Move, Scores};
pub use session::{Counters, Fetch, Next, Session, SessionInputs};
pub use simulate::{Simulator, Step, VisitKind};
pub use travel::{Trace, Travel};
pub use truth::Truth;
pub use web::Web;
pub use work::Work;
