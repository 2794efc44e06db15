//! Tests on small webs.

use super::histories::{JUDGED, RateEstimate, YEARLY};
use super::mixes::{COUNTED, Mix, ORDERS, Where};
use super::*;
use crate::judge::{Claim, Verdict};
use crate::report::Unit;
use crate::{Job, Report, Web};
use crawl_world::WorldBuilder;
use std::ops::ControlFlow;
use std::sync::Arc;

fn run(job: Job) -> Report {
    job.run(&mut |_| ControlFlow::Continue(())).expect("runs").expect("was not stopped")
}

fn verdict(claims: &[Claim], beginning: &str) -> Verdict {
    let claim = claims.iter().find(|claim| claim.says.starts_with(beginning));
    claim.unwrap_or_else(|| panic!("{beginning}")).verdict
}

#[test]
fn the_papers_numbers_and_simulated_ones_are_shown_and_judged() {
    let report = run(Job::generated(&DOCUMENT, 3, 200));
    assert_eq!(report, run(Job::generated(&DOCUMENT, 3, 200)), "the same numbers every time");
    for web in &report.webs {
        for number in web.numbers.iter().filter(|number| number.name.starts_with(FRESH)) {
            assert!((0.0..=1.0).contains(&number.value), "{number:?}");
        }
        for (_, name) in ESTIMATORS {
            let values = web.values(&format!("{RATIO}{name}")).expect("was simulated");
            assert_eq!(values.len(), figure_of(0).expect("a figure").exact(name).len());
            assert!(values.iter().all(|value| (0.0..2.0).contains(value)), "{values:?}");
        }
    }
    for (says, expected) in [
        ("A visit a day to a page that changes once", Verdict::Held),
        ("The sums under Table 2", Verdict::NotHeld),
        ("The difference of those sums", Verdict::Held),
        ("Classified is fresher than uniform, by the paper's own sums", Verdict::Held),
        ("At an equal budget of 20/3 visits", Verdict::NotHeld),
        ("At an equal budget of 10/6 visits", Verdict::NotHeld),
        ("X/n is low by less than 10 %", Verdict::Held),
        ("With X/n from visits at f₀ the class stays empty", Verdict::Held),
        ("With the bias-reduced estimator it starts", Verdict::Held),
        ("Uniform is at least as fresh as proportional: rates at random", Verdict::Held),
        ("Uniform is at least as fresh as proportional also where some", Verdict::NotHeld),
        ("Uniform is at least as fresh as proportional also over a short", Verdict::NotHeld),
        ("Optimal is at least as fresh as every other", Verdict::Held),
        ("In sessions classified is fresher than uniform, each spending", Verdict::Held),
        ("In sessions of a small newsroom classified is fresher", Verdict::NotHeld),
        ("In sessions uniform is fresher than proportional also where half", Verdict::NotHeld),
        ("In sessions optimal is fresher than every other fixed schedule", Verdict::Held),
    ] {
        assert_eq!(verdict(&report.claims, says), expected, "{says}");
    }
    let table = |title: &str| {
        report.tables.iter().find(|table| table.title.starts_with(title)).expect("is shown")
    };
    let terms = table("Tables 1 and 2");
    assert_eq!((terms.unit, terms.rows.len()), (Unit::Fine, 13));
    let cell = |row: usize, column: usize| terms.rows[row].cells[column].expect("a number").mean;
    for (row, column, printed) in
        [(10, 1, 0.9356), (10, 4, 3.4874), (11, 1, 0.7875), (11, 4, 3.3393)]
    {
        assert!((cell(row, column) - printed).abs() < 0.5e-4, "{row} {column}");
    }
    let means = table("Three readings").rows.iter().map(|row| row.cells[2].expect("exact").mean);
    for (mean, digest) in means.zip([0.750, 0.724, 0.711, 0.691, 0.680]) {
        assert!((mean - digest).abs() < 0.5e-3, "{mean}");
    }
    let figure = &report.figures[0];
    let points: Vec<usize> = figure.lines.iter().map(|line| line.points.len()).collect();
    assert_eq!(points, [16, 16]);
    assert_eq!((report.tables.len(), report.figures.len()), (11, 3));
    let all = report.tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells);
    assert!(all.flatten().all(|cell| cell.mean.is_finite() && cell.half_width.is_finite()));
}

