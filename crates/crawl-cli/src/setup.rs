//! Builds an experiment and its world from flags or a link.
//!
//! Flags are first written as a link, which is then parsed: everything that runs can be linked.

use crate::args::ExperimentArgs;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::world_source::{self, Loaded};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_protocol::{Experiment, Seeds, View, WorldSource};
use crawl_run::Run;

/// The default strategy.
const DEFAULT_STRATEGY: &str = "breadth-first";

/// An experiment, and its world if it was read from a file.
pub struct Setup {
    /// The experiment.
    pub experiment: Experiment,
    loaded: Option<Loaded>,
    no_limits: bool,
}

impl Setup {
    /// Reads the flags, or the link if one is given.
    pub fn read(args: &ExperimentArgs, catalogue: &Catalogue) -> Outcome<Self> {
        match &args.link {
            Some(link) => Self::from_link(link, args, catalogue),
            None => Self::from_flags(args, catalogue),
        }
    }

    fn from_link(link: &str, args: &ExperimentArgs, catalogue: &Catalogue) -> Outcome<Self> {
        let mut experiment = Experiment::from_link(link, catalogue)?;
        experiment.at = args.at.or(experiment.at);
        let loaded = match (&args.world, &experiment.world) {
            (None, _) => None,
            (Some(name), WorldSource::File { .. }) => {
                Some(world_source::load(name, &args.file, catalogue)?)
            }
            (Some(_), source @ WorldSource::Made(_)) => {
                return Err(Failure::input(format!(
                    "the link names a built-in world, {source}; remove --world"
                )));
            }
        };
        Ok(Self { experiment, loaded, no_limits: args.file.no_limits })
    }

    fn from_flags(args: &ExperimentArgs, catalogue: &Catalogue) -> Outcome<Self> {
        let name = args.world.as_deref().unwrap_or_default();
        let strategies = match args.strategy.as_slice() {
            [] => vec![catalogue.choose(Kind::Strategy, DEFAULT_STRATEGY)?],
            given => given
                .iter()
                .map(|spec| catalogue.choose(Kind::Strategy, spec))
                .collect::<Result<Vec<Chosen>, _>>()?,
        };
        let revisits = args.revisit.iter().map(|spec| catalogue.choose(Kind::Policy, spec));
        let revisits = revisits.collect::<Result<Vec<Chosen>, _>>()?;
        let topic =
            args.topic.as_ref().map(|spec| catalogue.choose(Kind::Topic, spec)).transpose()?;
        let rules = catalogue.rules(&args.rules.given)?;
        // Everything that is quick to check has been checked before a file is read.
        let (world, loaded) = match world_source::made_source(name, &args.file, catalogue)? {
            Some(source) => (source, None),
            None => {
                let loaded = world_source::load(name, &args.file, catalogue)?;
                (loaded.source.clone(), Some(loaded))
            }
        };
        let flags = Experiment {
            world,
            seeds: Seeds::urls(args.seed_url.clone()),
            topic,
            strategies,
            revisits,
            rules,
            rng: args.rng,
            at: args.at,
            digests: Vec::new(),
            view: View::default(),
        };
        let mut link = flags.to_link();
        if let Some(seeds) = &args.seeds {
            link.push_str("&seeds=");
            link.push_str(seeds);
        }
        let experiment = Experiment::from_link(&link, catalogue)?;
        Ok(Self { experiment, loaded, no_limits: args.file.no_limits })
    }

    /// Generates the world unless it was read, and sets up the run.
    pub fn start(self, catalogue: &Catalogue) -> Outcome<(Run, Loaded)> {
        let loaded = match self.loaded {
            Some(loaded) => loaded,
            None => world_source::make(self.experiment.world.clone(), self.no_limits)?,
        };
        let _busy = Progress::spinner("ranking all pages");
        let world = loaded.world.clone();
        let run = if self.no_limits {
            Run::new_unlimited(self.experiment, world, catalogue)
        } else {
            Run::new(self.experiment, world, catalogue)
        };
        Ok((run?, loaded))
    }
}

/// A warning if the seeds reach less than half of the pages.
pub fn reach_warning(run: &Run) -> Option<String> {
    let (reached, pages) = (run.reach.n_pages(), run.world.n_pages());
    let few = u64::from(reached) * 2 < u64::from(pages);
    few.then(|| {
        let from = match run.seeds.as_slice() {
            [page] if run.world.is_numbered() => format!("page {} reaches", page.0),
            [page] => format!("{} reaches", crate::terminal::plain(&run.world.url(*page))),
            seeds => format!("the {} seeds reach", seeds.len()),
        };
        let [reached, pages] = [reached, pages].map(crate::terminal::grouped);
        format!("{from} only {reached} of {pages} pages; choose other seeds with --seed-url")
    })
}
