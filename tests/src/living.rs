//! Crawls that visit pages again, over worlds whose pages change, go, and answer with errors.

use crate::contender::{contender, truth, variants};
use crate::sketch::{Richness, Sketch};
use crawl_catalogue::{Chosen, Kind};
use crawl_core::metric::true_rate;
use crawl_core::revisit::{
    self, PageWeights, Policy, PolicyEntry, PolicyGiven, PolicyNeeds, RevisitRules, Schedule, Sees,
};
use crawl_core::strategy::Strategy;
use crawl_core::{Aids, Copies, Group, Groups, Rules, Session, Simulator, Step};
use crawl_world::{PageId, Rhythm, Rng, World, WorldBuilder};
use std::sync::Arc;

/// Microseconds of an hour.
pub const HOUR_US: f64 = 3.6e9;

/// A revisit policy with parameters.
#[derive(Clone)]
pub struct Visitor {
    /// Its entry.
    pub entry: &'static PolicyEntry,
    /// The entry and its parameters by name.
    pub chosen: Chosen,
}

/// Every policy with its defaults, and with each parameter changed.
pub fn visitors() -> Vec<Visitor> {
    let catalogue = crawl_run::catalogue();
    let of = |entry: &'static PolicyEntry| {
        let chosen = variants(&catalogue, Kind::Policy, &entry.entry);
        chosen.into_iter().map(move |chosen| Visitor { entry, chosen })
    };
    revisit::POLICIES.iter().copied().flat_map(of).collect()
}

/// The policy of a spec.
///
/// # Panics
/// If there is none.
pub fn visitor(spec: &str) -> Visitor {
    let chosen = crawl_run::catalogue().choose(Kind::Policy, spec).expect("a valid spec");
    let entry = revisit::find(&chosen.id).expect("a registered policy");
    Visitor { entry, chosen }
}

impl Visitor {
    /// Its name in messages.
    pub fn name(&self) -> String {
        self.chosen.to_string()
    }

    /// What it must be given beyond what visits tell.
    pub fn needs(&self) -> PolicyNeeds {
        (self.entry.needs)(&self.chosen.params)
    }

    /// Made for a run.
    pub fn build(&self) -> Box<dyn Policy> {
        (self.entry.build)(&self.chosen.params)
    }

    /// What it asks for, of a world.
    pub fn given(&self, world: &World) -> PolicyGiven {
        let needs = self.needs();
        let by_page = |value: &dyn Fn(PageId) -> f64| Arc::new(world.pages().map(value).collect());
        PolicyGiven {
            rates: needs.rates.then(|| by_page(&|page| true_rate(world, page))),
            weights: match needs.weights {
                PageWeights::Equal => None,
                PageWeights::Importance => Some(Arc::new(pageranks(world))),
                PageWeights::Clicks => Some(by_page(&|page| world.clicks(page).into())),
            },
        }
    }
}

fn pageranks(world: &World) -> Vec<f64> {
    let ranker = crawl_run::catalogue().choose(Kind::Ranker, "pagerank").expect("a ranker");
    truth(world, &ranker).ranks
}

/// A budget of visits an hour for so many hours, all else as it is by default.
pub fn budget(visits: f64, hours: f64) -> RevisitRules {
    RevisitRules {
        visits,
        new: 0.0,
        end_us: (hours * HOUR_US).round() as u64,
        sees: Sees::Clean,
        boilerplate: 1.0,
        not_modified: 1.0,
        sitemap_us: None,
    }
}

/// Everything about a crawl but its policy.
#[derive(Clone)]
pub struct Trip<'a> {
    /// Where.
    pub world: &'a World,
    /// From where.
    pub seeds: Vec<PageId>,
    /// In which order new pages come.
    pub ordering: &'a str,
    /// The rules of every crawl.
    pub rules: Rules,
    /// The rules of revisiting.
    pub again: RevisitRules,
    /// The seed of all chance, which decides when pages change.
    pub rng: u64,
    /// Which copies are measured together.
    pub groups: Arc<Vec<Group>>,
}

impl<'a> Trip<'a> {
    /// Breadth-first from the world's seeds, fetches taking no time.
    pub fn new(world: &'a World, again: RevisitRules) -> Self {
        Self {
            world,
            seeds: world.seeds(),
            ordering: "breadth-first",
            rules: Rules { latency_ms: 0.0, ..Rules::default() },
            again,
            rng: 1,
            groups: Arc::new(vec![Group { name: "all", weights: None }]),
        }
    }

    /// A crawl about to start.
    pub fn start(&self, visitor: &Visitor) -> Simulator {
        self.start_with(visitor.build(), visitor.given(self.world))
    }

    /// The same with a policy that need not be registered.
    pub fn start_with(&self, policy: Box<dyn Policy>, given: PolicyGiven) -> Simulator {
        let ordering = contender(self.ordering);
        let needed = ordering.given(self.world, &self.seeds);
        let aids = ordering.aids(self.world, &self.rules, &needed);
        self.start_as(ordering.build(&needed), aids, policy, given)
    }

    /// The same with an ordering that need not be registered either, and what it is given.
    pub fn start_as(
        &self,
        ordering: Box<dyn Strategy>,
        mut aids: Aids,
        policy: Box<dyn Policy>,
        given: PolicyGiven,
    ) -> Simulator {
        let Self { world, seeds, rules, again, .. } = self;
        let is_polite = Session::is_polite(rules, *world);
        aids.again = Some(Box::new(Schedule::new(policy, *again, given, is_polite)));
        let session = Session::new(*world, seeds, ordering, rules.clone(), aids);
        let groups = Arc::new(Groups::new(world.n_pages(), &self.groups));
        let copies = Copies::new(world.n_pages(), self.rng, *again, groups);
        Simulator::new(session).living(Box::new(copies))
    }