#[test]
fn the_world_has_the_rates_of_the_paper() {
    let catalogue = crawl_run::catalogue();
    let chosen = catalogue.choose(Kind::World, "refresh-table-1").expect("a world");
    let world = Run::make_world(&WorldSource::Made(chosen)).expect("builds");
    let rates: Vec<Rate> = world.pages().skip(1).map(|page| rate_of(&world, page)).collect();
    assert_eq!(rates, paper::pages());
    // Over a long time, simulated means are within about four standard errors of the closed forms.
    let mut measured = Measurement::new(String::new(), false, 11);
    (0..20).for_each(|seed| table_1(&world, seed, &mut measured));
    let offs = |name: &str| -> Vec<f64> {
        measured.numbers.iter().filter(|n| n.name == name).map(|n| n.value).collect()
    };
    for (_, budget) in BUDGETS {
        for policy in Policy::ALL {
            let offs = offs(&on_table_1(OFF, policy, budget));
            let error = crate::standard_error(&offs).expect("many");
            assert!(mean(offs.iter().copied()).abs() < 4.0 * error, "{policy:?} {budget}");
        }
    }
}

#[test]
fn copies_are_fresh_from_a_visit_to_the_next_change() {
    let changes = Changes::of(ChangeProcess::Recorded(&[10.0, 25.0, 26.0]), PageId(0), 0);
    let s = |seconds: u64| seconds * 1_000_000;
    let fresh = |visits: &[u64], end| {
        simulate::fresh_us(changes, visits.iter().map(|at| s(*at)), s(end)) / s(1)
    };
    assert_eq!(fresh(&[0], 40), 10);
    assert_eq!(fresh(&[0, 5], 40), 10);
    // A visit at the time of a change sees it.
    assert_eq!(fresh(&[0, 10], 40), 25);
    assert_eq!(fresh(&[0, 20, 30], 40), 10 + 5 + 10);
    assert_eq!(fresh(&[0, 20, 30], 24), 10 + 4);
    assert_eq!(fresh(&[50], 40), 0);
    // Never visited: fresh only if nothing changes.
    let mut rng = Rng::new(1, "test");
    let never = Changes::of(ChangeProcess::Never, PageId(0), 0);
    assert_eq!(simulate::freshness(never, Rate::ZERO, 10.0, &mut rng), 1.0);
    assert_eq!(simulate::freshness(changes, Rate::ZERO, 10.0, &mut rng), 0.0);
    let seldom = Rate::new(1e-50).expect("a rate");
    let hourly = Changes::of(ChangeProcess::Poisson { per_hour: 1.0 }, PageId(0), 0);
    assert!(simulate::freshness(hourly, seldom, 10.0, &mut rng) < 1e-3);
}

#[test]
fn mixes_are_what_they_are_said_to_be() {
    let mut rng = Rng::new(7, "test");
    for place in [Where::LongRun, Where::StaticPages, Where::ShortTime] {
        for _ in 0..50 {
            let mix = Mix::drawn(&mut rng, place);
            let n = mix.changes.len();
            let is_static = mix.changes.iter().filter(|rate| **rate == Rate::ZERO).count();
            assert!((2..=30).contains(&n) && is_static < n);
            assert_eq!(is_static > 0, place == Where::StaticPages);
            let spent: f64 = mix.by_chance.iter().map(|rate| rate.get()).sum();
            assert!((spent / mix.budget.get() - 1.0).abs() < 1e-9);
            let turns = mix.budget.get() * mix.time.get() / n as f64;
            assert!((0.2..=2.0 + 1e-9).contains(&turns), "{turns}");
        }
    }
    let mut measured = Measurement::new(String::new(), false, 0);
    mixes::piece(3, &mut measured);
    for order in &ORDERS {
        let [n, behind, least, greatest] =
            COUNTED.map(|what| measured.number(&mixes::name(order, what)).expect("was counted"));
        assert!(n == 50.0 && (0.0..=n).contains(&behind) && least <= greatest);
        assert_eq!(behind > 0.0, least < -1e-9, "{}", order.name);
    }
}

