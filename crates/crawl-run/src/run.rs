//! A running experiment.

use crate::revisits::Revisits;
use crate::{Lane, LearntTopic, RANKERS, RunError, STRATEGIES, WORLDS};
use crawl_catalogue::{Catalogue, Chosen};
use crawl_core::metric::Setting;
use crawl_core::ranker::{self, Graph};
use crawl_core::revisit::RevisitRules;
use crawl_core::strategy::StrategyContext;
use crawl_core::{Bounds, Past, Rules, Session, SessionInputs, Simulator, Truth, area_pages};
use crawl_import::flat;
use crawl_protocol::lane::Oracle;
use crawl_protocol::{Experiment, Seeds, WorldSource};
use crawl_world::generate::WorldEntry;
use crawl_world::{PageId, Reach, World};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// The ranker that gives the true ranks for metrics.
const TRUTH: &str = "pagerank";

/// A running experiment: its lanes, and what they share.
pub struct Run {
    /// The experiment.
    pub experiment: Experiment,
    /// The world.
    pub world: Arc<World>,
    /// Seeds of the crawls.
    pub seeds: Vec<PageId>,
    /// The crawl rules.
    pub rules: Rules,
    /// True ranks, for metrics.
    pub truth: Arc<Truth>,
    /// The pages reachable from the seeds.
    pub reach: Reach,
    /// The topic of focused crawls, if any.
    pub topic: Option<LearntTopic>,
    /// Ideal and random baselines, once computed.
    pub bounds: Option<Bounds>,
    /// One lane per strategy.
    pub lanes: Vec<Lane>,
}

impl Run {
    /// Builds the world of an experiment that needs no file.
    ///
    /// # Errors
    /// If the world cannot be generated or would be too large, the world in the link is damaged or
    /// has another digest, or a file is needed.
    pub fn make_world(source: &WorldSource) -> Result<World, RunError> {
        match source {
            WorldSource::Made(chosen) => Self::generate(chosen),
            WorldSource::File { data: Some(data), .. } => {
                let world = flat::unpack(data)?;
                check_digest(&world, source)?;
                Ok(world)
            }
            WorldSource::File { digest, names, data: None } => {
                Err(RunError::FileNeeded { digest: digest.clone(), names: names.clone() })
            }
        }
    }

    /// Generates a world.
    ///
    /// # Errors
    /// If there is no such world, or it cannot be generated with these parameters, or is too large.
    pub fn generate(chosen: &Chosen) -> Result<World, RunError> {
        let entry = generator(chosen)?;
        crate::Limits::default().check_world(entry, chosen).map_err(Box::new)?;
        Self::made_by(entry, chosen)
    }

    /// Generates a world without size limit.
    ///
    /// # Errors
    /// If there is no such world, or its parameters contradict each other.
    pub fn generate_unlimited(chosen: &Chosen) -> Result<World, RunError> {
        Self::made_by(generator(chosen)?, chosen)
    }

    fn made_by(entry: &WorldEntry, chosen: &Chosen) -> Result<World, RunError> {
        (entry.build)(&chosen.params)
            .map_err(|error| RunError::World { name: chosen.to_string(), error })
    }

    /// Sets up an experiment; no step is taken yet.
    ///
    /// # Errors
    /// If the world is not the experiment's, or see [`Run::with_truth`].
    pub fn new(
        experiment: Experiment,
        world: Arc<World>,
        catalogue: &Catalogue,
    ) -> Result<Self, RunError> {
        let truth = truth_for(&experiment, &world, catalogue)?;
        Self::with_truth(experiment, world, truth, catalogue)
    }

    /// Sets up an experiment without limits of time and memory.
    ///
    /// # Errors
    /// If the world is not the experiment's, or a part of the experiment cannot be built.
    pub fn new_unlimited(
        experiment: Experiment,
        world: Arc<World>,
        catalogue: &Catalogue,
    ) -> Result<Self, RunError> {
        let truth = truth_for(&experiment, &world, catalogue)?;
        Self::unlimited(experiment, world, truth, catalogue)
    }

    /// The true ranks for metrics.
    ///
    /// # Errors
    /// If the ranker is not in the catalogue.
    pub fn truth_of(world: &World, catalogue: &Catalogue) -> Result<Arc<Truth>, RunError> {
        Truths { world, catalogue, known: Vec::new() }.by_spec(TRUTH)
    }

