//! Long-run freshness that the best schedule with known rates has more.

use super::copied::{Seldom, has_formulas, long_run, true_rate};
use super::{Metric, MetricEntry, Observation};
use crate::Plan;
use crawl_catalogue::{Entry, EntryTexts};
use crawl_refresh::Rate;
use crawl_refresh::allocate::{Goal, Weights, optimal};

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
    build: |_, _| Box::new(DistanceToOptimum::default()),
};

#[derive(Default)]
struct DistanceToOptimum {
    seldom: Seldom,
}

impl Metric for DistanceToOptimum {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        let session = at.run.session();
        let budget = Rate::new(session.ledger()?.budget).ok()?;
        let world = Some(at.setting.world).filter(|world| has_formulas(world))?;
        self.seldom.value(at, |known| {
            let (mut pages, mut rates, mut planned) = (Vec::new(), Vec::new(), 0.0);
            for url in known.order() {
                let Some(plan) = session.visit_plan(*url) else { continue };
                if plan.per_hour.is_none() {
                    continue;
                }
                let page = session.book().page(*url);
                planned += long_run(world, page, &plan)?;
                pages.push(page);
                rates.push(Rate::new(true_rate(world, page)).ok()?);
            }
            if rates.is_empty() {
                return None;
            }
            let best = optimal(Goal::Freshness, &rates, Weights::Equal, budget).ok()?;
            let visits = best.visits.iter().map(|rate| rate.get());
            let fresh = pages.iter().zip(visits).map(|(page, f)| {
                let plan = Plan { per_hour: Some(f), ..Plan::default() };
                long_run(world, *page, &plan)
            });
            let best = fresh.sum::<Option<f64>>()?;
            Some((best - planned) / rates.len() as f64)
        })
    }

    fn follows_visits(&self) -> bool {
        true
    }
}
