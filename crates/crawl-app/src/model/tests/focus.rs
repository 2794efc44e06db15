//! Tests of topics and the Web link graph.

use super::*;
use crawl_protocol::lane::{Edge, Graph, Learning, Reasons, Vertex};

/// A state with a labelled world and a strategy that needs no topic.
fn shop(link: &str) -> State {
    let mut state = ready();
    let effects = state.apply(Action::OpenLink(link.to_owned(), History::Keep));
    let task = open_task(&effects).expect("the world is asked for");
    let labels = vec![("cameras".to_owned(), 4), ("laptops".to_owned(), 3)];
    let summary = Summary { n_pages: 10, digest: "w".to_owned(), labels, ..Summary::default() };
    state.apply(Action::world(FromWorld::Opened { task, summary: Box::new(summary) }));
    state
}

fn topic(state: &State) -> Option<String> {
    let topic = state.experiment.as_ref().and_then(|e| e.topic.as_ref());
    topic.map(ToString::to_string)
}

fn change(state: &mut State, change: Change) -> Vec<Effect> {
    state.apply(Action::Change(change))
}

#[test]
fn a_strategy_that_looks_for_a_topic_gets_one_that_the_world_has() {
    let mut state = shop("#v=1&world=campus&run=opic");
    let effects = change(&mut state, Change::AddStrategy("focused".to_owned()));
    assert_eq!(topic(&state).as_deref(), Some("label(of:'cameras')"));
    assert_eq!(state.topic_for.as_deref(), Some("focused"));
    // It applies to all lanes.
    assert_eq!(runs(&effects), [0, 1]);
    assert!(!asks_bounds(&effects), "what chance gathers has nothing to do with it");

    // Another label, chosen by the user: the automatic choice is no longer mentioned.
    let value = ParamValue::Text("laptops".to_owned());
    let effects = change(&mut state, Change::TopicParam("of".to_owned(), value));
    assert_eq!(topic(&state).as_deref(), Some("label(of:'laptops')"));
    assert_eq!((runs(&effects), state.topic_for.as_deref()), (vec![0, 1], None));
    // An existing topic stays.
    change(&mut state, Change::AddStrategy("focused".to_owned()));
    assert_eq!(topic(&state).as_deref(), Some("label(of:'laptops')"));
    change(&mut state, Change::Topic(String::new()));
    assert_eq!(topic(&state), None);
}

#[test]
fn without_labels_nothing_is_chosen() {
    let (mut state, _) = opened("#v=1&world=campus&run=opic");
    change(&mut state, Change::AddStrategy("focused".to_owned()));
    assert_eq!(topic(&state), None);
    // Chosen by the user, it keeps the defaults, and the worker reports the error.
    change(&mut state, Change::Topic("label".to_owned()));
    assert_eq!(topic(&state).as_deref(), Some("label"));
    let task = state.lanes[0].run;
    let learnt = Err("no such label".to_owned());
    state.apply(Action::lane(0, FromLane::Topic { task, learnt: learnt.clone() }));
    assert_eq!(state.lanes[0].topic.as_deref(), Some(&learnt));
    // Answers of an old run are ignored.
    let old = FromLane::Topic { task: Task(1), learnt: Ok(Vec::new()) };
    state.apply(Action::lane(0, old));
    assert_eq!(state.lanes[0].topic.as_deref(), Some(&learnt));
}

#[test]
fn pages_are_marked_on_one_list_or_the_other() {
    let mut state = shop("#v=1&world=campus&run=opic");
    let mut mark = |key: &str, url: &str| {
        change(&mut state, Change::Mark(key.to_owned(), url.to_owned()));
        topic(&state)
    };
    assert_eq!(mark("on", "http://a/"), None, "no topic of pages is chosen");
    change(&mut state, Change::Topic("marked".to_owned()));
    let mut mark = |key: &str, url: &str| {
        change(&mut state, Change::Mark(key.to_owned(), url.to_owned()));
        topic(&state).unwrap_or_default()
    };
    assert_eq!(mark("on", "http://a/"), "marked(on:'http://a/')");
    assert_eq!(mark("on", "http://b/"), "marked(on:'http://a/ http://b/')");
    assert_eq!(mark("off", "http://a/"), "marked(on:'http://b/',off:'http://a/')");
    assert_eq!(mark("on", "http://b/"), "marked(off:'http://a/')");
    assert_eq!(mark("off", "http://a/"), "marked");
}

