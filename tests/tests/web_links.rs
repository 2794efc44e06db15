//! The Web link graph of Zhang et al. 2010 during crawls, and Q-learning on it.
#![cfg(not(target_arch = "wasm32"))]

use crawl_core::strategy::{Learnt, LinkVertex, StrategyContext};
use crawl_core::topic::{self, Topic, TopicInputs};
use crawl_core::{
    Evidence, Explanation, Focus, Judge, Judgement, PageText, Rules, Session, SessionInputs, UrlId,
    agree,
};
use crawl_learn::link_graph::VertexId;
use crawl_tests::driver;
use crawl_tests::sketch::{Richness, Sketch};
use crawl_tests::variants::strategy_variant;
use crawl_tests::worlds::world;
use crawl_world::{PageId, Rng, World, WorldBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A judge that classifies pages by their number of links.
struct ByLinks(fn(usize) -> Judgement);

impl Judge for ByLinks {
    fn is_named(&self, _: &str) -> bool {
        false
    }

    fn judge(&self, page: &PageText<'_>) -> Judgement {
        (self.0)(page.anchors.len())
    }
}

/// Pages without links are the targets.
const LEAVES: ByLinks =
    ByLinks(|n_links| Judgement { relevance: 1.0, is_on_topic: true, is_result: n_links == 0 });

fn session(
    spec: &str,
    world: &World,
    seeds: &[PageId],
    judge: impl Judge + 'static,
    rules: &Rules,
) -> Session {
    let strategy = strategy_variant(spec).build(&StrategyContext::default());
    let is_focused = rules.focus == Focus::All;
    let inputs =
        SessionInputs { judge: Some(Arc::new(judge)), is_focused, ..SessionInputs::default() };
    Session::new(world, seeds, strategy, rules.clone(), inputs)
}

/// The seeds of Example 1: pages 1 and 4.
///
/// A page has one discovery parent; all ten pages are on paths to results only if 6 is found by 5,
/// and 5 by 4.
fn example_seeds(world: &World) -> Vec<PageId> {
    let is_start = |page: &PageId| ["/1", "/4"].iter().any(|end| world.url(*page).ends_with(end));
    world.pages().filter(is_start).collect()
}

fn name(world: &World, session: &Session, url: UrlId) -> String {
    let page = session.book().page(url);
    world.url(page).rsplit('/').next().unwrap_or_default().to_owned()
}

/// Q of every vertex after `n` sweeps, by page name.
fn q_after(
    learnt: &Learnt<'_>,
    name: impl Fn(UrlId) -> String,
    n_sweeps: usize,
) -> BTreeMap<u32, f64> {
    let values = learnt.learned.after(learnt.graph, n_sweeps).vertices;
    let named = learnt.vertices.iter().map(|v| name(v.url).parse().expect("a number"));
    named.zip(values).collect()
}

/// Example 1: reward 100, γ = 0.9. Vertices converge in 2 sweeps, edges in 3; the 4th changes
/// nothing.
#[test]
fn example_1_through_a_crawl() {
    let world = world("jlse-figure-2");
    for cf in [1, 3] {
        let spec = format!("jlse(reward:100,cf:{cf},leaf:zero)");
        let mut session = session(&spec, &world, &example_seeds(&world), LEAVES, &Rules::default());
        driver::run(&mut session, &world, usize::MAX);
        let learnt = session.learnt().expect("there are three results");
        assert_eq!(learnt.number, 3 / cf);
        assert_eq!((learnt.graph.n_vertices(), learnt.graph.n_edges()), (10, 11));
        let q = |n| q_after(&learnt, |url| name(&world, &session, url), n);
        let table = |values: [u32; 10]| -> BTreeMap<u32, f64> {
            (1..=10).zip(values.map(f64::from)).collect()
        };
        assert_eq!(q(0), table([0; 10]));
        assert_eq!(q(1), table([0, 100, 0, 0, 100, 0, 0, 0, 100, 0]));
        assert_eq!(q(2), table([90, 100, 0, 90, 100, 0, 90, 90, 100, 0]));
        assert_eq!(q(9), q(2));
        let changed = |n| {
            let sweep = learnt.learned.sweep(learnt.graph, n);
            (sweep.edges.len(), sweep.vertices.len())
        };
        // 2→3, 2→6, 5→6, 9→10; then 1→2, 4→5, 7→5, 8→9; then 1→4, 1→7, 7→8.
        assert_eq!([1, 2, 3, 4].map(changed), [(4, 3), (4, 4), (3, 0), (0, 0)]);
        assert_eq!((learnt.learned.n_sweeps, learnt.learned.settled), (4, true));
        for name in ["q", "relevance", "similarity"] {
            assert!(session.keeps().contains(&name), "{name}");
        }
        let two = learnt.vertices.iter().find(|v| name(&world, &session, v.url) == "2");
        let two = two.expect("page 2 leads to two results").url;
        assert_eq!(session.kept(&world, "q", two), Some(100.0));
    }
}

/// The same, with a topic learned from the labels of the leaves.
#[test]
fn example_1_by_its_labels() {
    let world = world("jlse-figure-2");
    let entry = topic::find("label").expect("a kind of topic");
    let catalogue = crawl_run::catalogue();
    let spec = "label(of:target,train:same)";
    let chosen = catalogue.choose(crawl_catalogue::Kind::Topic, spec).expect("a good spec");
    let ground = TopicInputs { world: &world, seeds: &[], rng: 1, another: &|| None };
    let topic: Topic = (entry.learn)(&chosen.params, &ground).expect("three labelled pages");
    let mut session =
        session("jlse(reward:100,cf:3)", &world, &example_seeds(&world), topic, &Rules::default());
    driver::run(&mut session, &world, usize::MAX);
    let learnt = session.learnt().expect("three results");
    let q = q_after(&learnt, |url| name(&world, &session, url), usize::MAX);
    let printed = [90, 100, 100, 90, 100, 100, 90, 90, 100, 100].map(f64::from);
    assert_eq!(q, (1..=10).zip(printed).collect());
}

/// G_w satisfies Definition 5, and Q its closed form.
#[test]
fn g_w_of_random_crawls() {
    let (mut n_learnt, mut n_cycles) = (0, 0);
    for seed in 0..300 {
        let n_pages = 2 + seed as usize % 60;
        let richness = if seed % 2 == 0 { Richness::Graph } else { Richness::Everything };
        let mut sketch = Sketch::random(&mut Rng::new(seed, "g_w"), n_pages, richness);
        sketch.hosts.clear();
        let world = sketch.world();
        let focus = if seed % 3 == 0 { Focus::All } else { Focus::None };
        let rules = Rules { focus, ..Rules::default() };
        let cf = 1 + seed % 4;
        let judge = ByLinks(|n_links| Judgement {
            relevance: 0.7,
            is_on_topic: n_links != 3,
            is_result: n_links < 2,
        });
        let spec = format!("jlse(cf:{cf},gamma:0.8,reward:3)");
        let mut session = session(&spec, &world, &sketch.seeds(), judge, &rules);
        driver::run(&mut session, &world, usize::MAX);
        let known = session.known(&world);
        let is_result = |url: &UrlId| known.judgement(*url).is_some_and(|j| j.is_result);
        let results: Vec<UrlId> = known.order().iter().copied().filter(is_result).collect();
        let n_learnings = results.len() / cf as usize;
        let Some(learnt) = session.learnt() else {
            assert_eq!(n_learnings, 0, "seed {seed}");
            continue;
        };
        n_learnt += 1;
        assert_eq!(learnt.number as usize, n_learnings, "seed {seed}");
        let mut members = BTreeSet::new();
        for result in &results[..n_learnings * cf as usize] {
            let mut next = Some(*result);
            while let Some(url) = next {
                members.insert(url);
                next = known.parent(url);
            }
        }
        let urls: Vec<UrlId> = learnt.vertices.iter().map(|v| v.url).collect();
        assert_eq!(urls.iter().copied().collect::<BTreeSet<_>>(), members, "seed {seed}");
        assert_eq!(urls.len(), members.len(), "seed {seed}");
        let mut edges = BTreeSet::new();
        for from in members.iter().filter(|url| !is_result(url)) {
            edges
                .extend(known.links(*from).filter(|to| members.contains(to)).map(|to| (*from, to)));
        }
        let of = |v: VertexId| urls[v.index()];
        let built: BTreeSet<_> = learnt.graph.edges().map(|(u, v)| (of(u), of(v))).collect();
        assert_eq!(built, edges, "seed {seed}");
        assert_eq!(learnt.graph.n_edges(), edges.len(), "seed {seed}");
        for (at, vertex) in learnt.vertices.iter().enumerate() {
            check_vertex(vertex, &known);
            assert_eq!(learnt.graph.is_result(VertexId(at as u32)), is_result(&vertex.url));
        }
        // Clicks to the nearest result, by breadth-first search.
        let mut clicks: BTreeMap<UrlId, u32> =
            members.iter().filter(|url| is_result(url)).map(|url| (*url, 0)).collect();
        for d in 1.. {
            let met = |(from, to): &&(UrlId, UrlId)| {
                clicks.get(to) == Some(&(d - 1)) && !clicks.contains_key(from)
            };
            let next: Vec<UrlId> = edges.iter().filter(met).map(|(from, _)| *from).collect();
            if next.is_empty() {
                break;
            }
            clicks.extend(next.into_iter().map(|url| (url, d)));
        }
        for (url, q) in urls.iter().zip(&learnt.learned.vertices) {
            let closed = match clicks.get(url) {
                Some(0) => 3.0,
                Some(d) => 3.0 * libm::pow(0.8, f64::from(*d) - 1.0),
                None => 0.0,
            };
            assert!((q - closed).abs() <= 1e-12 * closed, "seed {seed}: {q}, not {closed}");
        }
        n_cycles += u32::from(edges.iter().any(|(u, v)| edges.contains(&(*v, *u))));
    }
    assert!(n_learnt > 150 && n_cycles > 30, "{n_learnt} learnt, {n_cycles} with cycles");
}

fn check_vertex(vertex: &LinkVertex, known: &crawl_core::Known<'_>) {
    assert_eq!(vertex.found.map(|(from, _)| from), known.parent(vertex.url));
    if let Some((from, place)) = vertex.found {
        assert_eq!(known.links(from).nth(place as usize), Some(vertex.url));
    }
}

/// The node of an explanation with this label.
fn node<'a>(tree: &'a Explanation, label: &str) -> Option<&'a Explanation> {
    if tree.label == label {
        return Some(tree);
    }
    tree.children.iter().find_map(|child| node(child, label))
}

