//! What seeds reach, and what the ideal order and chance gather from them.

use super::{Host, Lanes, WorldWorker, fail, page_name, progress};
use crate::SLICE_MS;
use crawl_core::{Bounds, BoundsSearch, N_RANDOM_RUNS, Rules, area_pages};
use crawl_protocol::Task;
use crawl_protocol::world::{Answer, BoundsOf, Failure, Stage};
use crawl_run::find_seeds;
use crawl_world::PageId;

/// Random crawls go on for so many steps between two looks at the clock.
const STRIDE: u32 = 32;

/// Charts show chance and the ideal beyond the step at which areas are read, as far as the crawls
/// go, but no farther than this: there are twenty random crawls to run.
const CHART_STEPS: u32 = 20_000;

/// Most seeds that are named.
const MAX_SEEDS: usize = 1000;

/// Bounds on their way.
pub(super) struct BoundsJob {
    pub(super) task: Task,
    of: BoundsOf,
    started: Option<Started>,
}

struct Started {
    seeds: Vec<PageId>,
    n_reached: u32,
    search: BoundsSearch,
}

impl BoundsJob {
    pub(super) fn new(task: Task, of: BoundsOf) -> Self {
        Self { task, of, started: None }
    }
}

impl WorldWorker {
    /// Random crawls for a few milliseconds.
    pub(super) fn go_on_bounding(&mut self, host: &mut dyn Host) {
        let Some(mut job) = self.bounds.take() else { return };
        match job.started.take() {
            None => match self.start_bounding(&job, host) {
                Ok(started) => {
                    job.started = Some(started);
                    self.bounds = Some(job);
                }
                Err(failure) => fail(job.task, failure, host),
            },
            Some(mut started) => {
                let Some(present) = &self.present else { return };
                let until = host.now_ms() + SLICE_MS;
                let before = started.search.n_done();
                let mut more = true;
                while more && host.now_ms() < until {
                    more = started.search.advance(&present.world, &present.truth, STRIDE);
                }
                if more {
                    let done = started.search.n_done();
                    if done != before {
                        progress(job.task, Stage::Chance, done.into(), N_RANDOM_RUNS.into(), host);
                    }
                    job.started = Some(started);
                    self.bounds = Some(job);
                } else {
                    self.finish_bounding(job, started, host);
                }
            }
        }
    }

    fn start_bounding(&mut self, job: &BoundsJob, host: &mut dyn Host) -> Result<Started, Failure> {
        let no_world = || Failure::Words("no world is open".to_owned());
        let present = self.present.as_mut().ok_or_else(no_world)?;
        let seeds = find_seeds(&present.world, &job.of.seeds, &self.catalogue)
            .map_err(|error| Failure::Words(error.to_string()))?;
        let rules = Rules::from(&job.of.rules);
        let reach = present.world.reach(&seeds);
        let n_crawled = reach.n_pages().min(rules.budget.unwrap_or(u32::MAX));
        let n_steps = area_pages(&rules, &reach).max(n_crawled.min(CHART_STEPS));
        let search =
            BoundsSearch::new(&present.world, &present.truth, &seeds, &rules, job.of.rng, n_steps);
        let search = search.ok_or_else(|| Failure::Words("there is no chance here".to_owned()))?;
        let moved = std::mem::replace(&mut present.seeds, seeds.clone()) != seeds;
        // A layout that starts from the seeds starts from others now.
        if let Some((task, entry)) = self.laid.filter(|(_, entry)| moved && entry.from_seeds) {
            self.layout = None;
            self.lay_out(task, entry.id, host);
        }
        Ok(Started { seeds, n_reached: reach.n_pages(), search })
    }

    fn finish_bounding(&mut self, job: BoundsJob, started: Started, host: &mut dyn Host) {
        let Some(present) = &mut self.present else { return };
        let bounds: Bounds = started.search.finish();
        let seeds = started.seeds.iter().take(MAX_SEEDS);
        let answer = Answer::Bounds {
            task: job.task,
            seeds: seeds.map(|seed| page_name(&present.world, *seed)).collect(),
            n_reached: started.n_reached,
            ideal: bounds.ideal.clone(),
            random: bounds.random.clone(),
            deviation: bounds.random_deviation.clone(),
        };
        host.send(answer, Vec::new());
        present.hand_bounds_over(Lanes::All, &job.of, &bounds, host);
        present.bounds = Some((job.of, bounds));
    }
}
