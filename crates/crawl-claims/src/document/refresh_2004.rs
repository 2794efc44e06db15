//! Wen & Lu 2004, "Classified refresh policy".
//!
//! The paper compares uniform visits with additional visits to fast-changing pages (classified), on ten
//! pages with printed rates, by arithmetic alone (Table 2). It claims that uniform is never worse than
//! proportional, that classified is far better than uniform, and that X/n estimates change rates.
//!
//! This module: its arithmetic recomputed term by term; the same pages with exact Poisson freshness,
//! and at equal budgets; its estimator against a better one; random mixes of rates, with closed forms;
//! simulated copies of its ten pages, of generated newsrooms, and of real pages with recorded changes,
//! where rates are estimated on the first half and used on the second; and the crawl's own policies in
//! sessions, ranked.

mod arithmetic;
mod claims;
mod figure_1;
mod histories;
mod mixes;
mod policy_ranking;
mod presentation;
mod sessions;
mod simulate;
#[cfg(test)]
mod tests;

use self::figure_1::{Figure1, Setting};
use super::{Document, Findings, WebContext};
use crate::measurement::{Measurement, Series, groups};
use crawl_catalogue::Kind;
use crawl_protocol::WorldSource;
use crawl_refresh::allocate::{
    AllocateError, Goal, Weights, classified, optimal, proportional, uniform,
};
use crawl_refresh::estimate::Estimator;
use crawl_refresh::freshness::{freshness, periodic};
use crawl_refresh::{Rate, paper};
use crawl_run::{Run, RunError};
use crawl_world::{ChangeProcess, Changes, PageId, Rhythm, Rng, World};
use std::num::NonZeroU32;

pub(super) const DOCUMENT: Document = Document {
    id: "C",
    authors: "Wen & Lu 2004",
    title: "Wen & Lu",
    caption: "Freshness is the share of time that a copy equals its page, on average over pages. \
        Visits to a page are evenly spaced, their first moment is random; policies that are \
        compared spend the same number of visits unless it is said that they do not. Intervals are \
        of 95 % over webs; on recorded histories over pages, or over parts of the record. That one \
        policy is fresher is held, or not, where the interval of its lead lies on one side of 0, else \
        unclear; that two numbers agree is held where the interval of their difference holds 0, not \
        held where one twice as wide does not, else unclear.",
    pages: 200..=50_000,
    web: |n_pages, rng| format!("newsroom(pages:{n_pages},rng:{rng})"),
    real: &["python-devguide", "rust-book"],
    suits: histories::suits,
    n_pieces: |is_real| match is_real {
        true => histories::YEARLY.len() + sessions::policies().len(),
        false => PIECES.len() + sessions::all().count(),
    },
    piece: |at, web_context, measured| match (measured.is_real, PIECES.get(at)) {
        (true, _) if at < histories::YEARLY.len() => {
            histories::piece(at, web_context.world, measured);
            Ok(())
        }
        (true, _) => sessions::on_record(at - histories::YEARLY.len(), web_context, measured),
        (false, Some(piece)) => piece.run(web_context, measured),
        (false, None) => {
            sessions::piece(at - PIECES.len(), seed_of(web_context), web_context, measured)
        }
    },
    findings: |measured| {
        let groups = groups(measured);
        Findings {
            claims: claims::claims(&groups),
            tables: presentation::tables(&groups),
            figures: presentation::figures(&groups),
        }
    },
    figures: &[&figure_1::ENTRY],
};

/// A policy that knows the change rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    Optimal,
    Uniform,
    Classified,
    Proportional,
}

impl Policy {
    const ALL: [Self; 4] = [Self::Optimal, Self::Uniform, Self::Classified, Self::Proportional];

    const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Uniform => "uniform",
            Self::Classified => "classified",
            Self::Proportional => "proportional",
        }
    }

    /// Visits per hour to each page.
    ///
    /// Classified takes a quarter of a page's share of the budget for f₀, as in the paper's example, and
    /// f′ = 2·f₀, scaled to the budget (our choice).
    fn visits(self, changes: &[Rate], budget: Rate) -> Result<Vec<Rate>, AllocateError> {
        match self {
            Self::Optimal => Ok(optimal(Goal::Freshness, changes, Weights::Equal, budget)?.visits),
            Self::Uniform => Ok(uniform(changes.len(), budget)),
            Self::Classified => Ok(classes(changes, budget)?.visits()),
            Self::Proportional => Ok(proportional(changes, budget)),
        }
    }
}

