//! The crawl's own policies in sessions, all at the same budget.
//!
//! What [`super::Policy`] computes by formula is here what a crawl does: the registered policies, each
//! visiting simulated pages within a budget of visits an hour. Every policy of the registry runs in a
//! newsroom, those that can be told the true rates also with them. Those that know them and stick to
//! fixed rates run besides on pages whose rates are drawn by lot, in the long run, with static pages
//! among them, and over a short time; and the paper's two on its ten pages, each with the budget that
//! the paper gives it. On recorded histories all policies run through all of the record.
//!
//! Fetches take no time, so that all copies are made at the start.

use super::histories::{JUDGED, YEAR_H};
use crate::document::{Ground, rule};
use crate::tried::{Series, Tried};
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
/// With the paper's own estimator.
const X_OVER_N: &str = "classified(estimator:naive)";

/// Fixed rates, true ones being known.
pub(super) const STATIONARY: [&str; 5] = [OPTIMAL, UNIFORM, CLASSIFIED, ALIGNED, PROPORTIONAL];

/// Visits that a page of a newsroom gets a day, and for how many days.
pub(super) const DAILY: u32 = 4;
pub(super) const DAYS: u32 = 14;
/// Most pages of those newsrooms: sessions are many.
pub(super) const MOST_PAGES: u32 = 250;

/// Pages whose rates are drawn by lot, and visits that each gets an hour.
const N_LOTS: u32 = 40;
const LOT_VISITS: f64 = 0.5;
/// How long, in hours: in the long run, and over a short time, in which uniform comes to each page
/// twice.
const LONG_H: f64 = 300.0;
const SHORT_H: f64 = 4.0;
/// How long the paper's ten pages are visited, in hours.
const TEN_H: f64 = 400.0;

/// Into how many parts a record is cut, over which intervals are taken.
pub(super) const N_PARTS: usize = 10;

/// Where policies run on a generated web.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A newsroom.
    Newsroom,
    /// Rates by lot, all above 0.
    LongRun,
    /// The same, half of the pages never changing.
    Static,
    /// The first over a short time.
    Short,
    /// The paper's ten pages, classified with 20/3 visits an hour, uniform with 10/6.
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

/// Every policy of the registry; those that can know the true rates also with them; and the paper's
/// two that its text leads to besides.
pub(super) fn policies() -> Vec<String> {
    let of = |entry: &&crawl_core::revisit::PolicyEntry| {
        let id = entry.entry.id.to_string();
        let knows = entry.entry.param("knows").map(|_| format!("{id}(knows:rates)"));
        [Some(id), knows].into_iter().flatten()
    };
    let extra = [ALIGNED, X_OVER_N].map(str::to_owned);
    POLICIES.iter().flat_map(of).chain(extra).collect()
}

/// Every session on a generated web.
pub(super) fn all() -> impl Iterator<Item = (Place, String)> {
    Place::ALL
        .into_iter()
        .flat_map(|place| place.specs().into_iter().map(move |spec| (place, spec)))
}

/// What is measured of a session: its name here, and the measure's.
pub(super) const FRESH: &str = "session freshness: ";
pub(super) const WASTED: &str = "session wasted: ";
/// Visits, as a part of those that the budget allows.
pub(super) const SPENT: &str = "session spent: ";
/// Pages of which there is a copy, or was, as a part of all.
pub(super) const COPIED: &str = "session copied: ";
const MEASURES: [(&str, &str); 2] = [(FRESH, "mean-freshness"), (WASTED, "wasted-visits")];

/// The name of what a session came to.
pub(super) fn name(what: &str, spec: &str, place: &str) -> String {
    format!("{what}{spec}, {place}")
}

/// What a record is called where names have a place.
pub(super) const RECORD: &str = "record";

