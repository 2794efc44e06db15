//! Expected steps and operations of an experiment.

use super::{Excess, Limits, TooMuch, offers};
use crate::{POLICIES, RANKERS, STRATEGIES};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_core::Rules;
use crawl_core::metric::true_rate;
use crawl_core::ranker;
use crawl_core::revisit::{PolicyNeeds, RevisitRules};
use crawl_core::strategy::Needs;
use crawl_protocol::{Experiment, Seeds};
use crawl_world::{Reach, World};

/// Operations of a page's first fetch, with its measures.
const FETCH: f64 = 600.0;
/// Of a link that it shows.
const LINK: f64 = 40.0;
/// Of a link whose texts are read, and of a page that is judged, where a topic is looked for.
const LINK_TEXT: f64 = 18_000.0;
const JUDGED: f64 = 20_000.0;
/// Of a visit to a page fetched before; in larger worlds each waits for memory as well.
const VISIT: f64 = 1_000.0;
const VISIT_PER_PAGE: f64 = 0.02;
const MOST_PER_VISIT: f64 = 3_000.0;
/// Of a page or a link in a sweep.
const SWEPT: f64 = 1.8;
/// Of a URL that is looked at among all that wait.
const SCANNED: f64 = 4.0;
/// Of a page that is looked at among all that may be visited again.
const RIVAL: f64 = 50.0;
/// Of a fetcher that is looked at in a step.
const FETCHER: f64 = 1.0;
/// Of a change that is counted; no visit counts more than so many.
const CHANGE: f64 = 6.0;
const MOST_CHANGES: f64 = 10_000.0;
/// Of a page or a link of an earlier crawl that is remembered.
const REMEMBERED: f64 = 100.0;

/// What a world's size and pages contribute to an estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pages: f64,
    links: f64,
    /// Pages that a crawl can reach.
    reached: f64,
    /// Milliseconds until the quickest host answers that says so, and whether all pages do.
    quickest_ms: f64,
    all_say: bool,
    /// Changes an hour of all pages together.
    changes_per_h: f64,
}

impl Size {
    pub(crate) fn new(world: &World, reach: &Reach, experiment: &Experiment) -> Self {
        let pages = f64::from(world.n_pages());
        let reached = match &experiment.seeds {
            // A lane's own seeds may reach more than those that all have in common.
            Seeds::TopOwn { .. } => pages,
            _ => reach.n_pages().into(),
        };
        let mut size = Self {
            pages,
            links: world.n_links().into(),
            reached,
            quickest_ms: f64::INFINITY,
            all_say: true,
            changes_per_h: 0.0,
        };
        if !experiment.revisits.is_empty() {
            for page in world.pages() {
                let latency_ms = world.latency_ms(page);
                size.quickest_ms = size.quickest_ms.min(latency_ms.unwrap_or(f64::INFINITY));
                size.all_say &= latency_ms.is_some();
                size.changes_per_h += true_rate(world, page);
            }
        }
        size
    }

    /// Fetches that end in a time at most, whoever asks for them.
    fn fetches_in(&self, hours: f64, rules: &Rules) -> f64 {
        let others_ms = if self.all_say { f64::INFINITY } else { rules.latency_ms };
        let quickest_us = rules.fetch_us(Some(self.quickest_ms.min(others_ms)), None);
        f64::from(rules.fetchers) * (1.0 + hours * 3.6e9 / quickest_us as f64)
    }
}

/// Expected steps and operations of all lanes together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Estimate {
    /// First fetches.
    pub(crate) fetches: f64,
    /// Those and visits.
    pub(crate) steps: f64,
    pub(crate) operations: f64,
}

impl Estimate {
    /// Of an experiment on a world of that size.
    pub(crate) fn new(experiment: &Experiment, size: &Size, catalogue: &Catalogue) -> Self {
        let rules = Rules::from(&experiment.rules);
        let revisits = RevisitRules::from(&experiment.rules);
        let lanes = experiment.strategies.iter().enumerate().map(|(lane, chosen)| {
            let visited = experiment.revisit(lane).map(|policy| (policy, &revisits));
            let lane = lane_estimate(chosen, visited, &rules, size);
            let judged = if experiment.topic.is_some() { lane.fetches * JUDGED } else { 0.0 };
            Self { operations: lane.operations + judged, ..lane }
        });
        let operations = ranked(experiment, size, catalogue);
        lanes.fold(Self { operations, ..Self::default() }, |all, lane| Self {
            fetches: all.fetches + lane.fetches,
            steps: all.steps + lane.steps,
            operations: all.operations + lane.operations,
        })
    }

    /// What of it is too much, and how much would fit.
    pub(crate) fn excess(&self, limits: &Limits) -> Option<(Excess, f64, f64)> {
        if self.steps > limits.steps {
            return Some((Excess::Steps, self.steps, limits.steps));
        }
        let is_over = self.operations > limits.operations;
        is_over.then_some((Excess::Operations, self.operations, limits.operations))
    }

    /// Refuses an experiment that is too much.
    pub(crate) fn check(
        experiment: &Experiment,
        size: &Size,
        limits: &Limits,
        catalogue: &Catalogue,
    ) -> Result<(), TooMuch> {
        let estimate = |experiment: &Experiment| Self::new(experiment, size, catalogue);
        let Some((of, amount, most)) = estimate(experiment).excess(limits) else { return Ok(()) };
        let fits = |other: &Experiment| estimate(other).excess(limits).is_none();
        let offers = offers::of_experiment(experiment, catalogue, &fits);
        Err(TooMuch { of, amount, most, offers })
    }
}

