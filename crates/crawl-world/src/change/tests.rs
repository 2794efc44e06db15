//! Tests of change processes of worlds, and of refused values.

use super::*;
use crate::{Digest, Rng};

const FEW: Rhythm = Rhythm::Bursty { bursts_per_hour: 0.1, changes_per_hour: 30.0, burst_s: 600.0 };
const DAILY: Rhythm = Rhythm::Periodic { period_s: 86_400.0, phase_s: 28_800.0 };

fn builder(n: u32) -> WorldBuilder {
    WorldBuilder::numbered("changes", n).expect("a small world")
}

#[test]
fn recorded_times_count_before_rhythms_and_rhythms_before_rates() {
    let mut builder = builder(6);
    for page in 1..4 {
        builder.set_change_rate(PageId(page), 0.5).unwrap();
    }
    builder.set_rhythm(PageId(2), FEW).unwrap();
    builder.set_rhythm(PageId(2), DAILY).unwrap();
    builder.set_rhythm(PageId(3), FEW).unwrap();
    for at_s in [9.0, 4.0, 9.0, 0.0] {
        builder.add_change(PageId(3), at_s).unwrap();
    }
    builder.set_gone(PageId(4), 7.0).unwrap();
    builder.set_gone(PageId(4), 0.0).unwrap();
    let world = builder.finish().unwrap().check().unwrap();
    let processes: Vec<ChangeProcess<'_>> =
        world.pages().map(|page| world.change_process(page)).collect();
    assert_eq!(processes[0], ChangeProcess::Never);
    assert_eq!(processes[1], ChangeProcess::Poisson { per_hour: 0.5 });
    assert_eq!(processes[2], ChangeProcess::Rhythm(DAILY));
    assert_eq!(processes[3], ChangeProcess::Recorded(&[0.0, 4.0, 9.0]));
    let names = processes.iter().map(ChangeProcess::name);
    assert!(names.eq(["never", "poisson", "periodic", "recorded", "never", "never"]));
    assert_eq!(processes[2].per_hour(), Some(1.0 / 24.0));
    assert_eq!(world.rhythm(PageId(3)), Some(FEW));
    assert_eq!((world.gone_s(PageId(3)), world.gone_s(PageId(4))), (None, Some(0.0)));
    assert_eq!(world.recorded_s(), Some(9.0));
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let periodic = |period_s, phase_s| Rhythm::Periodic { period_s, phase_s };
    let bursty = |bursts_per_hour, changes_per_hour, burst_s| Rhythm::Bursty {
        bursts_per_hour,
        changes_per_hour,
        burst_s,
    };
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let period = "change_period_s must be a number of at least 0.001, not";
    let phase = "change_phase_s must be";
    let begin = "change_bursts_per_hour must be a number above 0 and at most 3600000, not";
    let within = "change_rate_in_burst_per_hour must be";
    let length = "change_burst_s must be a number of at least 0.001, not";
    for (rhythm, message) in [
        (periodic(0.0, 0.0), format!("{period} 0")),
        (periodic(-1.0, 0.0), format!("{period} -1")),
        (periodic(inf, 0.0), format!("{period} inf")),
        (periodic(nan, 0.0), format!("{period} NaN")),
        (periodic(60.0, -1.0), format!("{phase} a number of at least 0, not -1")),
        (periodic(60.0, nan), format!("{phase} a number of at least 0, not NaN")),
        (periodic(60.0, 60.0), format!("{phase} less than change_period_s, not 60")),
        (bursty(0.0, 1.0, 1.0), format!("{begin} 0")),
        (bursty(inf, inf, 1.0), format!("{begin} inf")),
        (bursty(1.0, inf, 1.0), format!("{within} a number above 0 and at most 3600000, not inf")),
        (bursty(1.0, -1.0, 1.0), format!("{within} a number above 0 and at most 3600000, not -1")),
        (bursty(1.0, 1.0, 1.0), format!("{within} more than change_bursts_per_hour, not 1")),
        (bursty(1.0, 9.0, 0.0), format!("{length} 0")),
        (bursty(1.0, 9.0, inf), format!("{length} inf")),
    ] {
        let refused = builder(1).set_rhythm(PageId(0), rhythm).unwrap_err();
        assert_eq!(refused.to_string(), message);
    }
    let rate = |rate| builder(1).set_change_rate(PageId(0), rate).map_err(|e| e.to_string());
    assert_eq!(rate(0.0), Ok(()));
    assert_eq!(rate(MAX_CHANGES_PER_HOUR), Ok(()));
    for (given, message) in [
        (-1.0, "a number of at least 0, not -1"),
        (inf, "a number of at least 0, not inf"),
        (nan, "a number of at least 0, not NaN"),
        (4e6, "at most 3600000, one a millisecond, not 4000000"),
    ] {
        assert_eq!(rate(given), Err(format!("change_rate_per_hour must be {message}")));
    }
    let gone = builder(1).set_gone(PageId(0), -1.0).unwrap_err();
    assert_eq!(gone.to_string(), "gone_s must be a number of at least 0, not -1");
    for (born_s, given) in [(-1.0, "-1"), (inf, "inf"), (nan, "NaN")] {
        let born = builder(1).set_born(PageId(0), born_s).unwrap_err();
        assert_eq!(born.to_string(), format!("born_s must be a number of at least 0, not {given}"));
    }
}

