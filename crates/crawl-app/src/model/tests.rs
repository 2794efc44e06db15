//! Tests of the state with answers of workers and user actions.

mod answers;
mod focus;
mod links;
mod timeline;
mod titles;
mod upload;
mod watch;

use super::*;
use crawl_catalogue::{Entry, EntryTexts, Fault, Param, ParamKind, ParamValue, TextOf};
use crawl_protocol::Seeds;
use crawl_protocol::lane::{Answer as FromLane, Command as ToLane, Frame, Oracle};
use crawl_protocol::world::{Answer as FromWorld, Command as ToWorld, Summary};
use std::borrow::Cow;

fn catalogue() -> Catalogue {
    const PAGES: &[Param] = &[Param::integer("pages", 100, 1, 1000, "")];
    const KEEP: &[Param] = &[Param::flag("keep", false, "")];
    const OF: &[Param] = &[Param::formula(
        "of",
        ParamKind::Formula {
            default: Cow::Borrowed("depth"),
            max_chars: 100,
            variables: Cow::Borrowed(&[]),
            functions: Cow::Borrowed(&[]),
        },
        |_| Ok(()),
        "",
    )];
    const LABEL: &[Param] = &[Param::naming(TextOf::Label, "of", "phones", 100, "")];
    const MARKED: &[Param] = &[
        Param::naming(TextOf::Pages, "on", "", 100, ""),
        Param::naming(TextOf::Pages, "off", "", 100, ""),
    ];
    let entry = |id, params| Entry::new(id, id, EntryTexts { params, ..EntryTexts::default() });
    Catalogue {
        entries: vec![
            (Kind::World, entry("campus", PAGES)),
            (Kind::Strategy, entry("breadth-first", &[])),
            (Kind::Strategy, entry("depth-first", &[])),
            (Kind::Strategy, entry("opic", KEEP)),
            (Kind::Strategy, entry("omniscient", &[])),
            (Kind::Strategy, entry("formula", OF)),
            (Kind::Strategy, Entry { wants_topic: true, ..entry("focused", &[]) }),
            (Kind::Topic, entry("label", LABEL)),
            (Kind::Topic, entry("marked", MARKED)),
            (Kind::Metric, entry("cumulative-pagerank", &[])),
        ],
        rules: vec![Param::integer("budget", 0, 0, 1000, "")],
    }
}

/// A state whose workers have started.
fn ready() -> State {
    let mut state = State::default();
    state.apply(Action::Ready(Rc::new(catalogue()), Vec::new()));
    state
}

fn opened(link: &str) -> (State, Vec<Effect>) {
    let mut state = ready();
    let effects = state.apply(Action::OpenLink(link.to_owned(), History::Keep));
    let task = open_task(&effects).expect("the world is asked for");
    let summary = Summary { n_pages: 10, digest: "w".to_owned(), ..Summary::default() };
    let summary = Box::new(summary);
    let effects = state.apply(Action::world(FromWorld::Opened { task, summary }));
    (state, effects)
}

fn open_task(effects: &[Effect]) -> Option<Task> {
    effects.iter().find_map(|effect| match effect {
        Effect::World(ToWorld::Open { task, .. }) => Some(*task),
        _ => None,
    })
}

fn runs(effects: &[Effect]) -> Vec<usize> {
    let lane = |effect: &Effect| match effect {
        Effect::Lane(at, ToLane::Run { .. }) => Some(*at),
        _ => None,
    };
    effects.iter().filter_map(lane).collect()
}

fn asks_bounds(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::World(ToWorld::Bounds { .. })))
}

/// A complete run of `n` steps over pages 0, 1, 2 …, one second each.
fn give_steps(state: &mut State, lane: usize, n: u32) -> Vec<Effect> {
    let task = state.lanes[lane].run;
    let steps = Steps {
        task,
        from: 0,
        progress: Progress { done: n.into(), of: n.into() },
        pages: (0..n).collect(),
        seconds: (1..=n).map(f64::from).collect(),
        scores: vec![1.0; n as usize],
        counts: std::iter::once(1).chain((0..n).map(|i| u32::from(i + 1 < n))).collect(),
        found: (0..n).collect(),
        ..Steps::default()
    };
    state.apply(Action::Steps(lane, steps))
}