    /// Runs to the end of its hours; says how it stands there and what was done.
    pub fn finish(&self, visitor: &Visitor) -> (Simulator, Vec<Step>) {
        let mut run = self.start(visitor);
        let steps = std::iter::from_fn(|| run.step(self.world)).collect();
        run.age_until(self.again.end_us);
        (run, steps)
    }
}

/// How a page changes, as plain data.
#[derive(Clone, Debug, PartialEq)]
pub enum Habit {
    /// It does not.
    Never,
    /// At random, so often an hour.
    Poisson(f64),
    /// By a clock, or in bursts.
    Rhythm(Rhythm),
    /// At these times, in seconds.
    Recorded(Vec<f64>),
}

impl Habit {
    /// Drawn by lot, for a crawl of so many hours.
    pub fn random(rng: &mut Rng, hours: f64) -> Self {
        match rng.below(7) {
            0 => Self::Never,
            1 | 2 => Self::Poisson(*rng.pick(&[0.05, 0.3, 1.0, 4.0])),
            3 => {
                let period_s = 3600.0 * *rng.pick(&[0.5, 2.0, 3.7]);
                Self::Rhythm(Rhythm::Periodic { period_s, phase_s: period_s * rng.fraction() })
            }
            4 => Self::Rhythm(Rhythm::Bursty {
                bursts_per_hour: 0.2,
                changes_per_hour: 6.0,
                burst_s: 1800.0,
            }),
            _ => Self::recorded(rng, hours),
        }
    }

    /// Times drawn by lot.
    pub fn recorded(rng: &mut Rng, hours: f64) -> Self {
        let n = rng.below(12);
        Self::Recorded((0..n).map(|_| rng.fraction() * hours * 3600.0).collect())
    }

    fn add(&self, page: PageId, builder: &mut WorldBuilder) {
        let good = "numbers of a habit are valid";
        match self {
            Self::Never => builder.set_change_rate(page, 0.0).expect(good),
            Self::Poisson(rate) => builder.set_change_rate(page, *rate).expect(good),
            Self::Rhythm(rhythm) => builder.set_rhythm(page, *rhythm).expect(good),
            Self::Recorded(times) => {
                builder.set_change_rate(page, 0.0).expect(good);
                times.iter().for_each(|at| builder.add_change(page, *at).expect(good));
            }
        }
    }
}

/// A world with the habits of its pages.
#[derive(Clone, Debug)]
pub struct Living {
    /// Its pages.
    pub sketch: Sketch,
    /// How each changes.
    pub habits: Vec<Habit>,
    /// Since when each is gone, in seconds.
    pub gone: Vec<Option<f64>>,
    /// When each is born that is not there from the start, in seconds.
    pub born: Vec<Option<f64>>,
}

impl Living {
    /// Drawn by lot, for a crawl of so many hours.
    pub fn random(seed: u64, n_pages: usize, hours: f64) -> Self {
        let mut rng = Rng::new(seed, "living");
        let mut sketch = Sketch::random(&mut rng, n_pages, Richness::Everything);
        // Few pages of a small world are linked to, so that many must be seeds.
        sketch.seeds = (0..n_pages).filter(|_| rng.chance(0.6)).collect();
        if sketch.seeds.is_empty() {
            sketch.seeds.push(0);
        }
        let habits = (0..n_pages).map(|_| Habit::random(&mut rng, hours)).collect();
        let mut gone = || rng.chance(0.15).then(|| rng.fraction() * hours * 3600.0);
        let gone = (0..n_pages).map(|_| gone()).collect();
        Self { sketch, habits, gone, born: vec![None; n_pages] }
    }

    /// The same, where half of all pages but the seeds come within so many hours.
    #[must_use]
    pub fn with_births(mut self, seed: u64, hours: f64) -> Self {
        let mut rng = Rng::new(seed, "births");
        for (page, born) in self.born.iter_mut().enumerate() {
            let at_s = 1.0 + rng.fraction() * hours * 3600.0;
            let is_late = rng.chance(0.5) && !self.sketch.seeds.contains(&page);
            *born = is_late.then_some(at_s).filter(|_| self.gone[page].is_none());
        }
        self
    }

    /// Builds the world.
    pub fn world(&self) -> World {
        let mut builder = self.sketch.builder();
        for (page, (habit, gone)) in self.habits.iter().zip(&self.gone).enumerate() {
            let page = PageId(page as u32);
            habit.add(page, &mut builder);
            if let Some(since) = gone {
                builder.set_gone(page, *since).expect("a time after the start");
            }
            if let Some(since) = self.born[page.index()] {
                builder.set_born(page, since).expect("a time after the start");
            }
        }
        builder.finish().expect("a small world")
    }
}

/// Pages that change so, all of them seeds, none linked to another.
pub fn apart(habits: &[Habit]) -> World {
    let mut builder = WorldBuilder::new("apart");
    for (i, habit) in habits.iter().enumerate() {
        let page = builder.page(&format!("http://apart.example/{i}")).expect("a new URL");
        habit.add(page, &mut builder);
        builder.seed(page);
    }
    builder.finish().expect("a small world")
}

/// The ten pages of document C's table 1, without a home page.
pub fn table_1() -> World {
    let news = [1.0, 0.8, 0.9, 1.1, 1.2];
    let weather = [12.0, 10.0, 9.0, 11.0, 8.0].map(|hours: f64| 1.0 / hours);
    let rates = news.into_iter().chain(weather);
    apart(&rates.map(Habit::Poisson).collect::<Vec<_>>())
}
