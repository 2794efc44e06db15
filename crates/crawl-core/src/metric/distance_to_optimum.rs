//! Long-run freshness that the best schedule with known rates has more.

use super::copied::{Seldom, has_formulas, long_run, true_rate};
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
            summary: "Long-run freshness that the best schedule with known rates has more",
            description: "The best of all fixed schedules for the copies there are, at the same budget and with true rates, less what the visits as they are planned now come to. For a policy that estimates rates it is the price of not knowing them. Pages that change by a clock or in bursts are planned for as if they changed at random, and counted as they do. Not where changes are recorded.",
            formula: "F(optimal, true rates) − F(as planned)",
            params: &[],
        },
    ),
    shown: &["distance-to-optimum"],
    build: |_, setting| {
        let has_formulas = has_formulas(setting.world);
        Box::new(DistanceToOptimum {
            has_formulas,
            seldom: Seldom::of_plans(),
            best: Best::default(),
        })
    },
};

struct DistanceToOptimum {
    has_formulas: bool,
    seldom: Seldom,
    best: Best,
}

/// The best of all schedules for some pages; it stays until there are others.
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
        self.seldom.value(at, |known| {
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
