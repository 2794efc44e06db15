//! Compares streams of changes with the definitions of their processes and with simple references.

use super::*;
use proptest::prelude::*;

const HOUR: u64 = 3_600_000_000;
const SEED: u64 = 20_040_401;

fn poisson(per_hour: f64) -> ChangeProcess<'static> {
    ChangeProcess::Poisson { per_hour }
}

fn periodic(period_s: f64, phase_s: f64) -> ChangeProcess<'static> {
    ChangeProcess::Rhythm(Rhythm::Periodic { period_s, phase_s })
}

fn bursty(bursts_per_hour: f64, changes_per_hour: f64, burst_s: f64) -> ChangeProcess<'static> {
    ChangeProcess::Rhythm(Rhythm::Bursty { bursts_per_hour, changes_per_hour, burst_s })
}

fn of_page(process: ChangeProcess<'_>, page: u32) -> Changes<'_> {
    Changes::of(process, PageId(page), SEED)
}

/// Mean and standard error of a measurement over many pages.
fn measured(n_pages: u32, measure: impl Fn(u32) -> f64) -> (f64, f64) {
    let values: Vec<f64> = (0..n_pages).map(measure).collect();
    let n = f64::from(n_pages);
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, libm::sqrt(variance / n))
}

fn check_mean(what: &str, (mean, error): (f64, f64), expected: f64) {
    let apart = (mean - expected).abs();
    assert!(apart <= 4.0 * error, "{what}: {mean} ± {error}, expected {expected}");
}

#[test]
fn poisson_counts_have_the_mean_and_the_variance_of_their_rate() {
    for (per_hour, hours) in [(1.0, 20), (0.01, 500), (1.0 / 12.0, 24), (500.0, 1), (3.6e5, 1)] {
        let until = hours * HOUR;
        let expected = per_hour * hours as f64;
        let process = poisson(per_hour);
        let count = |page| of_page(process, page).n_changes_between(0, until) as f64;
        let n_pages = if expected > 1e4 { 40 } else { 4000 };
        check_mean("mean", measured(n_pages, count), expected);
        let squared = |page| (count(page) - expected) * (count(page) - expected);
        check_mean("variance", measured(n_pages, squared), expected);
    }
}

/// Counting without logarithms equals counting one by one.
#[test]
fn counts_are_those_of_the_times_themselves() {
    for per_hour in [1e-40, 1e-6, 0.003, 1.0, 77.0, 3.6e5, 3.6e6] {
        let span = ((HOUR as f64 / per_hour * 40.0) as u64).min(u64::MAX / 4);
        for page in 0..200 {
            let changes = of_page(poisson(per_hour), page);
            let from = span / 200 * u64::from(page);
            for to in [from, from + span / 1000, from + span / 9, from + span] {
                let walked = changes.from(from + 1).take_while(|at| *at <= to).count() as u64;
                let counted = changes.n_changes_between(from, to);
                assert_eq!(counted, walked, "{per_hour} an hour, page {page}, {from} to {to}");
            }
            assert_eq!(changes.next_change_after(from), changes.from(from + 1).next());
        }
    }
}

/// Gaps from any time are exponential in both directions, also across cell borders.
#[test]
fn gaps_around_any_moment_are_exponential() {
    let process = poisson(1.0);
    let (quantiles, n_pages) = ([0.1, 0.5, 0.9, 0.99], 20_000);
    for t in [3 * HOUR, (1 << 34) - 1, 1 << 34, 12_345_678_901] {
        for p in quantiles {
            let limit = -libm::log(1.0 - p) * HOUR as f64;
            let forward = |page| {
                let next = of_page(process, page).next_change_after(t);
                f64::from(((next.expect("it goes on") - t) as f64) < limit)
            };
            check_mean("gap after", measured(n_pages, forward), p);
            // The start cuts off longer gaps.
            if limit < t as f64 {
                let backward = |page| {
                    let last = of_page(process, page).last_change_by(t);
                    f64::from(last.is_some_and(|last| ((t - last) as f64) < limit))
                };
                check_mean("gap before", measured(n_pages, backward), p);
            }
        }
    }
}

#[test]
fn what_happens_in_one_hour_tells_nothing_of_the_next() {
    let process = poisson(2.0);
    let product = |page| {
        let changes = of_page(process, page);
        let [a, b] = [0, HOUR].map(|t| changes.n_changes_between(t, t + HOUR) as f64 - 2.0);
        a * b
    };
    check_mean("covariance", measured(20_000, product), 0.0);
    // Pages, seeds and streams are independent.
    let of = |page: u32, seed| {
        Changes::of(process, PageId(page), seed).n_changes_between(0, HOUR) as f64 - 2.0
    };
    let neighbours = |page: u32| of(2 * page, SEED) * of(2 * page + 1, SEED);
    check_mean("covariance of pages", measured(20_000, neighbours), 0.0);
    let seeds = |page: u32| of(page, SEED) * of(page, SEED + 1);
    check_mean("covariance of seeds", measured(20_000, seeds), 0.0);
}

