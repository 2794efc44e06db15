//! Examples and figures of the papers, run as complete sessions.
#![cfg(not(target_arch = "wasm32"))]

use crawl_core::{Bounds, Refusal, Rules, Simulator, Step};
use crawl_import::{File, Limits, import, no_progress};
use crawl_tests::variants::{strategy_variant, truth};
use crawl_tests::worlds::world;
use crawl_world::{PageId, World};
use std::f64::consts::LN_2;
use std::ops::ControlFlow;

/// Runs a complete crawl.
fn crawl(world: &World, strategy: &str, rules: &Rules) -> (Vec<Step>, Simulator) {
    let session = strategy_variant(strategy).session(world, &world.seeds(), rules);
    let mut simulator = Simulator::new(session);
    let steps = std::iter::from_fn(|| simulator.step(world)).collect();
    (steps, simulator)
}

fn name(world: &World, page: PageId) -> String {
    world.url(page).rsplit('/').next().unwrap_or("").to_owned()
}

fn order(world: &World, strategy: &str) -> String {
    let (steps, _) = crawl(world, strategy, &Rules::default());
    let names: Vec<String> = steps.iter().map(|step| name(world, step.page)).collect();
    names.join(" ")
}

/// All links of a world, as pairs of page names, in order.
fn links(world: &World) -> Vec<String> {
    let row = |page: PageId| {
        let targets: Vec<String> = world.links(page).iter().map(|to| name(world, *to)).collect();
        format!("{}→{}", name(world, page), targets.join(","))
    };
    let mut rows: Vec<String> =
        world.pages().filter(|page| !world.links(*page).is_empty()).map(row).collect();
    rows.sort();
    rows
}

fn pagerank(world: &World) -> crawl_core::Truth {
    let chosen = crawl_run::catalogue().choose(crawl_catalogue::Kind::Ranker, "pagerank");
    truth(world, &chosen.expect("a registered ranker"))
}

/// Cumulative PageRank after each step.
fn gathered(ranks: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |rank| {
        sum += rank;
        sum
    };
    ranks.map(add).collect()
}

#[test]
fn omniscient_is_greedy_and_not_best() {
    let world = world("greedy-oracle");
    let expected = ["H→K1,K2,K3", "K1→H", "K2→H", "K3→H,b", "a→H", "s→b,a"];
    assert_eq!(links(&world), expected);
    let truth = pagerank(&world);
    let page = |name: &str| {
        let url = world.pages().find(|page| self::name(&world, *page) == name);
        url.expect("a page of that name")
    };

    assert_eq!(order(&world, "omniscient"), "s b a H K1 K2 K3");
    let curve = |order: &str| gathered(order.split(' ').map(|name| truth.rank(page(name))));
    let greedy = curve(&order(&world, "omniscient"));
    let better = curve("s a H K1 K2 K3 b");
    let area = |curve: &[f64]| curve.iter().sum::<f64>();
    assert!((area(&greedy) - 3.521).abs() < 5e-4, "{}", area(&greedy));
    assert!((area(&better) - 3.826).abs() < 5e-4, "{}", area(&better));

    let mut go_on = |_| ControlFlow::Continue(());
    let rules = Rules::default();
    let bounds = Bounds::new(&world, &truth, &world.seeds(), &rules, 1, 7, &mut go_on);
    let ideal = bounds.expect("nobody stopped it").ideal;
    assert_eq!(ideal.len(), 7);
    for step in 0..7 {
        let best = greedy[step].max(better[step]);
        assert!(ideal[step] >= best - 1e-12, "step {step}: {} < {best}", ideal[step]);
    }
    assert!((ideal[6] - 1.0).abs() < 1e-9, "all PageRank there is: {}", ideal[6]);
}

#[test]
fn fica_figure_1_in_breadth_first_order() {
    let world = world("fica-figure-1");
    assert_eq!(links(&world), ["p→q,r", "q→t,a,b", "r→v,s", "s→c,d,e,f"]);
    assert_eq!(order(&world, "breadth-first"), "p q r t a b v s c d e f");
    assert_eq!(order(&world, "depth-first"), "p q t a b r v s c d e f");
}

