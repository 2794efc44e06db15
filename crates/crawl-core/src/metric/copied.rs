//! Shared code of the metrics about copies.

use super::Observation;
use crate::{CopyStats, Known, Plan};
use crawl_catalogue::{Param, Params};
use crawl_refresh::freshness::{self, Phase, Streams, bursty, periodic};
use crawl_refresh::{Rate, Span};
use crawl_world::{ChangeProcess, PageId, Rhythm, World};
use std::borrow::Cow;

/// Which copies count, and their weights.
pub(super) const OF: Param = Param::choice(
    "of",
    "all",
    &[
        Cow::Borrowed("all"),
        Cow::Borrowed("importance"),
        Cow::Borrowed("clicks"),
        Cow::Borrowed("top"),
    ],
    "Weight of each copy. all: 1 each; importance: its true PageRank; clicks: its clicks; top: 1 for \
     the 10 % of pages with the highest PageRank, else 0.",
);

/// Names of the measured groups of copies.
pub const GROUPS: [&str; 7] = ["all", "importance", "clicks", "top", "fast", "slow", "still"];

/// The group that the parameters name.
pub(super) fn group(params: &Params) -> &'static str {
    let asked = params.text("of");
    GROUPS.into_iter().find(|name| *name == asked).unwrap_or("all")
}

/// The current statistics of a group of copies.
#[inline]
pub(super) fn stats(at: &Observation<'_>, group: &str) -> Option<CopyStats> {
    at.run.copies()?.stats(group)
}

/// The true change rate of a page, per hour; for recorded changes, the mean over the recording.
pub fn true_rate(world: &World, page: PageId) -> f64 {
    let process = world.change_process(page);
    let recorded = |times: &[f64]| {
        let hours = world.recorded_s().unwrap_or(0.0) / 3600.0;
        if hours > 0.0 { times.len() as f64 / hours } else { 0.0 }
    };
    match process {
        ChangeProcess::Recorded(times) => recorded(times),
        _ => process.per_hour().unwrap_or(0.0),
    }
}

/// Long-run freshness of a copy under the planned visits; `None` if there is no formula.
pub(super) fn long_run(world: &World, page: PageId, plan: &Plan) -> Option<f64> {
    let visits = Rate::new(plan.per_hour?).ok()?;
    let is_even = plan.apart_per_hour == 0.0;
    match world.change_process(page) {
        ChangeProcess::Never => Some(1.0),
        ChangeProcess::Poisson { per_hour } if is_even => {
            Some(freshness::freshness(Rate::new(per_hour).ok()?, visits))
        }
        ChangeProcess::Poisson { per_hour } => {
            let extra = Rate::new(plan.apart_per_hour).ok()?;
            let base = Rate::new((visits.get() - extra.get()).max(0.0)).ok()?;
            let streams = Streams { base, extra };
            Some(streams.freshness(Rate::new(per_hour).ok()?, Phase::Aligned))
        }
        ChangeProcess::Rhythm(rhythm @ Rhythm::Periodic { .. }) if is_even => {
            Some(periodic::freshness(Rate::new(rhythm.per_hour()).ok()?, visits))
        }
        ChangeProcess::Rhythm(Rhythm::Bursty { bursts_per_hour, changes_per_hour, burst_s })
            if is_even =>
        {
            let (begins, within) =
                (Rate::new(bursts_per_hour).ok()?, Rate::new(changes_per_hour).ok()?);
            Some(bursty::freshness(begins, within, Span::new(burst_s / 3600.0).ok()?, visits))
        }
        ChangeProcess::Rhythm(_) | ChangeProcess::Recorded(_) => None,
    }
}

/// True if every page has a formula for its freshness, which recorded changes do not.
pub(super) fn has_formulas(world: &World) -> bool {
    world.recorded_s().is_none()
}

/// A number over all copies, recomputed rarely: the amortised cost per step is one or two copies.
#[derive(Default)]
pub(super) struct CachedNumber {
    last: Option<f64>,
    due_at: u32,
    /// State at the last computation: plans made, pages fetched, pages gone.
    stood: [u32; 3],
    of_plans: bool,
}

impl CachedNumber {
    /// A number that depends only on the planned visits, not on what they find.
    pub(super) fn of_plans() -> Self {
        Self { of_plans: true, ..Self::default() }
    }

    pub(super) fn value(
        &mut self,
        at: &Observation<'_>,
        work_out: impl FnOnce(&Known<'_>) -> Option<f64>,
    ) -> Option<f64> {
        let session = at.run.session();
        let ledger = session.ledger()?;
        let step = session.n_steps();
        if step >= self.due_at || ledger.plan != self.stood[0] || at.is_last {
            let known = session.known(at.setting.world);
            let n_fetched = known.n_fetched();
            let stands = [ledger.plan, n_fetched, ledger.n_gone];
            let is_same = self.of_plans && ledger.is_stationary && stands == self.stood;
            // At the end, always recompute it from the final plans.
            if !is_same || at.is_last {
                self.last = work_out(&known);
            }
            self.stood = stands;
            // Next when the pages have doubled, or after as many visits as there are pages.
            self.due_at = step + n_fetched.max(1);
        }
        self.last
    }
}
