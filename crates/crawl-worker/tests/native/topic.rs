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