fn finish(state: &mut State, lane: usize, digest: &str) {
    let task = state.lanes[lane].run;
    let answer = FromLane::Finished {
        task,
        n_steps: state.lanes[lane].n_steps(),
        digest: digest.to_owned(),
        oracle: Oracle::default(),
        counts: Vec::new(),
    };
    state.apply(Action::lane(lane, answer));
}

fn shown(effects: &[Effect], lane: usize) -> Option<(Task, u32)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Lane(at, ToLane::Show { task, step, .. }) if *at == lane => Some((*task, *step)),
        _ => None,
    })
}

fn frame(task: Task, step: u32) -> FromLane {
    FromLane::Frame(Frame {
        task,
        step,
        seconds: f64::from(step),
        n_waiting: 1,
        n_known: 2,
        in_flight: Vec::new(),
        next: Vec::new(),
        best: None,
        keeps: Vec::new(),
        value: String::new(),
        range: None,
        learning: None,
    })
}

const TWO: &str = "#v=1&world=campus&run=breadth-first,opic";

#[test]
fn a_first_visit_plays_four_lanes() {
    let (state, effects) = opened("");
    assert_eq!(runs(&effects), [0, 1, 2, 3]);
    assert!(asks_bounds(&effects));
    assert!(state.head.playing);
    assert_eq!(state.head.at, 0.0);
}

#[test]
fn a_link_with_a_place_stands_there_paused() {
    let (mut state, _) = opened(&format!("{TWO}&at=3"));
    assert!(!state.head.playing);
    give_steps(&mut state, 0, 5);
    give_steps(&mut state, 1, 5);
    assert_eq!(state.step_of(&state.lanes[0]), 3);
    let (mut state, _) = opened(&format!("{TWO}&at=3&axis=seconds"));
    give_steps(&mut state, 0, 5);
    give_steps(&mut state, 1, 5);
    assert_eq!((state.head.at, state.step_of(&state.lanes[1])), (3.0, 3));
}

#[test]
fn only_what_a_change_touches_runs_again() {
    let (mut state, _) = opened(TWO);
    let keep = Change::StrategyParam(1, "keep".to_owned(), ParamValue::Flag(true));
    let effects = state.apply(Action::Change(keep));
    assert_eq!(runs(&effects), [1]);
    assert!(!asks_bounds(&effects));
    let budget = Change::Rule("budget".to_owned(), ParamValue::Number(7.0));
    let effects = state.apply(Action::Change(budget));
    assert_eq!(runs(&effects), [0, 1]);
    assert!(asks_bounds(&effects));
    let effects = state.apply(Action::Change(Change::AddStrategy("depth-first".to_owned())));
    assert_eq!(runs(&effects), [2]);
    let pages = Change::WorldParam("pages".to_owned(), ParamValue::Number(50.0));
    let effects = state.apply(Action::Change(pages));
    assert!(open_task(&effects).is_some());
    assert!(state.lanes.is_empty(), "runs of another world are gone");
}

#[test]
fn a_change_that_does_not_fit_changes_nothing() {
    let (mut state, _) = opened(TWO);
    let before = state.experiment.clone();
    let wrong = Change::WorldParam("pages".to_owned(), ParamValue::Number(5000.0));
    assert_eq!(state.apply(Action::Change(wrong)), []);
    assert_eq!(state.experiment, before);
    assert_eq!(
        state.notice.as_deref(),
        Some("campus: pages must be a whole number, 1 to 1000, not 5000")
    );
}