#[test]
fn worlds_without_a_timetable_have_the_digest_and_the_size_they_had() {
    let mut bare = builder(3);
    bare.set_change_rate(PageId(1), 0.25).unwrap();
    bare.add_change(PageId(2), 5.0).unwrap();
    let bare = bare.finish().unwrap();
    assert_eq!(bare.timetable().bytes(), 0);
    let digest: Digest = "e76c86f32ef0121be8452f707d6a127e".parse().unwrap();
    assert_eq!(bare.digest(), digest);

    // Each number counts.
    let with = |set: &dyn Fn(&mut WorldBuilder)| {
        let mut builder = builder(3);
        builder.set_change_rate(PageId(1), 0.25).unwrap();
        builder.add_change(PageId(2), 5.0).unwrap();
        set(&mut builder);
        builder.finish().unwrap().digest()
    };
    let periodic = |phase_s| Rhythm::Periodic { period_s: 60.0, phase_s };
    let mut digests = vec![
        bare.digest(),
        with(&|b| b.set_rhythm(PageId(0), FEW).unwrap()),
        with(&|b| b.set_rhythm(PageId(1), FEW).unwrap()),
        with(&|b| b.set_rhythm(PageId(0), periodic(0.0)).unwrap()),
        with(&|b| b.set_rhythm(PageId(0), periodic(1.0)).unwrap()),
        with(&|b| b.set_gone(PageId(0), 0.0).unwrap()),
        with(&|b| b.set_gone(PageId(0), 1.0).unwrap()),
        with(&|b| b.set_gone(PageId(1), 1.0).unwrap()),
        with(&|b| b.set_born(PageId(1), 1.0).unwrap()),
        with(&|b| b.set_born(PageId(1), 2.0).unwrap()),
        with(&|b| b.set_born(PageId(2), 1.0).unwrap()),
    ];
    // A birth at 0 is no birth.
    assert_eq!(with(&|b| b.set_born(PageId(0), 0.0).unwrap()), digests[0]);
    assert_eq!(with(&|b| b.set_rhythm(PageId(0), periodic(-0.0)).unwrap()), digests[3]);
    digests.sort_by_key(|digest| digest.0);
    digests.dedup();
    assert_eq!(digests.len(), 11);
}

#[test]
fn a_timetable_that_came_as_bytes_is_checked() {
    let world = || builder(2).finish().unwrap();
    let rhythms = |pairs: &[(u32, Rhythm)]| Timetable {
        rhythms: Lists::group(pairs.len().max(2), pairs),
        ..Timetable::default()
    };
    let gone = |at_s| Timetable { gone: Lists::group(2, &[(1, at_s)]), ..Timetable::default() };
    let never = Rhythm::Periodic { period_s: 0.0, phase_s: 0.0 };
    let negative = Rhythm::Periodic { period_s: 9.0, phase_s: -0.0 };
    assert!(world().with_timetable(rhythms(&[(0, DAILY), (1, FEW)])).check().is_ok());
    for (timetable, message) in [
        (rhythms(&[(0, DAILY), (0, FEW)]), "a page has two rhythms or two removals"),
        (rhythms(&[(0, DAILY), (1, FEW), (2, FEW)]), "lists overlap"),
        (rhythms(&[(0, never)]), "a number is negative or not finite"),
        (rhythms(&[(0, negative)]), "a number is negative or not finite"),
        (gone(f64::NAN), "a number is negative or not finite"),
        (gone(-1.0), "a number is negative or not finite"),
    ] {
        let unsound = world().with_timetable(timetable).check().unwrap_err();
        assert_eq!(unsound.to_string(), message);
    }
}

#[test]
fn the_order_in_which_pages_are_asked_changes_nothing() {
    let mut builder = builder(200);
    let mut rng = Rng::new(5, "test");
    for page in 0..200 {
        match page % 4 {
            0 => builder.set_change_rate(PageId(page), rng.fraction()).unwrap(),
            1 => builder.set_rhythm(PageId(page), FEW).unwrap(),
            2 => builder.set_rhythm(PageId(page), DAILY).unwrap(),
            _ => builder.add_change(PageId(page), 1e3 * rng.fraction()).unwrap(),
        }
    }
    let world = builder.finish().unwrap();
    let until = 1_000_000_000_000;
    let count = |page: PageId| Changes::new(&world, page, 9).n_changes_between(0, until);
    let in_order: Vec<u64> = world.pages().map(count).collect();
    let mut pages: Vec<PageId> = world.pages().collect();
    rng.shuffle(&mut pages);
    // Hour by hour, all pages at once.
    let mut hourly = vec![0; 200];
    for hour in 0..1000 {
        for page in &pages {
            let (from, to) = (hour * 1_000_000_000, (hour + 1) * 1_000_000_000);
            hourly[page.index()] += Changes::new(&world, *page, 9).n_changes_between(from, to);
        }
    }
    assert_eq!(hourly, in_order);
    assert!(in_order.iter().sum::<u64>() > 10_000);
}