    /// Sets up an experiment on a world whose digest was checked and whose true ranks are known
    /// from [`Run::truth_of`].
    ///
    /// # Errors
    /// If the world has no pages, a seed is not a page, the topic cannot be learnt, a strategy or
    /// policy cannot run, or the run exceeds the [`Limits`](crate::Limits).
    pub fn with_truth(
        experiment: Experiment,
        world: Arc<World>,
        truth: Arc<Truth>,
        catalogue: &Catalogue,
    ) -> Result<Self, RunError> {
        Self::set_up(experiment, world, truth, catalogue, &check_limits)
    }

    /// Checks the limits of an experiment, as [`Run::new`] does.
    ///
    /// # Errors
    /// If a limit is exceeded, or a seed cannot be found.
    pub fn check(
        experiment: &Experiment,
        world: &World,
        catalogue: &Catalogue,
    ) -> Result<(), RunError> {
        check_limits(experiment, world, None, catalogue)?;
        let seeds = find_seeds(world, &experiment.seeds, catalogue)?;
        check_limits(experiment, world, Some(&world.reach(&seeds)), catalogue)
    }

    /// Like [`Run::with_truth`], without limits: for callers that bound their runs themselves.
    ///
    /// # Errors
    /// If a part of the experiment cannot be built.
    pub fn unlimited(
        experiment: Experiment,
        world: Arc<World>,
        truth: Arc<Truth>,
        catalogue: &Catalogue,
    ) -> Result<Self, RunError> {
        Self::set_up(experiment, world, truth, catalogue, &|_, _, _, _| Ok(()))
    }

    fn set_up(
        experiment: Experiment,
        world: Arc<World>,
        truth: Arc<Truth>,
        catalogue: &Catalogue,
        check: &Check,
    ) -> Result<Self, RunError> {
        if world.n_pages() == 0 {
            return Err(RunError::NoPages);
        }
        // Ranking pages for seeds is part of the estimated work.
        check(&experiment, &world, None, catalogue)?;
        let seeds = find_seeds(&world, &experiment.seeds, catalogue)?;
        let by_oracle = experiment.seeds.is_oracle();
        let rules = Rules::from(&experiment.rules);
        let reach = world.reach(&seeds);
        check(&experiment, &world, Some(&reach), catalogue)?;
        let mut truths = Truths { world: &world, catalogue, known: vec![truth.clone()] };
        let topic = experiment.topic.as_ref();
        let topic = topic.map(|chosen| LearntTopic::new(chosen, &experiment, &world, &seeds));
        let topic = topic.transpose()?;
        let mut pasts: Vec<Arc<Past>> = Vec::new();
        let mut run = Self {
            lanes: Vec::new(),
            bounds: None,
            topic,
            reach,
            truth,
            rules,
            seeds,
            world: world.clone(),
            experiment,
        };
        let revisits = Revisits {
            experiment: &run.experiment,
            rules: &run.rules,
            reach: &run.reach,
            truth: &run.truth,
            world: &world,
            groups: OnceLock::new(),
            rates: OnceLock::new(),
        };
        for (at, chosen) in run.experiment.strategies.iter().enumerate() {
            let entry = STRATEGIES.iter().find(|entry| entry.entry.id == chosen.id);
            let entry = entry.ok_or_else(|| RunError::NotBuilt(chosen.id.clone()))?;
            catalogue.check(chosen)?;
            let needs = (entry.needs)(&chosen.params);
            let seeds = match (&run.experiment.seeds, &needs.ranker) {
                (Seeds::TopOwn { k }, Some(own)) => best(&world, own, *k, catalogue)?,
                _ => run.seeds.clone(),
            };
            let truth = match needs.truth.as_deref() {
                Some(spec) if spec == ranker::TOPIC.id => {
                    Some(run.topic_truth(&chosen.to_string())?)
                }
                spec => spec.map(|ranker| truths.by_spec(ranker)).transpose()?,
            };
            // Lanes share earlier crawls with equal parameters.
            for spec in needs.pasts.iter().copied() {
                if !pasts.iter().any(|past| *past.spec() == spec) {
                    pasts.push(Arc::new(Past::new(spec, &world, &run.seeds)));
                }
            }
            let wanted = pasts.iter().filter(|past| needs.pasts.contains(past.spec()));
            let pasts = wanted.cloned().collect();
            let topic = run.topic.as_ref().map(|learnt| learnt.topic.clone());
            let (rng, budget) = (run.experiment.rng, run.rules.budget);
            let context = StrategyContext { rng, budget, pasts, topic };
            let built = (entry.build)(&chosen.params, &context);
            let mut inputs = SessionInputs { truth, ..SessionInputs::default() };
            if let Some(learnt) = &run.topic {
                learnt.add_to(&mut inputs, run.rules.focus.holds(needs.topic));
            }
            let policy = run.experiment.revisit(at);
            let revisit = policy.map(|policy| revisits.of(policy)).transpose()?;
            let ordering = needs.is_oracle() || by_oracle;
            let mut oracle = Oracle { ordering, policy: false };
            let mut end_us = None;
            let live_pages = revisit.map(|revisit| {
                inputs.scheduler = Some(revisit.scheduler);
                oracle.policy = revisit.is_oracle;
                end_us = Some(revisit.end_us);
                revisit.live_pages
            });
            let session = Session::new(&*world, &seeds, built, run.rules.clone(), inputs);
            let mut start = Simulator::new(session);
            if let Some(live_pages) = live_pages {
                start = start.with_live_pages(live_pages);
            }
            let lane = Lane::new(
                chosen.clone(),
                policy.cloned(),
                (oracle, end_us),
                start,
                catalogue,
                &run.setting(),
            );
            run.lanes.push(lane);
        }
        Ok(run)
    }

