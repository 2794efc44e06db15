//! Tests of sessions on small webs, and of their evaluation.

use super::super::claims::Claims;
use super::super::{DOCUMENT, policy_ranking};
use super::*;
use crate::judge::Verdict;
use crate::measurement::groups;
use crawl_core::Truth;

/// Measurements of one session on a web of 200 pages.
fn session(seed: u64, wanted: Place, spec: &str) -> Measurement {
    let catalogue = crawl_run::catalogue();
    let web = (DOCUMENT.web)(200, seed as u32);
    let source = WorldSource::Made(catalogue.choose(Kind::World, &web).expect("a world"));
    let world = Arc::new(Run::make_world(&source).expect("builds"));
    let truth = Arc::new(Truth { ranker: String::new(), ranks: Vec::new() });
    let web_context =
        WebContext { catalogue: &catalogue, source: &source, world: &world, truth: &truth };
    let at = all().position(|(place, other)| place == wanted && other == spec);
    let mut measured = Measurement::new(web, false, 200);
    piece(at.expect("a session"), seed, &web_context, &mut measured).expect("runs");
    measured
}

#[test]
fn every_registered_policy_runs() {
    let specs = policies();
    for entry in POLICIES {
        assert!(specs.iter().any(|spec| *spec == entry.entry.id), "{}", entry.entry.id);
    }
    for known in STATIONARY {
        assert!(specs.iter().any(|spec| spec == known), "{known}");
    }
    let catalogue = crawl_run::catalogue();
    assert!(specs.iter().all(|spec| catalogue.choose(Kind::Policy, spec).is_ok()));
}

#[test]
fn budgets_are_equal_and_sessions_replay() {
    for place in [Place::Newsroom, Place::Static] {
        for spec in STATIONARY {
            let measured = session(2, place, spec);
            assert_eq!(measured, session(2, place, spec), "the same numbers every time");
            let number = |what| measured.number(&name(what, spec, place.name())).expect("measured");
            assert!((number(SPENT) - 1.0).abs() < 0.02, "{spec}: {}", number(SPENT));
            assert_eq!(number(COPIED), 1.0, "{spec}");
            assert!((0.0..=1.0).contains(&number(FRESH)) && (0.0..=1.0).contains(&number(WASTED)));
        }
    }
    // The paper lets classified spend four times as much.
    let spent = |spec| session(1, Place::Printed, spec);
    let spent = [CLASSIFIED, UNIFORM].map(|spec| {
        spent(spec).number(&name(SPENT, spec, Place::Printed.name())).expect("measured")
    });
    assert!(spent.iter().all(|spent| (spent - 1.0).abs() < 0.02), "{spent:?}");
}

#[test]
fn pages_by_lot_change_as_they_should() {
    let moving = with_random_rates(7, false).expect("builds");
    let rates: Vec<f64> = moving.pages().map(|page| moving.change_rate_per_hour(page)).collect();
    assert_eq!(rates.len(), N_RANDOM as usize);
    assert!(rates.iter().all(|rate| (0.01..=1.0).contains(rate)));
    assert_eq!(moving.seeds().len(), rates.len(), "crawls start everywhere");
    let half = with_random_rates(7, true).expect("builds");
    let still = half.pages().filter(|page| half.change_rate_per_hour(*page) == 0.0).count();
    assert_eq!(still, rates.len() / 2);
}

#[test]
fn classes_take_a_quarter_of_the_budget_for_their_base() {
    let world = Arc::new(with_random_rates(1, false).expect("builds"));
    let source = WorldSource::File { digest: String::new(), names: Vec::new(), data: None };
    let session = Session { visits: 160.0, hours: 1.0, seed: 1, source, world };
    for (spec, with) in [
        ("classified", "classified(f0:1)"),
        (ALIGNED, "classified(f0:1,phase:aligned,knows:rates)"),
        (UNIFORM, UNIFORM),
        (OPTIMAL, OPTIMAL),
    ] {
        assert_eq!(session.with_base(spec), with);
    }
}

#[test]
fn leads_decide_and_few_copies_do_not_rank_high() {
    let web = |i: u32, lead: f64| {
        let mut measured = Measurement::new(format!("web {i}"), false, 200);
        let noise = if i.is_multiple_of(2) { 1e-3 } else { -1e-3 };
        for (place, spec) in all() {
            let fresh = match spec.as_str() {
                CLASSIFIED => 0.5 + lead + noise,
                OPTIMAL => 0.7 + noise,
                "period-estimate" => 0.99,
                _ => 0.5,
            };
            measured.record(name(FRESH, &spec, place.name()), fresh);
            let copied = if spec == "period-estimate" { 0.1 } else { 1.0 };
            measured.record(name(COPIED, &spec, place.name()), copied);
        }
        measured
    };
    for (lead, expected) in
        [(0.1, Verdict::Held), (-0.1, Verdict::NotHeld), (0.0, Verdict::Undecided)]
    {
        let measured: Vec<Measurement> = (0..10).map(|i| web(i, lead)).collect();
        let groups = groups(&measured);
        let mut claims = Claims::new("webs");
        policy_ranking::claims(&groups[0], &mut claims);
        let verdict = |beginning: &str| {
            let claim = claims.claims.iter().find(|claim| claim.says.starts_with(beginning));
            claim.unwrap_or_else(|| panic!("{beginning}")).verdict
        };
        assert_eq!(verdict("In sessions of a small newsroom classified"), expected);
        assert_eq!(verdict("In sessions optimal is fresher than every other"), Verdict::Held);
        let tables = policy_ranking::tables(&groups[0]);
        let names: Vec<&str> = tables[0].rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((names[0], names.last()), ("optimal *", Some(&"period-estimate")));
        let prices: Vec<&str> = tables[1].rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(prices, ["proportional", "classified", "optimal"]);
    }
}
