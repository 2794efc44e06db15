//! An experiment, set up and running.

use crate::revisits::Revisits;
use crate::{IS_WHOLE, Lane, RANKERS, RunError, STRATEGIES, Sought, WORLDS};
use crawl_catalogue::{Catalogue, Chosen};
use crawl_core::metric::Setting;
use crawl_core::ranker::{self, Graph};
use crawl_core::revisit::RevisitRules;
use crawl_core::strategy::Given;
use crawl_core::{Aids, Bounds, Past, Rules, Session, Simulator, Truth, area_pages};
use crawl_import::flat;
use crawl_protocol::lane::Oracle;
use crawl_protocol::{Experiment, Seeds, WorldSource};
use crawl_world::generate::WorldEntry;
use crawl_world::{PageId, Reach, World};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// The ranker whose values the measures take for the truth.
const TRUTH: &str = "pagerank";

/// What is shared by all lanes, and the lanes.
pub struct Run {
    /// The experiment.
    pub experiment: Experiment,
    /// The world.
    pub world: Arc<World>,
    /// Where the crawls start.
    pub seeds: Vec<PageId>,
    /// The crawl rules.
    pub rules: Rules,
    /// True ranks, for the measures.
    pub truth: Arc<Truth>,
    /// What can be reached from the seeds.
    pub reach: Reach,
    /// What focused crawls look for.
    pub sought: Option<Sought>,
    /// Ideal and chance, once computed.
    pub bounds: Option<Bounds>,
    /// One lane a strategy.
    pub lanes: Vec<Lane>,
}

impl Run {
    /// Makes the world of an experiment that needs no file.
    ///
    /// # Errors
    /// The world cannot be made with these parameters or would be too large, what travelled in the link
    /// is damaged or another world, or a file is needed.
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

    /// Makes one of the worlds that are built in.
    ///
    /// # Errors
    /// There is no world of that name, or it cannot be made with these parameters, or would be too
    /// large.
    pub fn generate(chosen: &Chosen) -> Result<World, RunError> {
        let entry = generator(chosen)?;
        #[cfg(feature = "whole")]
        crate::Limits::default().check_world(entry, chosen).map_err(Box::new)?;
        Self::made_by(entry, chosen)
    }

    /// The same, however large it is.
    ///
    /// # Errors
    /// Where there is none of that name, or its parameters do not go together.
    pub fn generate_unlimited(chosen: &Chosen) -> Result<World, RunError> {
        Self::made_by(generator(chosen)?, chosen)
    }

    fn made_by(entry: &WorldEntry, chosen: &Chosen) -> Result<World, RunError> {
        (entry.build)(&chosen.params)
            .map_err(|error| RunError::World { name: chosen.to_string(), error })
    }

    /// Sets an experiment up on its world; no step is taken yet.
    ///
    /// # Errors
    /// The world is not the one that the experiment asks for, or see [`Run::with_truth`].
    pub fn new(
        experiment: Experiment,
        world: Arc<World>,
        catalogue: &Catalogue,
    ) -> Result<Self, RunError> {
        let truth = truth_for(&experiment, &world, catalogue)?;
        Self::with_truth(experiment, world, truth, catalogue)
    }

    /// The same, however long it takes.
    ///
    /// # Errors
    /// Where the world is not the experiment's, or something that it asks for cannot be had.
    pub fn new_unlimited(
        experiment: Experiment,
        world: Arc<World>,
        catalogue: &Catalogue,
    ) -> Result<Self, RunError> {
        let truth = truth_for(&experiment, &world, catalogue)?;
        Self::unlimited(experiment, world, truth, catalogue)
    }

    /// The true ranks that measures compare with.
    ///
    /// # Errors
    /// The ranker that measures compare with is not in the catalogue.
    pub fn truth_of(world: &World, catalogue: &Catalogue) -> Result<Arc<Truth>, RunError> {
        Truths { world, catalogue, known: Vec::new() }.by_spec(TRUTH)
    }

    /// Sets an experiment up on a world whose digest was checked and whose true ranks are known, as
    /// [`Run::truth_of`] gives them.
    ///
    /// # Errors
    /// The world has no pages, a seed is no page of it, the topic cannot be learnt, a strategy or
    /// policy cannot run there, or the run would be too much (see [`Limits`](crate::Limits)).
    pub fn with_truth(
        experiment: Experiment,
        world: Arc<World>,
        truth: Arc<Truth>,
        catalogue: &Catalogue,
    ) -> Result<Self, RunError> {
        Self::set_up(experiment, world, truth, catalogue, &check_limits)
    }