fn lane_estimate(
    chosen: &Chosen,
    revisit: Option<(&Chosen, &RevisitRules)>,
    rules: &Rules,
    size: &Size,
) -> Estimate {
    let needs = needs(chosen);
    let budget = rules.budget.map_or(f64::INFINITY, f64::from);
    let fetches = size.reached.min(budget);
    let links = size.links * fetches / size.pages.max(1.0);
    let mut steps = fetches;
    let text = if needs.topic { LINK_TEXT } else { 0.0 };
    let mut operations = fetches * FETCH + links * (LINK + text + needs.work.ns_per_link);
    if let Some((policy, revisits)) = revisit {
        let (visits, of_policy) = visits(policy, revisits, rules, size, fetches);
        steps = (fetches + visits).min(size.fetches_in(hours(revisits), rules)).min(budget);
        let each = (VISIT + VISIT_PER_PAGE * size.pages).min(MOST_PER_VISIT);
        let changes = (size.changes_per_h * hours(revisits)).min(steps * MOST_CHANGES);
        let rounds = steps / f64::from(rules.batch);
        let rivals = of_policy.work.scans_per_step * rounds * fetches;
        operations += steps * each + changes * CHANGE + rivals * RIVAL;
    }
    let swept = (fetches + links) / 2.0;
    operations += needs.work.sweeps_per_fetch * fetches * swept * SWEPT;
    operations += needs.work.scans_per_fetch * fetches * (size.reached / 2.0) * SCANNED;
    operations += needs.pasts.len() as f64 * (size.pages + size.links) * REMEMBERED;
    operations += steps * f64::from(rules.fetchers) * FETCHER;
    Estimate { fetches, steps, operations }
}

fn hours(revisits: &RevisitRules) -> f64 {
    revisits.end_us as f64 / 3.6e9
}

/// Visits to pages fetched before at most, and what their policy needs.
fn visits(
    policy: &Chosen,
    revisits: &RevisitRules,
    rules: &Rules,
    size: &Size,
    fetches: f64,
) -> (f64, PolicyNeeds) {
    let Some(entry) = POLICIES.iter().find(|entry| entry.entry.id == policy.id) else {
        return (0.0, PolicyNeeds::default());
    };
    let needs = (entry.needs)(&policy.params);
    let competes = (entry.build)(&policy.params).competes();
    let per_h = revisits.visits + if competes { revisits.new } else { 0.0 };
    // What finds nothing new may cost less; and a few visits may be put by.
    let allowed = per_h * hours(revisits) / revisits.not_modified + 10.0 + 4.0 * fetches.sqrt();
    let wanted = fetches * (hours(revisits) / needs.shortest_h);
    (allowed.min(wanted).min(size.fetches_in(hours(revisits), rules)), needs)
}

fn needs(chosen: &Chosen) -> Needs {
    let entry = STRATEGIES.iter().find(|entry| entry.entry.id == chosen.id);
    entry.map(|entry| (entry.needs)(&chosen.params)).unwrap_or_default()
}

/// Operations of ranking the whole world for seeds and omniscient orderings, each ranker once.
fn ranked(experiment: &Experiment, size: &Size, catalogue: &Catalogue) -> f64 {
    let mut specs: Vec<String> = Vec::new();
    if let Seeds::Top { ranker, .. } = &experiment.seeds {
        specs.push(ranker.to_string());
    }
    let own = matches!(experiment.seeds, Seeds::TopOwn { .. });
    for chosen in &experiment.strategies {
        let Needs { truth, ranker, .. } = needs(chosen);
        specs.extend(truth);
        specs.extend(ranker.filter(|_| own));
    }
    specs.sort_unstable();
    specs.dedup();
    let rankers = specs.iter().filter_map(|spec| catalogue.choose(Kind::Ranker, spec).ok());
    rankers.map(|ranker| ranker_operations(&ranker, size)).sum()
}

fn ranker_operations(chosen: &Chosen, size: &Size) -> f64 {
    let entry = RANKERS.iter().find(|entry| entry.entry.id == chosen.id);
    let sweeps = entry.map_or(0.0, |entry| (entry.sweeps)(&chosen.params));
    debug_assert!(entry.is_some() || chosen.id == ranker::TOPIC.id);
    sweeps * (size.pages + size.links) * SWEPT
}

/// Refuses a ranker that would take too long over a world.
pub(crate) fn check_ranker(
    chosen: &Chosen,
    world: &World,
    limits: &Limits,
    catalogue: &Catalogue,
) -> Result<(), TooMuch> {
    let size = Size {
        pages: world.n_pages().into(),
        links: world.n_links().into(),
        reached: 0.0,
        quickest_ms: 0.0,
        all_say: true,
        changes_per_h: 0.0,
    };
    let amount = ranker_operations(chosen, &size);
    let most = limits.operations;
    if amount <= most {
        return Ok(());
    }
    let fits = |other: &Chosen| ranker_operations(other, &size) <= most;
    let offers = offers::of_entry(chosen, catalogue, &fits);
    Err(TooMuch { of: Excess::Operations, amount, most, offers })
}
