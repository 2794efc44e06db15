//! The experiment on small webs.

use super::*;

fn tried(spec: &str, is_real: bool) -> Tried {
    let catalogue = crawl_run::catalogue();
    let source = WorldSource::Made(catalogue.choose(Kind::World, spec).expect("a world"));
    let world = Arc::new(Run::make_world(&source).expect("builds"));
    let mut n_done = 0;
    let tried = try_on(spec, (&source, &world), &catalogue, &mut || n_done += 1);
    assert_eq!(n_done, n_crawls());
    Tried { is_real, ..tried.expect("runs") }
}

#[test]
fn curves_rise_below_the_ideal_and_claims_follow_from_them() {
    let webs = [tried("web(pages:1000)", false), tried("web(pages:1000,rng:2)", false)];
    for web in &webs {
        assert_eq!((web.curves.len(), web.ideal.len()), (n_crawls(), STARTS.len()));
        for curve in &web.curves {
            let name = format!("{} {:?} {}", curve.ordering, curve.start, curve.k);
            assert_eq!(curve.gathered.len(), N_STEPS, "{name}");
            // From its own best pages a crawl may reach little.
            assert!(curve.n_fetched == N_STEPS || curve.start == Start::Own, "{name}");
            assert!(curve.gathered.is_sorted(), "{name}");
            assert!(curve.tau.is_none_or(|tau| tau.abs() <= 1.0), "{name}");
            assert!(curve.tau.is_some() || curve.start == Start::Own, "{name}");
            let at = STARTS.iter().position(|k| *k == curve.k).expect("one of them");
            let pairs = curve.gathered.iter().zip(&web.ideal[at]);
            let is_below = pairs.into_iter().all(|(got, most)| *got <= most + 1e-12);
            assert!(is_below || curve.start == Start::Own, "{name}");
        }
    }
    let claims = claims(&webs);
    assert_eq!(claims.len(), 3 * STARTS.len() + 2 + 1);
    // The first is the paper's own; told from the curves by hand.
    let area = |web: &Tried, ordering: &str| {
        let which = |c: &&Curve| c.ordering == ordering && c.k == 1 && c.start == Start::Own;
        web.curves.iter().find(which).expect("was run").gathered.iter().sum::<f64>() / 100.0
    };
    let leads = webs.each_ref().map(|web| area(web, RL_ALL) - area(web, DISTANCE_ALL));
    assert_eq!(claims[0].verdict, Verdict::of_positive(&leads), "{leads:?}");
    assert_eq!(claims.last().map(|claim| claim.verdict), Some(Verdict::Undecided));
    let picture = picture("k = 1", &[&webs[0], &webs[1]], Start::Own, 1);
    assert_eq!(picture.matches("<polyline").count(), ORDERINGS.len() + 1);
}

#[test]
fn a_real_web_that_says_the_opposite_is_named() {
    let mut generated = tried("web(pages:1000)", false);
    let mut real = generated.clone();
    real.is_real = true;
    real.web = "the other".to_owned();
    for (web, better) in [(&mut generated, RL_ALL), (&mut real, DISTANCE_ALL)] {
        for curve in &mut web.curves {
            let level = if curve.ordering == better { 0.5 } else { 0.1 };
            curve.gathered = vec![level; N_STEPS];
        }
    }
    let claims = claims(&[generated, real]);
    let last = claims.last().expect("there is one");
    assert_eq!(last.verdict, Verdict::Held);
    assert!(last.because.contains("the other at k = 8"), "{}", last.because);
    let says = |webs: &str| {
        let claim = claims.iter().find(|claim| claim.webs == webs).expect("was tried");
        claim.verdict
    };
    assert_eq!(says("1 generated webs"), Verdict::Held);
    assert_eq!(says("the other"), Verdict::NotHeld);
}

#[test]
fn a_web_with_fewer_pages_than_starts_is_refused() {
    let catalogue = crawl_run::catalogue();
    let chosen = catalogue.choose(Kind::World, "rl-figure-3").expect("a world");
    let source = WorldSource::Made(chosen);
    let world = Arc::new(Run::make_world(&source).expect("builds"));
    let failure = try_on("six pages", (&source, &world), &catalogue, &mut || {});
    let said = failure.expect_err("eight of six pages").to_string();
    assert_eq!(said, "the 8 best pages cannot be seeds: the world has 6");
}
