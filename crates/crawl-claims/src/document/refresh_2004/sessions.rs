//! The crawl's own policies in sessions, all at the same budget.
//!
//! Unlike [`super::Policy`], which uses formulas, these are the registered policies, visiting simulated
//! pages within a budget of visits per hour. Every registered policy runs in a newsroom, and again
//! with true rates if it can use them. Policies with fixed, known rates also run on pages with random
//! rates: in the long run, with static pages, and over a short time; and the paper's two on its ten
//! pages, each with the paper's budget. On recorded histories all policies run over the whole record.
//!
//! Fetches take no time, so all copies are made at the start.

use super::histories::{JUDGED, YEAR_H};
use crate::document::{WebContext, rule};
use crate::measurement::{Measurement, Series};
use crawl_catalogue::Kind;
use crawl_core::revisit::POLICIES;
use crawl_protocol::{Experiment, Seeds, View, WorldSource};
use crawl_run::{Run, RunError};
use crawl_world::{Rng, World, WorldBuilder};
use std::ops::ControlFlow;
use std::sync::Arc;

pub(super) const OPTIMAL: &str = "optimal(knows:rates)";
pub(super) const UNIFORM: &str = "uniform";
pub(super) const CLASSIFIED: &str = "classified(knows:rates)";
const ALIGNED: &str = "classified(phase:aligned,knows:rates)";
pub(super) const PROPORTIONAL: &str = "proportional(knows:rates)";
/// With the paper's estimator.
const X_OVER_N: &str = "classified(estimator:naive)";

/// Policies with fixed, known rates.
pub(super) const STATIONARY: [&str; 5] = [OPTIMAL, UNIFORM, CLASSIFIED, ALIGNED, PROPORTIONAL];

/// Visits per page and day in newsrooms, and their number of days.
pub(super) const DAILY: u32 = 4;
pub(super) const DAYS: u32 = 14;
/// Maximum pages of newsrooms, to limit the time of many sessions.
pub(super) const MOST_PAGES: u32 = 250;

/// Number of pages with random rates, and visits per page and hour.
const N_RANDOM: u32 = 40;
const RANDOM_VISITS: f64 = 0.5;
/// Hours of long runs, and of short runs, in which uniform visits each page twice.
const LONG_H: f64 = 300.0;
const SHORT_H: f64 = 4.0;
/// Hours of the sessions on the paper's ten pages.
const TEN_H: f64 = 400.0;

/// Number of parts of a record, over which intervals are computed.
pub(super) const N_PARTS: usize = 10;

/// Where policies run on a generated web.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A newsroom.
    Newsroom,
    /// Random rates, all above 0.
    LongRun,
    /// The same, with half of the pages static.
    Static,
    /// Random rates over a short time.
    Short,
    /// The paper's ten pages: classified with 20/3 visits per hour, uniform with 10/6.
    Printed,
}

impl Place {
    const ALL: [Self; 5] =
        [Self::Newsroom, Self::LongRun, Self::Static, Self::Short, Self::Printed];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Newsroom => "newsroom",
            Self::LongRun => "rates by lot",
            Self::Static => "rates by lot, half static",
            Self::Short => "rates by lot, short time",
            Self::Printed => "ten pages, as printed",
        }
    }

    fn specs(self) -> Vec<String> {
        match self {
            Self::Newsroom => policies(),
            Self::Printed => vec![CLASSIFIED.to_owned(), UNIFORM.to_owned()],
            _ => STATIONARY.map(str::to_owned).to_vec(),
        }
    }
}

/// All registered policies, again with true rates if possible, and two variants of the paper's.
pub(super) fn policies() -> Vec<String> {
    let of = |entry: &&crawl_core::revisit::PolicyEntry| {
        let id = entry.entry.id.to_string();
        let knows = entry.entry.param("knows").map(|_| format!("{id}(knows:rates)"));
        [Some(id), knows].into_iter().flatten()
    };
    let extra = [ALIGNED, X_OVER_N].map(str::to_owned);
    POLICIES.iter().flat_map(of).chain(extra).collect()
}

/// All sessions on a generated web.
pub(super) fn all() -> impl Iterator<Item = (Place, String)> {
    Place::ALL
        .into_iter()
        .flat_map(|place| place.specs().into_iter().map(move |spec| (place, spec)))
}

/// Recorded numbers of a session: name and metric.
pub(super) const FRESH: &str = "session freshness: ";
pub(super) const WASTED: &str = "session wasted: ";
/// Visits made, as a share of the budget.
pub(super) const SPENT: &str = "session spent: ";
/// Pages with a copy at any time, as a share of all pages.
pub(super) const COPIED: &str = "session copied: ";
const MEASURES: [(&str, &str); 2] = [(FRESH, "mean-freshness"), (WASTED, "wasted-visits")];

/// Name of a session's result.
pub(super) fn name(what: &str, spec: &str, place: &str) -> String {
    format!("{what}{spec}, {place}")
}

/// Name of a record in place of a generated web.
pub(super) const RECORD: &str = "record";

