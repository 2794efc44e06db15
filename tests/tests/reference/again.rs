//! Orderings where pages are visited again and show links that they did not show before: after every
//! visit each URL that waits has the score its reference gives it, and the best is fetched next.

use crate::crawl::{Graph, History, Reference, check, take_note_of};
use crate::{REFERENCES, cases};
use crawl_core::revisit::RevisitRules;
use crawl_core::{Rules, VisitKind, rounded};
use crawl_tests::living::{Living, Trip, budget, visitor};
use crawl_world::World;

const HOURS: f64 = 12.0;

/// A world drawn by lot in which pages come as time goes on. What hosts ask for, and that pages go, is
/// no part of an ordering.
fn world(seed: u64) -> (World, Vec<usize>) {
    let mut living = Living::random(seed, 4 + (seed % 30) as usize, HOURS);
    living.sketch.hosts.clear();
    living.sketch.seeds.truncate(1 + (seed % 4) as usize);
    living.gone.fill(None);
    let living = living.with_births(seed, HOURS);
    (living.world(), living.sketch.seeds)
}

/// What was compared.
#[derive(Default, Debug)]
struct Compared {
    n_visits: usize,
    /// Visits that showed new links.
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
    let trip = Trip { ordering: spec, rules, rng: seed, ..Trip::new(world, again) };
    let mut run = trip.start(&visitor(["uniform", "adaptive(start:1)"][(seed % 2) as usize]));
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