#[test]
fn periodic_changes_come_by_the_clock() {
    let at_eight = of_page(periodic(86_400.0, 28_800.0), 7);
    let times: Vec<u64> = at_eight.into_iter().take(3).collect();
    assert_eq!(times, [8 * HOUR, 32 * HOUR, 56 * HOUR]);
    assert_eq!(at_eight.last_change_before(8 * HOUR), None);
    assert_eq!(at_eight.last_change_by(8 * HOUR), Some(8 * HOUR));
    assert_eq!(at_eight.last_change_before(80 * HOUR), Some(56 * HOUR));
    assert_eq!(at_eight.next_change_after(8 * HOUR), Some(32 * HOUR));
    assert!(at_eight.changed_between(8 * HOUR - 1, 8 * HOUR));
    assert!(!at_eight.changed_between(8 * HOUR, 32 * HOUR - 1));
    assert_eq!(at_eight.n_changes_between(0, 365 * 24 * HOUR), 365);
    assert_eq!(at_eight.n_changes_between(9 * HOUR, 8 * HOUR), 0);
}

#[test]
fn bursts_have_the_rate_and_the_gaps_that_their_definition_gives() {
    for (bursts, within, burst_s) in [(0.05, 60.0, 1200.0), (0.5, 20.0, 3600.0), (2.0, 5.0, 60.0)] {
        let process = bursty(bursts, within, burst_s);
        let rate = process.per_hour().expect("it has one");
        let active = 1.0 - libm::exp(-bursts * burst_s / 3600.0);
        assert!((rate - (bursts + within * active)).abs() < 1e-12 * rate);
        // From the first hour on.
        for from in [0, HOUR, 1000 * HOUR] {
            let count = |page| of_page(process, page).n_changes_between(from, from + HOUR) as f64;
            check_mean("rate", measured(20_000, count), rate);
        }
        // Pause: no burst begins, and an active one shows no change.
        let gap = (burst_s * 1e6) as u64;
        let quiet = |page| {
            let changes = of_page(process, page);
            f64::from(!changes.changed_between(500 * HOUR - gap, 500 * HOUR))
        };
        // A burst began u before the end of the previous interval, or later: its changes continue
        // for L − u. P = e^(−βL)·(e^(−βL) + ∫ β·e^(−βu')·e^(−ρ·(L−u')) du'), u' from 0 to L.
        let (beta, rho, length) = (bursts / 3600.0, within / 3600.0, burst_s);
        let none = libm::exp(-beta * length);
        let tail = beta * (libm::exp(-beta * length) - libm::exp(-rho * length)) / (rho - beta);
        check_mean("quiet", measured(20_000, quiet), none * (none + tail));
    }
}

/// All changes until some time, directly from the definition.
fn slow_bursty(bursty: Bursty, until: u64) -> Vec<u64> {
    let all = |flow: Flow, until| flow.from(0).take_while(move |at| *at <= until);
    let length = i128::from(bursty.length_us);
    let ahead = until + bursty.length_us;
    let begins: Vec<i128> = all(bursty.begins, ahead).map(|at| i128::from(at) - length).collect();
    let in_burst = |at: &u64| {
        let at = i128::from(*at);
        begins.iter().any(|begin| *begin <= at && at < begin + length)
    };
    let mut times: Vec<u64> = all(bursty.within, until).filter(in_burst).collect();
    times.extend(begins.iter().filter_map(|begin| u64::try_from(*begin).ok()));
    times.sort_unstable();
    times.dedup();
    times
}

#[test]
fn bursts_are_what_their_definition_says() {
    for (bursts, within, burst_s) in
        [(0.05, 60.0, 1200.0), (3.0, 4.0, 3600.0), (100.0, 3.6e6, 0.001), (0.3, 10.0, 7200.0)]
    {
        for page in 0..50 {
            let changes = of_page(bursty(bursts, within, burst_s), page);
            let Kind::Bursty(kind) = changes.kind else { panic!("not bursty") };
            let until = if within > 1e6 { HOUR / 50 } else { 60 * HOUR };
            let expected = slow_bursty(kind, until);
            let drawn: Vec<u64> = changes.into_iter().take_while(|at| *at <= until).collect();
            assert_eq!(drawn, expected);
        }
    }
}

