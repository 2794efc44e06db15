//! Tests of the watchdog.

use super::*;
use crawl_protocol::world::Stage;

/// Two running lanes whose workers have started.
fn running() -> State {
    let (mut state, _) = opened(TWO);
    for worker in [Worker::World, Worker::Lane(0), Worker::Lane(1)] {
        state.apply(Action::MessageReceived(worker));
    }
    state
}

fn pinged(effects: &[Effect]) -> Vec<Worker> {
    let ping = |effect: &Effect| match effect {
        Effect::Ping(worker) => Some(*worker),
        _ => None,
    };
    effects.iter().filter_map(ping).collect()
}

/// Beats until something other than a ping happens; workers in `answers` answer pings.
///
/// Returns the number of pings to the others, and the effects.
fn beat_until_dead(state: &mut State, answers: &[Worker]) -> (usize, Vec<Effect>) {
    let mut unanswered = 0;
    for _ in 0..1000 {
        let effects = state.apply(Action::Beat);
        let workers = pinged(&effects);
        if workers.len() < effects.len() {
            return (unanswered, effects);
        }
        for worker in workers {
            if answers.contains(&worker) {
                state.apply(Action::MessageReceived(worker));
            } else {
                unanswered += 1;
            }
        }
    }
    (unanswered, Vec::new())
}

#[test]
fn a_lane_that_leaves_a_minute_of_pings_unanswered_is_run_again() {
    let mut state = running();
    let (unanswered, effects) = beat_until_dead(&mut state, &[Worker::World, Worker::Lane(1)]);
    assert_eq!(unanswered, 12);
    assert!(effects.contains(&Effect::RestartLane(0)), "{effects:?}");
    assert_eq!(runs(&effects), [0], "the other lane goes on");
    assert!(state.notice.as_deref().is_some_and(|notice| notice.contains("lane 1 stopped")));
}

#[test]
fn a_worker_that_never_starts_is_restarted_after_five_minutes() {
    let (mut state, _) = opened(TWO);
    for worker in [Worker::World, Worker::Lane(1)] {
        state.apply(Action::MessageReceived(worker));
    }
    let mut beats = 0;
    let effects = loop {
        beats += 1;
        let effects = state.apply(Action::Beat);
        assert!(!pinged(&effects).contains(&Worker::Lane(0)), "its program may be loading");
        if effects.contains(&Effect::RestartLane(0)) {
            break effects;
        }
        for worker in [Worker::World, Worker::Lane(1)] {
            state.apply(Action::MessageReceived(worker));
        }
        assert!(beats < 1000);
    };
    assert_eq!(beats, 61);
    assert_eq!(runs(&effects), [0], "the other lane goes on");
}

#[test]
fn workers_that_answer_or_owe_nothing_live_for_ever() {
    let mut state = running();
    let all = [Worker::World, Worker::Lane(0), Worker::Lane(1)];
    assert_eq!(beat_until_dead(&mut state, &all), (0, Vec::new()));
    // Any message counts as an answer.
    for _ in 0..100 {
        state.apply(Action::Beat);
        state.apply(Action::MessageReceived(Worker::Lane(0)));
        state.apply(Action::MessageReceived(Worker::Lane(1)));
    }
    for lane in [0, 1] {
        give_steps(&mut state, lane, 3);
        finish(&mut state, lane, "d");
        while let Some(asked) = state.lanes[lane].asked_frame {
            state.apply(Action::lane(lane, frame(asked.task, asked.step)));
        }
        state.apply(Action::MessageReceived(Worker::Lane(lane)));
    }
    let (unanswered, effects) = beat_until_dead(&mut state, &[Worker::World]);
    assert_eq!((unanswered, effects), (0, Vec::new()));
    // A request without an answer.
    state.apply(Action::Seek(2.0));
    let (_, effects) = beat_until_dead(&mut state, &[Worker::World]);
    assert!(effects.contains(&Effect::RestartLane(0)), "{effects:?}");
}

#[test]
fn a_lane_that_dies_too_often_can_be_tried_again() {
    let mut state = running();
    for _ in 0..3 {
        assert_eq!(state.lanes[0].error, None);
        state.apply(Action::MessageReceived(Worker::Lane(0)));
        beat_until_dead(&mut state, &[Worker::World, Worker::Lane(1)]);
    }
    assert!(state.lanes[0].error.is_some() && state.has_given_up(0));
    assert!(!state.has_given_up(1));
    let effects = state.apply(Action::TryAgain(Some(0)));
    assert_eq!(runs(&effects), [0]);
    assert!(state.lanes[0].error.is_none() && !state.has_given_up(0));
}

#[test]
fn a_world_worker_has_ten_minutes_and_an_import_says_that_it_stopped() {
    let mut state = running();
    state.apply(Action::Importing(vec!["large.txt".to_owned()]));
    let task = state.wanted.import;
    let lanes = [Worker::Lane(0), Worker::Lane(1)];
    let beats = |state: &mut State, n: u32| {
        for _ in 0..n {
            let effects = state.apply(Action::Beat);
            assert_eq!(pinged(&effects).len(), effects.len(), "nobody is dead: {effects:?}");
            lanes.iter().for_each(|lane| drop(state.apply(Action::MessageReceived(*lane))));
        }
    };
    // Progress reports count as answers.
    for done in 0..20 {
        beats(&mut state, 100);
        state.apply(Action::MessageReceived(Worker::World));
        let progress = Progress { done, of: 20 };
        let stage = Stage::Reading;
        state.apply(Action::world(FromWorld::Progress { task, stage, progress }));
    }
    let (unanswered, effects) = beat_until_dead(&mut state, &lanes);
    assert_eq!(unanswered, 120);
    assert_eq!(effects.first(), Some(&Effect::RestartWorld));
    assert!(open_task(&effects).is_some(), "the present world is opened again");
    assert!(state.importing.as_ref().is_some_and(|importing| importing.error.is_some()));
}

#[test]
fn a_world_that_always_dies_can_be_tried_again() {
    let mut state = running();
    for _ in 0..3 {
        state.apply(Action::WorldDied("out of memory".to_owned()));
    }
    assert!(state.has_given_up_world() && matches!(state.world, World::Failed(_)));
    assert!(open_task(&state.apply(Action::TryAgain(None))).is_some());
    assert!(!state.has_given_up_world());
}
