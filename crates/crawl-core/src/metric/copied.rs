//! What the measures of copies share.

use super::Observation;
use crate::{Known, Plan, Standing};
use crawl_catalogue::{Param, Params};
use crawl_refresh::freshness::{self, Phase, Streams, bursty, periodic};
use crawl_refresh::{Rate, Span};
use crawl_world::{ChangeProcess, PageId, Rhythm, World};
use std::borrow::Cow;

/// What copies count for, or which are meant.
pub(super) const OF: Param = Param::choice(
    "of",
    "all",
    &[
        Cow::Borrowed("all"),
        Cow::Borrowed("importance"),
        Cow::Borrowed("clicks"),
        Cow::Borrowed("top"),
    ],
    "Which copies count, and for what: all the same; each for its true PageRank; each for its clicks; \
     or only the tenth of all pages with the highest PageRank.",
);

/// The groups of copies that are measured, by what measures call them.
pub const GROUPS: [&str; 7] = ["all", "importance", "clicks", "top", "fast", "slow", "still"];

/// The name of the group that parameters ask for.
pub(super) fn group(params: &Params) -> &'static str {
    let asked = params.text("of");
    GROUPS.into_iter().find(|name| *name == asked).unwrap_or("all")
}

/// A group of copies as it stands.
#[inline]
pub(super) fn standing(at: &Observation<'_>, group: &str) -> Option<Standing> {
    at.run.copies()?.standing(group)
}

/// The change rate of a page that is true, an hour; for recorded times the mean over the recording.
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

/// How fresh a copy is in the long run, visited as planned; nothing for processes without a formula.
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

/// Whether every page has a formula for its freshness: none has where changes are recorded.
pub(super) fn has_formulas(world: &World) -> bool {
    world.recorded_s().is_none()
}

/// A number over all copies that costs a look at each: worked out anew only when enough has happened
/// since, so that it costs a step no more on average than a copy or two.
#[derive(Default)]
pub(super) struct Seldom {
    last: Option<f64>,
    due_at: u32,
    /// How things stood then: plans made, pages fetched, pages gone.
    stood: [u32; 3],
    of_plans: bool,
}

impl Seldom {
    /// One that follows from how visits are planned and from nothing that they find.
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
            // At the end it is to the last digit what the plans come to then.
            if !is_same || at.is_last {
                self.last = work_out(&known);
            }
            self.stood = stands;
            // While pages come in, when there are twice as many; then once for as many visits as pages.
            self.due_at = step + n_fetched.max(1);
        }
        self.last
    }
}
