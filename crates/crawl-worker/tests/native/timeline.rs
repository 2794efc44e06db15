//! What a lane tells of its visits in time, against the run's trace and the world's changes, looked
//! through one by one.

use crate::lane::{Lane, world_for};
use crawl_core::metric::true_rate;
use crawl_core::{Trace, VisitKind};
use crawl_protocol::lane::{Answer, Command};
use crawl_protocol::timeline::{
    Answered, Ask, Marks, MarksOf, Packed, PageMarks, PageRow, RowGroup, RowOrder, Rows, RowsOf,
    VisitFound,
};
use crawl_protocol::{Experiment, Task};
use crawl_run::{Run, catalogue};
use crawl_world::{Changes, PageId, World, WorldBuilder};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

pub(super) const TABLE: &str =
    "#v=1&world=refresh-table-1&run=breadth-first&revisit=uniform&visits=12";
const NEWSROOM: &str =
    "#v=1&world=newsroom(pages:300)&run=breadth-first&revisit=proportional&visits=150&hours=12";
const HOUR_S: f64 = 3600.0;

/// All lanes of a link, run to their ends as the command line runs them.
pub(super) fn whole(link: &str) -> Run {
    let experiment = Experiment::from_link(link, &catalogue()).unwrap();
    let world = Run::make_world(&experiment.world).unwrap();
    over(experiment, world)
}

fn over(experiment: Experiment, world: World) -> Run {
    let n_lanes = experiment.strategies.len();
    let mut run = Run::new(experiment, Arc::new(world), &catalogue()).unwrap();
    for at in 0..n_lanes {
        let (lane, setting) = run.lane(at).unwrap();
        assert!(lane.finish(&setting, &mut |_| ControlFlow::Continue(())).is_continue());
    }
    run
}

/// The worker of its first lane, at the end.
pub(super) fn finished(run: &Run) -> Lane {
    let mut lane = Lane::new(run, 1.0);
    lane.hand(world_for(run));
    lane.finish();
    lane
}

