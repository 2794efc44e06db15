//! Difference in long-run freshness to the best schedule with known rates.

use super::copied::{CachedNumber, has_formulas, long_run, true_rate};
use super::{Metric, MetricEntry, Observation};
use crate::Plan;
use crawl_catalogue::{Entry, EntryTexts};
use crawl_refresh::Rate;
use crawl_refresh::allocate::{Goal, Weights, optimal};
use crawl_world::{PageId, World};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "distance-to-optimum",
        "Distance to the optimum",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2000",
            summary: "Difference in long-run freshness to the best schedule with known rates",
            description: "Freshness of the best fixed schedule for the current copies, with the same budget and true rates, minus the freshness of the visits as planned now. For a policy that estimates rates, this is the cost of not knowing them. Pages that change periodically or in bursts are planned as if they changed at random, but evaluated by their own formula. Undefined for recorded changes.",
            formula: "F(optimal, true rates) − F(as planned)",
            params: &[],
        },
    ),
    shown: &["distance-to-optimum"],
    build: |_, setting| {
        let has_formulas = has_formulas(setting.world);
        Box::new(DistanceToOptimum {
            has_formulas,
            cached: CachedNumber::of_plans(),
            best: Best::default(),
        })
    },
};

struct DistanceToOptimum {
    has_formulas: bool,
    cached: CachedNumber,
    best: Best,
}

/// The best schedule for a set of pages, cached until the set changes.
#[derive(Default)]
struct Best {
    pages: Vec<PageId>,
    budget: Rate,
    freshness: Option<f64>,
}

impl Best {
    /// Σ F over the pages.
    fn of(&mut self, pages: Vec<PageId>, budget: Rate, world: &World) -> Option<f64> {
        if pages != self.pages || budget != self.budget {
            let rates = pages.iter().map(|page| Rate::new(true_rate(world, *page)).ok());
            let rates = rates.collect::<Option<Vec<Rate>>>()?;
            let best = optimal(Goal::Freshness, &rates, Weights::Equal, budget).ok()?;
            let visits = best.visits.iter().map(|rate| rate.get());
            let fresh = pages.iter().zip(visits).map(|(page, f)| {
                let plan = Plan { per_hour: Some(f), ..Plan::default() };
                long_run(world, *page, &plan)
            });
            *self = Self { freshness: fresh.sum(), pages, budget };
        }
        self.freshness
    }
}

impl Metric for DistanceToOptimum {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if !self.has_formulas {
            return None;
        }
        let session = at.run.session();
        let budget = Rate::new(session.ledger()?.budget).ok()?;
        let (world, best) = (at.setting.world, &mut self.best);
        self.cached.value(at, |known| {
            let (mut pages, mut planned) = (Vec::new(), 0.0);
            for url in known.order() {
                let Some(plan) = session.visit_plan(*url) else { continue };
                if plan.per_hour.is_none() {
                    continue;
                }
                let page = session.book().page(*url);
                planned += long_run(world, page, &plan)?;
                pages.push(page);
            }
            if pages.is_empty() {
                return None;
            }
            let n = pages.len() as f64;
            Some((best.of(pages, budget, world)? - planned) / n)
        })
    }

    fn follows_visits(&self) -> bool {
        true
    }
}