#[test]
fn classes_at_the_papers_budget_are_the_papers() {
    let (rates, budget) = (paper::pages(), Rate::new(20.0 / 3.0).expect("a rate"));
    let ours = Policy::Classified.visits(&rates, budget).expect("rates are fine");
    for (ours, paper) in ours.iter().zip(paper::classes().visits()) {
        assert!((ours.get() - paper.get()).abs() < 1e-12);
    }
}

const YEAR_S: f64 = 365.25 * 24.0 * 3600.0;

/// A record of four years. Three pages exist at half-time: one changes every tenth of a year, one only
/// in the second half, one never again. One was deleted before, one appeared later.
fn history() -> World {
    let mut builder = WorldBuilder::new("Four years");
    let mut add = |name: &str, times: &[f64], gone: Option<f64>| {
        let page = builder.page(&format!("http://a.example/{name}")).expect("a page");
        for at in times {
            builder.add_change(page, at * YEAR_S).expect("a time");
        }
        if let Some(at) = gone {
            builder.set_gone(page, at * YEAR_S).expect("a time");
        }
    };
    let often: Vec<f64> = (0..=40).map(|i| f64::from(i) / 10.0).collect();
    add("often", &often, None);
    add("late", &[0.5, 3.0], None);
    add("once", &[1.0], None);
    add("gone", &[0.0, 1.0], Some(1.0));
    add("new", &[3.0, 3.5], None);
    builder.finish().expect("a world")
}

#[test]
fn histories_are_judged_by_their_second_half() {
    let world = Arc::new(history());
    assert!((DOCUMENT.suits)(&world));
    let digest = world.digest().to_string();
    let source = WorldSource::File { digest, names: vec!["four years".to_owned()], data: None };
    let web = Web::Given { name: "four years".to_owned(), source, world };
    let report = run(Job::new(&DOCUMENT, vec![web]));
    let [web] = &report.webs[..] else { panic!("one web") };
    for estimate in RateEstimate::ALL {
        for policy in Policy::ALL {
            for yearly in YEARLY {
                let name = histories::name(policy, estimate, yearly);
                let pages = web.values(&name).expect("was simulated");
                assert_eq!(pages.len(), 3, "{name}");
                assert!(pages.iter().all(|fresh| (0.0..=1.0).contains(fresh)), "{name}");
                assert_eq!(pages[2], 1.0, "a page that stays as it is, {name}");
            }
        }
    }
    // X/T takes the second page for static: proportional never visits it, and half of the time is fresh.
    let of = |policy, estimate| {
        web.values(&histories::name(policy, estimate, JUDGED)).expect("is there")
    };
    assert!((of(Policy::Proportional, RateEstimate::Counted)[1] - 0.5).abs() < 1e-9);
    assert!((of(Policy::Optimal, RateEstimate::Counted)[1] - 0.5).abs() < 1e-9);
    assert!(of(Policy::Proportional, RateEstimate::HalfMore)[1] > 0.5);
    // Uniform visits every quarter of a year, so a copy is stale for less than that.
    assert!(of(Policy::Uniform, RateEstimate::Counted)[1] > 1.0 - 0.25 / 2.0);
    let often = of(Policy::Uniform, RateEstimate::Counted)[0];
    assert!(often < of(Policy::Proportional, RateEstimate::Counted)[0], "{often}");
    // The exact claims, and those about histories; Figure 1 has no simulated points.
    assert!(report.claims.iter().any(|claim| claim.webs == "four years"));
    assert_eq!((report.tables.len(), report.figures.len()), (7, 3));
    assert!(report.figures[0].lines.iter().all(|line| line.points.is_empty()));
}

#[test]
fn worlds_without_recorded_changes_do_not_suit() {
    let catalogue = crawl_run::catalogue();
    for spec in ["rl-figure-3", "newsroom(pages:200)", "refresh-table-1"] {
        let source = WorldSource::Made(catalogue.choose(Kind::World, spec).expect("a world"));
        let world = Run::make_world(&source).expect("builds");
        assert!(!(DOCUMENT.suits)(&world), "{spec}");
    }
}

