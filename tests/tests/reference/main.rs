//! Every strategy against a simple reference written from the papers.
//!
//! References use plain lists and recompute all scores before every choice; ties go to the URL
//! discovered earlier. Both must fetch the same pages in the same order.
#![cfg(not(target_arch = "wasm32"))]

mod combined;
mod crawl;
mod data;
mod distance;
mod flow;
mod focused;
mod formula;
mod historical;
mod hits;
mod joint;
mod pagerank;
mod revisits;
mod rewards;
mod simple;
mod worked;

use crawl::{Graph, Reference, agree, agree_in_focus, agree_in_parallel};
use crawl_tests::sketch::{Richness, Sketch};
use crawl_tests::variants::{strategy_variant, strategy_variants};
use crawl_world::{Drift, Rng, World, web_address};
use distance::Distance;
use formula::Formula;
use historical::{Historical, New, USUAL};
use joint::{ContextGraph, Joint};
use proptest::prelude::*;

/// Number of cases per property; the environment variable PROPTEST_CASES overrides it.
fn cases(n: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").map_or(n, |_| config.cases);
    ProptestConfig { cases: asked, failure_persistence: None, ..config }
}

/// Makes the reference of a strategy.
type Make = fn(&Graph, &World) -> Box<dyn Reference>;

/// All strategies, with the parameters under which they are compared.
const REFERENCES: &[(&str, Make)] = &[
    ("random", |_, w| Box::new(simple::Random::new(w))),
    ("breadth-first", |_, _| Box::new(simple::BreadthFirst)),
    ("depth-first", |_, _| Box::new(simple::DepthFirst)),
    ("backlink-count", |_, _| Box::new(simple::BacklinkCount)),
    ("opic", |_, _| Box::new(flow::Opic { keep: false })),
    ("opic(keep:true)", |_, _| Box::new(flow::Opic { keep: true })),
    ("fractional-pagerank", |_, _| Box::new(flow::FractionalPageRank { damping: 1.0 })),
    ("fractional-pagerank(damping:0.85)", |_, _| {
        Box::new(flow::FractionalPageRank { damping: 0.85 })
    }),
    ("fractional-pagerank(damping:0.3)", |_, _| {
        Box::new(flow::FractionalPageRank { damping: 0.3 })
    }),
    ("fractional-pagerank(damping:0)", |_, _| Box::new(flow::FractionalPageRank { damping: 0.0 })),
    ("pagerank", |graph, _| Box::new(pagerank::Refreshed::new(0.85, 100, graph))),
    ("pagerank(every:7)", |graph, _| Box::new(pagerank::Refreshed::new(0.85, 7, graph))),
    ("pagerank(every:1)", |graph, _| Box::new(pagerank::Refreshed::new(0.85, 1, graph))),
    ("pagerank(damping:0.5,every:3)", |graph, _| Box::new(pagerank::Refreshed::new(0.5, 3, graph))),
    ("hits", |_, _| Box::new(hits::Refreshed::new(100))),
    ("hits(every:7)", |_, _| Box::new(hits::Refreshed::new(7))),
    ("hits(every:1)", |_, _| Box::new(hits::Refreshed::new(1))),
    ("fica", |g, _| Box::new(Distance::fica(g))),
    ("fica(gamma:1,log:10)", |g, _| {
        Box::new(Distance { gamma: 1.0, log: libm::log10, ..Distance::fica(g) })
    }),
    ("fica(beta:0.3)", |g, _| Box::new(Distance { beta: 0.3, ..Distance::fica(g) })),
    ("distance-rank", |g, _| Box::new(Distance::distance_rank(g))),
    ("distance-rank(alpha:one,gamma:0.9)", |g, _| {
        Box::new(Distance { gamma: 0.9, beta: 0.0, ..Distance::distance_rank(g) })
    }),
    ("distance-rank(beta:0.3,log:2)", |g, _| {
        Box::new(Distance { beta: 0.3, log: libm::log2, ..Distance::distance_rank(g) })
    }),
    ("distance-rank(knowledge:all)", |g, _| Box::new(distance::Everywhere::new(g, 0.5))),
    ("distance-rank(knowledge:all,gamma:0.9)", |g, _| Box::new(distance::Everywhere::new(g, 0.9))),
    ("ieca", |g, _| Box::new(Distance::ieca(g))),
    ("ieca(delta:0.9,end:0.2,log:10)", |g, _| {
        Box::new(Distance { delta: (0.9, 0.2), log: libm::log10, ..Distance::ieca(g) })
    }),
    ("ieca(delta:0)", |g, _| Box::new(Distance::distance_rank(g))),
    ("rl-crawler", |g, _| Box::new(rewards::Refreshed::new(0.85, 100, true, g))),
    ("rl-crawler(every:1)", |g, _| Box::new(rewards::Refreshed::new(0.85, 1, true, g))),
    ("rl-crawler(every:7,gamma:0.3)", |g, _| Box::new(rewards::Refreshed::new(0.3, 7, true, g))),
    ("rl-crawler(every:3,prob:one)", |g, _| Box::new(rewards::Refreshed::new(0.85, 3, false, g))),
    ("rl-crawler(knowledge:all)", |g, _| Box::new(rewards::Everywhere::new(g, 0.85, true))),
    ("rl-crawler(knowledge:all,prob:one,gamma:0.5)", |g, _| {
        Box::new(rewards::Everywhere::new(g, 0.5, false))
    }),
    ("combined", |_, _| {
        let (a, b) = (flow::Opic { keep: false }, simple::BacklinkCount);
        Box::new(combined::Combined::new(0.5, Box::new(a), Box::new(b)))
    }),
    ("combined(a:breadth-first,b:fica,weight:0.3)", |g, _| {
        let (a, b) = (simple::BreadthFirst, Distance::fica(g));
        Box::new(combined::Combined::new(0.3, Box::new(a), Box::new(b)))
    }),
    ("historical", |g, w| Historical::boxed(g, w, New::Parent, USUAL, 1.0)),
    ("historical(new:oracle)", |g, w| Historical::boxed(g, w, New::Oracle, USUAL, 1.0)),
    ("historical(new:random)", |g, w| Historical::boxed(g, w, New::Random, USUAL, 1.0)),
    ("historical(new:zero)", |g, w| Historical::boxed(g, w, New::Zero, USUAL, 1.0)),
    ("historical(born:0.9,died:0.9,changed:0.9,drift:7)", |g, w| {
        let drift = Drift { born: 0.9, died: 0.9, changed: 0.9, seed: 7 };
        Historical::boxed(g, w, New::Parent, drift, 1.0)
    }),
    ("historical(born:0,died:0,changed:0,memory:0.1)", |g, w| {
        let drift = Drift { born: 0.0, died: 0.0, changed: 0.0, seed: 1 };
        Historical::boxed(g, w, New::Parent, drift, 0.1)
    }),
    ("historical(new:random,died:0.5,memory:0.5,drift:0)", |g, w| {
        let drift = Drift { died: 0.5, seed: 0, ..USUAL };
        Historical::boxed(g, w, New::Random, drift, 0.5)
    }),
    ("combined(a:historical,b:historical(drift:2),weight:0.3)", |g, w| {
        let a = Historical::boxed(g, w, New::Parent, USUAL, 1.0);
        let b = Historical::boxed(g, w, New::Parent, Drift { seed: 2, ..USUAL }, 1.0);
        Box::new(combined::Combined::new(0.3, a, b))
    }),
    ("omniscient", |g, _| Box::new(pagerank::Omniscient::new(g, 0.85))),
    ("omniscient(of:pagerank(damping:0.5))", |g, _| Box::new(pagerank::Omniscient::new(g, 0.5))),
    ("omniscient(of:hits)", |g, _| Box::new(hits::Omniscient::new(g))),
    ("omniscient(of:topic)", |_, w| Box::new(focused::Omniscient::new(w))),
    ("best-first", |_, w| Box::new(focused::BestFirst::new(w))),
    ("fish-search", |_, w| Box::new(focused::Fish::new(w))),
    ("fish-search(depth:1,width:2,a:1,parent:false)", |_, w| {
        Box::new(focused::Fish { depth: 1, taken: [2, 2], parent: false, ..focused::Fish::new(w) })
    }),
    ("fish-search(depth:2,width:1,a:2.5)", |_, w| {
        Box::new(focused::Fish { depth: 2, taken: [1, 2], ..focused::Fish::new(w) })
    }),
    ("shark-search", |_, w| Box::new(focused::Shark::new(w))),
    ("shark-search(delta:0.9,gamma:0.2,beta:0.3,depth:1)", |_, w| {
        Box::new(focused::Shark {
            delta: 0.9,
            gamma: 0.2,
            beta: 0.3,
            depth: 1,
            ..focused::Shark::new(w)
        })
    }),
    ("division-score", |_, w| Box::new(focused::Division::new(w))),
    ("division-score(coefficient:0.4,other:3)", |_, w| {
        Box::new(focused::Division { coefficient: 0.4, other: 3.0, ..focused::Division::new(w) })
    }),
    ("opie", |_, w| Box::new(focused::Opie::new(w, 0.8, true))),
    ("opie(fades:false)", |_, w| Box::new(focused::Opie::new(w, 0.8, false))),
    ("opie(weight:0)", |_, w| Box::new(focused::Opie::new(w, 0.0, true))),
    ("opie(weight:1)", |_, w| Box::new(focused::Opie::new(w, 1.0, true))),
    ("combined(a:best-first,b:shark-search,weight:0.6)", |_, w| {
        let (a, b) = (focused::BestFirst::new(w), focused::Shark::new(w));
        Box::new(combined::Combined::new(0.6, Box::new(a), Box::new(b)))
    }),
    // A page that either of the two wants is fetched.
    ("combined(a:fish-search(depth:1),b:shark-search(depth:2))", |_, w| {
        let a = focused::Fish { depth: 1, ..focused::Fish::new(w) };
        let b = focused::Shark { depth: 2, ..focused::Shark::new(w) };
        Box::new(combined::Combined::new(0.5, Box::new(a), Box::new(b)))
    }),
    // Formulas equal to another strategy.
    ("formula(of:'backlinks')", |_, _| Box::new(simple::BacklinkCount)),
    ("formula(of:'cash')", |_, _| Box::new(flow::Opic { keep: false })),
    ("formula(of:'-distance')", |g, _| Box::new(Distance::fica(g))),
    ("formula(of:'-discovered')", |_, _| Box::new(simple::BreadthFirst)),
    ("formula(of:'latest')", |_, _| Box::new(simple::DepthFirst)),
    ("formula(of:'random')", |_, w| Box::new(simple::Random::new(w))),
    // Other formulas.
    ("formula", |g, w| Formula::boxed(g, w, |f, p| f.backlinks[p] / (1.0 + f.depth[p]))),
    ("formula(of:'0.5 * best_parent + backlinks / max(1, parent_links)')", |g, w| {
        let score = |f: &formula::Facts, p: usize| {
            0.5 * f.best_parent[p] + f.backlinks[p] / f.parent_links[p].max(1.0)
        };
        Formula::boxed(g, w, score)
    }),
    ("formula(of:'backlinks / (1 + host_fetched) - depth')", |g, w| {
        Formula::boxed(g, w, |f, p| f.backlinks[p] / (1.0 + f.host_fetched[p]) - f.depth[p])
    }),
    ("formula(of:'if(age > 3, age ^ 2, cash - distance)')", |g, w| {
        let score = |f: &formula::Facts, p: usize| {
            if f.age[p] > 3.0 { f.age[p] * f.age[p] } else { f.cash[p] - f.distance[p] }
        };
        Formula::boxed(g, w, score)
    }),
    ("formula(of:'log(backlinks - 1) + latest / (depth - 1) + digits / url_length')", |g, w| {
        let score = |f: &formula::Facts, p: usize| {
            libm::log(f.backlinks[p] - 1.0)
                + f.latest[p] / (f.depth[p] - 1.0)
                + f.digits[p] / f.url_length[p]
        };
        Formula::boxed(g, w, score)
    }),
    ("anchor-text", |_, w| Joint::boxed(w, None)),
    ("jlse", |_, w| Joint::boxed(w, Some(joint::USUAL))),
    ("jlse(cf:3)", |_, w| Joint::boxed(w, Some(joint::Settings { cf: 3, ..joint::USUAL }))),
    ("jlse(cf:2,rescore:true,leaf:zero)", |_, w| {
        let settings = joint::Settings { cf: 2, rescore: true, of_leaf: 0.0, ..joint::USUAL };
        Joint::boxed(w, Some(settings))
    }),
    ("jlse(cf:1,gamma:0.5,reward:100,w:0.2;0.7;0.1,normalise:max)", |_, w| {
        let weights = [0.2, 0.7, 0.1];
        let (gamma, reward, of_leaf) = (0.5, 100.0, 100.0);
        let settings = joint::Settings {
            gamma,
            reward,
            cf: 1,
            weights,
            by_max: true,
            of_leaf,
            rescore: false,
        };
        Joint::boxed(w, Some(settings))
    }),
    ("context-graph", |_, w| ContextGraph::boxed(w, 0.5)),
    ("context-graph(confidence:0.9)", |_, w| ContextGraph::boxed(w, 0.9)),
];