/// Figure 1 (lost; redrawn by us): t and v are both two clicks away, and v is nearer.
#[test]
fn fica_figure_1_in_order_of_logarithmic_distance() {
    let world = world("fica-figure-1");
    let (ln2, ln3, ln4) = (LN_2, 1.098_612_288_668_109_8, 2.0 * LN_2);
    for strategy in ["fica(gamma:1)", "distance-rank(gamma:1)"] {
        let (steps, _) = crawl(&world, strategy, &Rules::default());
        let fetched: Vec<(String, f64)> =
            steps.iter().map(|step| (name(&world, step.page), -step.score)).collect();
        let expected = [
            ("p", 0.0),
            ("q", ln2),
            ("r", ln2),
            ("v", ln2 + ln2),
            ("s", ln2 + ln2),
            ("t", ln2 + ln3),
            ("a", ln2 + ln3),
            ("b", ln2 + ln3),
            ("c", ln2 + ln2 + ln4),
            ("d", ln2 + ln2 + ln4),
            ("e", ln2 + ln2 + ln4),
            ("f", ln2 + ln2 + ln4),
        ];
        assert_eq!(fetched.len(), expected.len());
        for ((page, distance), (name, expected)) in fetched.iter().zip(expected) {
            assert_eq!(page, name, "{strategy}");
            assert!((distance - expected).abs() < 1e-12, "{strategy}: {page} at {distance}");
        }
    }
}

#[test]
fn jlse_figure_2_has_the_edges_of_example_1() {
    let world = world("jlse-figure-2");
    let expected = ["1→2,4,7", "2→3,6", "4→5", "5→6", "7→5,8", "8→9", "9→10"];
    assert_eq!(links(&world), expected);
    assert_eq!(order(&world, "breadth-first"), "1 2 4 7 3 6 5 8 9 10");
    // The leaves are the result pages: Q(u) = rd·γ^(d(u) − 1), d(u) = clicks to the nearest one.
    let is_leaf = |page: PageId| world.links(page).is_empty();
    let targets: Vec<String> =
        world.pages().filter(|p| is_leaf(*p)).map(|p| name(&world, p)).collect();
    let mut sorted = targets.clone();
    sorted.sort();
    assert_eq!(sorted, ["10", "3", "6"]);
    let distance = |page: PageId| (0..10).find(|clicks| leads(&world, page, *clicks));
    let printed = [("1", 90), ("2", 100), ("4", 90), ("5", 100), ("7", 90), ("8", 90), ("9", 100)];
    for page in world.pages().filter(|page| !is_leaf(*page)) {
        let d = distance(page).expect("a leaf is reached");
        let q = if d == 1 { 100 } else { 90 };
        assert!(d <= 2 && printed.contains(&(name(&world, page).as_str(), q)), "{page:?}");
    }
}

/// Whether a page without links is that many clicks away.
fn leads(world: &World, page: PageId, clicks: u32) -> bool {
    match clicks {
        0 => world.links(page).is_empty(),
        _ => world.links(page).iter().any(|to| leads(world, *to, clicks - 1)),
    }
}

#[test]
fn rl_figure_3_has_its_graph_and_its_given_ranks() {
    let world = world("rl-figure-3");
    assert_eq!(links(&world), ["A→B,C,D", "B→E", "C→D,F"]);
    // Ranks are given as clicks, A > C > B > the rest; a greedy crawl has the order A, C, B.
    let mut by_rank: Vec<PageId> = world.pages().collect();
    by_rank.sort_by_key(|page| std::cmp::Reverse(world.clicks(*page)));
    let names: Vec<String> = by_rank.iter().map(|page| name(&world, *page)).collect();
    assert_eq!(names[..3], ["A", "C", "B"]);
    let mut waiting = world.seeds();
    let mut fetched = Vec::new();
    let mut lists = Vec::new();
    while fetched.len() < 3 {
        let at = waiting.iter().position(|page| {
            waiting.iter().all(|other| world.clicks(*other) <= world.clicks(*page))
        });
        let page = waiting.remove(at.expect("one is best"));
        fetched.push(page);
        let new = |to: &&PageId| !waiting.contains(to) && !fetched.contains(to);
        let found: Vec<PageId> = world.links(page).iter().filter(new).copied().collect();
        waiting.extend(found);
        let mut list: Vec<String> = waiting.iter().map(|page| name(&world, *page)).collect();
        list.sort();
        lists.push(list.concat());
    }
    let names: Vec<String> = fetched.iter().map(|page| name(&world, *page)).collect();
    assert_eq!(names.concat(), "ACB");
    assert_eq!(lists, ["BCD", "BDF", "DEF"]);
}

/// Imports a world from lines of text.
fn imported(lines: &[&str]) -> World {
    let text = lines.join("\n");
    let file = File::from_bytes("figure.jsonl", text.as_bytes());
    let imported = import(file.into(), &Limits::default(), &mut no_progress);
    imported.expect("a valid world").world
}

