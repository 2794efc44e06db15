//! What a topic is learnt from is told, and what is wrong with it stops nobody who needs none.

use crate::hosts::WorldDesk;
use crate::lane::{Lane, direct, world_for};
use crawl_protocol::lane::{Answer, Command};
use crawl_protocol::world::{Answer as FromWorld, Command as ToWorld, WordSteps};
use crawl_protocol::{Experiment, Task};
use crawl_run::{Run, catalogue};

const SHOP: &str = "#v=1&world=shop&run=breadth-first&budget=40";

/// What is sent by a worker that runs the link.
fn sent(link: &str) -> Vec<Answer> {
    let mut run = direct(SHOP);
    run.experiment = Experiment::from_link(link, &catalogue()).unwrap();
    let mut lane = Lane::new(&run, 1.0);
    lane.hand(world_for(&run));
    lane.finish();
    lane.host.sent.into_iter().map(|(answer, _)| answer).collect()
}

fn topic(sent: &[Answer]) -> Option<&Result<Vec<String>, String>> {
    sent.iter().find_map(|answer| match answer {
        Answer::Topic { task: Task(7), learnt } => Some(learnt),
        _ => None,
    })
}

fn is_finished(sent: &[Answer]) -> bool {
    sent.iter().any(|answer| matches!(answer, Answer::Finished { .. }))
}

#[test]
fn what_a_topic_was_learnt_from_is_told() {
    assert_eq!(topic(&sent(SHOP)), None);
    let sent = sent(&format!("{SHOP}&topic=label(of:'cameras')"));
    let told = topic(&sent).and_then(|learnt| learnt.as_ref().ok()).expect("it can be learnt");
    assert!(told[0].contains("another web"), "{told:?}");
    assert!(is_finished(&sent));
}

#[test]
fn a_topic_that_cannot_be_learnt_stops_only_those_who_need_it() {
    let link = format!("{SHOP}&topic=label(of:'boats')");
    let free = sent(&link);
    let error = topic(&free).and_then(|learnt| learnt.as_ref().err()).expect("no such label");
    assert!(error.contains("'boats'") && error.contains("cameras"), "{error}");
    assert!(is_finished(&free), "breadth-first needs no topic");
    // Under the focused loop it does.
    let focused = sent(&format!("{link}&focus=all"));
    assert!(topic(&focused).is_some_and(Result::is_err) && !is_finished(&focused));
    assert!(focused.iter().any(|answer| matches!(answer, Answer::Failed { .. })));
}

#[test]
fn orderings_without_a_link_graph_have_none() {
    let run = direct(SHOP);
    let mut lane = Lane::new(&run, 1.0);
    lane.hand(world_for(&run));
    lane.finish();
    lane.tell(Command::Graph { task: Task(3), step: 20 });
    lane.finish();
    let Some((Answer::Graph(graph), _)) = lane.host.sent.pop() else { panic!("no graph") };
    assert_eq!((graph.task, graph.number, graph.vertices.len()), (Task(3), 0, 0));
}

/// Example 1 of Zhang et al. 2010: from these seeds every page is on a way to a result.
const EXAMPLE: &str = "#v=1&world=jlse-figure-2&seeds='http://jlse.example/4','http://jlse.example/1'\
    &topic=words(of:'3%206%2010')&run=jlse(reward:100,cf:3)";

#[test]
fn the_link_graph_is_as_it_was_learnt_last() {
    let run = direct(EXAMPLE);
    let mut lane = Lane::new(&run, 1.0);
    lane.hand(world_for(&run));
    lane.finish();
    let mut learnt = Vec::new();
    for step in 0..=10 {
        let learning = lane.frame(step, 1).learning.expect("it learns there");
        lane.tell(Command::Graph { task: Task(step), step });
        lane.finish();
        let Some((Answer::Graph(graph), _)) = lane.host.sent.pop() else { panic!("no graph") };
        assert_eq!((graph.number, graph.step), (learning.number, learning.step));
        assert!(learning.next_at > learning.n_results);
        assert!(learning.step <= step);
        learnt.push(graph);
    }
    assert_eq!((learnt[9].number, learnt[9].vertices.len()), (0, 0));
    let graph = &learnt[10];
    assert_eq!((graph.number, graph.n_vertices, graph.n_edges, graph.n_results), (1, 10, 11, 3));
    assert_eq!(graph.worth, [0.0, 100.0, 90.0, 81.0, 81.0 * 0.9]);
    let mut q: Vec<(u32, f64)> = graph
        .vertices
        .iter()
        .map(|vertex| {
            let name = vertex.url.rsplit('/').next().and_then(|name| name.parse().ok());
            let changed_in = vertex.changed_in.expect("all lead to a result") as usize;
            (name.expect("a number"), graph.worth[changed_in])
        })
        .collect();
    q.sort_by_key(|(name, _)| *name);
    let printed = [90, 100, 0, 90, 100, 0, 90, 90, 100, 0].map(f64::from);
    assert_eq!(q, (1..=10).zip(printed).collect::<Vec<_>>());
    // Each vertex that is no result has picked one link, and its Q is that link's.
    for (at, vertex) in graph.vertices.iter().enumerate() {
        let picked: Vec<_> =
            graph.edges.iter().filter(|e| e.is_picked && e.from == at as u32).collect();
        assert_eq!(picked.len(), usize::from(!vertex.is_result), "{}", vertex.url);
        assert!(picked.iter().all(|edge| edge.changed_in == vertex.changed_in));
    }
}

#[test]
fn a_world_says_its_labels_and_texts_go_through_every_step() {
    let mut desk = WorldDesk::new();
    let source = Experiment::from_link(SHOP, &catalogue()).unwrap().world;
    let world = Run::make_world(&source).unwrap();
    let sent = desk.tell(ToWorld::Open { task: Task(1), source, layout: String::new() }, &[]);
    let labels = sent.into_iter().find_map(|(answer, _)| match answer {
        FromWorld::Opened { summary, .. } => Some(summary.labels),
        _ => None,
    });
    let labels = labels.expect("it is opened");
    let names: Vec<&str> = labels.iter().map(|(label, _)| label.as_str()).collect();
    for goods in ["phones", "cameras", "laptops"] {
        assert!(names.contains(&goods), "{names:?}");
    }
    assert!(!names.iter().any(|name| name.ends_with("-related")), "{names:?}");
    for (label, n) in &labels {
        let having = world.pages().filter(|page| world.has_topic(*page, label)).count();
        assert_eq!(having as u32, *n, "{label}");
    }

    let text = "The Cameras 数码相机".to_owned();
    let sent = desk.tell(ToWorld::Words { task: Task(2), text }, &[]);
    let Some((FromWorld::Words { task: Task(2), words }, _)) = sent.into_iter().next() else {
        panic!("no words");
    };
    let word = |segmented: &str, lowered: &str, word: Option<&str>| WordSteps {
        segmented: segmented.to_owned(),
        lowered: lowered.to_owned(),
        word: word.map(str::to_owned),
    };
    assert_eq!(words[..2], [word("The", "the", None), word("Cameras", "cameras", Some("camera"))]);
    assert_eq!(words.len(), 5);
    let text = "word ".repeat(1000);
    let sent = desk.tell(ToWorld::Words { task: Task(3), text }, &[]);
    assert!(matches!(&sent[0].0, FromWorld::Words { words, .. } if words.len() == 100));
}