#[test]
fn recorded_changes_are_those_recorded() {
    let times_s = [0.0, 1.5, 1.500_000_1, 60.0, 1e14, 1e300];
    let changes = of_page(ChangeProcess::Recorded(&times_s), 3);
    let times: Vec<u64> = changes.into_iter().collect();
    assert_eq!(times, [0, 1_500_000, 60_000_000]);
    assert_eq!(changes.last_change_before(0), None);
    assert_eq!(changes.last_change_by(0), Some(0));
    assert_eq!(changes.last_change_by(u64::MAX), Some(60_000_000));
    assert_eq!(changes.n_changes_between(0, u64::MAX), 2);
    assert_eq!(changes.next_change_after(60_000_000), None);
    assert!(!changes.changed_between(0, 1_499_999) && changes.changed_between(0, 1_500_000));
}

#[test]
fn pages_that_never_change_never_do() {
    for process in [ChangeProcess::Never, poisson(0.0), ChangeProcess::Recorded(&[])] {
        let changes = of_page(process, 0);
        assert_eq!(changes.into_iter().next(), None);
        assert_eq!(changes.last_change_by(u64::MAX), None);
        assert!(!changes.changed_between(0, u64::MAX));
        assert_eq!(changes.n_changes_between(0, u64::MAX), 0);
    }
}

/// Fixed values: changing them changes every recorded crawl.
#[test]
fn streams_stay_as_they_are() {
    let digest = |process| {
        let times = (0..100).flat_map(|page| of_page(process, page).into_iter().take(100));
        times.fold(0_u64, |hash, at| hash.wrapping_mul(0x0100_0000_01b3) ^ at)
    };
    let processes = [poisson(0.9), poisson(1e-3), bursty(0.1, 30.0, 900.0), periodic(0.3, 0.1)];
    let expected = [
        17_467_403_147_568_261_015,
        6_666_979_592_255_418_434,
        10_129_569_408_239_407_320,
        15_939_492_327_957_783_040,
    ];
    assert_eq!(processes.map(digest), expected);
}

fn any_process() -> impl Strategy<Value = ChangeProcess<'static>> {
    prop_oneof![
        Just(ChangeProcess::Never),
        (-9.0..6.5_f64).prop_map(|exponent| poisson(libm::exp10(exponent))),
        Just(poisson(f64::MIN_POSITIVE)),
        (1e-3..1e6_f64, 0.0..1.0).prop_map(|(period, phase)| periodic(period, phase * period)),
        Just(periodic(1e300, 1e299)),
        (-3.0..1.0_f64, 0.1..3.0_f64, -1.0..5.0_f64).prop_map(|(bursts, more, length)| bursty(
            libm::exp10(bursts),
            libm::exp10(bursts + more),
            libm::exp10(length)
        )),
        Just(ChangeProcess::Recorded(&[0.0, 0.25, 3.0, 3.0, 1e5, 2e5, 1e6, 1e300])),
    ]
}

proptest! {
    #[test]
    fn every_question_is_answered_as_the_list_of_changes_answers_it(
        process in any_process(),
        page in any::<u32>(),
        seed in any::<u64>(),
        asked in prop::collection::vec((0_usize..300, 0_u64..3), 1..20),
        start in prop_oneof![Just(0_u64), 0_u64..1 << 50, Just(u64::MAX - 7)],
    ) {
        let changes = Changes::of(process, PageId(page), seed);
        let list: Vec<u64> = changes.from(start).take(300).collect();
        prop_assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "times rise");
        prop_assert!(list.iter().all(|at| *at >= start));
        prop_assert_eq!(&list, &changes.from(start).take(300).collect::<Vec<_>>());
        // In the order of the queries, at and around changes.
        for pair in asked.windows(2) {
            let moment = |(i, near): (usize, u64)| {
                let at = list.get(i).or(list.last()).copied().unwrap_or(start);
                (at + near).saturating_sub(1).max(start)
            };
            let (a, b) = (moment(pair[0]), moment(pair[1]));
            let last = list.last().copied().unwrap_or(u64::MAX);
            let by = |t: u64| list.iter().copied().rfind(|at| *at <= t);
            if a <= last {
                let found = changes.last_change_by(a);
                prop_assert_eq!(by(a).or(found.filter(|at| *at < start)), found);
                prop_assert_eq!(changes.last_change_before(a + 1), found);
            }
            let next = list.iter().copied().find(|at| *at > a);
            if next.is_some() {
                prop_assert_eq!(changes.next_change_after(a), next);
            }
            if b <= last {
                let between = list.iter().filter(|at| a < **at && **at <= b).count() as u64;
                prop_assert_eq!(changes.n_changes_between(a, b), between);
                prop_assert_eq!(changes.changed_between(a, b), between > 0);
            }
            let mut times = changes.from(start);
            times.next();
            times.skip_to(a);
            let expected = list.iter().skip(1).copied().find(|at| *at >= a);
            if expected.is_some() {
                prop_assert_eq!(times.next(), expected);
            }
        }
    }
}