    /// Ranks by the topic's labels, for an oracle of that name.
    fn topic_truth(&self, name: &str) -> Result<Arc<Truth>, RunError> {
        let no_topic = || RunError::NoTopic(name.to_owned());
        let learnt = self.topic.as_ref().ok_or_else(no_topic)?;
        let truth = learnt.truth.as_ref().ok_or_else(|| RunError::NoLabels {
            name: name.to_owned(),
            topic: self.experiment.topic.as_ref().map(ToString::to_string).unwrap_or_default(),
        })?;
        Ok(Arc::new(Truth { ranker: ranker::TOPIC.id.to_string(), ranks: truth.ranks() }))
    }

    /// Computes ideal and random baselines up to the step at which areas are compared. `progress`
    /// gets the number of finished random crawls and may cancel.
    pub fn compute_bounds(&mut self, progress: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.bounds = Bounds::new(
            &self.world,
            &self.truth,
            &self.seeds,
            &self.rules,
            self.experiment.rng,
            area_pages(&self.rules, &self.reach),
            progress,
        );
    }

    /// Inputs of the metrics.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            world: &self.world,
            truth: &self.truth,
            reach: &self.reach,
            area_pages: area_pages(&self.rules, &self.reach),
            topic: self.topic.as_ref().and_then(|learnt| learnt.truth.as_ref()),
            bounds: self.bounds.as_ref(),
        }
    }

    /// A lane, with the inputs of its metrics.
    pub fn lane(&mut self, at: usize) -> Option<(&mut Lane, Setting<'_>)> {
        let setting = Setting {
            world: &self.world,
            truth: &self.truth,
            reach: &self.reach,
            area_pages: area_pages(&self.rules, &self.reach),
            topic: self.topic.as_ref().and_then(|learnt| learnt.truth.as_ref()),
            bounds: self.bounds.as_ref(),
        };
        self.lanes.get_mut(at).map(|lane| (lane, setting))
    }

    /// Maximum number of steps of a lane.
    pub fn max_steps(&self) -> u32 {
        let reached = match self.experiment.seeds {
            // A lane's own seeds may reach more pages than the shared ones.
            Seeds::TopOwn { .. } => self.world.n_pages(),
            _ => self.reach.n_pages(),
        };
        let most = self.rules.budget.unwrap_or(u32::MAX);
        if self.experiment.revisits.is_empty() {
            return most.min(reached);
        }
        // As many revisits as the budget allows; a policy may make fewer.
        let RevisitRules { visits, new, end_us, .. } = (&self.experiment.rules).into();
        let visits = (visits + new) * (end_us as f64 / 3.6e9);
        most.min((f64::from(reached) + visits).min(f64::from(u32::MAX)) as u32)
    }
}

/// The true ranks of an experiment's world, after a check of its digest.
fn truth_for(
    experiment: &Experiment,
    world: &World,
    catalogue: &Catalogue,
) -> Result<Arc<Truth>, RunError> {
    check_digest(world, &experiment.world)?;
    Run::truth_of(world, catalogue)
}

/// Checks limits before anything is computed.
type Check = dyn Fn(&Experiment, &World, Option<&Reach>, &Catalogue) -> Result<(), RunError>;

fn check_limits(
    experiment: &Experiment,
    world: &World,
    reach: Option<&Reach>,
    catalogue: &Catalogue,
) -> Result<(), RunError> {
    let limits = crate::Limits::default();
    Ok(limits.check(experiment, world, reach, catalogue).map_err(Box::new)?)
}

