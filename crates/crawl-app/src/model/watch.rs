//! The watchdog: restarts workers that owe an answer and ignore pings.
//!
//! Workers run in slices and answer pings in between. Time is counted in beats, which the page
//! sends only while it is visible: a sleeping computer, a hidden tab and a busy main thread send
//! none. A worker is pinged from its first message on, since loading its program may take long; one
//! that sends none within [`START_BEATS`] is dead too.

use super::{Effect, State, World};
use crawl_text::app::text;

/// Milliseconds between two beats.
pub const BEAT_MS: u32 = 5_000;
/// Silent beats before the first ping.
const QUIET_BEATS: u32 = 2;
/// Unanswered pings, one per beat, after which a lane worker is restarted: one minute.
const LANE_PINGS: u32 = 12;
/// The same for a world worker: ten minutes, since generating, reading and ranking are not sliced.
const WORLD_PINGS: u32 = 120;
/// Beats within which a worker must send its first message: five minutes, for slow networks.
const START_BEATS: u32 = 60;

/// A worker of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worker {
    /// The world worker.
    World,
    /// A lane worker.
    Lane(usize),
}

/// Watchdog state of one worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Watch {
    /// Whether it has sent a message since its start.
    is_up: bool,
    /// Whether something was sent to it since its last message.
    is_asked: bool,
    /// Beats since its last message while it owed an answer.
    silent: u32,
}

/// All workers: the world's, then the lanes'.
#[derive(Clone, Debug, Default)]
pub struct Watches(Vec<Watch>);

impl Watches {
    fn of(&mut self, worker: Worker) -> &mut Watch {
        let at = match worker {
            Worker::World => 0,
            Worker::Lane(lane) => 1 + lane,
        };
        if self.0.len() <= at {
            self.0.resize(at + 1, Watch::default());
        }
        &mut self.0[at]
    }
}

impl State {
    /// Resets the watch of a worker that was started.
    pub(super) fn worker_started(&mut self, worker: Worker) {
        *self.watches.of(worker) = Watch::default();
    }

    /// Resets the silence of a worker that sent a message.
    pub(super) fn message_received(&mut self, worker: Worker) {
        *self.watches.of(worker) = Watch { is_up: true, ..Watch::default() };
    }

    /// Marks the workers that owe an answer.
    pub(super) fn note_sent(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::World(_) => self.watches.of(Worker::World).is_asked = true,
                Effect::Lane(at, _) => self.watches.of(Worker::Lane(*at)).is_asked = true,
                _ => {}
            }
        }
    }

    /// Counts a beat; pings silent workers and restarts dead ones.
    pub(super) fn beat(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.count_beat(Worker::World, self.world_owes(), WORLD_PINGS, &mut effects) {
            effects.push(Effect::RestartWorld);
            effects.extend(self.world_died(text().no_answer.to_owned()));
            // All workers are new.
            self.watches = Watches::default();
            return effects;
        }
        for at in 0..self.lanes.len() {
            let worker = Worker::Lane(at);
            if self.count_beat(worker, self.lane_owes(at), LANE_PINGS, &mut effects) {
                self.worker_started(worker);
                effects.push(Effect::RestartLane(at));
                effects.extend(self.lane_died(at, text().no_answer.to_owned()));
            }
        }
        effects
    }

    /// Counts a beat of a worker that owes an answer; true if it is dead.
    fn count_beat(
        &mut self,
        worker: Worker,
        owes: bool,
        most_pings: u32,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let watch = self.watches.of(worker);
        if !(owes || watch.is_asked) {
            watch.silent = 0;
            return false;
        }
        watch.silent += 1;
        if !watch.is_up {
            return watch.silent > START_BEATS;
        }
        if watch.silent > QUIET_BEATS + most_pings {
            return true;
        }
        if watch.silent > QUIET_BEATS {
            effects.push(Effect::Ping(worker));
        }
        false
    }

    fn world_owes(&self) -> bool {
        let is_importing = self.importing.as_ref().is_some_and(|i| i.error.is_none());
        let is_opening = match self.world {
            World::Loading(_) => true,
            World::Ready(_) => self.picture.is_none() || self.bounds.is_none(),
            World::None | World::Failed(_) => false,
        };
        is_importing || is_opening
    }

    fn lane_owes(&self, at: usize) -> bool {
        self.lanes.get(at).is_some_and(|lane| {
            let asked = [lane.asked_frame, lane.asked_reasons, lane.asked_graph, lane.asked_match];
            lane.is_running() || asked.iter().any(Option::is_some)
        })
    }
}
