//! Answers take effect once, however often the action is cloned.

use super::*;

#[test]
fn an_answer_takes_effect_once_while_copies_of_its_action_are_held() {
    let mut state = ready();
    let effects = state.apply(Action::OpenLink(TWO.to_owned(), History::Keep));
    let task = open_task(&effects).expect("the world is asked for");
    let summary = Box::new(Summary { n_pages: 10, ..Summary::default() });
    let opened = Action::world(FromWorld::Opened { task, summary });
    let copy = opened.clone();
    assert_eq!(runs(&state.apply(opened)), [0, 1]);
    assert_eq!(state.apply(copy), [], "the runs are started once");

    let effects = give_steps(&mut state, 1, 4);
    let (task, step) = shown(&effects, 1).expect("a frame is asked for");
    let answer = Action::lane(1, frame(task, step));
    let copy = answer.clone();
    state.apply(answer);
    assert_eq!(state.lanes[1].frame.as_ref().map(|frame| frame.step), Some(step));
    assert_eq!(state.lanes[1].asked_frame, None);
    state.apply(copy);
}