/// Runs one session on a generated web.
pub(super) fn piece(
    at: usize,
    seed: u64,
    web_context: &WebContext<'_>,
    measured: &mut Measurement,
) -> Result<(), RunError> {
    let Some((place, spec)) = all().nth(at) else { return Ok(()) };
    let made = |spec: &str| {
        let source = WorldSource::Made(web_context.catalogue.choose(Kind::World, spec)?);
        Ok::<_, RunError>((Arc::new(Run::make_world(&source)?), source))
    };
    let ((world, source), visits, hours) = match place {
        Place::Newsroom => {
            let n = web_context.world.n_pages().min(MOST_PAGES);
            let visits = f64::from(n * DAILY) / 24.0;
            (made(&format!("newsroom(pages:{n},rng:{seed})"))?, visits, f64::from(24 * DAYS))
        }
        Place::Printed => {
            let visits = if spec == UNIFORM { 10.0 / 6.0 } else { 20.0 / 3.0 };
            (made("refresh-table-1")?, visits, TEN_H)
        }
        Place::LongRun | Place::Static | Place::Short => {
            let world = Arc::new(with_random_rates(seed, place == Place::Static)?);
            let source = WorldSource::File {
                digest: world.digest().to_string(),
                names: vec![place.name().to_owned()],
                data: None,
            };
            let hours = if place == Place::Short { SHORT_H } else { LONG_H };
            ((world, source), RANDOM_VISITS * f64::from(N_RANDOM), hours)
        }
    };
    let session = Session { world, source, visits, hours, seed };
    session.run(&spec, place.name(), web_context, measured).map(|_| ())
}

/// Runs one session on a record.
pub(super) fn on_record(
    at: usize,
    web_context: &WebContext<'_>,
    measured: &mut Measurement,
) -> Result<(), RunError> {
    let Some(spec) = policies().into_iter().nth(at) else { return Ok(()) };
    let world = web_context.world.clone();
    let session = Session {
        visits: f64::from(world.n_pages() * JUDGED) / YEAR_H,
        hours: world.recorded_s().unwrap_or(0.0) / 3600.0,
        source: web_context.source.clone(),
        world,
        seed: Experiment::DEFAULT_RNG,
    };
    let in_time = session.run(&spec, RECORD, web_context, measured)?;
    let length = in_time.len().div_ceil(N_PARTS).max(1);
    // Without copies freshness is undefined.
    let fresh = |part: &[f32]| {
        super::mean(part.iter().copied().filter(|fresh| *fresh >= 0.0).map(f64::from))
    };
    let values = in_time.chunks(length).map(fresh).collect();
    measured.series.push(Series { name: name(FRESH, &spec, RECORD), values });
    Ok(())
}

/// Pages with log-uniform random rates, from one change per hundred hours to one per hour.
///
/// All of them are seeds.
fn with_random_rates(seed: u64, half_static: bool) -> Result<World, RunError> {
    let mut rng = Rng::new(seed, "lots");
    let mut builder = WorldBuilder::new("Rates by lot");
    let mut build = || {
        for i in 0..N_RANDOM {
            let page = builder.page(&format!("http://lot{i}.example/"))?;
            let rate = libm::exp10(-2.0 * rng.fraction());
            if !(half_static && i % 2 == 1) {
                builder.set_change_rate(page, rate)?;
            }
            builder.seed(page);
        }
        Ok(())
    };
    let failed = |error| RunError::World { name: "random rates".to_owned(), error };
    build().map_err(failed)?;
    builder.finish().map_err(failed)
}

/// A crawl with revisits.
struct Session {
    world: Arc<World>,
    source: WorldSource,
    visits: f64,
    hours: f64,
    seed: u64,
}

impl Session {
    /// The policy's spec with a quarter of a page's share of the budget as f₀, if it has one, as in the
    /// paper's example.
    fn with_base(&self, spec: &str) -> String {
        let share = self.visits / f64::from(self.world.n_pages().max(1));
        let base = format!("f0:{}", share / 4.0);
        match (spec.strip_prefix("classified"), spec.split_once('(')) {
            (Some(""), _) => format!("{spec}({base})"),
            (Some(_), Some((id, rest))) => format!("{id}({base},{rest}"),
            _ => spec.to_owned(),
        }
    }

    /// Runs the session with one policy, records its results, and returns freshness over time.
    fn run(
        &self,
        spec: &str,
        place: &str,
        web_context: &WebContext<'_>,
        measured: &mut Measurement,
    ) -> Result<Vec<f32>, RunError> {
        let catalogue = web_context.catalogue;
        let rules = [
            rule("visits", &self.visits.to_string()),
            rule("hours", &self.hours.to_string()),
            rule("latency", "0"),
        ];
        let experiment = Experiment {
            world: self.source.clone(),
            seeds: Seeds::Own,
            topic: None,
            strategies: vec![catalogue.choose(Kind::Strategy, "breadth-first")?],
            revisits: vec![catalogue.choose(Kind::Policy, &self.with_base(spec))?],
            rules: catalogue.rules(&rules)?,
            rng: self.seed,
            at: None,
            digests: Vec::new(),
            view: View::default(),
        };
        let truth = Run::truth_of(&self.world, catalogue)?;
        let mut run = Run::unlimited(experiment, self.world.clone(), truth, catalogue)?;
        let n_pages = run.reach.n_pages();
        let Some((lane, setting)) = run.lane(0) else { return Ok(Vec::new()) };
        let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
        let last = |measure: &str| lane.measure(measure).and_then(crawl_run::Series::last);
        for (what, measure) in MEASURES {
            if let Some(value) = last(measure) {
                measured.record(name(what, spec, place), value);
            }
        }
        let n_visits = last("visits").unwrap_or(0.0);
        let n_first = f64::from(lane.travel().at()) - n_visits;
        measured.record(name(SPENT, spec, place), n_visits / (self.visits * self.hours).max(1.0));
        measured.record(name(COPIED, spec, place), n_first / f64::from(n_pages.max(1)));
        Ok(lane.freshness_in_time().map(|(_, fresh)| fresh).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
