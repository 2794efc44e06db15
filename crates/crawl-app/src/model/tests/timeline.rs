//! Tests of messages to the timeline and of its requests.

use super::*;
use crawl_catalogue::Chosen as Picked;
use crawl_protocol::decode;
use crawl_protocol::timeline::{
    Ask, Message, Packed, Request, RowGroup, RowOrder, RowsOf, VisitFound,
};

/// Two lanes of one strategy with revisits, with runs of 5 and 4 steps.
fn revisiting() -> State {
    let (mut state, _) = opened("#v=1&world=campus&run=opic,opic");
    give_steps(&mut state, 0, 5);
    give_steps(&mut state, 1, 4);
    let experiment = Rc::make_mut(state.experiment.as_mut().unwrap());
    let policy = |id: &str| Picked { id: id.to_owned(), ..experiment.strategies[0].clone() };
    experiment.revisits = vec![policy("breadth-first"), policy("depth-first")];
    state
}

fn shown() -> (State, SentMessages) {
    let mut state = revisiting();
    state.apply(Action::Timeline(true));
    let mut sent = SentMessages::default();
    changes(&state, &mut sent);
    (state, sent)
}

fn changes(state: &State, sent: &mut SentMessages) -> Vec<Message> {
    state.timeline_changes(sent).iter().map(|bytes| decode(bytes).unwrap()).collect()
}

#[test]
fn it_is_told_all_when_it_is_shown_and_then_what_is_new() {
    let mut state = revisiting();
    let mut sent = SentMessages::default();
    assert_eq!(changes(&state, &mut sent), [], "nobody looks");
    state.apply(Action::Seek(3.0));
    state.apply(Action::Timeline(true));
    assert_eq!(state.axis(), Axis::Seconds);
    let messages = changes(&state, &mut sent);
    let [Message::Scene(scene), Message::Head { at_s, steps, is_playing }, ..] = &messages[..]
    else {
        panic!("{messages:?}");
    };
    assert_eq!((*at_s, &steps[..], *is_playing), (3.0, &[3, 3][..], false));
    assert_eq!(scene.end_s, 5.0);
    // The strategy is the same in both, so titles omit it.
    let titles: Vec<&str> = scene.lanes.iter().map(|lane| lane.title.as_str()).collect();
    assert_eq!(titles, ["breadth-first", "depth-first"]);
    assert!(scene.lanes.iter().all(|lane| lane.revisits && lane.visits_per_hour == 0.0));
    assert_eq!((scene.lanes[0].until_s, scene.lanes[1].until_s), (5.0, 4.0));
    assert_eq!(changes(&state, &mut sent), []);
    state.apply(Action::StepBy(1));
    assert!(matches!(changes(&state, &mut sent)[..], [Message::Head { at_s: 4.0, .. }]));
}

#[test]
fn questions_are_passed_on_unread() {
    let (mut state, _) = shown();
    let ask = Ask::Rows { task: Task(1), of: RowsOf::default() };
    let packed = Packed::pack(&ask).unwrap();
    let effects = state.apply(Action::TimelineRequest(Request::Ask(1, packed.clone())));
    assert_eq!(effects, [Effect::Lane(1, ToLane::Timeline(packed.clone()))]);
    // A lane that does not exist.
    assert_eq!(state.apply(Action::TimelineRequest(Request::Ask(9, packed))), []);
}

#[test]
fn a_visit_is_explained_from_just_before_it() {
    let (mut state, mut sent) = shown();
    state.head.playing = true;
    let effects = state.apply(Action::TimelineRequest(Request::Why {
        lane: 1,
        page: 3,
        step: 4,
        found: VisitFound::Same,
    }));
    assert_eq!(state.chosen, Some(ChosenPage { lane: 1, page: 3 }));
    assert_eq!((state.head.at, state.head.playing), (3.0, false));
    assert_eq!(state.visit_shown(), Some((4, VisitFound::Same)));
    let asks = |effect: &Effect| {
        matches!(effect, Effect::Lane(1, ToLane::Explain { page: 3, step: 3, .. }))
    };
    assert!(effects.iter().any(asks), "{effects:?}");
    let messages = changes(&state, &mut sent);
    assert!(matches!(&messages[0], Message::Scene(scene) if scene.chosen == Some((3, 1))));
    // Escape closes what was opened last.
    state.apply(Action::TimelineRequest(Request::Alone(Some(3))));
    state.apply(Action::Unchoose);
    assert!(state.has_timeline() && state.chosen.is_none());
    state.apply(Action::Unchoose);
    assert!(state.has_timeline() && state.alone.is_none());
    state.apply(Action::Unchoose);
    assert!(!state.has_timeline());
}

