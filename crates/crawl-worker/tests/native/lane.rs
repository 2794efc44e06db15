//! A lane worker gives the run that `crawl-run` gives, however its work is cut and whatever it is
//! asked in between.

use crate::hosts::LaneHost;
use crawl_core::strategy::STRATEGIES;
use crawl_protocol::lane::{Answer, Command, Frame, Place, Reasons, Why};
use crawl_protocol::world::{BoundsOf, Handover};
use crawl_protocol::{Experiment, Seeds, Task};
use crawl_run::{GAP_CLOSED, Run, catalogue};
use crawl_worker::Array;
use crawl_worker::lane::LaneWorker;
use std::ops::ControlFlow;
use std::sync::Arc;

fn experiment(link: &str) -> Experiment {
    Experiment::from_link(link, &catalogue()).unwrap()
}

/// The run as the command line makes it, to its end.
pub(super) fn direct(link: &str) -> Run {
    let experiment = experiment(link);
    let world = Arc::new(Run::make_world(&experiment.world).unwrap());
    let mut run = Run::new(experiment, world, &catalogue()).unwrap();
    run.compute_bounds(&mut |_| ControlFlow::Continue(()));
    let (lane, setting) = run.lane(0).unwrap();
    assert!(lane.finish(&setting, &mut |_| ControlFlow::Continue(())).is_continue());
    run
}

/// The request by which worlds here are opened.
const OPENED: Task = Task(3);

pub(super) fn world_for(run: &Run) -> (Handover, Vec<Array>) {
    let digest = run.world.digest().to_string();
    let flat = crawl_import::flat::encode(&run.world);
    let arrays = vec![Array::U8(flat), Array::F64(run.truth.ranks.clone())];
    (Handover::World { opened: OPENED, digest, ranker: run.truth.ranker.clone() }, arrays)
}

pub(super) fn bounds_for(run: &Run) -> (Handover, Vec<Array>) {
    let Experiment { seeds, rules, rng, .. } = run.experiment.clone();
    let bounds = run.bounds.clone().unwrap();
    let of = BoundsOf { seeds, rules, rng };
    let curves = [
        bounds.ideal,
        bounds.random,
        bounds.random_deviation,
        bounds.ideal_area,
        bounds.random_area,
        bounds.random_area_deviation,
    ];
    let digest = run.world.digest().to_string();
    (Handover::Bounds { digest, of }, curves.map(Array::F64).to_vec())
}

pub(super) struct Lane {
    worker: LaneWorker,
    pub(super) host: LaneHost,
}

impl Lane {
    /// A worker told to run, whose clock goes on by so much at every look.
    pub(super) fn new(run: &Run, tick_ms: f64) -> Self {
        Self::nth(run, 0, tick_ms)
    }

    /// The same for any lane of the experiment, counted from 0.
    pub(super) fn nth(run: &Run, at: u32, tick_ms: f64) -> Self {
        let mut lane = Self { worker: LaneWorker::new("test"), host: LaneHost::new(tick_ms) };
        let command = Command::Run {
            task: Task(7),
            experiment: Box::new(run.experiment.clone()),
            lane: at,
            opened: OPENED,
        };
        lane.tell(command);
        lane
    }

    pub(super) fn tell(&mut self, command: Command) {
        self.worker.command(command, &mut self.host);
    }

    pub(super) fn hand(&mut self, (message, arrays): (Handover, Vec<Array>)) {
        self.worker.handover(message, arrays, &mut self.host);
    }

    fn work(&mut self) -> bool {
        self.worker.work(&mut self.host)
    }

    pub(super) fn finish(&mut self) {
        while self.work() {}
    }

