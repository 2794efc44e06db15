//! Real pages with recorded changes: rates estimated on the first half, visits in the second.
//!
//! A page takes part if it changed (or appeared) in the first half and existed at its end. Its rate is
//! estimated from its first change until half-time:
//!
//! - **X/T**: X later changes in time T, all observed, as at the start of the paper's section 3.2;
//! - **(X + ½)/T** (not in the paper): the same, but no page is taken for static;
//! - **X/n** and **bias-reduced**: from visits at uniform's rate.
//!
//! At half-time all copies are fresh. Visits to a page are evenly spaced, the first at a random time in
//! the first interval; freshness is the mean over several such times, the same for all policies. A page
//! that is never visited is fresh until it changes.

use super::{Policy, simulate};
use crate::measurement::{Measurement, Series};
use crawl_refresh::estimate::Counts;
use crawl_refresh::{Rate, Span};
use crawl_world::{Changes, PageId, Rng, World};

/// Mean visits per page and year.
pub(super) const YEARLY: [u32; 4] = [1, 4, 12, 52];
/// Visits per page and year at which claims are judged.
pub(super) const JUDGED: u32 = 4;
/// Number of random times of the first visit.
const N_PHASES: u32 = 10;

/// Hours per year.
pub(super) const YEAR_H: f64 = 365.25 * 24.0;
const YEAR_US: f64 = YEAR_H * simulate::HOUR_US as f64;
const DAY_US: u64 = 24 * simulate::HOUR_US;

/// How change rates are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RateEstimate {
    Counted,
    HalfMore,
    Naive,
    BiasReduced,
}

impl RateEstimate {
    pub(super) const ALL: [Self; 4] =
        [Self::Counted, Self::HalfMore, Self::Naive, Self::BiasReduced];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Counted => "X/T",
            Self::HalfMore => "(X + ½)/T",
            Self::Naive => "X/n",
            Self::BiasReduced => "bias-reduced",
        }
    }
}

/// Name of the freshness of each page.
pub(super) fn name(policy: Policy, estimate: RateEstimate, yearly: u32) -> String {
    match policy {
        Policy::Uniform => format!("{}uniform, {yearly} a year", super::FRESH),
        _ => format!("{}{}, {}, {yearly} a year", super::FRESH, policy.name(), estimate.name()),
    }
}

/// Pages that exist at half-time.
struct Known<'w> {
    pages: Vec<(PageId, Changes<'w>)>,
    half_us: u64,
    end_us: u64,
}

impl<'w> Known<'w> {
    fn of(world: &'w World) -> Self {
        let end_s = world.recorded_s().unwrap_or(0.0);
        let takes_part = |page: &PageId| {
            let came = world.change_times_s(*page).first();
            let is_gone = world.gone_s(*page).is_some_and(|at| at <= end_s / 2.0);
            came.is_some_and(|at| *at < end_s / 2.0) && !is_gone
        };
        let pages = world.pages().filter(takes_part);
        Self {
            pages: pages.map(|page| (page, Changes::new(world, page, 0))).collect(),
            half_us: (end_s / 2.0 * 1e6) as u64,
            end_us: (end_s * 1e6) as u64,
        }
    }

    /// Estimated changes per year of each page.
    fn rates(&self, estimate: RateEstimate, yearly: u32) -> Vec<Rate> {
        let gap = (YEAR_US / f64::from(yearly)) as u64;
        let of = |changes: Changes<'_>| {
            let came = changes.into_iter().next()?;
            let years = self.half_us.saturating_sub(came).max(DAY_US) as f64 / YEAR_US;
            let n = changes.n_changes_between(came, self.half_us) as f64;
            let visited = || -> Option<Counts> {
                let mut counts = Counts::default();
                let span = Span::new(gap as f64 / YEAR_US).ok()?;
                let mut at = came;
                while at + gap <= self.half_us {
                    counts.record(changes.changed_between(at, at + gap), span).ok()?;
                    at += gap;
                }
                Some(counts)
            };
            match estimate {
                RateEstimate::Counted => Rate::new(n / years).ok(),
                RateEstimate::HalfMore => Rate::new((n + 0.5) / years).ok(),
                RateEstimate::Naive => visited()?.naive(),
                RateEstimate::BiasReduced => visited()?.bias_reduced(),
            }
        };
        self.pages.iter().map(|(_, changes)| of(*changes).unwrap_or_default()).collect()
    }

    /// Freshness of each page in the second half, with these visits per year.
    fn freshness(&self, visits: &[Rate]) -> Vec<f64> {
        let whole = (self.end_us - self.half_us).max(1) as f64;
        let of = |((page, changes), visits): (&(PageId, Changes<'_>), &Rate)| {
            let mut rng = Rng::new(page.0.into(), "second half");
            let phases = (0..N_PHASES).map(|_| {
                let phase = rng.fraction();
                let gap = (YEAR_US / visits.get()).max(1.0);
                // Without visits the time is infinite; times after the end are dropped.
                let at =
                    |i: u32| self.half_us.saturating_add(((phase + f64::from(i)) * gap) as u64);
                let times = [self.half_us].into_iter().chain((0..).map(at));
                simulate::fresh_us(*changes, times, self.end_us) as f64 / whole
            });
            super::mean(phases)
        };
        self.pages.iter().zip(visits).map(of).collect()
    }
}

/// Whether changes were recorded in both halves.
pub(super) fn suits(world: &World) -> bool {
    let known = Known::of(world);
    let changes =
        |(_, changes): &(PageId, Changes<'_>)| changes.changed_between(known.half_us, known.end_us);
    known.pages.len() > 1 && known.pages.iter().any(changes)
}

/// Simulates every policy at one budget.
pub(super) fn piece(at: usize, world: &World, measured: &mut Measurement) {
    let Some(yearly) = YEARLY.get(at).copied() else { return };
    let known = Known::of(world);
    if known.pages.is_empty() {
        return;
    }
    let Ok(budget) = Rate::new(f64::from(yearly) * known.pages.len() as f64) else { return };
    for estimate in RateEstimate::ALL {
        let rates = known.rates(estimate, yearly);
        for policy in Policy::ALL {
            let name = name(policy, estimate, yearly);
            if measured.values(&name).is_some() {
                continue;
            }
            if let Ok(visits) = policy.visits(&rates, budget) {
                measured.series.push(Series { name, values: known.freshness(&visits) });
            }
        }
    }
}
