//! Strategies on pages that show new links on later visits, against their references.
//!
//! After every visit each waiting URL has the score of its reference, and the best is fetched next.

use crate::crawl::{Graph, History, Reference, check, take_note_of};
use crate::{REFERENCES, cases};
use crawl_core::revisit::RevisitRules;
use crawl_core::{Rules, VisitKind, rounded};
use crawl_tests::changing::{ChangingWorld, CrawlSetup, budget, policy_variant};
use crawl_world::World;

const HOURS: f64 = 12.0;

/// A random world in which pages appear over time.
///
/// Without host rules and disappearing pages, which do not affect strategies.
fn world(seed: u64) -> (World, Vec<usize>) {
    let mut changing = ChangingWorld::random(seed, 4 + (seed % 30) as usize, HOURS);
    changing.sketch.hosts.clear();
    changing.sketch.seeds.truncate(1 + (seed % 4) as usize);
    changing.gone.fill(None);
    let changing = changing.with_births(seed, HOURS);
    (changing.world(), changing.sketch.seeds)
}

/// Statistics of the comparison.
#[derive(Default, Debug)]
struct Compared {
    n_visits: usize,
    /// Number of visits that showed new links.
    n_grown: usize,
    n_scores: usize,
}

fn agree(
    spec: &str,
    reference: &mut dyn Reference,
    (graph, world): (&Graph, &World),
    seed: u64,
    compared: &mut Compared,
) -> Result<(), String> {
    let again = RevisitRules { new: [2.0, 4.0, 0.0][(seed % 3) as usize], ..budget(12.0, HOURS) };
    let rules = Rules { robots: false, latency_ms: 0.0, ..Rules::default() };
    let setup = CrawlSetup { ordering: spec, rules, rng: seed, ..CrawlSetup::new(world, again) };
    let mut run =
        setup.start(&policy_variant(["uniform", "adaptive(start:1)"][(seed % 2) as usize]));
    let mut history = History::new(graph);
    loop {
        let scores = reference.scores(&history);
        let tolerance = reference.tolerance().max(1e-9);
        for url in run.session().frontier().waiting() {
            let (page, score) = (run.session().book().page(url).index(), run.session().score(url));
            let expected = scores[page];
            let is_near = (score - expected).abs() <= tolerance * expected.abs() + 1e-12;
            if !is_near && rounded(score) != rounded(expected) {
                let visits = &history.visits;
                return Err(format!("page {page} has {score}, not {expected}, after {visits:?}"));
            }
            compared.n_scores += 1;
        }
        let Some(step) = run.step(world) else { return Ok(()) };
        let page = step.page.index();
        if step.visit == VisitKind::First {
            check(tolerance, &scores, &history, &[], Some((page, step.score)))?;
        }
        let n_before = history.links(page).len();
        let n_shown = world.n_links_by(step.page, step.at_us);
        take_note_of(page, n_shown, scores[page], reference, &mut history);
        compared.n_visits += usize::from(step.visit != VisitKind::First);
        compared.n_grown += usize::from(step.visit != VisitKind::First && n_shown > n_before);
    }
}

#[test]
fn orderings_agree_where_pages_show_new_links() {
    for (spec, make) in REFERENCES {
        let mut compared = Compared::default();
        let n_worlds = u64::from(cases(150).cases);
        for seed in 0..n_worlds {
            let (world, seeds) = world(seed);
            let graph = Graph::of_world(&world, seeds);
            let mut reference = make(&graph, &world);
            let agreed = agree(spec, &mut *reference, (&graph, &world), seed, &mut compared);
            assert_eq!(agreed, Ok(()), "{spec} on world {seed}");
        }
        let enough = compared.n_grown > 100 && compared.n_scores > 1000;
        assert!(enough || n_worlds < 150, "{spec}: too little was compared: {compared:?}");
    }
}