    /// Refuses an experiment that would be too much, as [`Run::new`] does.
    ///
    /// # Errors
    /// Where it would be, or its seeds cannot be found.
    pub fn check(
        experiment: &Experiment,
        world: &World,
        catalogue: &Catalogue,
    ) -> Result<(), RunError> {
        check_limits(experiment, world, None, catalogue)?;
        let seeds = find_seeds(world, &experiment.seeds, catalogue)?;
        check_limits(experiment, world, Some(&world.reach(&seeds)), catalogue)
    }

    /// As [`Run::with_truth`], however long it takes: for callers that bound their own runs.
    ///
    /// # Errors
    /// Where something that it asks for cannot be had.
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
        // Seeds may have to be ranked, which is part of the work.
        check(&experiment, &world, None, catalogue)?;
        let seeds = find_seeds(&world, &experiment.seeds, catalogue)?;
        let by_oracle = experiment.seeds.is_oracle();
        let rules = Rules::from(&experiment.rules);
        let reach = world.reach(&seeds);
        check(&experiment, &world, Some(&reach), catalogue)?;
        let mut truths = Truths { world: &world, catalogue, known: vec![truth.clone()] };
        let sought = experiment.topic.as_ref();
        let sought = sought.map(|topic| Sought::new(topic, &experiment, &world, &seeds));
        let sought = sought.transpose()?;
        let mut pasts: Vec<Arc<Past>> = Vec::new();
        let mut run = Self {
            lanes: Vec::new(),
            bounds: None,
            sought,
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
                // No ordering of a first visit asks for what is true of a topic.
                Some(spec) if IS_WHOLE && spec == ranker::TOPIC.id => {
                    Some(run.topic_truth(&chosen.to_string())?)
                }
                spec => spec.map(|ranker| truths.by_spec(ranker)).transpose()?,
            };
            // Each earlier crawl is made once, whoever remembers it.
            for spec in needs.pasts.iter().copied() {
                // No ordering of a first visit asks for one.
                if IS_WHOLE && !pasts.iter().any(|past| *past.spec() == spec) {
                    pasts.push(Arc::new(Past::new(spec, &world, &run.seeds)));
                }
            }
            let wanted = pasts.iter().filter(|past| needs.pasts.contains(past.spec()));
            let pasts = wanted.cloned().collect();
            let topic = run.sought.as_ref().map(|sought| sought.topic.clone());
            let (rng, budget) = (run.experiment.rng, run.rules.budget);
            let given = Given { rng, budget, pasts, topic };
            let built = (entry.build)(&chosen.params, &given);
            let mut aids = Aids { truth, ..Aids::default() };
            if let Some(sought) = &run.sought {
                sought.aid(&mut aids, run.rules.focus.holds(needs.topic));
            }
            let policy = run.experiment.revisit(at).filter(|_| IS_WHOLE);
            let revisit = match policy {
                Some(policy) if IS_WHOLE => Some(revisits.of(policy)?),
                _ => None,
            };
            let ordering = needs.is_oracle() || by_oracle;
            let mut oracle = Oracle { ordering, policy: false };
            let mut end_us = None;
            let life = revisit.map(|revisit| {
                aids.again = Some(revisit.again);
                oracle.policy = revisit.is_oracle;
                end_us = Some(revisit.end_us);
                revisit.life
            });
            let session = Session::new(&*world, &seeds, built, run.rules.clone(), aids);
            let mut start = Simulator::new(session);
            if let Some(life) = life {
                start = start.living(life);
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

    /// What labels say of the topic, as an oracle of that name may know it.
    fn topic_truth(&self, name: &str) -> Result<Arc<Truth>, RunError> {
        let no_topic = || RunError::NoTopic(name.to_owned());
        let sought = self.sought.as_ref().ok_or_else(no_topic)?;
        let truth = sought.truth.as_ref().ok_or_else(|| RunError::NoLabels {
            name: name.to_owned(),
            topic: self.experiment.topic.as_ref().map(ToString::to_string).unwrap_or_default(),
        })?;
        Ok(Arc::new(Truth { ranker: ranker::TOPIC.id.to_string(), ranks: truth.ranks() }))
    }

    /// Computes ideal and chance over as many steps as areas are read at; `progress` is told how
    /// many of the random crawls are done and may stop it.
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

    /// What measures look at.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            world: &self.world,
            truth: &self.truth,
            reach: &self.reach,
            area_pages: area_pages(&self.rules, &self.reach),
            topic: self.sought.as_ref().and_then(|sought| sought.truth.as_ref()),
            bounds: self.bounds.as_ref(),
        }
    }

    /// A lane, with what it needs to move.
    pub fn lane(&mut self, at: usize) -> Option<(&mut Lane, Setting<'_>)> {
        let setting = Setting {
            world: &self.world,
            truth: &self.truth,
            reach: &self.reach,
            area_pages: area_pages(&self.rules, &self.reach),
            topic: self.sought.as_ref().and_then(|sought| sought.truth.as_ref()),
            bounds: self.bounds.as_ref(),
        };
        self.lanes.get_mut(at).map(|lane| (lane, setting))
    }

    /// Most steps a lane can take.
    pub fn max_steps(&self) -> u32 {
        let reached = match self.experiment.seeds {
            // A lane's own seeds may reach more than those that all have in common.
            Seeds::TopOwn { .. } => self.world.n_pages(),
            _ => self.reach.n_pages(),
        };
        let most = self.rules.budget.unwrap_or(u32::MAX);
        if self.experiment.revisits.is_empty() || !IS_WHOLE {
            return most.min(reached);
        }
        // As many visits as the budget allows; a policy may make fewer.
        let RevisitRules { visits, new, end_us, .. } = (&self.experiment.rules).into();
        let visits = (visits + new) * (end_us as f64 / 3.6e9);
        most.min((f64::from(reached) + visits).min(f64::from(u32::MAX)) as u32)
    }
}

