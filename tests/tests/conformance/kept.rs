//! What an ordering keeps of URLs can be shown on them: it has names, and numbers to them.

use crawl_core::{Rules, Simulator, UrlId};
use crawl_tests::contender::{contender, contenders};
use crawl_tests::worlds::small_worlds;
use std::collections::BTreeSet;

#[test]
fn every_name_has_numbers() {
    for (_, world) in small_worlds() {
        let rules = Rules::default();
        for contender in contenders() {
            let mut run = Simulator::new(contender.session(&world, &world.seeds(), &rules));
            for step in 0..40 {
                let session = run.session();
                let names = session.keeps();
                let name = contender.name();
                assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{name}");
                for kept in &names {
                    let urls = (0..session.book().n_discovered()).map(UrlId);
                    let values: Vec<f64> =
                        urls.filter_map(|url| session.kept(&world, kept, url)).collect();
                    // What is kept of fetched pages is there after the first fetch.
                    assert!(step == 0 || !values.is_empty(), "{name}: no {kept} at step {step}");
                    assert!(values.iter().all(|value| value.is_finite()), "{name}: {kept}");
                }
                if run.step(&world).is_none() {
                    break;
                }
            }
        }
    }
}

/// The numbers are those that explanations use.
#[test]
fn distances_and_cash_are_what_the_papers_say() {
    let world = crawl_tests::worlds::world("fica-figure-1");
    let rules = Rules::default();
    let of = |spec: &str| Simulator::new(contender(spec).session(&world, &world.seeds(), &rules));
    let mut fica = of("fica");
    let mut backlinks = of("backlink-count");
    let mut opic = of("opic");
    for _ in 0..world.n_pages() {
        for run in [&mut fica, &mut backlinks, &mut opic] {
            run.step(&world);
        }
        for url in fica.session().frontier().waiting() {
            let distance = fica.session().kept(&world, "distance", url);
            assert_eq!(distance, Some(0.0 - fica.session().score(url)));
        }
        let known = backlinks.session().known(&world);
        for url in backlinks.session().frontier().waiting() {
            let seen = known.linked_from(url).len() as f64;
            assert_eq!(backlinks.session().kept(&world, "backlinks", url), Some(seen));
        }
        // Cash is not made: what is held is what the seeds had, less what pages without links took.
        let session = opic.session();
        let urls = (0..session.book().n_discovered()).map(UrlId);
        let held: f64 = urls.filter_map(|url| session.kept(&world, "cash", url)).sum();
        assert!(held <= 1.0 + 1e-9, "{held}");
    }
}
