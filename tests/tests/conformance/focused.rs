//! Metrics of focused crawls: computed by hand on a small world, and within bounds for every
//! strategy.

use crawl_catalogue::Kind;
use crawl_core::metric::{METRICS, Observation, Setting};
use crawl_core::strategy::STRATEGIES;
use crawl_core::topic::TopicTruth;
use crawl_core::{Judge, Judgement, PageText, Rules, Session, SessionInputs, Simulator, Truth};
use crawl_protocol::Experiment;
use crawl_run::Run;
use crawl_tests::variants::strategy_variant;
use crawl_world::{Link, PageId, World, WorldBuilder};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Judges pages by their text.
struct ByWords;

impl Judge for ByWords {
    fn judge(&self, page: &PageText<'_>) -> Judgement {
        let has = |word| page.text.contains(word);
        let is_on_topic = has("pears");
        let relevance = if is_on_topic { 1.0 } else { 0.0 };
        Judgement { relevance, is_on_topic, is_result: is_on_topic && has("buy") }
    }

    fn is_named(&self, anchor: &str) -> bool {
        anchor.contains("pears")
    }
}

/// S → A, O; A → T1, T2, B; O → T3; T1 → T4; B → R, which redirects to T5. Nothing links to T6.
/// T2's text does not name the topic.
fn orchard() -> (World, Vec<PageId>) {
    let mut builder = WorldBuilder::new("Orchard");
    let texts = [
        ("S", "home", None),
        ("A", "all about pears", Some("pears-related")),
        ("O", "about us", None),
        ("B", "pears by colour", Some("pears-related")),
        ("R", "", None),
        ("T1", "buy pears", Some("pears")),
        ("T2", "pears", Some("pears")),
        ("T3", "buy pears", Some("pears")),
        ("T4", "buy pears", Some("pears")),
        ("T5", "buy pears", Some("pears")),
        ("T6", "buy pears", Some("pears")),
    ];
    let mut pages = Vec::new();
    for (name, text, label) in texts {
        let page = builder.page(&format!("http://orchard.example/{name}")).expect("a page");
        builder.set_text(page, text);
        if let Some(label) = label {
            builder.add_topic(page, label);
        }
        pages.push(page);
    }
    let page = |name: &str| pages[texts.iter().position(|(n, ..)| *n == name).expect("a page")];
    for (from, to, anchor) in [
        ("S", "A", "fruit"),
        ("S", "O", "about us"),
        ("A", "T1", "number 7"),
        ("A", "T2", "green pears"),
        ("A", "B", "by colour"),
        ("O", "T3", "our best pears"),
        ("T1", "T4", "others bought"),
        ("B", "R", "red"),
    ] {
        let link = Link { anchor, context: "", nofollow: false };
        builder.link_with(page(from), page(to), link);
    }
    builder.set_status(page("R"), 301).expect("a status");
    builder.set_location(page("R"), "http://orchard.example/T5", Some(page("T5")));
    builder.seed(page("S"));
    (builder.finish().expect("a world"), vec![page("S")])
}

/// A metric after each step of a breadth-first crawl of the orchard.
fn of_orchard(
    spec: &str,
    is_focused: bool,
    judge: Option<Arc<dyn Judge>>,
    topic: Option<&TopicTruth>,
) -> Vec<Option<f64>> {
    let (world, seeds) = orchard();
    let truth = Truth { ranker: String::new(), ranks: vec![0.0; world.n_pages() as usize] };
    let reach = world.reach(&seeds);
    let setting =
        Setting { world: &world, truth: &truth, reach: &reach, area_pages: 1, topic, bounds: None };
    let chosen = crawl_run::catalogue().choose(Kind::Metric, spec).expect("a measure");
    let entry = METRICS.iter().find(|entry| entry.entry.id == chosen.id).expect("a measure");
    let mut metric = (entry.build)(&chosen.params, &setting);
    let inputs = SessionInputs { judge, is_focused, ..SessionInputs::default() };
    let breadth_first = strategy_variant("breadth-first");
    let strategy = breadth_first.build(&breadth_first.given(&world, &seeds));
    let mut run = Simulator::new(Session::new(&world, &seeds, strategy, Rules::default(), inputs));
    let mut values = Vec::new();
    while let Some(step) = run.step(&world) {
        values.push(metric.observe(&Observation { setting, step, run: &run, is_last: false }));
    }
    values
}

fn truth_of_orchard() -> TopicTruth {
    let (world, _) = orchard();
    let has = |label| world.pages().map(|page| world.has_topic(page, label)).collect::<Vec<_>>();
    let (is_target, is_related) = (has("pears"), has("pears-related"));
    let is_relevant = is_target.iter().zip(&is_related).map(|(a, b)| *a || *b).collect();
    TopicTruth { is_relevant, is_target }
}

#[test]
fn focused_measures_of_a_small_world_are_as_counted_by_hand() {
    let truth = truth_of_orchard();
    let of = |spec, is_focused| of_orchard(spec, is_focused, Some(Arc::new(ByWords)), Some(&truth));
    // In the focused loop: S, A, O, T1, T2, B, R, T5.
    let parts = |of: [(u32, u32); 8]| of.map(|(n, of)| Some(f64::from(n) / f64::from(of))).to_vec();
    let fifths = |of: [u32; 8]| parts(of.map(|n| (n, 5)));
    let harvested = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (4, 7), (5, 8)];
    assert_eq!(of("harvest-rate", true), parts(harvested));
    // T2 was fetched but not recognised; T3 and T4 are behind pages whose links are not followed.
    assert_eq!(of("target-recall", true), fifths([0, 0, 0, 1, 1, 1, 1, 2]));
    assert_eq!(of("recall-ceiling", true), fifths([2; 8]));
    assert_eq!(of("recall-ceiling(by:labels)", true), fifths([3; 8]));
    // "number 7", and "red" through the redirect.
    assert_eq!(of("delayed-benefit", true), fifths([0, 0, 0, 1, 1, 1, 1, 2]));
    let found = of("delayed-benefit(of:found)", true);
    assert_eq!(found, [None, None, None, Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0)]);
    let first = of("first-target", true);
    let four = Some(4.0);
    assert_eq!(first, [None, None, None, four, four, four, four, four]);
    // A crawl that follows all links fetches all ten reachable pages.
    let recall = of("target-recall", false);
    assert_eq!((recall.len(), recall[9]), (10, Some(0.8)));
    assert_eq!(of("recall-ceiling", false), vec![Some(1.0); 10]);
    // T3's link names the topic.
    assert_eq!(of("delayed-benefit", false)[9], Some(0.6));
}