/// Explanations contain every intermediate number, combine to the priority, and refer to the time
/// of the link's evaluation, even after later learning.
#[test]
fn every_number_on_the_way_to_a_priority() {
    let world = world("shop(pages:900,home:categories)");
    let rules = Rules { focus: Focus::Topical, ..Rules::default() };
    for rescore in [false, true] {
        let spec = format!("jlse(cf:4,rescore:{rescore})");
        let mut session = strategy_variant(&spec).session(&world, &world.seeds(), &rules);
        let (mut n_predicted, mut n_older) = (0, 0);
        let mut now_us = 0;
        while driver::step(&mut session, &world, &mut now_us).is_some() {
            let learnings = session.learnt().map_or(0, |learnt| learnt.number);
            for url in session.frontier().top(6).into_iter().filter(|url| url.0 >= 6) {
                let tree = session.explain(&world, url);
                assert_eq!(tree.fault(), None, "{tree:#?}");
                assert!(agree(tree.value, session.score(url)));
                let value = |label: &str| node(&tree, label).map(|node| node.value);
                let all = ["similarity of the link", "similarities of the page's links"];
                let [sim, norm] = all.map(|label| value(label).expect(label));
                let p = value("P(topic | page)").expect("what the page is");
                assert!(agree(tree.value, sim / norm * p), "eq. 10");
                let own = value("anchor's own").expect("direct evidence");
                let predicted = value("predicted").expect("indirect evidence");
                assert_eq!(sim, own.max(predicted));
                let Some(matched) = node(&tree, "match") else { continue };
                n_predicted += 1;
                let q = value("Q of the vertex").expect("what was learnt");
                assert!(agree(predicted, matched.value * q));
                let fields = ["anchor", "URL", "context"].map(|label| node(matched, label));
                let sum: f64 = fields.iter().map(|f| f.expect("a field").value).sum();
                assert!(agree(sum, matched.value));
                let is_vertex = |e: &Evidence| matches!(e, Evidence::Discovered(_));
                assert!(matched.evidence.iter().any(is_vertex), "the vertex it resembles");
                let said = format!("learning {learnings}, ");
                let is_new = |e: &Evidence| matches!(e, Evidence::Note(n) if n.starts_with(&said));
                let q = node(&tree, "Q of the vertex").expect("it was there");
                n_older += u32::from(!q.evidence.iter().any(is_new));
            }
        }
        assert!(n_predicted > 200, "{n_predicted} predicted");
        // Waiting links are rescored, or keep their scores.
        assert_eq!(n_older > 50, !rescore, "{n_older} by an older learning");
    }
}

