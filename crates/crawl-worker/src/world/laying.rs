//! Laying out, some milliseconds at a time, shown while it settles.

use super::{Host, WorldWorker};
use crate::{Array, SLICE_MS};
use crawl_layout::{Layout, Progress, spacing};
use crawl_protocol::Task;
use crawl_protocol::world::Answer;

/// Milliseconds of work after which nodes are first shown: small worlds come in one message.
const FIRST_MS: f64 = 60.0;
/// Milliseconds of work between later messages, and how many times what one costs at least.
const NEXT_MS: f64 = 120.0;
const COSTS: f64 = 5.0;

/// A layout under way.
pub(super) struct LayoutJob {
    pub(super) task: Task,
    laying: Box<dyn Layout>,
    /// Node visits that fit into a slice, as far as is known.
    budget: f64,
    work_ms: f64,
    due_ms: f64,
    shown: bool,
}

impl LayoutJob {
    pub(super) fn new(task: Task, laying: Box<dyn Layout>) -> Self {
        let (budget, due_ms) = (2000.0, FIRST_MS);
        Self { task, laying, budget, work_ms: 0.0, due_ms, shown: false }
    }

    /// True when nodes were shown once.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    fn slice(&mut self, host: &mut dyn Host) -> bool {
        let from = host.now_ms();
        let mut progress = self.laying.step(self.budget as u32);
        let mut spent = host.now_ms() - from;
        while spent < SLICE_MS / 2.0 && !progress.is_done() {
            progress = self.laying.step(self.budget as u32);
            spent = host.now_ms() - from;
            if spent < SLICE_MS / 2.0 {
                self.budget = (self.budget * 1.5).min(1e6);
            }
        }
        if spent > SLICE_MS {
            self.budget = (self.budget * SLICE_MS / spent).max(50.0);
        }
        self.work_ms += spent;
        if progress.is_done() || self.work_ms >= self.due_ms {
            let from = host.now_ms();
            self.show(progress, host);
            self.work_ms = 0.0;
            self.due_ms = NEXT_MS.max(COSTS * (host.now_ms() - from));
        }
        progress.is_done()
    }

    fn show(&mut self, progress: Progress, host: &mut dyn Host) {
        let positions = self.laying.positions();
        let answer = Answer::Positions {
            task: self.task,
            progress: crawl_protocol::Progress { done: progress.done, of: progress.of },
            spacing: spacing(&positions),
            rings: self.laying.rings(),
        };
        host.send(answer, vec![Array::F32(positions)]);
        self.shown = true;
    }
}

impl WorldWorker {
    pub(super) fn go_on_laying_out(&mut self, host: &mut dyn Host) {
        if self.layout.as_mut().is_some_and(|job| job.slice(host)) {
            self.layout = None;
        }
    }
}
