//! Small worlds computed by hand: the order of fetches and their scores.

use crawl_core::strategy::StrategyContext;
use crawl_core::topic::{self, TopicInputs};
use crawl_core::{Refusal, Rules, Session, SessionInputs, Simulator, agree};
use crawl_tests::variants::strategy_variant;
use crawl_world::{Link, PageId, World, WorldBuilder};
use std::sync::Arc;

/// A world of named pages with texts, and links with anchor and context; the first page is the
/// seed.
fn world(pages: &[(&str, &str)], links: &[(&str, &str, &str, &str)]) -> World {
    let mut builder = WorldBuilder::new("worked by hand");
    for (name, text) in pages {
        let page = builder.page(&format!("http://a.example/{name}")).expect("a new URL");
        builder.set_text(page, text);
    }
    let find = |name: &str| {
        let at = pages.iter().position(|(page, _)| *page == name).expect("a page of that name");
        PageId(at as u32)
    };
    for (from, to, anchor, context) in links {
        builder.link_with(find(from), find(to), Link { anchor, context, nofollow: false });
    }
    builder.seed(PageId(0));
    builder.finish().expect("a small world")
}

/// Crawls to the end for the topic "phone".
///
/// Returns names and scores in fetch order, and the number of dropped URLs.
fn crawl(spec: &str, world: &World) -> (Vec<(String, f64)>, u32) {
    let chosen = crawl_run::catalogue().choose(crawl_catalogue::Kind::Topic, "words(of:phone)");
    let chosen = chosen.expect("a valid spec");
    let entry = topic::find(&chosen.id).expect("a registered kind of topic");
    let ground = TopicInputs { world, seeds: &world.seeds(), rng: 1, another: &|| None };
    let topic = Arc::new((entry.learn)(&chosen.params, &ground).expect("a word"));
    let given = StrategyContext { topic: Some(topic.clone()), ..StrategyContext::default() };
    let inputs = SessionInputs { judge: Some(topic), ..SessionInputs::default() };
    let strategy = strategy_variant(spec).build(&given);
    let session = Session::new(world, &world.seeds(), strategy, Rules::default(), inputs);
    let mut run = Simulator::new(session);
    let mut fetched = Vec::new();
    loop {
        for url in run.session().frontier().waiting() {
            let why = run.session().explain(world, url);
            assert!(why.fault().is_none() && agree(why.value, run.session().score(url)), "{why:?}");
        }
        let best = run.session().upcoming(world, 1).first().map(|url| run.session().score(*url));
        let (Some(step), Some(score)) = (run.step(world), best) else { break };
        let name = world.url(step.page).trim_start_matches("http://a.example/").to_owned();
        fetched.push((name, score));
    }
    (fetched, run.session().counters().refused[Refusal::GivenUp as usize])
}

fn check(spec: &str, world: &World, expected: &[(&str, f64)], given_up: u32) {
    let (fetched, refused) = crawl(spec, world);
    let names: Vec<&str> = fetched.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, expected.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{spec}");
    for ((name, score), (_, by_hand)) in fetched.iter().zip(expected) {
        assert!((score - by_hand).abs() < 1e-12, "{spec}: {name} has {score}, not {by_hand}");
    }
    assert_eq!(refused, given_up, "{spec}");
}

/// s is off topic: of its links a and b score 0.5, c 0, and all have depth 1. a is relevant: its
/// first three links score 1, the fourth 0, and the depth is 2 again. d is not: x has 0.5 and depth
/// 1. x is not: y has depth 0 and is dropped, until c, which is relevant, links to it too.
#[test]
fn fish_search_resets_and_exhausts_depth() {
    let world = world(
        &[
            ("s", "news"),
            ("a", "phone"),
            ("b", "news"),
            ("c", "phone"),
            ("d", "news"),
            ("e", "news"),
            ("f", "news"),
            ("g", "news"),
            ("x", "news"),
            ("y", "news"),
            ("z", "news"),
        ],
        &[
            ("s", "a", "", ""),
            ("s", "b", "", ""),
            ("s", "c", "", ""),
            ("a", "d", "", ""),
            ("a", "e", "", ""),
            ("a", "f", "", ""),
            ("a", "g", "", ""),
            ("b", "z", "", ""),
            ("d", "x", "", ""),
            ("x", "y", "", ""),
            ("c", "y", "", ""),
        ],
    );
    let fed = [
        ("s", 1.0),
        ("a", 0.5),
        ("d", 1.0),
        ("e", 1.0),
        ("f", 1.0),
        ("b", 0.5),
        ("x", 0.5),
        // y was dropped when x was fetched, and is found again on c.
        ("c", 0.0),
        ("y", 1.0),
        ("g", 0.0),
    ];
    check("fish-search(depth:2,width:2,parent:false)", &world, &fed, 1);
    // By Voronov, a feeds nothing, since its parent s is off topic: d to g have depth 0, and so
    // have the links of c.
    let starved = [("s", 1.0), ("a", 0.5), ("b", 0.5), ("c", 0.0)];
    check("fish-search(depth:2,width:2)", &world, &starved, 6);
}

/// Similarity with one word = its count / √(sum of squared counts): p has 3 ÷ 5, an anchor "phone"
/// 1, "phone list" 1 ÷ √2.
#[test]
fn shark_search_inherits_scores() {
    let p = "phone phone phone list list list list";
    let pages = [
        ("s", "news"),
        ("p", p),
        ("q", "news"),
        ("r", "news"),
        ("t", "news"),
        ("u", "news"),
        ("v", "news"),
    ];
    let world = world(
        &pages,
        &[
            ("s", "p", "phone", "phone here"),
            ("s", "q", "", ""),
            ("p", "r", "", ""),
            ("p", "t", "more", "phone list"),
            ("r", "u", "", ""),
            ("u", "v", "", ""),
        ],
    );
    let half = 0.5_f64.sqrt();
    let expected = [
        ("s", 1.0),
        // Nothing inherited; anchor 1, so the context counts 1: 0.5·(0.8·1 + 0.2·1).
        ("p", 0.5),
        // 0.5·(0.5·0.6) inherited; the context alone: 0.5·0.2·√½.
        ("t", 0.15 + 0.1 * half),
        // 0.5·(0.5·0.6).
        ("r", 0.15),
        // r is off topic and passes on half of its inherited 0.3: 0.5·(0.5·0.3).
        ("u", 0.075),
        // 0.5·(0.5·0.15).
        ("v", 0.0375),
        ("q", 0.0),
    ];
    check("shark-search", &world, &expected, 0);
    // With D = 1 the links of s, r and u are dead; p is relevant, but nothing links to it.
    check("shark-search(depth:1)", &world, &[("s", 1.0)], 2);
    // With D = 2: p and q have 1, r and t 2 again, u 1, v none.
    let two = [("s", 1.0), ("p", 0.5), expected[2], ("r", 0.15), ("u", 0.075), ("q", 0.0)];
    check("shark-search(depth:2)", &world, &two, 1);
}
