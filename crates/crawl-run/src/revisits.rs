//! A lane's revisit policy: its schedule, and the simulated pages.

use crate::{POLICIES, RunError};
use crawl_catalogue::Chosen;
use crawl_core::metric::{GROUPS, true_rate};
use crawl_core::revisit::{PageWeights, PolicyContext, RevisitRules, Schedule};
use crawl_core::{Copies, Group, Groups, LivePages, RevisitScheduler, Rules, Session, Truth};
use crawl_protocol::Experiment;
use crawl_world::{Reach, World, order};
use std::sync::{Arc, OnceLock};

/// The top group is one in this many reachable pages.
const TOP: usize = 10;

/// Inputs of revisit policies that all lanes share, computed on first use.
pub(crate) struct Revisits<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) world: &'a World,
    pub(crate) truth: &'a Truth,
    pub(crate) reach: &'a Reach,
    pub(crate) rules: &'a Rules,
    pub(crate) groups: OnceLock<Arc<Groups>>,
    pub(crate) rates: OnceLock<Arc<Vec<f64>>>,
}

/// A lane's policy, ready to run.
pub(crate) struct Revisit {
    pub(crate) scheduler: Box<dyn RevisitScheduler>,
    pub(crate) live_pages: Box<dyn LivePages>,
    pub(crate) is_oracle: bool,
    pub(crate) end_us: u64,
}

impl Revisits<'_> {
    /// Builds the policy of a lane.
    pub(crate) fn of(&self, chosen: &Chosen) -> Result<Revisit, RunError> {
        let entry = POLICIES.iter().find(|entry| entry.entry.id == chosen.id);
        let entry = entry.ok_or_else(|| RunError::NotBuilt(chosen.id.clone()))?;
        let rules = RevisitRules::from(&self.experiment.rules);
        let policy = (entry.build)(&chosen.params);
        if policy.competes() && rules.visits + rules.new == 0.0 {
            return Err(RunError::NoFetches(chosen.to_string()));
        }
        let needs = (entry.needs)(&chosen.params);
        let weights = match needs.weights {
            PageWeights::Equal => None,
            PageWeights::Importance => Some(Arc::new(self.truth.ranks.clone())),
            PageWeights::Clicks => Some(Arc::new(self.clicks())),
        };
        let context = PolicyContext { rates: needs.rates.then(|| self.rates()), weights };
        let is_polite = Session::is_polite(self.rules, self.world);
        let schedule = Schedule::new(policy, rules, context, is_polite);
        let seed = self.experiment.rng;
        let copies = Copies::new(self.world.n_pages(), seed, rules, self.groups());
        Ok(Revisit {
            scheduler: Box::new(schedule),
            live_pages: Box::new(copies),
            is_oracle: needs.is_oracle(),
            end_us: rules.end_us,
        })
    }

    fn rates(&self) -> Arc<Vec<f64>> {
        let all = || self.world.pages().map(|page| true_rate(self.world, page)).collect();
        self.rates.get_or_init(|| Arc::new(all())).clone()
    }

    fn clicks(&self) -> Vec<f64> {
        self.world.pages().map(|page| self.world.clicks(page).into()).collect()
    }

    /// The measured groups of copies.
    fn groups(&self) -> Arc<Groups> {
        let make = || Arc::new(Groups::new(self.world.n_pages(), &self.make_groups()));
        self.groups.get_or_init(make).clone()
    }

    fn make_groups(&self) -> Vec<Group> {
        let rates = self.rates();
        let changing = || rates.iter().copied().filter(|rate| *rate > 0.0);
        let mean = changing().sum::<f64>() / changing().count().max(1) as f64;
        let chosen = |is_in: &dyn Fn(f64) -> bool| {
            rates.iter().map(|rate| f64::from(u8::from(is_in(*rate)))).collect::<Vec<f64>>()
        };
        let top = || {
            let pages = self.reach.pages();
            let by_rank = order::arranged(pages.to_vec(), |page| {
                order::falling(crawl_core::rounded(self.truth.rank(*page)))
            });
            let mut is_top = vec![0.0; rates.len()];
            let n = pages.len().div_ceil(TOP);
            by_rank.iter().take(n).for_each(|page| is_top[page.index()] = 1.0);
            is_top
        };
        let weights = |name| match name {
            "importance" => Some(self.truth.ranks.clone()),
            "clicks" => Some(self.clicks()),
            "top" => Some(top()),
            "fast" => Some(chosen(&|rate| rate >= mean && rate > 0.0)),
            "slow" => Some(chosen(&|rate| rate > 0.0 && rate < mean)),
            "still" => Some(chosen(&|rate| rate == 0.0)),
            _ => None,
        };
        let group = |name| Group { name, weights: weights(name) };
        GROUPS.into_iter().map(group).collect()
    }
}