#[test]
fn a_lane_keeps_its_mark_when_others_go_and_come() {
    let (mut state, _) = opened("");
    let marks = |state: &State| -> Vec<u8> {
        (0..state.lanes.len()).map(|lane| state.mark(lane)).collect()
    };
    assert_eq!(marks(&state), [0, 1, 2, 3]);
    state.apply(Action::Change(Change::RemoveStrategy(1)));
    assert_eq!(marks(&state), [0, 2, 3]);
    state.apply(Action::Change(Change::RemoveStrategy(0)));
    assert_eq!(marks(&state), [2, 3]);
    state.apply(Action::Change(Change::AddStrategy("depth-first".to_owned())));
    assert_eq!(marks(&state), [2, 3, 0]);
    // The link keeps the colours.
    let link = state.shared().expect("an experiment").to_link();
    assert!(link.contains("&marks=34"), "{link}");
    assert_eq!(marks(&opened(&link).0), [2, 3, 0]);
}

#[test]
fn one_frame_is_asked_at_a_time_and_the_latest_is_caught_up_with() {
    let (mut state, _) = opened(TWO);
    let effects = give_steps(&mut state, 0, 9);
    let (task, step) = shown(&effects, 0).expect("the frame of step 0");
    assert_eq!(step, 0);
    state.head.playing = false;
    assert_eq!(shown(&state.apply(Action::Seek(4.0)), 0), None, "one is under way");
    let effects = state.apply(Action::lane(0, frame(task, 0)));
    let (task, step) = shown(&effects, 0).expect("caught up");
    assert_eq!(step, 4);
    assert_eq!(shown(&state.apply(Action::lane(0, frame(task, 4))), 0), None);
    let old = state.apply(Action::lane(0, frame(Task(1), 7)));
    assert_eq!((old, state.lanes[0].frame.as_ref().map(|f| f.step)), (Vec::new(), Some(4)));
}

#[test]
fn stepping_forward_and_back_comes_to_the_same_place() {
    let (mut state, _) = opened(TWO);
    for lane in 0..2 {
        give_steps(&mut state, lane, 9);
    }
    state.apply(Action::Seek(5.0));
    state.apply(Action::StepBy(1));
    state.apply(Action::StepBy(-1));
    assert_eq!(state.head.at, 5.0);
    state.apply(Action::StepBy(-100));
    assert_eq!(state.head.at, 0.0);
    state.apply(Action::SeekEnd);
    state.apply(Action::StepBy(1));
    assert_eq!(state.head.at, 9.0);
    state.apply(Action::Axis(Axis::Seconds));
    state.apply(Action::StepBy(-1));
    assert_eq!(state.head.at, 8.0);
}

#[test]
fn play_waits_for_the_slowest_lane_and_starts_over_at_the_end() {
    let (mut state, _) = opened(TWO);
    give_steps(&mut state, 0, 9);
    finish(&mut state, 0, "a");
    state.apply(Action::TogglePlay);
    state.apply(Action::Tick(0.2));
    assert_eq!(state.head.at, 0.0, "lane 2 has no step yet");
    give_steps(&mut state, 1, 9);
    finish(&mut state, 1, "b");
    state.apply(Action::Tick(0.2));
    assert_eq!(state.head.at, 4.0);
    (0..9).for_each(|_| drop(state.apply(Action::Tick(0.2))));
    assert_eq!((state.head.at, state.head.playing), (9.0, false));
    state.apply(Action::TogglePlay);
    assert_eq!((state.head.at, state.head.playing), (0.0, true));
}

#[test]
fn what_is_shared_opens_as_it_was_and_is_reproduced() {
    let (mut state, _) = opened(TWO);
    let digests = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];
    for (lane, digest) in digests.iter().enumerate() {
        give_steps(&mut state, lane, 9);
        finish(&mut state, lane, digest);
    }
    state.apply(Action::Seek(4.0));
    assert_eq!(state.reproduced(), None, "no digests to compare with");
    let link = state.shared().expect("an experiment").to_link();
    let (mut again, _) = opened(&link);
    assert_eq!(again.reproduced(), None, "not yet");
    for (lane, digest) in digests.iter().enumerate() {
        give_steps(&mut again, lane, 9);
        finish(&mut again, lane, digest);
    }
    assert_eq!((again.head.at, again.reproduced()), (4.0, Some(true)));
    let (mut other, _) = opened(&link);
    for lane in 0..2 {
        give_steps(&mut other, lane, 9);
        finish(&mut other, lane, digests[0]);
    }
    assert_eq!(other.reproduced(), Some(false));
}

