//! Revisit crawls of worlds whose pages change, disappear and return errors.

use crate::sketch::{Richness, Sketch};
use crate::variants::{strategy_variant, truth, variants};
use crawl_catalogue::{Chosen, Kind};
use crawl_core::metric::true_rate;
use crawl_core::revisit::{
    self, PageWeights, Policy, PolicyContext, PolicyEntry, PolicyNeeds, RevisitRules, Schedule,
    Sees,
};
use crawl_core::strategy::Strategy;
use crawl_core::{Copies, Group, Groups, Rules, Session, SessionInputs, Simulator, Step};
use crawl_world::{PageId, Rhythm, Rng, World, WorldBuilder};
use std::sync::Arc;

/// Microseconds per hour.
pub const HOUR_US: f64 = 3.6e9;

/// A revisit policy with parameters.
#[derive(Clone)]
pub struct PolicyVariant {
    /// Its registry entry.
    pub entry: &'static PolicyEntry,
    /// Its id and parameters.
    pub chosen: Chosen,
}

/// Every policy with its defaults, and with each parameter changed.
pub fn policy_variants() -> Vec<PolicyVariant> {
    let catalogue = crawl_run::catalogue();
    let of = |entry: &'static PolicyEntry| {
        let chosen = variants(&catalogue, Kind::Policy, &entry.entry);
        chosen.into_iter().map(move |chosen| PolicyVariant { entry, chosen })
    };
    revisit::POLICIES.iter().copied().flat_map(of).collect()
}

/// The policy of a spec.
///
/// # Panics
/// If the spec is invalid.
pub fn policy_variant(spec: &str) -> PolicyVariant {
    let chosen = crawl_run::catalogue().choose(Kind::Policy, spec).expect("a valid spec");
    let entry = revisit::find(&chosen.id).expect("a registered policy");
    PolicyVariant { entry, chosen }
}

impl PolicyVariant {
    /// Its name in messages.
    pub fn name(&self) -> String {
        self.chosen.to_string()
    }

    /// The inputs it needs.
    pub fn needs(&self) -> PolicyNeeds {
        (self.entry.needs)(&self.chosen.params)
    }

    /// Builds the policy for a run.
    pub fn build(&self) -> Box<dyn Policy> {
        (self.entry.build)(&self.chosen.params)
    }

    /// Its context for a world.
    pub fn given(&self, world: &World) -> PolicyContext {
        let needs = self.needs();
        let by_page = |value: &dyn Fn(PageId) -> f64| Arc::new(world.pages().map(value).collect());
        PolicyContext {
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

/// Revisit rules with this many visits per hour for this many hours, otherwise default.
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

/// The parameters of a crawl, except its policy.
#[derive(Clone)]
pub struct CrawlSetup<'a> {
    /// The world.
    pub world: &'a World,
    /// The seeds.
    pub seeds: Vec<PageId>,
    /// The strategy for new pages.
    pub ordering: &'a str,
    /// The crawl rules.
    pub rules: Rules,
    /// The revisit rules.
    pub again: RevisitRules,
    /// The random seed, which determines when pages change.
    pub rng: u64,
    /// Groups of copies for measurement.
    pub groups: Arc<Vec<Group>>,
}

impl<'a> CrawlSetup<'a> {
    /// A breadth-first crawl from the world's seeds, with fetches that take no time.
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

    /// A simulator of a registered policy, before its first step.
    pub fn start(&self, policy_variant: &PolicyVariant) -> Simulator {
        self.start_with(policy_variant.build(), policy_variant.given(self.world))
    }

    /// A simulator of any policy.
    pub fn start_with(&self, policy: Box<dyn Policy>, given: PolicyContext) -> Simulator {
        let ordering = strategy_variant(self.ordering);
        let needed = ordering.given(self.world, &self.seeds);
        let inputs = ordering.inputs(self.world, &self.rules, &needed);
        self.start_as(ordering.build(&needed), inputs, policy, given)
    }

    /// A simulator of any strategy and any policy.
    pub fn start_as(
        &self,
        ordering: Box<dyn Strategy>,
        mut inputs: SessionInputs,
        policy: Box<dyn Policy>,
        given: PolicyContext,
    ) -> Simulator {
        let Self { world, seeds, rules, again, .. } = self;
        let is_polite = Session::is_polite(rules, *world);
        inputs.scheduler = Some(Box::new(Schedule::new(policy, *again, given, is_polite)));
        let session = Session::new(*world, seeds, ordering, rules.clone(), inputs);
        let groups = Arc::new(Groups::new(world.n_pages(), &self.groups));
        let copies = Copies::new(world.n_pages(), self.rng, *again, groups);
        Simulator::new(session).with_live_pages(Box::new(copies))
    }

    /// Runs to the end; returns the simulator and the steps.
    pub fn finish(&self, policy_variant: &PolicyVariant) -> (Simulator, Vec<Step>) {
        let mut run = self.start(policy_variant);
        let steps = std::iter::from_fn(|| run.step(self.world)).collect();
        run.age_until(self.again.end_us);
        (run, steps)
    }
}

/// How a page changes.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangePattern {
    /// It does not change.
    Never,
    /// Poisson process with this rate per hour.
    Poisson(f64),
    /// Periodic, or in bursts.
    Rhythm(Rhythm),
    /// At these times, in seconds.
    Recorded(Vec<f64>),
}

impl ChangePattern {
    /// A random pattern, for a crawl of `hours` hours.
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