#[test]
fn robots_txt_of_the_lecture_is_kept() {
    let world = imported(&[
        r#"{"format":"crawlscope-world","version":1,"seeds":["http://site.ru/"]}"#,
        r#"{"url":"http://site.ru/","links":[{"to":"/admin"},{"to":"/admin/article"},{"to":"/article/admin"},{"to":"/post"}]}"#,
        r#"{"url":"http://site.ru/admin"}"#,
        r#"{"url":"http://site.ru/admin/article"}"#,
        r#"{"url":"http://site.ru/article/admin"}"#,
        r#"{"url":"http://site.ru/post"}"#,
        r#"{"host":"site.ru","robots":"User-agent: *\nCrawl-delay: 50\nDisallow: /admin\nAllow: /article\n"}"#,
    ]);
    let fetched = |steps: &[Step]| -> Vec<String> {
        steps.iter().map(|step| world.url(step.page).into_owned()).collect()
    };
    let (steps, run) = crawl(&world, "breadth-first", &Rules::default());
    let allowed = ["http://site.ru/", "http://site.ru/article/admin", "http://site.ru/post"];
    assert_eq!(fetched(&steps), allowed);
    // Each fetch takes 0.1 s; the delay between response and next request is 50 s.
    let times: Vec<u64> = steps.iter().map(|step| step.at_us).collect();
    assert_eq!(times, [100_000, 50_200_000, 100_300_000]);
    let counters = run.session().counters();
    assert_eq!(counters.refused[Refusal::Robots as usize], 2);
    assert_eq!((counters.started, counters.robots_requests), (3, 1));

    let rude = Rules { robots: false, ..Rules::default() };
    let (steps, run) = crawl(&world, "breadth-first", &rude);
    assert_eq!(fetched(&steps).len(), 5);
    assert_eq!(run.now_us(), 500_000);
    assert_eq!(run.session().counters().robots_requests, 0);
}

#[test]
fn relative_links_of_the_lecture_are_followed() {
    let world = imported(&[
        r#"{"format":"crawlscope-world","version":1,"seeds":["http://site.ru/page/1"]}"#,
        r#"{"url":"http://site.ru/page/1","links":[{"to":"2"},{"to":"/2"},{"to":"../d3"},{"to":"//site.com/page"},{"to":"http://abc.org/g"}]}"#,
        r#"{"url":"http://site.ru/page/2"}"#,
        r#"{"url":"http://site.ru/2"}"#,
        r#"{"url":"http://site.ru/d3"}"#,
        r#"{"url":"http://site.com/page"}"#,
        r#"{"url":"http://abc.org/g"}"#,
    ]);
    let (steps, _) = crawl(&world, "breadth-first", &Rules::default());
    let fetched: Vec<String> = steps.iter().map(|step| world.url(step.page).into_owned()).collect();
    let expected = [
        "http://site.ru/page/1",
        "http://site.ru/page/2",
        "http://site.ru/2",
        "http://site.ru/d3",
        "http://site.com/page",
        "http://abc.org/g",
    ];
    assert_eq!(fetched, expected);
}

/// Fetches of a crawl of the calendar world: all, in traps, and in growing paths.
fn fetches(strategy: &str, rules: &Rules) -> [usize; 3] {
    let world = world("calendar");
    let (steps, _) = crawl(&world, strategy, rules);
    let traps = steps.iter().filter(|step| world.has_topic(step.page, "trap"));
    let growing = steps.iter().filter(|step| world.url(step.page).contains("/next/next/"));
    [steps.len(), traps.count(), growing.count()]
}

#[test]
fn the_calendar_traps_crawls_without_limits() {
    let rules = Rules { budget: Some(600), ..Rules::default() };
    // 300 useful pages: breadth-first wastes half the budget in traps, depth-first nearly all.
    let [all, traps, _] = fetches("breadth-first", &rules);
    assert!(all == 600 && (250..400).contains(&traps), "{traps} of {all}");
    let [all, traps, _] = fetches("depth-first", &rules);
    assert!(all == 600 && traps > 500, "{traps} of {all}");
}

#[test]
fn a_depth_limit_ends_the_calendar() {
    let rules = Rules { budget: Some(600), depth: Some(3), ..Rules::default() };
    for strategy in ["breadth-first", "depth-first"] {
        let [all, traps, _] = fetches(strategy, &rules);
        assert!(traps < 40 && all - traps > 250, "{strategy}: {traps} of {all}");
    }
}