#[test]
fn a_lane_that_dies_is_run_again_but_not_for_ever() {
    let (mut state, _) = opened(TWO);
    for _ in 0..2 {
        let effects = state.apply(Action::LaneDied(1, "boom".to_owned()));
        assert_eq!(runs(&effects), [1]);
        assert!(state.notice.is_some());
    }
    assert!(runs(&state.apply(Action::LaneDied(1, "boom".to_owned()))).is_empty());
    assert_eq!(state.lanes[1].error.as_deref(), Some("boom"));
    assert!(state.lanes[0].error.is_none());
}

#[test]
fn broken_steps_stop_a_lane_and_nothing_else() {
    let (mut state, _) = opened(TWO);
    let task = state.lanes[0].run;
    let steps = Steps { task, from: 3, pages: vec![99], ..Steps::default() };
    state.apply(Action::Steps(0, steps));
    assert!(state.lanes[0].error.is_some());
    give_steps(&mut state, 1, 5);
    assert_eq!(state.lanes[1].n_steps(), 5);
}

#[test]
fn broken_links_say_what_is_wrong_and_what_can_be_opened() {
    let mut state = ready();
    let open = |state: &mut State, link: &str| {
        state.apply(Action::OpenLink(link.to_owned(), History::Keep));
        state.broken.clone().expect("broken")
    };
    let broken = open(&mut state, "#v=1&world=campus(pages:7)&run=opik&budget=4&x=1");
    assert_eq!(broken.error, "the link has an unknown part 'x'; did you mean 'v'?");
    let repaired = broken.repaired.clone().expect("most of it is right");
    assert_eq!(
        repaired,
        "#v=1&world=campus(pages:7)&run=breadth-first,depth-first,opic,omniscient&budget=4"
    );
    let broken =
        open(&mut state, "#v=1&world=campus&run=opic(keep:true),opik,depth-first&budget=4");
    let kept = "#v=1&world=campus&run=opic(keep:true),depth-first&budget=4";
    assert_eq!(broken.repaired.as_deref(), Some(kept), "the strategies that are right");
    assert!(open(&mut state, "#v=9&world=campus&run=opic").is_newer);
    assert_eq!(open(&mut state, "#nonsense").repaired, None);
    let effects = state.apply(Action::OpenLink(repaired, History::Push));
    assert!(open_task(&effects).is_some() && state.broken.is_none());
}

#[test]
fn lanes_part_where_their_orders_differ() {
    let (mut state, _) = opened(TWO);
    give_steps(&mut state, 0, 3);
    let task = state.lanes[1].run;
    let steps = Steps {
        task,
        from: 0,
        progress: Progress::default(),
        pages: vec![0, 2],
        seconds: vec![1.0, 2.0],
        scores: vec![1.0, 1.0],
        counts: vec![1, 2, 0],
        found: vec![0, 1, 2],
        ..Steps::default()
    };
    state.apply(Action::Steps(1, steps));
    state.apply(Action::Diverge(1, 0));
    assert_eq!(state.head.at, 1.0, "just before they part");
    assert_eq!(state.chosen, Some(ChosenPage { lane: 1, page: 2 }));
}

#[test]
fn a_worker_of_the_world_that_dies_is_told_its_world_again() {
    let (mut state, _) = opened(TWO);
    let effects = state.apply(Action::WorldDied("boom".to_owned()));
    assert!(open_task(&effects).is_some());
    assert!(state.notice.is_some());
}

#[test]
fn a_glance_counts_the_lanes_of_a_link() {
    for (link, n_lanes) in [
        ("", 4),
        ("#", 4),
        ("#v=1&world=campus&run=opic", 1),
        ("#v=1&world=web(pages:10,seed:1)&run=opic(keep:0.1,x:2),random", 2),
        ("#v=1&run=a,b,c,d,e,f", 4),
        ("#v=1&run=a),b", 2),
        ("#run=formula(of:'max(depth,1)'),opic&v=1", 2),
        ("#v=1&seeds='http://a.example/?run=a,b&c'&run=opic", 1),
        ("#v=1&world=campus", 1),
    ] {
        assert_eq!(likely_lanes(link), n_lanes, "{link}");
    }
}