/// The generator of a world.
fn generator(chosen: &Chosen) -> Result<&'static WorldEntry, RunError> {
    let entry = WORLDS.iter().copied().find(|w| w.entry.id == chosen.id);
    entry.ok_or_else(|| RunError::NotBuilt(chosen.id.clone()))
}

/// Checks that a world has the digest of its source.
fn check_digest(world: &World, source: &WorldSource) -> Result<(), RunError> {
    let WorldSource::File { digest, names, .. } = source else { return Ok(()) };
    let found = world.digest().to_string();
    if found == *digest {
        return Ok(());
    }
    Err(RunError::OtherWorld { found, wanted: digest.clone(), names: names.clone() })
}

/// Cache of true ranks, by ranker.
struct Truths<'a> {
    world: &'a World,
    catalogue: &'a Catalogue,
    known: Vec<Arc<Truth>>,
}

impl Truths<'_> {
    fn by_spec(&mut self, spec: &str) -> Result<Arc<Truth>, RunError> {
        let chosen = self.catalogue.choose(crawl_catalogue::Kind::Ranker, spec);
        self.by(&chosen.map_err(|_| RunError::NotBuilt(spec.to_owned()))?)
    }

    fn by(&mut self, chosen: &Chosen) -> Result<Arc<Truth>, RunError> {
        let name = chosen.to_string();
        if let Some(known) = self.known.iter().find(|truth| truth.ranker == name) {
            return Ok(known.clone());
        }
        let truth = Arc::new(ranked(self.world, chosen)?);
        self.known.push(truth.clone());
        Ok(truth)
    }
}

/// Finds the seeds of an experiment.
///
/// # Errors
/// If a seed is not a page of the world or is born later, there are more seeds than pages, or the
/// ranker does not exist.
pub fn find_seeds(
    world: &World,
    seeds: &Seeds,
    catalogue: &Catalogue,
) -> Result<Vec<PageId>, RunError> {
    let urls = match seeds {
        Seeds::Own => return Ok(world.seeds()),
        Seeds::Top { ranker, k } => return best(world, &ranker.to_string(), *k, catalogue),
        // The shared seeds, if each strategy has its own.
        Seeds::TopOwn { k } => return best(world, TRUTH, *k, catalogue),
        Seeds::Urls(urls) => urls,
    };
    let find = |url: &String| {
        let as_written = world.find(url);
        let normal = || crawl_world::web_address::tidied(url).and_then(|u| world.find(&u));
        as_written.or_else(normal).ok_or_else(|| RunError::UnknownSeed {
            url: url.clone(),
            nearest: nearest_url(world, url),
        })
    };
    let is_there = |page: PageId| match world.born_s(page) {
        None => Ok(page),
        Some(born_s) => Err(RunError::UnbornSeed { url: world.url(page).into_owned(), born_s }),
    };
    urls.iter().map(|url| find(url).and_then(is_there)).collect()
}

/// Ranks all pages of a world.
fn ranked(world: &World, chosen: &Chosen) -> Result<Truth, RunError> {
    let name = chosen.to_string();
    let entry = RANKERS.iter().find(|entry| entry.entry.id == chosen.id);
    let entry = entry.ok_or_else(|| RunError::no_ranker(chosen))?;
    let ranker = (entry.build)(&chosen.params);
    Ok(Truth { ranker: name, ranks: ranker.rank(&Graph::of(world)).values })
}

/// The k best pages of a world, best first; ties go to the earlier page.
fn best(
    world: &World,
    ranker: &str,
    k: u32,
    catalogue: &Catalogue,
) -> Result<Vec<PageId>, RunError> {
    if k > world.n_pages() {
        return Err(RunError::TooManySeeds { k, n_pages: world.n_pages() });
    }
    let pages: Vec<PageId> = world.pages().filter(|page| world.born_s(*page).is_none()).collect();
    let truth = Truths { world, catalogue, known: Vec::new() }.by_spec(ranker)?;
    let mut pages = truth.sorted(&pages);
    pages.truncate(k as usize);
    Ok(pages)
}

/// The first page whose URL shares the longest prefix with `url`.
pub fn nearest_url(world: &World, url: &str) -> Option<String> {
    let shared = |other: &str| url.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let mut best = ("http://".len(), None);
    for page in world.pages() {
        let n = shared(&world.url(page));
        if n > best.0 {
            best = (n, Some(page));
        }
    }
    best.1.map(|page| world.url(page).into_owned())
}

#[cfg(test)]
mod tests;