fn ask(lane: &mut Lane, ask: &Ask) -> Answered {
    lane.tell(Command::Timeline(Packed::pack(ask).unwrap()));
    lane.finish();
    match lane.host.sent.pop().unwrap().0 {
        Answer::Timeline(answered) => answered.open().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn rows(lane: &mut Lane, of: RowsOf) -> Rows {
    match ask(lane, &Ask::Rows { task: Task(41), of }) {
        Answered::Rows(rows) => {
            assert_eq!(rows.task, Task(41));
            rows
        }
        other => panic!("{other:?}"),
    }
}

fn marks(lane: &mut Lane, of: MarksOf) -> Marks {
    match ask(lane, &Ask::Marks { task: Task(42), of }) {
        Answered::Marks(marks) => {
            assert_eq!(marks.task, Task(42));
            marks
        }
        other => panic!("{other:?}"),
    }
}

/// Everything of all pages, between two hours.
pub(super) fn all_marks(lane: &mut Lane, run: &Run, from_h: f64, to_h: f64) -> Marks {
    let pages = run.world.pages().map(|page| page.0).collect();
    let (from_s, to_s) = (from_h * HOUR_S, to_h * HOUR_S);
    marks(lane, MarksOf { step: u32::MAX, pages, from_s, to_s, curve_until_s: -1.0 })
}

/// What there is to know of a page, looked through plainly.
struct Truth {
    /// When it was visited, at which step, and what was found.
    visits: Vec<(u64, u32, VisitKind)>,
    changes: Vec<u64>,
    /// When its copy was stale, from the first visit to the end of the run.
    stale: Vec<(u64, u64)>,
}

impl Truth {
    fn of(run: &Run, page: PageId) -> Self {
        let lane = &run.lanes[0];
        let trace = lane.travel().trace();
        let end_us = lane.end_us().unwrap().max(*trace.at_us.last().unwrap());
        let all = Changes::new(&run.world, page, run.experiment.rng).from(0);
        let born_us = run.world.born_us(page);
        let changes: Vec<u64> =
            all.take_while(|at| *at <= end_us).filter(|at| *at >= born_us).collect();
        let visits = visits_of(trace, page);
        // Second by second would be too slow: event by event, each copy's state carried on.
        let mut stale = Vec::new();
        for (at, visit) in visits.iter().enumerate() {
            let until = visits.get(at + 1).map_or(end_us, |next| next.0);
            let first = changes.iter().copied().find(|change| *change > visit.0);
            stale.extend(first.filter(|change| *change < until).map(|change| (change, until)));
        }
        Self { visits, changes, stale }
    }

    /// A change that no visit can see: there was no copy, or another change came since the visit
    /// before.
    fn is_missed(&self, change: u64) -> bool {
        let Some(visit) = self.visits.iter().rev().find(|visit| visit.0 < change) else {
            return true;
        };
        self.changes.iter().any(|other| *other > visit.0 && *other < change)
    }
}

fn visits_of(trace: &Trace, page: PageId) -> Vec<(u64, u32, VisitKind)> {
    let steps = trace.pages.iter().enumerate().filter(|(_, other)| **other == page);
    steps.map(|(at, _)| (trace.at_us[at], at as u32 + 1, trace.visits[at])).collect()
}

fn seconds(us: u64) -> f64 {
    us as f64 / 1e6
}

fn assert_marks(told: &PageMarks, truth: &Truth, from_us: u64, to_us: u64, what: &str) {
    let inside = |at: &u64| (from_us..=to_us).contains(at);
    let visits: Vec<_> = truth.visits.iter().filter(|visit| inside(&visit.0)).collect();
    assert_eq!(told.n_visits as usize, visits.len(), "{what}");
    let n_wasted = visits.iter().filter(|visit| visit.2 == VisitKind::Same).count();
    assert_eq!(told.n_wasted as usize, n_wasted, "{what}");
    assert_eq!(told.copied_s, truth.visits.first().map(|visit| seconds(visit.0)), "{what}");
    if truth.visits.is_empty() || !told.shares.is_empty() {
        assert!(told.visits.is_empty() && told.changes.is_empty() && told.stale.is_empty());
        return;
    }
    let kind = |found| match found {
        VisitFound::First => VisitKind::First,
        VisitFound::Changed => VisitKind::Changed,
        VisitFound::Same => VisitKind::Same,
    };
    let said: Vec<_> = told.visits.iter().map(|v| (v.at_s, v.step, kind(v.found))).collect();
    let expected: Vec<_> = visits.iter().map(|v| (seconds(v.0), v.1, v.2)).collect();
    assert_eq!(said, expected, "{what}");
    let said: Vec<_> = told.changes.iter().map(|c| (c.at_s, c.is_missed)).collect();
    let changes = truth.changes.iter().filter(|at| inside(at));
    let expected: Vec<_> = changes.map(|at| (seconds(*at), truth.is_missed(*at))).collect();
    if told.is_thinned {
        // Some of those that no visit could see are left out, and nothing else.
        assert!(said.iter().all(|change| expected.contains(change)), "{what}");
        let seen = |all: &[(f64, bool)]| -> Vec<f64> {
            all.iter().filter(|(_, is_missed)| !is_missed).map(|(at_s, _)| *at_s).collect()
        };
        assert_eq!(seen(&said), seen(&expected), "{what}");
        assert!(expected.len() > 300 && said.len() <= 600 + told.visits.len() + 1, "{what}");
    } else {
        assert_eq!(said, expected, "{what}");
    }
    let cut = |(from, to): &(u64, u64)| (*from.max(&from_us), *to.min(&to_us));
    let stale = truth.stale.iter().map(cut).filter(|(from, to)| from < to);
    let expected: Vec<_> = stale.map(|(from, to)| (seconds(from), seconds(to))).collect();
    assert_eq!(told.stale, expected, "{what}");
}

#[test]
fn rows_are_sorted_and_grouped_in_every_order() {
    let run = whole(NEWSROOM);
    let trace = run.lanes[0].travel().trace();
    let mut lane = finished(&run);
    let n = trace.pages.len() as u32;
    for (step, order, group) in [0, 1, 90, n, n + 9].into_iter().flat_map(|step| {
        let both = move |order| RowGroup::ALL.map(move |group| (step, order, group));
        RowOrder::ALL.into_iter().flat_map(both)
    }) {
        let what = format!("{order:?} by {group:?} at {step}");
        let of = RowsOf { step, order, group, first: 0, n: 500 };
        let told = rows(&mut lane, of);
        let step = step.min(n);
        assert_eq!(told.of, RowsOf { step, ..of }, "{what}");
        // A row for each page fetched by then, in pieces as in one.
        let mut fetched: Vec<u32> = Vec::new();
        for page in &trace.pages[..step as usize] {
            if !fetched.contains(&page.0) {
                fetched.push(page.0);
            }
        }
        let pages: Vec<u32> = told.rows.iter().map(|row| row.page).collect();
        assert_eq!(told.n_rows as usize, fetched.len(), "{what}");
        assert_eq!(BTreeSet::from_iter(&pages), BTreeSet::from_iter(&fetched), "{what}");
        let mut pieces: Vec<PageRow> = Vec::new();
        while pieces.len() < fetched.len() {
            let first = pieces.len() as u32;
            let piece = rows(&mut lane, RowsOf { first, n: 37, ..of });
            assert!(!piece.rows.is_empty() && piece.n_rows == told.n_rows, "{what}");
            pieces.extend(piece.rows);
        }
        assert_eq!(pieces, told.rows, "{what}");
        assert_order(&run, &told, &fetched, &what);
    }
}

fn assert_order(run: &Run, told: &Rows, fetched: &[u32], what: &str) {
    let trace = run.lanes[0].travel().trace();
    let RowsOf { step, order, group, .. } = told.of;
    let now_us = trace.at_us[..step as usize].last().copied().unwrap_or(0);
    let key = |page: u32| match order {
        RowOrder::Rate => true_rate(&run.world, PageId(page)),
        RowOrder::Importance => run.truth.ranks[page as usize],
        RowOrder::Fetched => 0.0,
        RowOrder::Staleness => {
            let visits = visits_of(trace, PageId(page));
            let last = visits.iter().rfind(|visit| visit.1 <= step).unwrap().0;
            let changes = Changes::new(&run.world, PageId(page), run.experiment.rng);
            let since = changes.next_change_after(last).filter(|at| *at <= now_us);
            since.map_or(-1.0, |since| (now_us - since) as f64)
        }
    };
    let found = |page: u32| fetched.iter().position(|other| *other == page).unwrap();
    let comes_first = |a: u32, b: u32| (-key(a), found(a)) <= (-key(b), found(b));
    let runs: Vec<&[PageRow]> = told.rows.chunk_by(|a, b| a.group == b.group).collect();
    let names: BTreeSet<&str> = runs.iter().map(|rows| rows[0].group.as_str()).collect();
    assert_eq!(names.len(), runs.len(), "{what}: groups are not torn apart");
    for rows in &runs {
        assert!(rows.windows(2).all(|two| comes_first(two[0].page, two[1].page)), "{what}");
    }
    let first_keys: Vec<f64> = runs.iter().map(|rows| key(rows[0].page)).collect();
    assert!(first_keys.windows(2).all(|two| two[0] >= two[1]), "{what}: {first_keys:?}");
    for row in &told.rows {
        let (world, page) = (&*run.world, PageId(row.page));
        assert_eq!(row.url, world.url(page), "{what}");
        assert_eq!(row.per_hour, world.change_process(page).per_hour(), "{what}");
        assert_eq!(row.importance, run.truth.ranks[row.page as usize], "{what}");
        let expected = match group {
            RowGroup::None => String::new(),
            RowGroup::Host => world.host(world.host_of(page).unwrap()).name.clone(),
            RowGroup::Class => world.topics(page).next().unwrap().to_owned(),
        };
        assert_eq!(row.group, expected, "{what}");
    }
}

#[test]
fn marks_are_those_of_trace_and_changes() {
    for link in [
        TABLE.to_owned(),
        TABLE.replace("uniform", "optimal(knows:rates)"),
        format!("{TABLE}&sees=last-modified&hours=60"),
        NEWSROOM.to_owned(),
        format!("{}&new=40", NEWSROOM.replace("pages:300", "pages:300,coming:80")),
    ] {
        let run = whole(&link);
        let mut lane = finished(&run);
        let end_us = run.lanes[0].end_us().unwrap();
        let end_h = seconds(end_us) / HOUR_S;
        let truths: Vec<Truth> = run.world.pages().map(|page| Truth::of(&run, page)).collect();
        // All of it; windows that cut bands; before anything, between two microseconds, after it.
        let windows = [(0.0, end_h), (1.37, 5.11), (0.0, 0.001), (7.0, 7.0), (end_h, 9.0 * end_h)];
        for (from_h, to_h) in windows {
            let all = all_marks(&mut lane, &run, from_h, to_h);
            assert_eq!(all.pages.len(), truths.len());
            assert!((all.known_until_s - end_h * HOUR_S).abs() < 60.0, "{}", all.known_until_s);
            let us = |s: f64| (s * 1e6) as u64;
            for (told, truth) in all.pages.iter().zip(&truths) {
                let what = format!("{link}: page {} from {from_h} to {to_h}", told.page);
                assert_marks(told, truth, us(all.from_s), us(all.to_s), &what);
            }
        }
    }
}

#[test]
fn bands_and_missed_changes_add_up_to_the_measures() {
    for policy in ["uniform", "proportional", "optimal(knows:rates)", "adaptive", "never"] {
        let run = whole(&format!("{}&hours=100", TABLE.replace("uniform", policy)));
        let end_h = run.lanes[0].end_us().unwrap() as f64 / 3.6e9;
        let all = all_marks(&mut finished(&run), &run, 0.0, end_h);
        // The share of fresh copies between any two moments at which something happens, over time.
        let mut moments = vec![end_h * HOUR_S];
        for page in &all.pages {
            moments.extend(page.copied_s);
            moments.extend(page.stale.iter().flat_map(|(from, to)| [*from, *to]));
        }
        moments.sort_by(f64::total_cmp);
        let (mut fresh_s, mut all_s) = (0.0, 0.0);
        for two in moments.windows(2) {
            let middle = (two[0] + two[1]) / 2.0;
            let copied = all.pages.iter().filter(|p| p.copied_s.is_some_and(|at| at < middle));
            let is_stale =
                |page: &&PageMarks| page.stale.iter().any(|(a, b)| *a < middle && middle < *b);
            let (n, n_stale) = (copied.clone().count(), copied.filter(is_stale).count());
            assert!(n > 0);
            fresh_s += (two[1] - two[0]) * (1.0 - n_stale as f64 / n as f64);
            all_s += two[1] - two[0];
        }
        let last = |name: &str| run.lanes[0].measure(name).and_then(|m| m.points().last());
        let (_, measured) = last("mean-freshness").unwrap();
        assert!((fresh_s / all_s - measured).abs() < 1e-9, "{policy}: {measured}");
        // Of the changes between a page's first visit and its last, those that are marked as missed.
        let (mut n_missed, mut n_changes) = (0.0, 0.0);
        for page in &all.pages {
            let Some((first, last)) = page.visits.first().zip(page.visits.last()) else { continue };
            let within = |at_s: f64| at_s > first.at_s && at_s <= last.at_s;
            for change in page.changes.iter().filter(|change| within(change.at_s)) {
                n_changes += 1.0;
                n_missed += f64::from(u8::from(change.is_missed));
            }
        }
        match last("missed-changes") {
            Some((_, measured)) => assert!((n_missed / n_changes - measured).abs() < 1e-12),
            None => assert_eq!((policy, n_changes), ("never", 0.0)),
        }
    }
}

#[test]
fn what_is_too_dense_is_told_as_shares() {
    let run = whole(&format!("{TABLE}&hours=2000"));
    let mut lane = finished(&run);
    let mut n_dense = 0;
    for (from_h, to_h) in [(0.0, 2000.0), (333.3, 1500.1), (1700.0, 2600.0)] {
        let all = all_marks(&mut lane, &run, from_h, to_h);
        for told in &all.pages {
            let truth = Truth::of(&run, PageId(told.page));
            let (from_us, to_us) = ((all.from_s * 1e6) as u64, (all.to_s * 1e6) as u64);
            assert_marks(told, &truth, from_us, to_us, &format!("{} from {from_h}", told.page));
            if told.shares.is_empty() {
                assert!(told.visits.len() <= 300 && told.changes.len() <= 901);
                continue;
            }
            n_dense += 1;
            let n = told.shares.len();
            let part = (all.to_s - all.from_s) / n as f64;
            let known_until = all.known_until_s;
            for (at, share) in told.shares.iter().enumerate() {
                let from = all.from_s + part * at as f64;
                let to = (from + part).min(known_until);
                let from = from.max(told.copied_s.unwrap());
                if to - from < 1e-3 {
                    assert!(*share < 0.0, "{} part {at}: {share}", told.page);
                    continue;
                }
                let overlap = |a: f64, b: f64| (b.min(to) - a.max(from)).max(0.0);
                let stale: f64 =
                    truth.stale.iter().map(|(a, b)| overlap(seconds(*a), seconds(*b))).sum();
                let expected = 1.0 - stale / (to - from);
                let is_near = (f64::from(*share) - expected).abs() < 1e-4;
                assert!(is_near, "page {} part {at}: {share} for {expected}", told.page);
            }
        }
    }
    assert!(n_dense > 20, "{n_dense}");
}

#[test]
fn pages_that_change_much_keep_their_visits() {
    // P5 changes more than once an hour, and is visited about once in ten.
    let run = whole(&format!("{}&hours=600", TABLE.replace("visits=12", "visits=1")));
    let mut lane = finished(&run);
    let all = all_marks(&mut lane, &run, 0.0, 600.0);
    let mut n_thinned = 0;
    for told in &all.pages {
        let truth = Truth::of(&run, PageId(told.page));
        assert_marks(told, &truth, 0, (all.to_s * 1e6) as u64, &told.page.to_string());
        assert!(told.shares.is_empty(), "{} has {} visits", told.page, told.n_visits);
        n_thinned += u32::from(told.is_thinned);
    }
    assert!(n_thinned > 2, "{n_thinned}");
}

#[test]
fn estimates_and_due_times_are_those_of_the_step() {
    let run = whole(&TABLE.replace("uniform", "optimal"));
    let trace = run.lanes[0].travel().trace();
    let mut lane = finished(&run);
    for step in [0, 5, 11, 60, 150] {
        let of =
            MarksOf { step, pages: (0..11).collect(), from_s: 0.0, to_s: 1e6, curve_until_s: -1.0 };
        let told = marks(&mut lane, of);
        assert_eq!(told.step, step);
        for page in &told.pages {
            let visits = visits_of(trace, PageId(page.page));
            let before = visits.iter().rfind(|visit| visit.1 <= step);
            assert_eq!(page.last_s, before.map(|visit| seconds(visit.0)), "at {step}");
            let now_s = trace.at_us[..step as usize].last().map_or(0.0, |us| seconds(*us));
            assert!(page.due_s.is_none_or(|due| before.is_some() && due >= now_s - 1e-6));
            assert!(page.estimate.is_none_or(|rate| before.is_some() && rate >= 0.0));
            // What happened is told of the whole run, whatever the step.
            assert_eq!(page.n_visits as usize, visits.len());
        }
    }
}

/// A home page, one that goes while it is crawled, and an error.
fn vanishing() -> Run {
    let mut builder = WorldBuilder::new("vanishing");
    let page = |builder: &mut WorldBuilder, name: &str| {
        builder.page(&format!("http://a.example/{name}")).unwrap()
    };
    let home = page(&mut builder, "");
    let (goes, broken) = (page(&mut builder, "goes"), page(&mut builder, "broken"));
    builder.seed(home);
    builder.link(home, goes);
    builder.link(home, broken);
    builder.set_change_rate(goes, 0.01).unwrap();
    builder.set_gone(goes, 7.5 * HOUR_S).unwrap();
    builder.set_status(broken, 500).unwrap();
    let mut experiment = Experiment::from_link(TABLE, &catalogue()).unwrap();
    let world = builder.finish().unwrap();
    let digest = world.digest().to_string();
    experiment.world = crawl_protocol::WorldSource::File {
        names: vec!["vanishing".to_owned()],
        digest,
        data: None,
    };
    over(experiment, world)
}

#[test]
fn there_is_no_copy_of_what_is_no_page_or_is_gone() {
    let run = vanishing();
    let trace = run.lanes[0].travel().trace();
    let mut lane = finished(&run);
    let all = all_marks(&mut lane, &run, 0.0, 24.0);
    let [_, goes, broken] = all.pages.as_slice() else { panic!("{all:?}") };
    assert_eq!(*broken, PageMarks { page: broken.page, ..PageMarks::default() });
    // The copy is stale from when the page went to the visit that finds it gone, and there is none
    // from then on.
    let visits = visits_of(trace, PageId(goes.page));
    let found = visits.iter().find(|visit| seconds(visit.0) >= 7.5 * HOUR_S).unwrap();
    assert_eq!(Some(found), visits.last(), "nobody comes back for it");
    let last = goes.stale.last().unwrap();
    assert!(last.0 <= 7.5 * HOUR_S && last.1 == seconds(found.0), "{:?}", goes.stale);
    let listed = |lane: &mut Lane, step| {
        let told = rows(lane, RowsOf { step, n: 9, ..RowsOf::default() });
        told.rows.iter().map(|row| row.page).collect::<BTreeSet<u32>>()
    };
    assert_eq!(listed(&mut lane, found.1 - 1), BTreeSet::from([0, 1]));
    assert_eq!(listed(&mut lane, found.1), BTreeSet::from([0]));
}

#[test]
fn hostile_questions_are_answered() {
    let run = whole(TABLE);
    let mut lane = finished(&run);
    for (first, n, n_told) in
        [(u32::MAX, u32::MAX, 0), (0, u32::MAX, 11), (11, 5, 0), (10, 5, 1), (0, 0, 0)]
    {
        let told = rows(&mut lane, RowsOf { step: u32::MAX, first, n, ..RowsOf::default() });
        assert_eq!((told.n_rows, told.rows.len()), (11, n_told), "{first}, {n}");
    }
    let beyond = MarksOf {
        step: u32::MAX,
        pages: vec![u32::MAX, 11, 3, 12],
        from_s: 0.0,
        to_s: f64::INFINITY,
        curve_until_s: f64::NAN,
    };
    let told = marks(&mut lane, beyond);
    assert_eq!(told.pages.iter().map(|page| page.page).collect::<Vec<_>>(), [3]);
    assert!(told.pages[0].n_visits > 1);
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300, 7200.0];
    for (from_s, to_s) in odd.into_iter().flat_map(|from| odd.map(|to| (from, to))) {
        let told = marks(
            &mut lane,
            MarksOf { step: 9, pages: vec![1; 700], from_s, to_s, curve_until_s: -1.0 },
        );
        assert!(told.from_s <= told.to_s && told.pages.len() == 500, "{from_s} to {to_s}");
        let page = &told.pages[0];
        let inside = |at: f64| told.from_s <= at && at <= told.to_s;
        assert!(page.visits.iter().all(|visit| inside(visit.at_s)), "{from_s} to {to_s}");
        assert!(page.stale.iter().all(|(a, b)| inside(*a) && inside(*b) && a < b));
    }
    // The world keeps its answers through all of it.
    let all = all_marks(&mut lane, &run, 0.0, 24.0);
    let truth = Truth::of(&run, PageId(1));
    assert_marks(&all.pages[1], &truth, 0, 24 * 3_600_000_000, "afterwards");
}

#[test]
fn a_lane_without_a_policy_has_nothing_to_tell() {
    let run = whole("#v=1&world=refresh-table-1&run=breadth-first");
    let mut lane = finished(&run);
    for order in RowOrder::ALL {
        let of = RowsOf { step: 11, order, group: RowGroup::Class, first: 0, n: 20 };
        let told = rows(&mut lane, of);
        assert_eq!((told.n_rows, told.rows.len()), (0, 0));
    }
    let told = all_marks(&mut lane, &run, 0.0, 24.0);
    for (page, number) in told.pages.iter().zip(0..) {
        assert_eq!(*page, PageMarks { page: number, ..PageMarks::default() });
    }
}
