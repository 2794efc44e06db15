//! Baselines of a run: the ideal order, and random crawls.
//!
//! The *ideal* order takes reachable pages by true rank and ignores links; no crawl can do better.
//! *Random* is the mean of 20 random crawls under the same rules. The *area* of a run at step n is
//! the mean, over its first n steps, of the rank gathered so far. Areas are compared at N =
//! min(budget, reachable ÷ 5), since every order gathers everything in the end.

use crate::strategy::{self, StrategyContext};
use crate::{Rules, Session, Simulator, Truth};
use crawl_catalogue::Params;
use crawl_world::{PageId, Reach, Rng, World};
use std::ops::ControlFlow;

/// Number of random crawls in the baseline.
pub const N_RANDOM_RUNS: u32 = 20;

/// N: the step at which areas are compared.
pub fn area_pages(rules: &Rules, reach: &Reach) -> u32 {
    (reach.n_pages() / 5).min(rules.budget.unwrap_or(u32::MAX)).max(1)
}

/// Gathered rank and area of the ideal order and of random crawls, at each step.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Rank gathered by the ideal order; index 0 is step 1.
    pub ideal: Vec<f64>,
    /// Mean rank gathered by random crawls.
    pub random: Vec<f64>,
    /// Standard deviation of `random`.
    pub random_deviation: Vec<f64>,
    /// Area under the ideal curve.
    pub ideal_area: Vec<f64>,
    /// Mean area under the random curves.
    pub random_area: Vec<f64>,
    /// Standard deviation of `random_area`.
    pub random_area_deviation: Vec<f64>,
}

impl Bounds {
    /// Computes the bounds over the first `n_steps` steps. `progress` gets the number of finished
    /// random crawls and may cancel; then the result is `None`.
    pub fn new(
        world: &World,
        truth: &Truth,
        seeds: &[PageId],
        rules: &Rules,
        rng: u64,
        n_steps: u32,
        progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut search = BoundsSearch::new(world, truth, seeds, rules, rng, n_steps)?;
        for run in 0..N_RANDOM_RUNS {
            if progress(run).is_break() {
                return None;
            }
            while search.n_done() == run {
                search.advance(world, truth, u32::MAX);
            }
        }
        Some(search.finish())
    }

    /// Share of the area between random and ideal that a run covers: (area − random) ÷ (ideal −
    /// random). `None` if ideal − random is less than three standard deviations of random.
    pub fn gap_closed(&self, step: u32, area: f64) -> Option<f64> {
        let at = (step as usize).checked_sub(1)?;
        let random = *self.random_area.get(at)?;
        let gap = self.ideal_area[at] - random;
        let wide = gap > 0.0 && gap >= 3.0 * self.random_area_deviation[at];
        wide.then(|| (area - random) / gap)
    }
}

/// The random crawls, computed some steps at a time.
pub struct BoundsSearch {
    seeds: Vec<PageId>,
    rules: Rules,
    draws: Rng,
    ideal: Vec<f64>,
    curves: Moments,
    areas: Moments,
    /// The crawl in progress, and the rank it gathered after each step.
    crawl: Option<(Simulator, Vec<f64>)>,
    n_done: u32,
}

impl BoundsSearch {
    /// Prepares the computation of [`Bounds::new`].
    pub fn new(
        world: &World,
        truth: &Truth,
        seeds: &[PageId],
        rules: &Rules,
        rng: u64,
        n_steps: u32,
    ) -> Option<Self> {
        let reach = world.reach(seeds);
        let n = n_steps.min(reach.n_pages()) as usize;
        let mut ideal = Vec::with_capacity(n);
        let best = truth.sorted(reach.pages());
        best[..n].iter().for_each(|page| gather(&mut ideal, truth.rank(*page)));
        Some(Self {
            seeds: seeds.to_vec(),
            rules: Rules { budget: Some(n as u32), ..rules.clone() },
            draws: Rng::new(rng, "random baseline"),
            ideal,
            curves: Moments::new(n),
            areas: Moments::new(n),
            crawl: None,
            n_done: 0,
        })
    }

    /// Number of finished crawls, of [`N_RANDOM_RUNS`].
    pub fn n_done(&self) -> u32 {
        self.n_done
    }

    /// Takes at most `n_steps` steps of one crawl. Returns false when all crawls are finished.
    pub fn advance(&mut self, world: &World, truth: &Truth, n_steps: u32) -> bool {
        if self.n_done == N_RANDOM_RUNS {
            return false;
        }
        let n = self.ideal.len();
        let (crawl, curve) = self.crawl.get_or_insert_with(|| {
            let context = StrategyContext { rng: self.draws.bits(), ..StrategyContext::default() };
            let strategy = (strategy::RANDOM.build)(&Params::default(), &context);
            let session = Session::new(world, &self.seeds, strategy, self.rules.clone(), None);
            (Simulator::new(session), Vec::with_capacity(n))
        });
        for _ in 0..n_steps {
            match crawl.step(world).filter(|_| curve.len() < n) {
                Some(step) => gather(curve, truth.rank(step.page)),
                None => {
                    // A crawl that ended early gathers no more.
                    let last = curve.last().copied().unwrap_or(0.0);
                    curve.resize(n, last);
                    self.areas.add(&area(curve));
                    self.curves.add(curve);
                    self.crawl = None;
                    self.n_done += 1;
                    break;
                }
            }
        }
        self.n_done < N_RANDOM_RUNS
    }

    /// The bounds over the finished crawls.
    pub fn finish(self) -> Bounds {
        let (random, random_deviation) = self.curves.finish();
        let (random_area, random_area_deviation) = self.areas.finish();
        let ideal_area = area(&self.ideal);
        let ideal = self.ideal;
        Bounds { ideal, random, random_deviation, ideal_area, random_area, random_area_deviation }
    }
}

/// Appends the next point of a curve of gathered rank.
fn gather(curve: &mut Vec<f64>, rank: f64) {
    curve.push(curve.last().copied().unwrap_or(0.0) + rank);
}

/// Running mean of a curve.
fn area(curve: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let mean = |(i, value): (usize, &f64)| {
        sum += value;
        sum / (i + 1) as f64
    };
    curve.iter().enumerate().map(mean).collect()
}

/// Running mean and standard deviation at each step over several curves (Welford 1962).
struct Moments {
    n: f64,
    mean: Vec<f64>,
    squares: Vec<f64>,
}

impl Moments {
    fn new(n: usize) -> Self {
        Self { n: 0.0, mean: vec![0.0; n], squares: vec![0.0; n] }
    }

    fn add(&mut self, curve: &[f64]) {
        self.n += 1.0;
        for ((mean, squares), value) in self.mean.iter_mut().zip(&mut self.squares).zip(curve) {
            let before = value - *mean;
            *mean += before / self.n;
            *squares += before * (value - *mean);
        }
    }

    fn finish(mut self) -> (Vec<f64>, Vec<f64>) {
        let freedom = (self.n - 1.0).max(1.0);
        self.squares.iter_mut().for_each(|s| *s = (*s / freedom).sqrt());
        (self.mean, self.squares)
    }
}