#[test]
fn wishes_change_what_is_shown() {
    let (mut state, mut sent) = shown();
    state.apply(Action::Axis(Axis::Pages));
    state.apply(Action::TimelineRequest(Request::Seek(2.5)));
    assert_eq!((state.axis(), state.head.at), (Axis::Seconds, 2.5));
    let by_host = Request::Order(RowOrder::Importance, RowGroup::Host);
    let effects = state.apply(Action::TimelineRequest(by_host));
    let link = |effect: &Effect| match effect {
        Effect::Address(link, _) => link.contains("&timeline=importance,host"),
        _ => false,
    };
    assert!(effects.iter().any(link), "{effects:?}");
    state.apply(Action::TimelineRequest(Request::Alone(Some(7))));
    let messages = changes(&state, &mut sent);
    let Message::Scene(scene) = &messages[0] else { panic!("{messages:?}") };
    assert_eq!((scene.order, scene.group), (RowOrder::Importance, RowGroup::Host));
    assert_eq!(scene.alone, Some(7));
    state.apply(Action::TimelineRequest(Request::Close));
    assert!(!state.has_timeline());
    // Timeline and link graph exclude each other.
    state.apply(Action::Graph(Some(0)));
    state.apply(Action::Timeline(true));
    assert!(state.has_timeline() && state.graph_lane().is_none());
    state.apply(Action::Graph(Some(0)));
    assert!(!state.has_timeline());
}

#[test]
fn values_that_came_before_the_picture_are_asked_for_again() {
    use crawl_protocol::world::{Nodes, Picture};
    let (mut state, _) = opened("#v=1&world=campus&run=opic&colour=staleness");
    state.head.playing = false;
    let effects = give_steps(&mut state, 0, 5);
    let (task, step) = super::shown(&effects, 0).expect("the first frame");
    let FromLane::Frame(frame) = frame(task, step) else { panic!() };
    let frame = Frame { value: "staleness".to_owned(), ..frame };
    let effects = state.apply(Action::lane(0, FromLane::Frame(frame)));
    assert_eq!(super::shown(&effects, 0), None, "it is what was asked for");
    let picture = Picture {
        nodes: Nodes::Pages,
        n_nodes: 0,
        hosts: Vec::new(),
        domain: String::new(),
        labels: Vec::new(),
        n_links_left_out: 0,
        n_pages: Vec::new(),
    };
    let task = state.wanted.picture;
    let effects = state.apply(Action::world(FromWorld::Picture { task, picture }));
    assert!(super::shown(&effects, 0).is_some(), "{effects:?}");
}

/// Copies age until the hours are over: play-head and timeline reach that far.
#[test]
fn without_visits_scrubber_and_timeline_end_with_the_hours() {
    let (mut state, mut sent) = shown();
    let hours = Param::number(HOURS, 12.0, 0.0, 100.0, "");
    let rules = Catalogue { entries: Vec::new(), rules: vec![hours] }.rules(&[]).unwrap();
    Rc::make_mut(state.experiment.as_mut().unwrap()).rules = rules;
    let messages = changes(&state, &mut sent);
    assert!(matches!(&messages[0], Message::Scene(scene) if scene.end_s == 12.0 * 3600.0));
    assert_eq!(state.end(), 12.0 * 3600.0);
    assert_eq!(state.reachable_end(), 4.0, "while they run");
    (0..2).for_each(|lane| finish(&mut state, lane, "a"));
    state.apply(Action::SeekEnd);
    assert_eq!((state.head.at, state.reachable_end()), (12.0 * 3600.0, 12.0 * 3600.0));
    // A step back from there leads to the last fetch.
    state.apply(Action::StepBy(-1));
    assert_eq!(state.head.at, 5.0);
    // The axis of pages is unchanged.
    state.apply(Action::Axis(Axis::Pages));
    assert_eq!(state.end(), 5.0);
}