#[test]
fn a_limit_of_pages_per_site_ends_the_calendar() {
    let rules = Rules { budget: Some(600), pages_per_site: Some(300), ..Rules::default() };
    let [all, traps, _] = fetches("breadth-first", &rules);
    assert!(all == 300 && traps < 40, "{traps} of {all}");
    // The limit cannot help a crawl that goes straight into the trap, only stop it.
    let [all, traps, _] = fetches("depth-first", &rules);
    assert!(all == 300 && traps > 200, "{traps} of {all}");
}

#[test]
fn a_limit_of_repeats_ends_paths_that_grow() {
    let free = Rules::default();
    let limited = Rules { repeats: Some(2), ..Rules::default() };
    for strategy in ["breadth-first", "depth-first"] {
        let [all, traps, growing] = fetches(strategy, &free);
        assert!(growing > 1000, "{strategy}: {growing}");
        let [all_left, traps_left, growing_left] = fetches(strategy, &limited);
        assert!(growing_left < 20, "{strategy}: {growing_left}");
        assert!(traps - traps_left > 1000, "{strategy}: {traps_left} of {traps}");
        assert_eq!(all - traps, all_left - traps_left, "useful pages are all there");
    }
}

/// Salari et al., figure 3: ranks are given, A > C > B > the rest, because computed ones differ.
#[test]
fn rl_crawler_takes_figure_3_in_its_order() {
    let world = world("rl-figure-3");
    let ranks = world.pages().map(|page| f64::from(world.clicks(page)));
    let truth = crawl_core::Truth { ranker: "given".to_owned(), ranks: ranks.collect() };
    let rl_crawler = strategy_variant("rl-crawler(knowledge:all)");
    let session = crawl_core::Session::new(
        &world,
        &world.seeds(),
        rl_crawler.build(&rl_crawler.given(&world, &world.seeds())),
        Rules::default(),
        Some(std::sync::Arc::new(truth)),
    );
    let mut simulator = Simulator::new(session);
    for (fetched, waiting) in [("A", "B C D"), ("C", "B D F"), ("B", "D E F")] {
        let step = simulator.step(&world).expect("a page to fetch");
        assert_eq!(name(&world, step.page), fetched);
        let session = simulator.session();
        let names = session.frontier().waiting().map(|url| name(&world, session.book().page(url)));
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert_eq!(names.join(" "), waiting, "after {fetched}");
    }
}

/// By hand, on the unchanged world of Salari et al., figure 1.
///
/// An earlier crawl that fetched only p knew p, q and r, with ranks 1 : 1.425 : 1.425; one that
/// fetched three pages knew all but the links of s.
#[test]
fn historical_remembers_and_passes_on() {
    let world = world("fica-figure-1");
    let scored = |strategy: &str| -> Vec<(String, f64)> {
        let strategy = format!("historical(born:0,died:0,changed:0,{strategy})");
        let (steps, _) = crawl(&world, &strategy, &Rules::default());
        steps.iter().map(|step| (name(&world, step.page), step.score)).collect()
    };
    let check = |strategy: &str, order: &str, expected: [f64; 12]| {
        let steps = scored(strategy);
        let names: Vec<&str> = steps.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.join(" "), order, "{strategy}");
        for ((name, score), expected) in steps.iter().zip(expected) {
            assert!(
                (score - expected).abs() < 1e-10,
                "{strategy}, {name}: {score}, not {expected}"
            );
        }
    };
    let (p, q) = (1.0 / 3.85, 1.425 / 3.85);
    let (third, half, eighth) = (q / 3.0, q / 2.0, q / 8.0);
    check(
        "memory:0.01",
        "p q r v s t a b c d e f",
        [p, q, q, half, half, third, third, third, eighth, eighth, eighth, eighth],
    );
    check(
        "memory:0.01,new:zero",
        "p q r t a b v s c d e f",
        [p, q, q, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
    // In units of a page without links: q and r 1 + d/2; t, a and b add d/3 of q's; v and s add d/2
    // of r's.
    let (t, v) = (1.0 + 0.85 / 3.0 * 1.425, 1.0 + 0.85 / 2.0 * 1.425);
    let sum = 1.0 + 2.0 * 1.425 + 3.0 * t + 2.0 * v;
    let [p, q, t, v] = [1.0, 1.425, t, v].map(|y| y / sum);
    check(
        "memory:0.25",
        "p q r v s t a b c d e f",
        [p, q, q, v, v, t, t, t, v / 4.0, v / 4.0, v / 4.0, v / 4.0],
    );
}