/// A path of seed, page and result, with Q 90 and 100.
fn graph(task: Task) -> Graph {
    let vertex = |layer: u32, is_result, changed_in| Vertex {
        page: layer,
        url: format!("http://{layer}/"),
        anchor: String::new(),
        context: String::new(),
        is_result,
        layer,
        place: 0,
        of: 1,
        changed_in: Some(changed_in),
    };
    let edge = |from, changed_in| Edge {
        from,
        to: from + 1,
        changed_in: Some(changed_in),
        is_picked: true,
    };
    Graph {
        task,
        number: 1,
        step: 4,
        discount: 0.9,
        reward: 100.0,
        of_a_leaf: 100.0,
        settled: true,
        worth: vec![0.0, 100.0, 90.0, 81.0],
        n_vertices: 3,
        n_results: 1,
        n_edges: 2,
        n_layers: 3,
        n_places: 1,
        vertices: vec![vertex(0, false, 2), vertex(1, false, 1), vertex(2, true, 0)],
        edges: vec![edge(0, 2), edge(1, 1)],
    }
}

/// Answers the requested frame with a learning round.
fn answer_frame(state: &mut State, effects: &[Effect], learning: Learning) -> Vec<Effect> {
    let (task, step) = shown(effects, 0).expect("a frame is asked for");
    let FromLane::Frame(frame) = frame(task, step) else { panic!("no frame") };
    let frame = Frame { learning: Some(learning), ..frame };
    state.apply(Action::lane(0, FromLane::Frame(frame)))
}

fn graph_task(effects: &[Effect]) -> Option<Task> {
    effects.iter().find_map(|effect| match effect {
        Effect::Lane(0, ToLane::Graph { task, .. }) => Some(*task),
        _ => None,
    })
}

fn explain_task(effects: &[Effect]) -> Option<(Task, u32)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Lane(0, ToLane::Explain { task, page, .. }) => Some((*task, *page)),
        _ => None,
    })
}

#[test]
fn a_link_shows_the_graph_as_it_was_learnt_last() {
    let (mut state, _) = opened("#v=1&world=campus&run=opic&graph=1&at=2");
    let effects = give_steps(&mut state, 0, 10);
    // Nothing is learnt yet: no request.
    let nothing = Learning { n_results: 1, next_at: 3, ..Learning::default() };
    assert_eq!(graph_task(&answer_frame(&mut state, &effects, nothing)), None);
    assert!(state.learnt().is_none() && state.graph_lane() == Some(0));
    let effects = state.apply(Action::Seek(6.0));
    let learnt = Learning { number: 1, step: 4, n_results: 3, next_at: 6 };
    let effects = answer_frame(&mut state, &effects, learnt);
    let task = graph_task(&effects).expect("the graph is asked for");
    state.apply(Action::lane(0, FromLane::Graph(Box::new(graph(task)))));
    assert_eq!(state.sweep_shown(), 3, "all sweeps are done");
    // The same round is not requested again; before it there is none.
    let effects = state.apply(Action::Seek(7.0));
    assert_eq!(graph_task(&answer_frame(&mut state, &effects, learnt)), None);
    let effects = state.apply(Action::Seek(1.0));
    answer_frame(&mut state, &effects, nothing);
    assert!(state.learnt().is_none());
    // Escape closes it and removes it from the address.
    let effects = state.apply(Action::Unchoose);
    assert_eq!(state.graph_lane(), None);
    let address =
        effects.iter().any(|e| matches!(e, Effect::Address(link, _) if link.contains("graph")));
    assert!(!address);
}

/// A state that shows the graph.
fn with_graph() -> State {
    let (mut state, _) = opened("#v=1&world=campus&run=opic&graph=1&at=6");
    let effects = give_steps(&mut state, 0, 10);
    let learnt = Learning { number: 1, step: 4, n_results: 3, next_at: 6 };
    let effects = answer_frame(&mut state, &effects, learnt);
    let task = graph_task(&effects).expect("the graph is asked for");
    state.apply(Action::lane(0, FromLane::Graph(Box::new(graph(task)))));
    state
}

