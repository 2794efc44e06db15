//! What can be run: all of it, or what a first visit plays.
//!
//! Everybody waits for the program of a first visit, so it holds no more than it plays; the whole one
//! follows. Nothing but these lists tells them apart: what is in no list is not linked.

use crawl_core::metric::{self, MetricEntry};
use crawl_core::ranker::{self, RankerEntry};
use crawl_core::revisit::{self, PolicyEntry};
use crawl_core::strategy::{self, StrategyEntry};
use crawl_core::topic::{self, TopicEntry};
use crawl_world::generate::{self, WorldEntry};

/// Whether this is the whole program.
pub const IS_WHOLE: bool = cfg!(feature = "whole");

/// The worlds that can be made.
pub const WORLDS: &[&WorldEntry] = if IS_WHOLE { generate::WORLDS } else { generate::FIRST };

/// The orderings that can be run.
pub const STRATEGIES: &[&StrategyEntry] =
    if IS_WHOLE { strategy::STRATEGIES } else { strategy::FIRST };

/// What can be looked for.
pub const TOPICS: &[&TopicEntry] = if IS_WHOLE { topic::TOPICS } else { &[] };

/// The revisit policies; a first visit comes back to no page.
pub const POLICIES: &[&PolicyEntry] = if IS_WHOLE { revisit::POLICIES } else { &[] };

/// What can be measured.
pub const METRICS: &[&MetricEntry] = if IS_WHOLE { metric::METRICS } else { metric::FIRST };

/// The rankers of whole worlds.
pub const RANKERS: &[&RankerEntry] = if IS_WHOLE { ranker::RANKERS } else { ranker::FIRST };