    /// Random change times.
    pub fn recorded(rng: &mut Rng, hours: f64) -> Self {
        let n = rng.below(12);
        Self::Recorded((0..n).map(|_| rng.fraction() * hours * 3600.0).collect())
    }

    fn add(&self, page: PageId, builder: &mut WorldBuilder) {
        let good = "numbers of a pattern are valid";
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

/// A world with changing pages.
#[derive(Clone, Debug)]
pub struct ChangingWorld {
    /// The pages and links.
    pub sketch: Sketch,
    /// How each page changes.
    pub patterns: Vec<ChangePattern>,
    /// When each page disappears, in seconds.
    pub gone: Vec<Option<f64>>,
    /// When each page appears, in seconds, if not at the start.
    pub born: Vec<Option<f64>>,
}

impl ChangingWorld {
    /// A random world, for a crawl of `hours` hours.
    pub fn random(seed: u64, n_pages: usize, hours: f64) -> Self {
        let mut rng = Rng::new(seed, "living");
        let mut sketch = Sketch::random(&mut rng, n_pages, Richness::Everything);
        // Small worlds have few links, so many pages must be seeds.
        sketch.seeds = (0..n_pages).filter(|_| rng.chance(0.6)).collect();
        if sketch.seeds.is_empty() {
            sketch.seeds.push(0);
        }
        let patterns = (0..n_pages).map(|_| ChangePattern::random(&mut rng, hours)).collect();
        let mut gone = || rng.chance(0.15).then(|| rng.fraction() * hours * 3600.0);
        let gone = (0..n_pages).map(|_| gone()).collect();
        Self { sketch, patterns, gone, born: vec![None; n_pages] }
    }

    /// Half of the pages, except seeds, appear within the first `hours` hours.
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
        for (page, (pattern, gone)) in self.patterns.iter().zip(&self.gone).enumerate() {
            let page = PageId(page as u32);
            pattern.add(page, &mut builder);
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

/// A world of unlinked seed pages with these patterns.
pub fn unlinked_pages(patterns: &[ChangePattern]) -> World {
    let mut builder = WorldBuilder::new("apart");
    for (i, pattern) in patterns.iter().enumerate() {
        let page = builder.page(&format!("http://apart.example/{i}")).expect("a new URL");
        pattern.add(page, &mut builder);
        builder.seed(page);
    }
    builder.finish().expect("a small world")
}

/// The ten pages of table 1 in Wen & Lu 2004, without a home page.
pub fn table_1() -> World {
    let news = [1.0, 0.8, 0.9, 1.1, 1.2];
    let weather = [12.0, 10.0, 9.0, 11.0, 8.0].map(|hours: f64| 1.0 / hours);
    let rates = news.into_iter().chain(weather);
    unlinked_pages(&rates.map(ChangePattern::Poisson).collect::<Vec<_>>())
}
