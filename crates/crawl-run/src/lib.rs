//! Sets up experiments: from a link and a world to running, measured crawls.
//!
//! Joins all registries into one [`catalogue`]; turns an [`Experiment`](crawl_protocol::Experiment)
//! into a [`Run`] with one [`Lane`] per strategy. The browser's workers and the command line both
//! use this crate, so a link gives the same run in both.
//!
//! ```
//! use crawl_protocol::Experiment;
//! use crawl_run::{Run, catalogue};
//! use std::sync::Arc;
//!
//! let catalogue = catalogue();
//! let experiment = Experiment::from_link("#v=1&world=campus(pages:200)&run=breadth-first", &catalogue)?;
//! let world = Arc::new(Run::make_world(&experiment.world)?);
//! let mut run = Run::new(experiment, world, &catalogue)?;
//! let (lane, setting) = run.lane(0).expect("one strategy, one lane");
//! let first = lane.forward(&setting).expect("there is a seed");
//! assert_eq!(first.number, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod error;
mod lane;
mod limits;
mod revisits;
mod run;
mod series;
mod topic;

pub use error::RunError;
pub use lane::{GAP_CLOSED, Lane, Measured};
pub use limits::{Excess, Limits, Offer, OfferOf, TooMuch};
pub use run::{Run, find_seeds, nearest_url};
pub use series::Series;
pub use topic::{LearntTopic, needs_topic};

pub use crawl_core::metric::METRICS;
pub use crawl_core::ranker::RANKERS;
pub use crawl_core::revisit::POLICIES;
pub use crawl_core::strategy::STRATEGIES;
pub use crawl_core::topic::TOPICS;
pub use crawl_world::generate::WORLDS;

use crawl_catalogue::{Catalogue, Entry, Kind, Param};
use crawl_core::RULES;
use crawl_core::ranker;
use crawl_core::revisit::REVISIT_RULES;
use crawl_import::format;

/// The rules of every crawl, and of revisiting pages.
pub fn rules() -> impl Iterator<Item = &'static Param> {
    RULES.iter().chain(REVISIT_RULES)
}

/// The catalogue of all registries.
pub fn catalogue() -> Catalogue {
    fn of<'a>(
        kind: Kind,
        entries: impl Iterator<Item = &'a Entry> + 'a,
    ) -> impl Iterator<Item = (Kind, Entry)> + 'a {
        entries.map(move |entry| (kind, entry.clone()))
    }
    let entries = of(Kind::World, WORLDS.iter().map(|w| &w.entry))
        .chain(of(Kind::Strategy, STRATEGIES.iter().map(|s| &s.entry)))
        .chain(of(Kind::Ranker, RANKERS.iter().map(|r| &r.entry)))
        .chain(of(Kind::Ranker, std::iter::once(&ranker::TOPIC)))
        .chain(of(Kind::Policy, POLICIES.iter().map(|p| &p.entry)))
        .chain(of(Kind::Metric, METRICS.iter().map(|m| &m.entry)))
        .chain(of(Kind::Topic, TOPICS.iter().map(|t| &t.entry)))
        .chain(of(Kind::Importer, format::ENTRIES.iter().copied()));
    let rules = rules().cloned().collect();
    let mut catalogue = Catalogue { entries: entries.collect(), rules };
    for strategy in STRATEGIES {
        let id = &strategy.entry.id;
        let chosen = catalogue.choose(Kind::Strategy, id);
        let wants = chosen.is_ok_and(|chosen| (strategy.needs)(&chosen.params).topic);
        let of_it = |(kind, entry): &&mut (Kind, Entry)| *kind == Kind::Strategy && entry.id == *id;
        if let Some((_, entry)) = catalogue.entries.iter_mut().find(of_it) {
            entry.wants_topic = wants;
        }
    }
    catalogue
}
