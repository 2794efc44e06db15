//! What a strategy keeps of its pages, as the stage shows it.

use super::lane::{Lane, direct, steps, world_for};
use crawl_protocol::Task;
use crawl_protocol::lane::{Answer, Command};
use crawl_worker::Array;

#[test]
fn values_are_those_of_the_pages_known() {
    let run = direct("#v=1&world=campus(pages:300)&run=opic");
    let mut lane = Lane::new(&run, 4.0);
    lane.hand(world_for(&run));
    lane.finish();
    let mut ask = |step: u32, name: &str| {
        lane.tell(Command::Show {
            task: Task(step),
            step,
            at_s: 0.0,
            rows: 1,
            value: name.to_owned(),
        });
        lane.finish();
        match lane.host.sent.pop().unwrap() {
            (Answer::Frame(frame), arrays) => (frame, arrays),
            other => panic!("{other:?}"),
        }
    };
    let (frame, arrays) = ask(0, "cash");
    assert_eq!(frame.keeps, ["score", "depth", "cash", "cash-handed-out", "true-pagerank"]);
    let range = frame.range.unwrap();
    assert_eq!((range.low, range.high, range.is_log), (1.0, 1.0, false), "all at the only seed");
    assert_eq!(arrays, [Array::U32(vec![run.seeds[0].0]), Array::F32(vec![0.5])]);
    // One fetch later the seed has nothing, and all of it is with those it links to.
    let (frame, arrays) = ask(1, "cash");
    let [Array::U32(pages), Array::F32(places)] = arrays.as_slice() else { panic!("{arrays:?}") };
    assert_eq!((pages.len(), places.len()), (frame.n_known as usize, frame.n_known as usize));
    let (range, n) = (frame.range.unwrap(), f64::from(frame.n_known - 1));
    assert_eq!((range.low, range.high), (0.0, 1.0 / n));
    assert!(
        places
            .iter()
            .zip(pages)
            .all(|(place, page)| { *place == if *page == run.seeds[0].0 { 0.0 } else { 1.0 } })
    );
    // Ranks go over many sizes.
    assert!(ask(100, "true-pagerank").0.range.unwrap().is_log);
    // What it does not keep it does not show.
    let (frame, arrays) = ask(100, "distance");
    assert_eq!((frame.value.as_str(), frame.range, arrays), ("distance", None, Vec::new()));
}

/// Between two fetches copies go on getting stale, and visits come nearer.
#[test]
fn staleness_is_that_of_the_moment() {
    let link = "#v=1&world=newsroom(pages:200)&run=breadth-first&revisit=adaptive&visits=100";
    let run = direct(link);
    let mut lane = Lane::new(&run, 4.0);
    lane.hand(world_for(&run));
    lane.finish();
    let n_steps = steps(&lane.host).pages.len() as u32;
    let mut ask = |at_s: f64| {
        let value = "staleness".to_owned();
        lane.tell(Command::Show { task: Task(9), step: 150, at_s, rows: 3, value });
        lane.finish();
        match lane.host.sent.pop().unwrap() {
            (Answer::Frame(frame), arrays) => (frame, arrays),
            other => panic!("{other:?}"),
        }
    };
    assert!(n_steps >= 150);
    let stale = |arrays: &[Array]| match arrays {
        [Array::U32(_), Array::F32(places)] => places.iter().filter(|place| **place > 0.0).count(),
        other => panic!("{other:?}"),
    };
    let (soon, arrays) = ask(0.0);
    let n_soon = stale(&arrays);
    assert!(soon.seconds > 0.0, "when the step was complete");
    let (later, arrays) = ask(12.0 * 3600.0);
    assert_eq!((later.step, later.seconds), (150, 12.0 * 3600.0));
    assert!(stale(&arrays) > n_soon + 10, "{n_soon} {}", stale(&arrays));
    // No earlier moment than the step's.
    assert_eq!(ask(-5.0).0.seconds, soon.seconds);
}

#[test]
fn a_fetcher_does_one_thing_at_a_time() {
    for (rules, n) in [("", 1), ("&fetchers=4", 4), ("&fetchers=8&delay=1", 8)] {
        let run = direct(&format!("#v=1&world=campus(pages:300)&run=opic{rules}"));
        let mut lane = Lane::new(&run, 4.0);
        lane.hand(world_for(&run));
        lane.finish();
        let all = steps(&lane.host);
        if n == 1 {
            assert!(all.starts.is_empty() && all.fetchers.is_empty(), "nothing to tell apart");
            continue;
        }
        assert_eq!((all.starts.len(), all.fetchers.len()), (all.pages.len(), all.pages.len()));
        let mut until = vec![0.0; n];
        for (step, fetcher) in all.fetchers.iter().enumerate() {
            let (start, end) = (all.starts[step], all.seconds[step]);
            assert!(start < end && start >= until[*fetcher as usize], "step {step}{rules}");
            until[*fetcher as usize] = end;
        }
        // Politeness may leave some without work.
        let n_used = until.iter().filter(|until| **until > 0.0).count();
        assert!(n_used > 1 && (n_used == n || rules.contains("delay")), "{n_used}{rules}");
    }
}
