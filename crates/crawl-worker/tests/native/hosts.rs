//! Hosts that write down what they are told, with a clock that goes on at every look.

use crawl_worker::{Array, lane};
use std::cell::Cell;

/// A lane worker's host.
pub struct LaneHost {
    /// What was sent.
    pub sent: Vec<(lane::Answer, Vec<Array>)>,
    clock: Clock,
}

impl LaneHost {
    /// Its clock goes on by so much at every look.
    pub fn new(tick_ms: f64) -> Self {
        Self { sent: Vec::new(), clock: Clock::new(tick_ms) }
    }
}

impl lane::Host for LaneHost {
    fn now_ms(&self) -> f64 {
        self.clock.now_ms()
    }

    fn send(&mut self, answer: lane::Answer, arrays: Vec<Array>) {
        self.sent.push((answer, arrays));
    }
}

struct Clock {
    now_ms: Cell<f64>,
    tick_ms: f64,
}

impl Clock {
    fn new(tick_ms: f64) -> Self {
        Self { now_ms: Cell::new(0.0), tick_ms }
    }

    fn now_ms(&self) -> f64 {
        self.now_ms.set(self.now_ms.get() + self.tick_ms);
        self.now_ms.get()
    }
}