#[test]
fn without_topic_or_labels_there_are_no_values() {
    let truth = truth_of_orchard();
    let nothing = TopicTruth { is_target: vec![false; 11], ..truth.clone() };
    for spec in
        ["harvest-rate", "target-recall", "recall-ceiling", "first-target", "delayed-benefit"]
    {
        let values = of_orchard(spec, false, None, None);
        assert_eq!(values, vec![None; 10], "{spec}");
        let values = of_orchard(spec, false, Some(Arc::new(ByWords)), None);
        assert_eq!(values, vec![None; 10], "{spec}");
        if spec != "harvest-rate" {
            let values = of_orchard(spec, false, Some(Arc::new(ByWords)), Some(&nothing));
            assert_eq!(values, vec![None; 10], "{spec}");
        }
    }
    // Without a judge nothing is found.
    let values = of_orchard("target-recall", false, None, Some(&truth));
    assert_eq!(values, vec![Some(0.0); 10]);
    let values = of_orchard("delayed-benefit", false, None, Some(&truth));
    assert_eq!(values, vec![Some(0.0); 10]);
}

#[test]
fn focused_measures_stay_within_their_bounds() {
    let catalogue = crawl_run::catalogue();
    let names: Vec<String> = STRATEGIES.iter().map(|s| s.entry.id.to_string()).collect();
    for focus in ["topical", "all"] {
        let link = format!(
            "#v=1&world=shop(pages:700,shops:3)&topic=label&run={}&budget=150&focus={focus}",
            names.join(",")
        );
        let experiment = Experiment::from_link(&link, &catalogue).expect("a good link");
        let world = Arc::new(Run::make_world(&experiment.world).expect("a world"));
        let mut run = Run::new(experiment, world, &catalogue).expect("a good experiment");
        for (at, name) in names.iter().enumerate() {
            let (lane, setting) = run.lane(at).expect("a lane");
            let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
            let of = |measure: &str| -> Vec<(u32, f64)> {
                lane.measure(measure).expect("is measured").points().collect()
            };
            let n = lane.travel().farthest() as usize;
            let [harvest, recall, ceiling, delayed] =
                ["harvest-rate", "target-recall", "recall-ceiling", "delayed-benefit"].map(of);
            for curve in [&harvest, &recall, &ceiling, &delayed] {
                assert_eq!(curve.len(), n, "{name}");
                assert!(curve.iter().all(|(_, x)| (0.0..=1.0).contains(x)), "{name} {curve:?}");
            }
            assert!(recall.is_sorted_by_key(|(_, x)| *x), "{name}");
            assert!(delayed.is_sorted_by_key(|(_, x)| *x), "{name}");
            assert!(delayed.iter().zip(&recall).all(|(d, r)| d.1 <= r.1), "{name}");
            assert!(ceiling.iter().all(|(_, x)| *x == ceiling[0].1), "{name}");
            assert!(recall.iter().all(|(_, x)| *x <= ceiling[0].1), "{name}");
            if !lane.travel().now().session().is_focused() {
                assert_eq!(ceiling[0].1, 1.0, "{name}");
            }
            // The first find is the first recall above 0.
            let first = recall.iter().find(|(_, x)| *x > 0.0).map(|(step, _)| f64::from(*step));
            assert_eq!(of("first-target").first().map(|(_, x)| *x), first, "{name}");
            let relearnings = of("relearnings");
            assert!(relearnings.is_sorted_by_key(|(_, x)| *x), "{name}");
            assert!(relearnings.first().is_none_or(|(_, x)| *x == 1.0), "{name}");
        }
    }
}

#[test]
fn relearnings_count_how_often_so_many_results_came_together() {
    let catalogue = crawl_run::catalogue();
    let link = "#v=1&world=shop(pages:700,home:categories,shops:3)&topic=label&\
                run=jlse(cf:4),anchor-text&budget=120&focus=topical";
    let experiment = Experiment::from_link(link, &catalogue).expect("a good link");
    let world = Arc::new(Run::make_world(&experiment.world).expect("a world"));
    let mut run = Run::new(experiment, world, &catalogue).expect("a good experiment");
    let (lane, setting) = run.lane(0).expect("a lane");
    let mut n_results = 0;
    while let Some(step) = lane.forward(&setting) {
        let book = lane.travel().now().session().book();
        n_results += u32::from(book.judgement(step.url).is_some_and(|judged| judged.is_result));
        let said = lane.measure("relearnings").and_then(crawl_run::Series::last);
        assert_eq!(said, Some(f64::from(n_results / 4)).filter(|n| *n > 0.0), "{}", step.number);
    }
    assert!(n_results > 8, "{n_results}");
    // Other strategies do not learn on the graph.
    let (lane, setting) = run.lane(1).expect("a lane");
    let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
    assert_eq!(lane.measure("relearnings").and_then(crawl_run::Series::last), None);
}