/// Pages without text, image-only anchors, no judge, no topic.
#[test]
fn missing_text_judge_or_topic_is_handled() {
    let mut builder = WorldBuilder::numbered("bare", 9).expect("a few pages");
    for (from, to) in [(0, 1), (0, 2), (1, 3), (2, 4), (4, 0), (4, 5), (5, 6), (6, 7), (7, 8)] {
        builder.link(PageId(from), PageId(to));
    }
    builder.seed(PageId(0));
    let world = builder.finish().expect("a small world");
    for spec in ["jlse(cf:1)", "jlse(cf:1,w:0;0;0)", "anchor-text", "context-graph"] {
        let strategy = strategy_variant(spec).build(&StrategyContext::default());
        let none = Session::new(&world, &world.seeds(), strategy, Rules::default(), None);
        for mut session in [none, session(spec, &world, &world.seeds(), LEAVES, &Rules::default())]
        {
            let mut now_us = 0;
            for n in 0..=9 {
                for url in session.frontier().waiting().collect::<Vec<_>>() {
                    let tree = session.explain(&world, url);
                    assert!(tree.fault().is_none() && tree.value.is_finite(), "{spec}: {tree:?}");
                }
                let fetched = driver::step(&mut session, &world, &mut now_us);
                assert_eq!(fetched.is_some(), n < 9, "{spec}");
                assert!(fetched.is_none_or(|fetched| fetched.score.is_finite()), "{spec}");
            }
        }
    }
}