/// Fails if a registered strategy has no reference.
#[test]
fn every_registered_ordering_has_a_reference() {
    for variant in strategy_variants() {
        let id = variant.chosen.id.as_str();
        let has = |(spec, _): &(&str, Make)| *spec == id;
        assert!(REFERENCES.iter().any(has), "{id} has no reference");
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn orderings_agree_with_their_references(n_pages in 1_usize..=60, seed in any::<u64>()) {
        let sketch = Sketch::random(&mut Rng::new(seed, "graph"), n_pages, Richness::Graph);
        let graph = Graph::of(&sketch);
        let world = sketch.world();
        for (spec, make) in REFERENCES {
            let agreed = agree(spec, &mut *make(&graph, &world), &graph, &world, usize::MAX);
            prop_assert_eq!(agreed, Ok(()), "{}", spec);
        }
    }

    /// With redirects, errors and hosts.
    #[test]
    fn orderings_agree_on_rich_worlds(n_pages in 1_usize..=60, seed in any::<u64>()) {
        let mut sketch = Sketch::random(&mut Rng::new(seed, "rich"), n_pages, Richness::Everything);
        // Host rules do not affect strategies.
        sketch.hosts.clear();
        let graph = Graph::of(&sketch);
        let world = sketch.world();
        for (spec, make) in REFERENCES {
            let agreed = agree(spec, &mut *make(&graph, &world), &graph, &world, usize::MAX);
            prop_assert_eq!(agreed, Ok(()), "{}", spec);
        }
    }

    /// In the focused loop, links are followed only from on-topic pages that are not targets;
    /// topical strategies ignore the links of other pages.
    #[test]
    fn topical_orderings_agree_in_focus(n_pages in 1_usize..=60, seed in any::<u64>()) {
        let mut sketch = Sketch::random(&mut Rng::new(seed, "focus"), n_pages, Richness::Everything);
        sketch.hosts.clear();
        let graph = Graph::of(&sketch);
        let world = sketch.world();
        for (spec, make) in REFERENCES.iter().filter(|(spec, _)| strategy_variant(spec).needs().topic) {
            let agreed = agree_in_focus(spec, &mut *make(&graph, &world), &graph, &world);
            prop_assert_eq!(agreed, Ok(()), "{}", spec);
        }
    }

    /// Several fetches in flight, and nofollow links.
    #[test]
    fn orderings_agree_in_parallel(n_pages in 1_usize..=60, seed in any::<u64>()) {
        let mut sketch = Sketch::random(&mut Rng::new(seed, "rich"), n_pages, Richness::Everything);
        // One connection per host would block the best URL for a while.
        for (i, page) in sketch.pages.iter_mut().enumerate() {
            page.url = web_address::numbered(i as u32);
        }
        sketch.hosts.clear();
        let graph = Graph::of(&sketch);
        let world = sketch.world();
        for (spec, make) in REFERENCES {
            let agreed = agree_in_parallel(spec, &mut *make(&graph, &world), &graph, &world, seed);
            prop_assert_eq!(agreed, Ok(()), "{}", spec);
        }
    }
}

/// The focused loop on a small shop: dropped pages, and the order of the others.
#[test]
fn joint_orderings_agree_in_the_focused_loop() {
    for spec in ["shop(pages:600)", "shop(pages:600,home:categories)"] {
        let world = crawl_tests::worlds::world(spec);
        let seeds = world.seeds().iter().map(|seed| seed.index()).collect();
        let graph = Graph::of_world(&world, seeds);
        let with = |cf, rescore| Some(joint::Settings { cf, rescore, ..joint::USUAL });
        let references: [(&str, Box<dyn Reference>); 5] = [
            ("anchor-text", Box::new(Joint::new(&world, None))),
            ("jlse", Box::new(Joint::new(&world, with(150, false)))),
            ("jlse(cf:5)", Box::new(Joint::new(&world, with(5, false)))),
            ("jlse(cf:7,rescore:true)", Box::new(Joint::new(&world, with(7, true)))),
            ("context-graph", Box::new(ContextGraph::new(&world, 0.5))),
        ];
        for (ordering, mut reference) in references {
            let agreed = agree_in_focus(ordering, &mut *reference, &graph, &world);
            assert_eq!(agreed, Ok(()), "{ordering} on {spec}");
        }
    }
}

/// Compares every strategy with its reference until nothing waits.
fn agree_to_the_end((graph, world): (Graph, World)) {
    for (spec, make) in REFERENCES {
        let agreed = agree(spec, &mut *make(&graph, &world), &graph, &world, usize::MAX);
        assert_eq!(agreed, Ok(()), "{spec}");
    }
}

#[test]
fn orderings_agree_on_a_town() {
    agree_to_the_end(data::town());
}

#[test]
fn orderings_agree_on_a_village() {
    agree_to_the_end(data::village());
}

#[test]
fn orderings_agree_on_harvard500() {
    if let Some(harvard500) = data::harvard500("orderings_agree_on_harvard500") {
        agree_to_the_end(harvard500);
    }
}

#[test]
fn orderings_agree_on_hollins() {
    let Some((graph, world)) = data::hollins("orderings_agree_on_hollins") else {
        return;
    };
    for (spec, make) in REFERENCES {
        // References that recompute everything are too slow for many steps on large graphs.
        let n_steps = match *spec {
            spec if spec.starts_with("formula") || strategy_variant(spec).needs().topic => 200,
            spec if spec.contains("every:1") || spec.contains("every:3") => 100,
            spec if spec.contains("knowledge:all") => usize::MAX,
            spec if ["pagerank", "hits", "rl-crawler"].iter().any(|id| spec.starts_with(id)) => 700,
            _ => usize::MAX,
        };
        let agreed = agree(spec, &mut *make(&graph, &world), &graph, &world, n_steps);
        assert_eq!(agreed, Ok(()), "{spec}");
    }
}

/// With one fetch at a time, the earliest discovered page is the nearest.
#[test]
fn nearest_first_is_breadth_first() {
    for seed in 0..200 {
        let n_pages = 1 + seed as usize % 60;
        let sketch = Sketch::random(&mut Rng::new(seed, "near"), n_pages, Richness::Graph);
        let world = sketch.world();
        let order = |spec: &str| -> Vec<_> {
            let variant = strategy_variant(spec);
            let mut session = variant.session(&world, &sketch.seeds(), &Default::default());
            let fetched = crawl_tests::driver::run(&mut session, &world, usize::MAX);
            fetched.iter().map(|fetched| fetched.fetch).collect()
        };
        assert_eq!(order("formula(of:'-depth')"), order("breadth-first"), "{seed}");
    }
}

/// Ranks that are equal in theory tie despite rounding, and go to the URL discovered earlier.
///
/// The seeds are fixed: two ranks may still be on different sides of a rounding step.
#[test]
fn equal_ranks_tie() {
    let mut n_ties = 0;
    for seed in 0..400 {
        let n_pages = 1 + seed as usize % 60;
        let sketch = Sketch::random(&mut Rng::new(seed, "ties"), n_pages, Richness::Graph);
        let graph = Graph::of(&sketch);
        n_ties += pagerank::ties(&graph, &sketch.world());
    }
    assert!(n_ties > 100, "only {n_ties} ties were seen");
}