#[test]
fn sweeps_play_step_back_and_scrub() {
    let mut state = with_graph();
    let q = |state: &State| {
        let learnt = state.learnt().expect("a graph");
        let vertices: Vec<f64> = learnt.graph.vertices.iter().map(|v| learnt.of(v)).collect();
        let edges: Vec<f64> = learnt.graph.edges.iter().map(|e| learnt.of_edge(e)).collect();
        (vertices, edges)
    };
    let done = (vec![90.0, 100.0, 100.0], vec![90.0, 100.0]);
    assert_eq!(q(&state), done);
    // Playing from the end restarts.
    state.apply(Action::PlaySweeps);
    assert_eq!((state.sweep_shown(), q(&state)), (0, (vec![0.0, 0.0, 100.0], vec![0.0, 0.0])));
    state.apply(Action::Tick(1.3));
    assert_eq!((state.sweep_shown(), q(&state)), (1, (vec![0.0, 100.0, 100.0], vec![0.0, 100.0])));
    assert!(!state.head.playing, "the crawl stands still");
    let learnt = state.learnt().expect("a graph");
    let lit: Vec<bool> =
        learnt.graph.vertices.iter().map(|v| learnt.is_lit(v.changed_in)).collect();
    assert_eq!(lit, [false, true, false]);
    assert!(learnt.is_picked(&learnt.graph.edges[1]) && !learnt.is_picked(&learnt.graph.edges[0]));
    state.apply(Action::Tick(60.0));
    assert_eq!((state.sweep_shown(), state.sweeps.playing), (3, false));
    state.apply(Action::Sweep(2));
    assert_eq!(q(&state), done);
    state.apply(Action::Sweep(1));
    assert_eq!(q(&state).0[0], 0.0);
    state.apply(Action::Sweep(99));
    assert_eq!(state.sweep_shown(), 3);
    // γ · Q of the target before the sweep.
    state.apply(Action::Sweep(2));
    let learnt = state.learnt().expect("a graph");
    assert_eq!(learnt.graph.discount * learnt.before(&learnt.graph.vertices[1]), 90.0);
}

#[test]
fn a_waiting_link_is_compared_while_another_page_is_chosen() {
    let mut state = with_graph();
    let effects = state.apply(Action::Choose(ChosenPage { lane: 0, page: 3 }));
    let (first, page) = explain_task(&effects).expect("the chosen page is asked about");
    assert_eq!(page, 3);
    // One explanation request at a time.
    assert_eq!(explain_task(&state.apply(Action::Match(5))), None);
    let reasons = |task, page, matched| {
        FromLane::Reasons(Box::new(Reasons {
            task,
            step: 6,
            page,
            url: String::new(),
            title: String::new(),
            true_rank: 0.0,
            place: crawl_protocol::lane::Place::Unknown,
            why: None,
            matched,
            moves: Vec::new(),
            n_moves: 0,
        }))
    };
    let effects = state.apply(Action::lane(0, reasons(first, 3, None)));
    let (second, page) = explain_task(&effects).expect("now it is asked");
    assert_eq!(page, 5);
    state.apply(Action::lane(0, reasons(second, 5, Some(1))));
    let lane = &state.lanes[0];
    assert_eq!(lane.reasons.as_ref().map(|reasons| reasons.page), Some(3));
    assert_eq!(lane.matched.as_ref().and_then(|reasons| reasons.matched), Some(1));
}

#[test]
fn the_graph_stays_with_its_lane() {
    let (mut state, _) = opened("#v=1&world=campus&run=opic,omniscient,depth-first&graph=2");
    let graph = |state: &State| state.experiment.as_ref().and_then(|e| e.view.graph);
    change(&mut state, Change::RemoveStrategy(0));
    assert_eq!(graph(&state), Some(0));
    change(&mut state, Change::RemoveStrategy(0));
    assert_eq!(graph(&state), None);
}
