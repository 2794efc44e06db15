//! Time travel: go to any step of a run, forward or back.
//!
//! Going back replays from the nearest checkpoint. Checkpoints are clones of the simulation; their
//! spacing doubles when they exceed [`MAX_CHECKPOINT_BYTES`].

use crate::{Move, Simulator, Step, UrlId, VisitKind};
use crawl_world::{PageId, World};

/// Maximum memory of a run's checkpoints, in bytes.
const MAX_CHECKPOINT_BYTES: usize = 64 << 20;
/// Steps between the first checkpoints.
const FIRST_SPACING: u32 = 256;

/// Log of all steps up to the farthest one reached.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Page fetched at each step.
    pub pages: Vec<PageId>,
    /// Score it was chosen with.
    pub scores: Vec<f64>,
    /// Completion time, in microseconds.
    pub at_us: Vec<u64>,
    /// Kind of visit; empty without revisits.
    pub visits: Vec<VisitKind>,
}

/// A run that can go to any step.
pub struct Travel {
    now: Simulator,
    start: Simulator,
    checkpoints: Vec<(u32, Simulator)>,
    spacing: u32,
    trace: Trace,
    last: Option<Step>,
    n_first: u32,
    finished: bool,
}

impl Travel {
    /// A run before its first step.
    pub fn new(start: Simulator) -> Self {
        Self {
            now: start.clone(),
            start,
            checkpoints: Vec::new(),
            spacing: FIRST_SPACING,
            trace: Trace::default(),
            last: None,
            n_first: 0,
            finished: false,
        }
    }

    /// The current step: number of completed fetches.
    pub fn at(&self) -> u32 {
        self.now.session().n_steps()
    }

    /// The farthest step reached.
    pub fn farthest(&self) -> u32 {
        self.trace.pages.len() as u32
    }

    /// True if the farthest step is the last one of the run.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The simulation at the current step.
    pub fn now(&self) -> &Simulator {
        &self.now
    }

    /// The log of all steps.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Takes one step forward; `None` at the end.
    pub fn forward(&mut self, world: &World) -> Option<Step> {
        let Some(step) = self.now.step(world) else {
            self.finished = true;
            return None;
        };
        if step.number > self.farthest() {
            self.last = Some(step);
            self.n_first += u32::from(step.visit == VisitKind::First);
            self.trace.pages.push(step.page);
            self.trace.scores.push(step.score);
            self.trace.at_us.push(step.at_us);
            if self.now.copies().is_some() {
                self.trace.visits.push(step.visit);
            }
            self.keep_checkpoint();
        }
        Some(step)
    }

    /// The farthest step reached.
    pub fn last_step(&self) -> Option<Step> {
        self.last
    }

    /// Number of pages fetched up to the farthest step.
    pub fn n_first(&self) -> u32 {
        self.n_first
    }

    /// Goes to a step, or to the end if the run is shorter; returns the current step.
    pub fn seek(&mut self, world: &World, step: u32) -> u32 {
        let before = self.checkpoints.partition_point(|(at, _)| *at <= step);
        let nearest = before.checked_sub(1).map(|i| &self.checkpoints[i]);
        let nearest_at = nearest.map_or(0, |(at, _)| *at);
        if step < self.at() || nearest_at > self.at() {
            self.now = nearest.map_or(&self.start, |(_, checkpoint)| checkpoint).clone();
        }
        while self.at() < step && self.forward(world).is_some() {}
        self.at()
    }

    /// All changes of a URL's score up to the current step, by a replay from before its discovery.
    pub fn moves(&self, world: &World, url: UrlId) -> Vec<Move> {
        let knows = |s: &Simulator| s.session().book().n_discovered() > url.0;
        if !knows(&self.now) {
            return Vec::new();
        }
        let before = self.checkpoints.partition_point(|(_, checkpoint)| !knows(checkpoint));
        let mut replay = match before.checked_sub(1).map(|i| &self.checkpoints[i]) {
            Some((at, checkpoint)) if *at <= self.at() => checkpoint.clone(),
            _ => self.start.clone(),
        };
        let mut watched = false;
        loop {
            if !watched && knows(&replay) {
                replay.session_mut().watch(url);
                watched = true;
            }
            if replay.session().n_steps() >= self.at() || replay.step(world).is_none() {
                return replay.session().moves().to_vec();
            }
        }
    }

    /// Memory of the checkpoints, in bytes.
    pub fn checkpoint_bytes(&self) -> usize {
        self.checkpoints.iter().map(|(_, checkpoint)| checkpoint.bytes()).sum()
    }

    fn keep_checkpoint(&mut self) {
        if !self.at().is_multiple_of(self.spacing) {
            return;
        }
        // Make room before cloning, to avoid a clone that is dropped at once.
        let (at, bytes) = (self.at(), self.now.bytes());
        let new = |spacing| if at.is_multiple_of(spacing) { bytes } else { 0 };
        while self.checkpoint_bytes() + new(self.spacing) > MAX_CHECKPOINT_BYTES {
            self.spacing = self.spacing.saturating_mul(2);
            let spacing = self.spacing;
            self.checkpoints.retain(|(at, _)| at.is_multiple_of(spacing));
        }
        if at.is_multiple_of(self.spacing) {
            self.checkpoints.push((at, self.now.clone()));
        }
    }
}