fn check_task(effects: &[Effect]) -> Option<Task> {
    effects.iter().find_map(|effect| match effect {
        Effect::World(ToWorld::Check { task, .. }) => Some(*task),
        _ => None,
    })
}

fn fault() -> Fault {
    Fault { text: "dpeth".to_owned(), at: 0, message: "unknown name 'dpeth'".to_owned() }
}

fn answer(state: &mut State, task: Task, faults: Vec<Option<Fault>>) -> Vec<Effect> {
    state.apply(Action::world(FromWorld::Checked { task, faults }))
}

#[test]
fn a_formula_runs_once_it_is_known_to_be_right() {
    let (mut state, _) = opened("#v=1&world=campus&run=opic,breadth-first");
    let set = |text: &str| Change::SetStrategy(1, format!("formula(of:'{text}')"));
    let effects = state.apply(Action::Change(set("dpeth")));
    let task = check_task(&effects).expect("it is looked at");
    assert_eq!(runs(&effects), [0; 0]);
    assert_eq!(answer(&mut state, task, vec![None, Some(fault())]), []);
    assert_eq!(state.lanes[1].strategy.id, "breadth-first", "what ran goes on");
    let typed = state.typed.clone().expect("it is said");
    assert_eq!((typed.lane, &typed.fault), (1, &Some(fault())));

    let effects = state.apply(Action::Change(set("depth * 2")));
    let task = check_task(&effects).expect("it is looked at");
    assert_eq!(runs(&answer(&mut state, task, vec![None, None])), [1]);
    assert_eq!(state.lanes[1].strategy.to_string(), "formula(of:'depth * 2')");
    assert!(state.typed.is_none());
    // It is not checked again, and an old answer changes nothing.
    let rule = Change::Rule("budget".to_owned(), ParamValue::Number(5.0));
    assert_eq!(runs(&state.apply(Action::Change(rule))), [0, 1]);
    assert_eq!(answer(&mut state, task, vec![Some(fault())]), []);
    assert!(state.typed.is_none() && state.broken.is_none());
}

#[test]
fn what_is_typed_is_judged_and_changes_nothing() {
    let (mut state, _) = opened("#v=1&world=campus&run=formula");
    let text = ParamValue::Text("dpeth".to_owned());
    let typing = || Change::StrategyParam(0, "of".to_owned(), text.clone());
    let first = check_task(&state.apply(Action::Check(typing()))).expect("it is looked at");
    let second = check_task(&state.apply(Action::Check(typing()))).expect("it is looked at");
    answer(&mut state, first, vec![None]);
    answer(&mut state, second, vec![Some(fault())]);
    assert_eq!(state.typed.as_ref().and_then(|typed| typed.fault.clone()), Some(fault()));
    assert_eq!(state.lanes[0].strategy.to_string(), "formula");
}

#[test]
fn a_link_with_a_broken_formula_offers_the_rest() {
    let mut state = ready();
    let link = "#v=1&world=campus&run=opic(keep:true),formula(of:'dpeth')&budget=7";
    let open = || Action::OpenLink(link.to_owned(), History::Keep);
    let task = check_task(&state.apply(open())).expect("it is looked at");
    // The worker crashes before it answers and gets the request again.
    assert_eq!(check_task(&state.apply(Action::WorldDied(String::new()))), Some(task));
    answer(&mut state, task, vec![None, Some(fault())]);
    let broken = state.broken.clone().expect("it cannot be opened");
    assert_eq!((broken.link.as_str(), &broken.fault), (link, &Some(fault())));
    assert!(broken.error.contains("character 1"), "{}", broken.error);
    let repaired = broken.repaired.as_deref();
    assert_eq!(repaired, Some("#v=1&world=campus&run=opic(keep:true),formula&budget=7"));
    let task = check_task(&state.apply(open())).expect("it is looked at");
    assert!(open_task(&answer(&mut state, task, vec![None, None])).is_some());
}