/// Three pages in a row lead to a target; the layers are learned from another world with the same
/// words. Links from the layer nearest to targets come first, whatever their texts.
#[test]
fn layers_of_a_context_graph() {
    let made = |name: &str, edges: &[(u32, u32)], texts: &[&str]| {
        let mut builder = WorldBuilder::numbered(name, texts.len() as u32).expect("pages");
        for (from, to) in edges {
            builder.link(PageId(*from), PageId(*to));
        }
        for (page, text) in texts.iter().enumerate() {
            builder.set_text(PageId(page as u32), text);
            if *text == "target" {
                builder.add_topic(PageId(page as u32), "sought");
            }
        }
        builder.seed(PageId(0));
        builder.finish().expect("a small world")
    };
    // far → mid → near → target, and an off-topic page.
    let taught = made(
        "taught",
        &[(0, 1), (1, 2), (2, 3), (4, 0)],
        &["far far", "mid mid", "near near", "target", "else else"],
    );
    let chosen = crawl_run::catalogue()
        .choose(crawl_catalogue::Kind::Topic, "label(of:sought,train:same)")
        .expect("a good spec");
    let entry = topic::find("label").expect("a kind of topic");
    let ground = TopicInputs { world: &taught, seeds: &[], rng: 1, another: &|| None };
    let topic = Arc::new((entry.learn)(&chosen.params, &ground).expect("a labelled page"));
    assert_eq!(topic.n_layers(), 5);
    for (word, layer) in [("target", 0), ("near", 1), ("mid", 2), ("far", 3), ("else", 4)] {
        let p = topic.of_layers(&[word]).expect("layers");
        let best = (0..5).max_by(|a, b| p[*a].total_cmp(&p[*b]));
        assert_eq!(best, Some(layer), "{word}: {p:?}");
    }
    // 0 links to a far, a mid, a near and an unknown page; each of those to two more.
    let edges =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 5), (1, 6), (2, 7), (2, 8), (3, 9), (3, 10), (4, 11)];
    let texts =
        ["else else else", "far far", "mid mid", "near near", "zzz", "", "", "", "", "", "", ""];
    let web = made("web", &edges, &texts);
    let given = StrategyContext { topic: Some(topic.clone()), ..StrategyContext::default() };
    let strategy = strategy_variant("context-graph").build(&given);
    let inputs = SessionInputs { judge: Some(topic), ..SessionInputs::default() };
    let mut session = Session::new(&web, &web.seeds(), strategy, Rules::default(), inputs);
    let fetched = driver::run(&mut session, &web, usize::MAX);
    let order: Vec<u32> = fetched.iter().map(|f| f.fetch.page.0).collect();
    // Links of 0 (layer 4) first, in discovery order; then, once known, the best layer's: 1's
    // (layer 3) before 2, 2's before 3, 3's before 4; the links of 4, which has no known word,
    // last.
    assert_eq!(order, [0, 1, 5, 6, 2, 7, 8, 3, 9, 10, 4, 11]);
    let layer = |page: u32| {
        let url = session.book().url_of(PageId(page)).expect("it was found");
        session.kept(&web, "layer", url)
    };
    assert_eq!([0, 1, 2, 3, 4].map(layer), [4.0, 3.0, 2.0, 1.0, 5.0].map(Some));
}

