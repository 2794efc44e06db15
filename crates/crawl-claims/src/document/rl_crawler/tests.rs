//! Tests on small webs.

use super::*;
use crate::judge::{Claim, Verdict};
use crate::{Job, Report, Web};
use crawl_catalogue::Catalogue;
use crawl_protocol::WorldSource;
use crawl_world::World;
use std::ops::ControlFlow;
use std::sync::Arc;

fn report(n_webs: u32) -> Report {
    let job = Job::generated(&DOCUMENT, n_webs, 1000);
    job.run(&mut |_| ControlFlow::Continue(())).expect("runs").expect("was not stopped")
}

fn made(catalogue: &Catalogue, spec: &str) -> (WorldSource, Arc<World>) {
    let source = WorldSource::Made(catalogue.choose(Kind::World, spec).expect("a world"));
    let world = Arc::new(Run::make_world(&source).expect("builds"));
    (source, world)
}

#[test]
fn curves_rise_below_the_ideal_and_claims_follow_from_them() {
    let report = report(2);
    for web in &report.webs {
        assert_eq!(web.series.len(), crawls().count() + STARTS.len());
        for Crawl { strategy, start, k, .. } in crawls() {
            let name = |what| name(what, strategy, start, k);
            let gathered = web.values(&name("")).expect("was run");
            assert_eq!(gathered.len(), N_STEPS, "{}", name(""));
            assert!(gathered.is_sorted(), "{}", name(""));
            // From its own seeds a crawl may reach few pages.
            let is_own = start == Start::Own;
            let n_fetched = web.number(&name(FETCHED)).expect("was counted");
            assert!(n_fetched == N_STEPS as f64 || is_own, "{}", name(""));
            let tau = web.number(&name(TAU));
            assert!(tau.is_none_or(|tau| tau.abs() <= 1.0), "{}", name(TAU));
            assert!(tau.is_some() || is_own, "{}", name(TAU));
            let most = web.values(&ideal(k)).expect("was computed");
            let is_below = gathered.iter().zip(most).all(|(got, most)| *got <= most + 1e-12);
            assert!(is_below || is_own, "{}", name(""));
        }
    }
    // The paper's first claim, recomputed from the curves.
    let area = |web: &Measurement, strategy: &str| {
        let gathered = web.values(&name("", strategy, Start::Own, 1)).expect("was run");
        gathered.iter().sum::<f64>() / 100.0
    };
    let lead = |web: &Measurement| area(web, RL_ALL) - area(web, DISTANCE_ALL);
    let leads: Vec<f64> = report.webs.iter().map(lead).collect();
    assert_eq!(report.claims[0].verdict, Verdict::of_positive(&leads), "{leads:?}");
    assert_eq!(report.claims.last().map(|claim| claim.verdict), Some(Verdict::Undecided));
    assert!(report.claims.iter().all(|claim| !claim.because.is_empty()));
    // Both kinds of seeds, τ of crawls, and OPIC.
    assert_eq!((report.tables.len(), report.figures.len()), (4, 2 * STARTS.len() + 1));
    assert!(report.tables[0].rows.iter().all(|row| row.cells.iter().all(Option::is_some)));
    assert_eq!(report.figures[0].lines.len(), STRATEGIES.len() + 1);
    assert_eq!(report.figures[6].lines.len(), opic::ORDERS.len() + 1);
}

#[test]
fn histories_come_nearer_to_pagerank_the_more_is_read() {
    let report = report(1);
    let web = &report.webs[0];
    for (order, _) in opic::ORDERS {
        let of = |named: fn(&str, u32) -> String| {
            opic::SWEEPS.map(|sweeps| web.number(&named(order, sweeps)).expect("was measured"))
        };
        let (taus, errors) = (of(opic::tau), of(opic::error));
        assert!(errors[4] < errors[0] / 4.0, "{order} {errors:?}");
        assert!(taus[4] > taus[0] && taus[4] < 1.0, "{order} {taus:?}");
    }
}

#[test]
fn in_a_crawl_cash_comes_to_a_page_before_and_after_its_fetch() {
    // Figure 3: A → B, C, D; B → E; C → D, F.
    let catalogue = crawl_run::catalogue();
    let (source, world) = made(&catalogue, "rl-figure-3");
    let truth = Run::truth_of(&world, &catalogue).expect("can be ranked");
    let web_context =
        WebContext { catalogue: &catalogue, source: &source, world: &world, truth: &truth };
    let page = |letter: char| {
        let of = |page: &PageId| world.url(*page).ends_with(letter);
        world.pages().find(of).expect("a page of that letter")
    };
    let came = opic::arrived(&web_context, &[page('A')], &['A', 'D', 'C'].map(page));
    let third = 1.0 / 3.0;
    for (letter, wanted) in
        [('A', 1.0), ('B', third), ('C', third), ('D', third + third / 2.0), ('F', third / 2.0)]
    {
        let got = came[page(letter).index()];
        assert!((got - wanted).abs() < 1e-12, "{letter} {got}");
    }
}

#[test]
fn a_real_web_that_says_the_opposite_is_reported() {
    let mut generated = report(1).webs.remove(0);
    let mut real = generated.clone();
    real.is_real = true;
    real.web = "the other".to_owned();
    for (web, better) in [(&mut generated, RL_ALL), (&mut real, DISTANCE_ALL)] {
        for number in web.numbers.iter_mut().filter(|number| number.name.starts_with(AREA)) {
            number.value = if number.name.contains(better) { 0.5 } else { 0.1 };
        }
    }
    let claims = (DOCUMENT.findings)(&[generated.clone(), real]).claims;
    let last = claims.last().expect("there is one");
    assert_eq!(last.verdict, Verdict::Held);
    // Own and common seeds, for one, four and eight seeds.
    assert!(last.because.contains("the other turns 6"), "{}", last.because);
    let says = |webs: &str| {
        let claim: &Claim = claims.iter().find(|claim| claim.webs == webs).expect("was measured");
        claim.verdict
    };
    assert_eq!(says("1 generated web"), Verdict::Held);
    assert_eq!(says("the other"), Verdict::NotHeld);
    let same = Measurement { is_real: true, web: "the same".to_owned(), ..generated.clone() };
    let claims = (DOCUMENT.findings)(&[generated, same]).claims;
    assert_eq!(claims.last().map(|claim| claim.verdict), Some(Verdict::NotHeld));
}

#[test]
fn a_web_with_fewer_pages_than_starts_is_refused() {
    let (source, world) = made(&crawl_run::catalogue(), "rl-figure-3");
    let web = Web::Given { name: "six pages".to_owned(), source, world };
    let failure = Job::new(&DOCUMENT, vec![web]).run(&mut |_| ControlFlow::Continue(()));
    let message = failure.expect_err("eight of six pages").to_string();
    assert_eq!(message, "six pages: the 8 best pages cannot be seeds: the world has 6");
}