/// One session on a generated web.
pub(super) fn piece(
    at: usize,
    seed: u64,
    ground: &Ground<'_>,
    tried: &mut Tried,
) -> Result<(), RunError> {
    let Some((place, spec)) = all().nth(at) else { return Ok(()) };
    let made = |spec: &str| {
        let source = WorldSource::Made(ground.catalogue.choose(Kind::World, spec)?);
        Ok::<_, RunError>((Arc::new(Run::make_world(&source)?), source))
    };
    let ((world, source), visits, hours) = match place {
        Place::Newsroom => {
            let n = ground.world.n_pages().min(MOST_PAGES);
            let visits = f64::from(n * DAILY) / 24.0;
            (made(&format!("newsroom(pages:{n},rng:{seed})"))?, visits, f64::from(24 * DAYS))
        }
        Place::Printed => {
            let visits = if spec == UNIFORM { 10.0 / 6.0 } else { 20.0 / 3.0 };
            (made("refresh-table-1")?, visits, TEN_H)
        }
        Place::LongRun | Place::Static | Place::Short => {
            let world = Arc::new(by_lot(seed, place == Place::Static)?);
            let source = WorldSource::File {
                digest: world.digest().to_string(),
                names: vec![place.name().to_owned()],
                data: None,
            };
            let hours = if place == Place::Short { SHORT_H } else { LONG_H };
            ((world, source), LOT_VISITS * f64::from(N_LOTS), hours)
        }
    };
    let session = Session { world, source, visits, hours, seed };
    session.run(&spec, place.name(), ground, tried).map(|_| ())
}

/// One session through a record.
pub(super) fn on_record(at: usize, ground: &Ground<'_>, tried: &mut Tried) -> Result<(), RunError> {
    let Some(spec) = policies().into_iter().nth(at) else { return Ok(()) };
    let world = ground.world.clone();
    let session = Session {
        visits: f64::from(world.n_pages() * JUDGED) / YEAR_H,
        hours: world.recorded_s().unwrap_or(0.0) / 3600.0,
        source: ground.source.clone(),
        world,
        seed: Experiment::DEFAULT_RNG,
    };
    let in_time = session.run(&spec, RECORD, ground, tried)?;
    let length = in_time.len().div_ceil(N_PARTS).max(1);
    // Before there is a copy nothing is fresh or stale.
    let fresh = |part: &[f32]| {
        super::mean(part.iter().copied().filter(|fresh| *fresh >= 0.0).map(f64::from))
    };
    let values = in_time.chunks(length).map(fresh).collect();
    tried.series.push(Series { name: name(FRESH, &spec, RECORD), values });
    Ok(())
}

/// Pages whose rates are drawn by lot, from one change in a hundred hours to one an hour, their
/// logarithms evenly spread. Crawls start at all of them.
fn by_lot(seed: u64, half_static: bool) -> Result<World, RunError> {
    let mut rng = Rng::new(seed, "lots");
    let mut builder = WorldBuilder::new("Rates by lot");
    let mut build = || {
        for i in 0..N_LOTS {
            let page = builder.page(&format!("http://lot{i}.example/"))?;
            let rate = libm::exp10(-2.0 * rng.fraction());
            if !(half_static && i % 2 == 1) {
                builder.set_change_rate(page, rate)?;
            }
            builder.seed(page);
        }
        Ok(())
    };
    let failed = |error| RunError::World { name: "rates by lot".to_owned(), error };
    build().map_err(failed)?;
    builder.finish().map_err(failed)
}

/// A crawl that visits again.
struct Session {
    world: Arc<World>,
    source: WorldSource,
    visits: f64,
    hours: f64,
    seed: u64,
}

impl Session {
    /// The policy, with a quarter of a page's share of the budget as f₀ where it has one. On the
    /// paper's ten pages that is the paper's own.
    fn with_base(&self, spec: &str) -> String {
        let share = self.visits / f64::from(self.world.n_pages().max(1));
        let base = format!("f0:{}", share / 4.0);
        match (spec.strip_prefix("classified"), spec.split_once('(')) {
            (Some(""), _) => format!("{spec}({base})"),
            (Some(_), Some((id, rest))) => format!("{id}({base},{rest}"),
            _ => spec.to_owned(),
        }
    }

    /// Runs it with one policy and notes what it came to; gives freshness over time.
    fn run(
        &self,
        spec: &str,
        place: &str,
        ground: &Ground<'_>,
        tried: &mut Tried,
    ) -> Result<Vec<f32>, RunError> {
        let catalogue = ground.catalogue;
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
                tried.note(name(what, spec, place), value);
            }
        }
        let n_visits = last("visits").unwrap_or(0.0);
        let n_first = f64::from(lane.travel().at()) - n_visits;
        tried.note(name(SPENT, spec, place), n_visits / (self.visits * self.hours).max(1.0));
        tried.note(name(COPIED, spec, place), n_first / f64::from(n_pages.max(1)));
        Ok(lane.freshness_in_time().map(|(_, fresh)| fresh).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