#[test]
fn numbers_decide_what_is_held() {
    let webs = |lead: &dyn Fn(Policy, u32) -> f64, behind: f64, off_by: f64| -> Vec<Measurement> {
        let web = |i: u32| {
            let mut measured = Measurement::new(format!("web {i}"), false, 200);
            let noise = if i.is_multiple_of(2) { 1e-3 } else { -1e-3 };
            for daily in DAILY {
                for policy in Policy::ALL {
                    let value = 0.5 + lead(policy, daily);
                    measured.record(in_newsroom(policy, daily), value);
                }
                measured.record(off("poisson", daily), noise + off_by);
            }
            for order in &ORDERS {
                for (what, value) in COUNTED.into_iter().zip([50.0, behind, -behind, 0.1]) {
                    measured.record(mixes::name(order, what), value);
                }
            }
            measured
        };
        (0..10).map(web).collect()
    };
    let says = "In a newsroom classified is fresher than uniform";
    let agrees = "Simulated copies of a newsroom's poisson pages";
    let mixed = "Optimal is at least as fresh as every other";
    let ahead = |policy, _| if policy == Policy::Classified { 0.1 } else { 0.0 };
    let claims = (DOCUMENT.findings)(&webs(&ahead, 0.0, 0.0)).claims;
    assert_eq!([says, agrees, mixed].map(|says| verdict(&claims, says)), [Verdict::Held; 3]);
    // Behind at one budget, in one mix, and far off.
    let once = |policy, daily| match (policy, daily) {
        (Policy::Classified, 8) => -0.1,
        (Policy::Classified, _) => 0.1,
        _ => 0.0,
    };
    let claims = (DOCUMENT.findings)(&webs(&once, 1.0, 0.01)).claims;
    assert_eq!([says, agrees, mixed].map(|says| verdict(&claims, says)), [Verdict::NotHeld; 3]);
    // Off by more than the interval, and by less than twice the interval.
    let claims = (DOCUMENT.findings)(&webs(&ahead, 0.0, 0.001)).claims;
    let claim = claims.iter().find(|claim| claim.says.starts_with(agrees)).expect("is judged");
    assert_eq!(claim.verdict, Verdict::Undecided);
    assert!(claim.because.ends_with("outside of the interval and within twice of it"), "{claim:?}");
    // Missing measurements are reported.
    let nothing = "Simulated estimates X/n";
    assert_eq!(verdict(&claims, nothing), Verdict::Undecided);
    let claims = (DOCUMENT.findings)(&webs(&|_, _| 0.0, 0.0, 0.0)).claims;
    assert_eq!(verdict(&claims, says), Verdict::Undecided);
}

#[test]
fn newsrooms_of_other_sizes_are_other_worlds() {
    let catalogue = crawl_run::catalogue();
    let rates = |n_pages: u32| -> Vec<f64> {
        let spec = (DOCUMENT.web)(n_pages, 1);
        let source = WorldSource::Made(catalogue.choose(Kind::World, &spec).expect("a world"));
        let world = Run::make_world(&source).expect("builds");
        world.pages().map(|page| rate_of(&world, page).get()).collect()
    };
    // Numbers in the notes on newsrooms: pages that change more than twice per hour, their share of all
    // changes, and the share of static pages.
    for (n_pages, n_fast, changes, still) in
        [(sessions::MOST_PAGES, 6, 0.6, 0.37), (2000, 7, 0.2, 0.44)]
    {
        let rates = rates(n_pages);
        let fast: Vec<f64> = rates.iter().copied().filter(|rate| *rate > 2.0).collect();
        let part = fast.iter().sum::<f64>() / rates.iter().sum::<f64>();
        let n_still = rates.iter().filter(|rate| **rate == 0.0).count();
        assert_eq!(fast.len(), n_fast);
        assert!((part - changes).abs() < 0.05, "{part}");
        assert!((n_still as f64 / f64::from(n_pages) - still).abs() < 0.005, "{n_still}");
    }
}
