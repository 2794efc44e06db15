//! Long-run freshness that the best schedule with known rates has more.

use super::copied::{Seldom, long_run, true_rate};
use super::{Metric, MetricEntry, Observation};
use crawl_catalogue::{Entry, EntryTexts};
use crawl_refresh::Rate;
use crawl_refresh::allocate::{Goal, Weights, mean_freshness, optimal};
use crawl_world::ChangeProcess;

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "distance-to-optimum",
        "Distance to the optimum",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2000",
            summary: "Long-run freshness that the best schedule with known rates has more",
            description: "The best of all fixed schedules for the copies there are, at the same budget and with true rates, less what the visits as they are planned now come to. For a policy that estimates rates it is the price of not knowing them. Only where all pages change at random or never.",
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
        let world = at.setting.world;
        self.seldom.value(at, |known| {
            let (mut rates, mut planned) = (Vec::new(), 0.0);
            for url in known.order() {
                let Some(plan) = session.visit_plan(*url) else { continue };
                if plan.per_hour.is_none() {
                    continue;
                }
                let page = session.book().page(*url);
                if !matches!(
                    world.change_process(page),
                    ChangeProcess::Never | ChangeProcess::Poisson { .. }
                ) {
                    return None;
                }
                planned += long_run(world, page, &plan)?;
                rates.push(Rate::new(true_rate(world, page)).ok()?);
            }
            if rates.is_empty() {
                return None;
            }
            let best = optimal(Goal::Freshness, &rates, Weights::Equal, budget).ok()?;
            let best = mean_freshness(&rates, Weights::Equal, &best.visits).ok()?;
            Some(best - planned / rates.len() as f64)
        })
    }

    fn follows_visits(&self) -> bool {
        true
    }
}