/// The classes of `Classified`.
fn classes(
    changes: &[Rate],
    budget: Rate,
) -> Result<crawl_refresh::allocate::Classified, AllocateError> {
    let base = budget.get() / 4.0 / changes.len().max(1) as f64;
    let [base, threshold] = [base, 2.0 * base].map(|r| Rate::new(r).unwrap_or_default());
    Ok(classified(changes, base, &[threshold])?.scaled_to(budget))
}

/// Mean visits per page and day in newsrooms.
const DAILY: [u32; 5] = [1, 2, 4, 8, 24];
/// Simulated time of newsrooms, in hours: two weeks.
const NEWSROOM_H: f64 = 14.0 * 24.0;
/// Simulated time of the paper's ten pages, in hours.
const TABLE_1_H: f64 = 1000.0;
/// The paper's budgets for its ten pages, in visits per hour: of classified and of uniform.
const BUDGETS: [(f64, &str); 2] = [(20.0 / 3.0, "20/3"), (10.0 / 6.0, "10/6")];

/// Number of visits per estimate in Figure 1.
const N_VISITS: NonZeroU32 = NonZeroU32::new(10).expect("not 0");
/// Estimators whose classes are compared.
const ESTIMATORS: [(Estimator, &str); 2] =
    [(Estimator::Naive, "X/n"), (Estimator::BiasReduced, "bias-reduced")];

/// A piece of work on a generated web.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Random rates.
    Mixes,
    /// Estimates from simulated visits.
    Estimates,
    /// Copies of the paper's ten pages.
    Table1,
    /// Copies of a newsroom's pages, at this many visits per page and day.
    Newsroom(u32),
}

const PIECES: [Piece; 3 + DAILY.len()] = {
    let mut pieces = [Piece::Mixes; 3 + DAILY.len()];
    pieces[1] = Piece::Estimates;
    pieces[2] = Piece::Table1;
    let mut i = 0;
    while i < DAILY.len() {
        pieces[3 + i] = Piece::Newsroom(DAILY[i]);
        i += 1;
    }
    pieces
};

/// Simulated freshness.
const FRESH: &str = "freshness: ";
/// Simulated freshness minus the closed form.
const OFF: &str = "simulated less exact: ";
/// E[b̂]/b, simulated.
const RATIO: &str = "E[b̂]/b: ";

/// Name of a policy's result in newsrooms.
fn in_newsroom(policy: Policy, daily: u32) -> String {
    format!("{FRESH}{}, newsroom, {daily} a day", policy.name())
}

/// Name of a policy's result on the ten pages.
fn on_table_1(what: &str, policy: Policy, budget: &str) -> String {
    format!("{what}{}, table 1, {budget} an hour", policy.name())
}

/// Name of the deviation from the closed form, by change process.
fn off(process: &str, daily: u32) -> String {
    format!("{OFF}{process}, newsroom, {daily} a day")
}

/// The random seed of a generated web.
fn seed_of(web_context: &WebContext<'_>) -> u64 {
    match web_context.source {
        WorldSource::Made(chosen) => chosen.params.integer("rng").into(),
        WorldSource::File { .. } => 1,
    }
}

impl Piece {
    fn run(self, web_context: &WebContext<'_>, measured: &mut Measurement) -> Result<(), RunError> {
        let seed = seed_of(web_context);
        match self {
            Self::Mixes => mixes::piece(seed, measured),
            Self::Estimates => estimates(seed, measured),
            Self::Table1 => {
                let chosen = web_context.catalogue.choose(Kind::World, "refresh-table-1")?;
                table_1(&Run::make_world(&WorldSource::Made(chosen))?, seed, measured);
            }
            Self::Newsroom(daily) => newsroom(web_context.world, daily, seed, measured),
        }
        Ok(())
    }
}