/// A link's step beyond the end is limited once the end is known.
#[test]
fn no_place_is_shown_beyond_the_end() {
    let (mut state, _) = opened("#v=1&world=campus&run=opic&at=2500");
    assert_eq!((state.place(), state.known_end()), (2500.0, None));
    give_steps(&mut state, 0, 5);
    let end = state.known_end().expect("it runs");
    assert!(state.place() <= end, "{} of {end}", state.place());
}

/// Copies go stale between fetches: curve and lane values continue.
#[test]
fn what_is_known_at_every_moment_is_shown_there() {
    let mut state = revisiting();
    let metric = |name: &str, in_time: &[f32]| MetricSeries {
        name: name.to_owned(),
        steps: vec![1, 4],
        values: vec![1.0, 0.25],
        in_time: in_time.to_vec(),
        every_s: 2.0,
    };
    let metrics = vec![metric("fresh", &[-1.0, 0.8, 0.6, 0.4, 0.25]), metric("other", &[])];
    let task = state.lanes[1].run;
    state.apply(Action::Series(1, task, metrics));
    finish(&mut state, 1, "a");
    let lane = &state.lanes[1];
    let of = |axis, at| {
        lane.value_at("fresh", axis, at).map(|(place, value)| (place, (value * 1e3).round() / 1e3))
    };
    // On the axis of pages it ends at the last page; in time, at the end of the hours.
    assert_eq!(of(Axis::Pages, 9.0), Some((4.0, 0.25)));
    assert_eq!(of(Axis::Seconds, 1.0), Some((1.0, 1.0)));
    assert_eq!(of(Axis::Seconds, 6.0), Some((6.0, 0.6)));
    assert_eq!(of(Axis::Seconds, 7.0), Some((7.0, 0.5)), "on the way to the next");
    assert_eq!(of(Axis::Seconds, 99.0), Some((99.0, 0.25)));
    assert_eq!(lane.value_at("other", Axis::Seconds, 7.0), Some((4.0, 0.25)));
    // Without copies there is no value, and no line leads there.
    let gone = MetricSeries { in_time: vec![0.5, 0.5, -1.0, -1.0], ..lane.metrics[0].clone() };
    assert_eq!(gone.at_moment(5.0), Some(0.5));
    assert_eq!(gone.at_moment(6.5), None);
    let metric = lane.metric("fresh").unwrap();
    let places: Vec<f64> = lane.points(metric, Axis::Seconds).iter().map(|p| p.0).collect();
    assert_eq!(places, [1.0, 4.0, 6.0, 8.0, 10.0]);
    assert_eq!(lane.points(metric, Axis::Pages), [(1.0, 1.0), (4.0, 0.25)]);
}

/// Lanes are at different steps at the same time.
#[test]
fn a_shared_moment_opens_at_that_moment() {
    let mut state = revisiting();
    state.apply(Action::Axis(Axis::Seconds));
    state.apply(Action::Seek(3.25));
    let shared = state.shared().unwrap();
    assert_eq!((shared.at, shared.view.moment), (Some(3), Some(3.25)));
    let link = "#v=1&world=campus&run=opic,opic&at=3&axis=seconds&moment=3.25";
    let (mut again, _) = opened(link);
    give_steps(&mut again, 0, 5);
    give_steps(&mut again, 1, 2);
    assert_eq!(again.head.at, 3.25);
    assert_eq!(
        again.experiment.as_ref().unwrap().view.moment,
        None,
        "no part of what is shown next"
    );
    // A link with a step only: the earliest lane at that step sets the time.
    let (mut again, _) = opened("#v=1&world=campus&run=opic,opic&at=3&axis=seconds");
    give_steps(&mut again, 0, 5);
    give_steps(&mut again, 1, 2);
    finish(&mut again, 1, "a");
    assert_eq!(again.head.at, 3.0);
}
