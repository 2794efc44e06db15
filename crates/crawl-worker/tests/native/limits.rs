//! A lane whose experiment would never end says so, and is ready for another.

use crate::hosts::{LaneHost, WorldDesk};
use crate::lane::{direct, world_for};
use crawl_catalogue::Kind;
use crawl_protocol::lane::{Answer, Command};
use crawl_protocol::world::{self, Failure};
use crawl_protocol::{Experiment, Task, WorldSource};
use crawl_run::catalogue;
use crawl_worker::lane::LaneWorker;

const TWO: &str = "#v=1&world=campus&run=breadth-first,opic&revisit=uniform,uniform";

/// What the first lane of a link answers, on a worker that has its world.
fn answers(worker: &mut LaneWorker, host: &mut LaneHost, link: &str) -> Vec<Answer> {
    let experiment = Box::new(Experiment::from_link(link, &catalogue()).unwrap());
    let command = Command::Run { task: Task(7), experiment, lane: 0, opened: Task(3) };
    worker.command(command, host);
    while worker.work(host) {}
    std::mem::take(&mut host.sent).into_iter().map(|(answer, _)| answer).collect()
}

#[test]
fn a_lane_that_would_never_end_says_why_and_takes_another_run() {
    let mut host = LaneHost::new(1.0);
    let mut worker = LaneWorker::new("test");
    let (handover, arrays) = world_for(&direct("#v=1&world=campus&run=opic&budget=3"));
    worker.handover(handover, arrays, &mut host);
    for rules in [
        "hours=1000000&visits=1000000000",
        // Each lane alone would fit.
        "hours=1000&visits=3000",
    ] {
        let answers = answers(&mut worker, &mut host, &format!("{TWO}&{rules}"));
        let [Answer::Failed { task: Task(7), error }] = answers.as_slice() else {
            panic!("not refused: {rules}")
        };
        let said = "visits; at most 4,000,000 fit: try hours=";
        assert!(error.starts_with("this run would make about ") && error.contains(said), "{error}");
    }
    let fits = answers(&mut worker, &mut host, &format!("{TWO}&hours=1&visits=1000"));
    assert!(matches!(fits.last(), Some(Answer::Finished { .. })), "{fits:?}");
}

#[test]
fn a_world_or_a_ranker_that_would_be_too_much_is_refused_with_what_fits() {
    let catalogue = catalogue();
    let made = |spec| WorldSource::Made(catalogue.choose(Kind::World, spec).unwrap());
    let ranker = |spec| catalogue.choose(Kind::Ranker, spec).unwrap();
    let mut desk = WorldDesk::new();
    let slow = [ranker("pagerank"), ranker("opic(tolerance:1e-14,sweeps:10000)")];
    for command in [
        world::Command::Rank { task: Task(5), source: made("web(pages:20000)"), rankers: slow },
        world::Command::Rank {
            task: Task(5),
            source: made("web(pages:1000000,links:30)"),
            rankers: [ranker("pagerank"), ranker("hits")],
        },
    ] {
        let sent = desk.tell(command, &[]);
        let failed = sent.iter().find_map(|(answer, _)| match answer {
            world::Answer::Failed { failure: Failure::Words(why), .. } => Some(why),
            _ => None,
        });
        let why = failed.expect("refused");
        assert!(why.contains(" fit: try "), "{why}");
    }
}