/// Figure 1 with default parameters and this random seed.
fn figure_of(seed: u64) -> Option<Figure1> {
    Setting::of(&format!("figure-1(pages:300,rng:{seed})")).map(Figure1::new)
}

/// Simulates Figure 1.
fn estimates(seed: u64, measured: &mut Measurement) {
    for (name, values) in figure_of(seed).into_iter().flat_map(Figure1::simulated) {
        measured.series.push(Series { name: format!("{RATIO}{name}"), values });
    }
}

/// Simulates the paper's ten pages: each policy at each of its budgets.
fn table_1(world: &World, seed: u64, measured: &mut Measurement) {
    let pages: Vec<(PageId, Rate)> = world
        .pages()
        .map(|page| (page, rate_of(world, page)))
        .filter(|(_, rate)| *rate > Rate::ZERO)
        .collect();
    let rates: Vec<Rate> = pages.iter().map(|(_, rate)| *rate).collect();
    for (at, (budget, name)) in BUDGETS.into_iter().enumerate() {
        let Ok(budget) = Rate::new(budget) else { continue };
        for policy in Policy::ALL {
            let visits = match policy {
                // Its classes are the paper's.
                Policy::Classified => Ok(paper::classes().scaled_to(budget).visits()),
                _ => policy.visits(&rates, budget),
            };
            let Ok(visits) = visits else { continue };
            let mut rng = Rng::new(seed, "table 1");
            let seed = rng.bits().wrapping_add(at as u64);
            let simulated = pages.iter().zip(&visits).map(|((page, _), visits)| {
                simulate::freshness(Changes::new(world, *page, seed), *visits, TABLE_1_H, &mut rng)
            });
            let simulated = mean(simulated);
            let exact = mean(rates.iter().zip(&visits).map(|(rate, f)| freshness(*rate, *f)));
            measured.record(on_table_1(FRESH, policy, name), simulated);
            measured.record(on_table_1(OFF, policy, name), simulated - exact);
        }
    }
}

/// Simulates a newsroom's pages: every policy, and uniform against the closed forms.
fn newsroom(world: &World, daily: u32, seed: u64, measured: &mut Measurement) {
    let rates: Vec<Rate> = world.pages().map(|page| rate_of(world, page)).collect();
    let budget = f64::from(daily) / 24.0 * rates.len() as f64;
    let Ok(budget) = Rate::new(budget) else { return };
    for policy in Policy::ALL {
        let Ok(visits) = policy.visits(&rates, budget) else { continue };
        // All policies see the same changes.
        let mut rng = Rng::new(seed, "newsroom");
        let seed = rng.bits();
        let each: Vec<f64> = world
            .pages()
            .zip(&visits)
            .map(|(page, visits)| {
                let changes = Changes::new(world, page, seed);
                simulate::freshness(changes, *visits, NEWSROOM_H, &mut rng)
            })
            .collect();
        measured.record(in_newsroom(policy, daily), mean(each.iter().copied()));
        if policy != Policy::Uniform {
            continue;
        }
        for process in ["poisson", "periodic"] {
            let offs = world.pages().filter_map(|page| {
                let (at, process_of) = (page.index(), world.change_process(page));
                let exact = match process_of {
                    ChangeProcess::Poisson { .. } => freshness(rates[at], visits[at]),
                    ChangeProcess::Rhythm(Rhythm::Periodic { .. }) => {
                        periodic::freshness(rates[at], visits[at])
                    }
                    _ => return None,
                };
                (process_of.name() == process).then(|| each[at] - exact)
            });
            measured.record(off(process, daily), mean(offs));
        }
    }
}

/// Change rate of a page per hour; 0 if only times are recorded.
fn rate_of(world: &World, page: PageId) -> Rate {
    let per_hour = world.change_process(page).per_hour().unwrap_or(0.0);
    Rate::new(per_hour).unwrap_or_default()
}

/// The mean; 0 if there are no values.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = values.fold((0_u32, 0.0), |(n, sum), value| (n + 1, sum + value));
    sum / f64::from(n.max(1))
}