    pub(super) fn frame(&mut self, step: u32, rows: u32) -> Frame {
        self.tell(Command::Show { task: Task(step), step, at_s: 0.0, rows, value: String::new() });
        self.finish();
        match self.host.sent.pop().unwrap().0 {
            Answer::Frame(frame) => frame,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn reasons(&mut self, step: u32, page: u32) -> Reasons {
        self.tell(Command::Explain { task: Task(1), step, page });
        self.finish();
        match self.host.sent.pop().unwrap().0 {
            Answer::Reasons(reasons) => *reasons,
            other => panic!("{other:?}"),
        }
    }
}

/// All steps that were sent, put together.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) pages: Vec<u32>,
    pub(super) seconds: Vec<f64>,
    scores: Vec<f64>,
    counts: Vec<u32>,
    entered: Vec<u32>,
    pub(super) starts: Vec<f64>,
    pub(super) fetchers: Vec<u32>,
    n_messages: usize,
}

pub(super) fn steps(host: &LaneHost) -> Steps {
    let mut all = Steps::default();
    for (answer, arrays) in &host.sent {
        if let Answer::Steps { task, from, progress } = answer {
            assert_eq!((*task, *from as usize), (Task(7), all.pages.len()));
            let [
                Array::U32(pages),
                Array::F64(seconds),
                Array::F64(scores),
                Array::U32(counts),
                Array::U32(entered),
                Array::F64(starts),
                Array::U32(fetchers),
            ] = arrays.as_slice()
            else {
                panic!("{arrays:?}");
            };
            assert_eq!(counts.len(), pages.len() + usize::from(*from == 0));
            all.pages.extend(pages);
            all.seconds.extend(seconds);
            all.scores.extend(scores);
            all.counts.extend(counts);
            all.entered.extend(entered);
            all.starts.extend(starts);
            all.fetchers.extend(fetchers);
            all.n_messages += 1;
            assert_eq!(progress.done, all.pages.len() as u64);
            assert!(progress.done <= progress.of);
        }
    }
    all
}

/// The last series of each measure.
fn series(host: &LaneHost) -> Vec<(String, Vec<(u32, f64)>)> {
    let mut last = Vec::new();
    for (answer, arrays) in &host.sent {
        if let Answer::Series { names, .. } = answer {
            assert_eq!(arrays.len(), names.len() * 3);
            let points = |at: usize| match (&arrays[3 * at], &arrays[3 * at + 1]) {
                (Array::U32(steps), Array::F64(values)) => {
                    steps.iter().copied().zip(values.iter().copied()).collect()
                }
                other => panic!("{other:?}"),
            };
            last = names.iter().cloned().enumerate().map(|(i, name)| (name, points(i))).collect();
        }
    }
    last
}

pub(super) fn assert_same_run(lane: &Lane, run: &Run, what: &str) {
    let travel = run.lanes[0].travel();
    let trace = travel.trace();
    let steps = steps(&lane.host);
    assert_eq!(steps.pages, trace.pages.iter().map(|p| p.0).collect::<Vec<_>>(), "{what}");
    assert_eq!(steps.scores, trace.scores, "{what}");
    let seconds: Vec<f64> = trace.at_us.iter().map(|us| *us as f64 / 1e6).collect();
    assert_eq!(steps.seconds, seconds, "{what}");
    let finished: Vec<&Answer> = lane
        .host
        .sent
        .iter()
        .map(|(answer, _)| answer)
        .filter(|answer| matches!(answer, Answer::Finished { .. }))
        .collect();
    let [Answer::Finished { n_steps, digest, .. }] = finished.as_slice() else {
        panic!("{what}: {finished:?}");
    };
    assert_eq!(*n_steps as usize, trace.pages.len(), "{what}");
    assert_eq!(*digest, travel.now().session().digest(&*run.world).to_string(), "{what}");
    for (name, points) in series(&lane.host) {
        let expected: Vec<_> = run.lanes[0].measure(&name).unwrap().points().collect();
        assert_eq!(points, expected, "{what}: {name}");
    }
    assert_eq!(series(&lane.host).len(), run.lanes[0].measures().len(), "{what}");
}

const RULES: [&str; 5] = [
    "",
    "&budget=150",
    "&fetchers=5&delay=0.5&budget=200",
    "&batch=20&batch-per-site=8&fetchers=2&budget=170",
    "&depth=3&repeats=2&nofollow=true&pages-per-site=40&robots=true",
];

#[test]
fn every_strategy_runs_as_the_command_line_runs_it_in_all_slicings() {
    let mut n_runs = 0;
    for (i, strategy) in STRATEGIES.iter().enumerate() {
        for (j, rules) in RULES.iter().enumerate() {
            let world = ["campus(pages:300)", "shop(pages:600)", "calendar"][(i + j) % 3];
            let world = if rules.is_empty() { "campus(pages:300)" } else { world };
            let budget = if rules.contains("budget") { "" } else { "&budget=400" };
            let link = format!("#v=1&world={world}&run={}{rules}{budget}&rng=3", strategy.entry.id);
            let run = direct(&link);
            for tick_ms in [0.01, 0.9, 6.0, 1000.0] {
                let mut lane = Lane::new(&run, tick_ms);
                lane.hand(world_for(&run));
                lane.hand(bounds_for(&run));
                lane.finish();
                assert_same_run(&lane, &run, &format!("{link} at {tick_ms}"));
                n_runs += 1;
            }
        }
    }
    assert!(n_runs >= 9 * 5 * 4);
}

#[test]
fn small_runs_come_in_one_message_and_long_ones_in_several() {
    let run = direct("#v=1&world=campus(pages:300)&run=opic");
    let mut quick = Lane::new(&run, 0.01);
    quick.hand(world_for(&run));
    quick.finish();
    assert_eq!(steps(&quick.host).n_messages, 1);
    let mut slow = Lane::new(&run, 9.0);
    slow.hand(world_for(&run));
    slow.finish();
    let n = steps(&slow.host).n_messages;
    assert!((3..40).contains(&n), "{n}");
}

#[test]
fn bounds_may_come_before_during_or_after_the_run() {
    let run = direct("#v=1&world=campus(pages:400)&run=opic&rng=5");
    let expected: Vec<_> = run.lanes[0].measure(GAP_CLOSED).unwrap().points().collect();
    assert!(expected.len() > 50);
    for turns_before in [0, 5, 20, 100_000] {
        let mut lane = Lane::new(&run, 2.0);
        lane.hand(world_for(&run));
        for _ in 0..turns_before {
            lane.work();
        }
        lane.hand(bounds_for(&run));
        lane.finish();
        assert_same_run(&lane, &run, "late bounds");
    }
    // Bounds of another chance are not taken.
    let other = direct("#v=1&world=campus(pages:400)&run=opic&rng=6");
    let mut lane = Lane::new(&run, 2.0);
    lane.hand(world_for(&run));
    lane.hand(bounds_for(&other));
    lane.finish();
    let all = series(&lane.host);
    let gap = all.iter().find(|(name, _)| name == GAP_CLOSED).unwrap();
    assert!(gap.1.is_empty());
}

#[test]
fn questions_do_not_change_the_run() {
    for rules in RULES {
        let link = format!("#v=1&world=campus(pages:300)&run=pagerank(every:20){rules}");
        let run = direct(&link);
        let n = run.lanes[0].travel().farthest();
        let mut lane = Lane::new(&run, 1.5);
        lane.hand(world_for(&run));
        lane.hand(bounds_for(&run));
        let mut asked = 0;
        while lane.work() {
            asked += 1;
            let step = asked * 37 % (n + 20);
            lane.tell(Command::Show {
                task: Task(asked),
                step,
                at_s: 0.0,
                rows: 5,
                value: String::new(),
            });
            lane.tell(Command::Explain { task: Task(asked), step: step / 2, page: asked % 300 });
            if asked > 3000 {
                break;
            }
        }
        lane.finish();
        assert_same_run(&lane, &run, &link);
        let is_frame = |sent: &&(Answer, Vec<Array>)| matches!(sent.0, Answer::Frame(_));
        let n_frames = lane.host.sent.iter().filter(is_frame).count();
        assert!(n_frames > 5, "{n_frames} of {asked}");
    }
}

#[test]
fn a_step_not_yet_run_is_answered_once_it_is() {
    let run = direct("#v=1&world=campus(pages:300)&run=opic");
    let mut lane = Lane::new(&run, 4.0);
    lane.tell(Command::Show { task: Task(2), step: 250, at_s: 0.0, rows: 3, value: String::new() });
    lane.hand(world_for(&run));
    lane.work();
    lane.tell(Command::Show { task: Task(3), step: 200, at_s: 0.0, rows: 3, value: String::new() });
    lane.finish();
    let frames = lane.host.sent.iter().filter_map(|(answer, _)| match answer {
        Answer::Frame(frame) => Some((frame.task, frame.step)),
        _ => None,
    });
    assert_eq!(frames.collect::<Vec<_>>(), [(Task(3), 200)]);
}

#[test]
fn frames_show_what_the_steps_say() {
    for rules in RULES {
        let link = format!("#v=1&world=campus(pages:300)&run=opic{rules}");
        let run = direct(&link);
        let mut lane = Lane::new(&run, 0.5);
        lane.hand(world_for(&run));
        lane.finish();
        let all = steps(&lane.host);
        let n = all.pages.len() as u32;
        for step in [0, 1, 2, n / 3, n / 2, n - 1, n, n + 5] {
            let frame = lane.frame(step, 8);
            let step = step.min(n);
            assert_eq!(frame.step, step, "{link}");
            let entered = all.counts[..=step as usize].iter().sum::<u32>();
            let n_gone = step + frame.in_flight.len() as u32;
            if rules.contains("pages-per-site") {
                assert!(frame.n_waiting <= entered - n_gone, "{link} at {step}");
            } else {
                assert_eq!(frame.n_waiting, entered - n_gone, "{link} at {step}");
            }
            if step > 0 {
                assert_eq!(frame.seconds, all.seconds[step as usize - 1]);
            }
            assert!(frame.next.len() <= 8);
            let next = frame.next.first().map(|row| row.page);
            if rules.is_empty() && step < n {
                assert_eq!(next, Some(all.pages[step as usize]), "{link} at {step}");
                assert_eq!(frame.next[0].score, all.scores[step as usize]);
            }
            // The best is found by looking at everything.
            let waiting = &all.entered[..entered as usize];
            let gone = &all.pages[..step as usize];
            let rank = |page: &u32| run.truth.ranks[*page as usize];
            let left = waiting.iter().filter(|p| !gone.contains(p) && !frame.in_flight.contains(p));
            let best = left.map(rank).fold(0.0, f64::max);
            if !rules.contains("pages-per-site") {
                let found = frame.best.as_ref().map_or(0.0, |best| rank(&best.row.page));
                assert!((found - best).abs() <= 1e-9 * best, "{link} at {step}");
            }
            if let (Some(best), Some(next)) = (&frame.best, next) {
                assert!(best.place >= 1 && best.place <= frame.n_waiting);
                assert_eq!(best.regret, (rank(&best.row.page) - rank(&next)).max(0.0));
                let shown = frame.next.iter().position(|row| row.page == best.row.page);
                if let Some(shown) = shown.filter(|_| !rules.contains("per-site")) {
                    assert_eq!(best.place as usize, shown + 1, "{link} at {step}");
                }
            }
        }
    }
}

/// The value of each node follows from its parts.
pub(super) fn check(why: &Why) {
    let values = why.parts.iter().map(|part| part.value);
    let combined: f64 = match why.sign.as_str() {
        "+" => values.sum(),
        "×" => values.product(),
        "÷" => why.parts[0].value / why.parts[1].value,
        _ => why.value,
    };
    assert!((combined - why.value).abs() <= 1e-12 * why.value.abs(), "{why:?}");
    why.parts.iter().for_each(check);
}

#[test]
fn reasons_end_in_the_score_a_page_was_chosen_with() {
    for rules in RULES {
        let link = format!("#v=1&world=campus(pages:300)&run=opic{rules}");
        let run = direct(&link);
        let mut lane = Lane::new(&run, 0.5);
        lane.hand(world_for(&run));
        lane.finish();
        let all = steps(&lane.host);
        let n = all.pages.len() as u32;
        for at in [0, 1, 7, n / 2, n - 1] {
            let reasons = lane.reasons(n, all.pages[at as usize]);
            assert_eq!(reasons.place, Place::Fetched { step: at + 1 });
            let why = reasons.why.unwrap();
            assert_eq!(why.value, all.scores[at as usize], "{link} at {at}");
            check(&why);
        }
        let half = n / 2;
        let frame = lane.frame(half, 4);
        for (i, row) in frame.next.iter().enumerate() {
            let reasons = lane.reasons(half, row.page);
            assert_eq!(reasons.url, row.url);
            match reasons.place {
                Place::Waiting { place, of } => {
                    assert_eq!(of, frame.n_waiting, "{link}");
                    if !rules.contains("per-site") {
                        assert_eq!(place as usize, i + 1, "{link}");
                    }
                }
                other => panic!("{link}: {other:?}"),
            }
            let why = reasons.why.unwrap();
            check(&why);
            assert_eq!(reasons.n_moves as usize, reasons.moves.len());
            if let Some(latest) = reasons.moves.last() {
                assert_eq!(latest.after, why.value, "{link}");
                assert!(latest.step <= half && latest.place_after.is_some());
            }
            for two in reasons.moves.windows(2) {
                assert_eq!(two[0].after, two[1].before);
                assert!(two[0].step < two[1].step && two[0].place_after.is_none());
            }
        }
        let unknown = (0..run.world.n_pages()).find(|page| !all.entered.contains(page));
        if let Some(page) = unknown {
            let place = lane.reasons(n, page).place;
            assert!(matches!(place, Place::Unknown | Place::Refused), "{place:?}");
        }
        assert_eq!(lane.reasons(0, all.pages[n as usize - 1]).place, Place::Unknown);
    }
}

#[test]
fn a_run_can_be_stopped_and_replaced() {
    let run = direct("#v=1&world=campus(pages:300)&run=opic");
    let mut lane = Lane::new(&run, 4.0);
    lane.hand(world_for(&run));
    (0..5).for_each(|_| assert!(lane.work()));
    lane.tell(Command::Stop);
    lane.finish();
    let is_finished = |sent: &(Answer, Vec<Array>)| matches!(sent.0, Answer::Finished { .. });
    assert!(!lane.host.sent.iter().any(is_finished));
    let frame = lane.frame(250, 3);
    assert!(frame.step > 0 && frame.step < 250, "{}", frame.step);
    lane.host.sent.clear();
    let command = Command::Run {
        task: Task(7),
        experiment: Box::new(run.experiment.clone()),
        lane: 0,
        opened: OPENED,
    };
    lane.tell(command);
    lane.hand(bounds_for(&run));
    lane.finish();
    assert_same_run(&lane, &run, "again");
}

#[test]
fn what_cannot_run_says_why() {
    let run = direct("#v=1&world=campus(pages:300)&run=opic");
    let failed = |lane: &Lane| match &lane.host.sent.last().unwrap().0 {
        Answer::Failed { error, .. } => error.clone(),
        other => panic!("{other:?}"),
    };
    let mut lane = Lane::new(&run, 1.0);
    let (message, _) = world_for(&run);
    lane.hand((message, vec![Array::U8(b"nonsense".to_vec()), Array::F64(Vec::new())]));
    lane.finish();
    assert_eq!(failed(&lane), "these bytes are not a world");
    let mut lane = Lane::new(&run, 1.0);
    let (message, mut arrays) = world_for(&run);
    arrays.truncate(1);
    lane.hand((message, arrays));
    lane.finish();
    assert_eq!(failed(&lane), "the world did not arrive whole");
    let mut lane = Lane::new(&run, 1.0);
    lane.hand(world_for(&run));
    let experiment = Experiment {
        seeds: Seeds::urls(vec!["http://www.campus.example/nowhere".to_owned()]),
        ..run.experiment.clone()
    };
    let (task, opened, experiment) = (Task(8), OPENED, Box::new(experiment));
    lane.tell(Command::Run { task, experiment, lane: 0, opened });
    lane.finish();
    assert!(failed(&lane).contains("is not a page of this world"));
}