/// A topic of typed words has no sample pages: no anchors to learn from, no layers. All strategies
/// run, and the context graph explains its fallback.
#[test]
fn typed_topics_have_no_layers() {
    let world = world("shop(pages:600)");
    let entry = topic::find("words").expect("a kind of topic");
    let spec = "words(of:'phone battery screen')";
    let catalogue = crawl_run::catalogue();
    let chosen = catalogue.choose(crawl_catalogue::Kind::Topic, spec).expect("a good spec");
    let ground = TopicInputs { world: &world, seeds: &[], rng: 1, another: &|| None };
    let topic = Arc::new((entry.learn)(&chosen.params, &ground).expect("words"));
    for spec in ["jlse(cf:2)", "anchor-text", "context-graph"] {
        let strategy = strategy_variant(spec)
            .build(&StrategyContext { topic: Some(topic.clone()), ..StrategyContext::default() });
        let inputs = SessionInputs {
            judge: Some(topic.clone()),
            is_focused: true,
            ..SessionInputs::default()
        };
        let mut session = Session::new(&world, &world.seeds(), strategy, Rules::default(), inputs);
        let fetched = driver::run(&mut session, &world, 60);
        assert!(fetched.len() > 30 && fetched.iter().all(|f| f.score.is_finite()), "{spec}");
        let waiting: Vec<UrlId> = session.frontier().waiting().collect();
        assert!(!waiting.is_empty(), "{spec}");
        for url in waiting {
            let tree = session.explain(&world, url);
            assert!(tree.fault().is_none() && agree(tree.value, session.score(url)), "{tree:?}");
            let is_said = |e: &Evidence| matches!(e, Evidence::Note(n) if n.contains("no layers"));
            let queue = node(&tree, "queue");
            assert_eq!(queue.is_some(), spec == "context-graph");
            assert!(queue.is_none_or(|queue| queue.evidence.iter().any(is_said)), "{tree:?}");
        }
    }
}