/// The true ranks of an experiment's world, if it is that world.
fn truth_for(
    experiment: &Experiment,
    world: &World,
    catalogue: &Catalogue,
) -> Result<Arc<Truth>, RunError> {
    check_digest(world, &experiment.world)?;
    Run::truth_of(world, catalogue)
}

/// Refuses what would be too much, before anything is computed.
type Check = dyn Fn(&Experiment, &World, Option<&Reach>, &Catalogue) -> Result<(), RunError>;

#[cfg(feature = "whole")]
fn check_limits(
    experiment: &Experiment,
    world: &World,
    reach: Option<&Reach>,
    catalogue: &Catalogue,
) -> Result<(), RunError> {
    let limits = crate::Limits::default();
    Ok(limits.check(experiment, world, reach, catalogue).map_err(Box::new)?)
}

/// A first visit plays nothing that could be too much.
#[cfg(not(feature = "whole"))]
fn check_limits(
    _: &Experiment,
    _: &World,
    _: Option<&Reach>,
    _: &Catalogue,
) -> Result<(), RunError> {
    Ok(())
}

/// The generator of a world.
fn generator(chosen: &Chosen) -> Result<&'static WorldEntry, RunError> {
    let entry = WORLDS.iter().copied().find(|w| w.entry.id == chosen.id);
    entry.ok_or_else(|| RunError::NotBuilt(chosen.id.clone()))
}

/// Refuses a world that is not the one that was read from the source's files.
fn check_digest(world: &World, source: &WorldSource) -> Result<(), RunError> {
    let WorldSource::File { digest, names, .. } = source else { return Ok(()) };
    let found = world.digest().to_string();
    if found == *digest {
        return Ok(());
    }
    Err(RunError::OtherWorld { found, wanted: digest.clone(), names: names.clone() })
}

/// True ranks, each ranker run once.
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

/// The pages where crawls start.
///
/// # Errors
/// A seed that is no page of the world or is born later, more seeds than there are pages, or a
/// ranker that is not there.
pub fn find_seeds(
    world: &World,
    seeds: &Seeds,
    catalogue: &Catalogue,
) -> Result<Vec<PageId>, RunError> {
    let urls = match seeds {
        Seeds::Own => return Ok(world.seeds()),
        Seeds::Top { ranker, k } => return best(world, &ranker.to_string(), *k, catalogue),
        // What orderings have in common when each starts at its own.
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

/// All pages of a world by a ranker.
fn ranked(world: &World, chosen: &Chosen) -> Result<Truth, RunError> {
    let name = chosen.to_string();
    let entry = RANKERS.iter().find(|entry| entry.entry.id == chosen.id);
    let entry = entry.ok_or_else(|| RunError::no_ranker(chosen))?;
    let ranker = (entry.build)(&chosen.params);
    Ok(Truth { ranker: name, ranks: ranker.rank(&Graph::of(world)).values })
}

/// The k best pages of a world, best first; of equals the one that comes earlier.
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

/// The first page whose URL shares the longest beginning with what was asked for.
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
