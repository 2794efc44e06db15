//! The watchdog: a worker that owes an answer and leaves pings unanswered is taken for dead.
//!
//! Workers work in slices and answer a ping between two of them. Time is counted in beats, which the
//! page sends only while it is visible: a sleeping computer, a hidden tab and a busy main thread send
//! none. A worker is watched from its first message on, since loading its program may take long.

use super::{Effect, State, World};
use crate::text::text;

/// Milliseconds between two beats.
pub const BEAT_MS: u32 = 5_000;
/// Silent beats before the first ping.
const QUIET_BEATS: u32 = 2;
/// Unanswered pings, one per beat, after which a lane's worker is dead: one minute.
const LANE_PINGS: u32 = 12;
/// The same for a world worker. Making, reading and ranking a world are not cut into slices, so it
/// has ten minutes.
const WORLD_PINGS: u32 = 120;

/// A worker of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worker {
    /// A world worker. Two exist while the program of a first visit holds the world.
    World {
        /// Whether it runs the whole program.
        is_whole: bool,
    },
    /// A lane's worker.
    Lane(usize),
}

/// What is known of one worker's silence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Watch {
    /// Whether it has sent anything since it was started.
    is_up: bool,
    /// Whether something was sent to it since its last message.
    is_asked: bool,
    /// Beats since its last message while it owed one.
    silent: u32,
}

/// All workers: those of the world by whether they are whole, then the lanes'.
#[derive(Clone, Debug, Default)]
pub struct Watches(Vec<Watch>);

/// Places of the world workers.
const N_WORLDS: usize = 2;

impl Watches {
    fn of(&mut self, worker: Worker) -> &mut Watch {
        let at = match worker {
            Worker::World { is_whole } => usize::from(is_whole),
            Worker::Lane(lane) => N_WORLDS + lane,
        };
        if self.0.len() <= at {
            self.0.resize(at + 1, Watch::default());
        }
        &mut self.0[at]
    }
}

impl State {
    /// A worker was started, or is gone: it is not watched until it sends something.
    pub(super) fn worker_started(&mut self, worker: Worker) {
        *self.watches.of(worker) = Watch::default();
    }

    /// A worker sent a message.
    pub(super) fn heard(&mut self, worker: Worker) {
        *self.watches.of(worker) = Watch { is_up: true, ..Watch::default() };
    }

    /// Notes which workers have something to answer.
    pub(super) fn note_sent(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::World(_) => {
                    for is_whole in [false, true] {
                        self.watches.of(Worker::World { is_whole }).is_asked = true;
                    }
                }
                Effect::Lane(at, _) => self.watches.of(Worker::Lane(*at)).is_asked = true,
                _ => {}
            }
        }
    }

    /// A beat passed while the page was visible.
    pub(super) fn beat(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for is_whole in [false, true] {
            let worker = Worker::World { is_whole };
            if self.count_beat(worker, self.world_owes(), WORLD_PINGS, &mut effects) {
                effects.push(Effect::RestartWorld);
                effects.extend(self.world_died(text().no_answer.to_owned()));
                // All workers are new.
                self.watches = Watches::default();
                return effects;
            }
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

    /// Counts a beat of a worker that owes something; true when it is dead.
    fn count_beat(
        &mut self,
        worker: Worker,
        owes: bool,
        most_pings: u32,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let watch = self.watches.of(worker);
        if !watch.is_up || !(owes || watch.is_asked) {
            watch.silent = 0;
            return false;
        }
        watch.silent += 1;
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
