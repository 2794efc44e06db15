//! Each command once, with text and JSON output.

use crate::support::{Folder, WORLD, crawlscope, fixture, with_input};
use serde_json::Value;

const LISTS: [(&str, &str); 5] = [
    ("strategies", "opic"),
    ("rankers", "pagerank"),
    ("metrics", "gap-closed"),
    ("worlds", "greedy-oracle"),
    ("importers", "edge-list"),
];

#[test]
fn registries_are_listed_with_their_parameters() {
    for (command, id) in LISTS {
        let table = crawlscope([command]).ok();
        let entries = crawlscope([command, "--json"]).json();
        let entries = entries.as_array().expect("a list");
        assert!(entries.iter().any(|entry| entry["id"] == id), "{command}");
        for entry in entries {
            let name = entry["id"].as_str().expect("an id");
            assert!(table.contains(name), "{name} in {command}");
            for field in ["title", "source", "summary", "description"] {
                assert!(entry[field].as_str().is_some_and(|t| !t.is_empty()), "{name}: {field}");
            }
            for param in entry["params"].as_array().expect("params") {
                let key = param["key"].as_str().expect("a key");
                assert!(table.contains(&format!("{key} = ")), "{name}: {key}");
                assert!(param["help"].is_string() && !param["default"].is_null());
            }
            let page = crawlscope([command, name]).ok();
            let summary = entry["summary"].as_str().expect("a summary");
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words(&page).contains(&words(summary)), "{page}");
            assert_eq!(&crawlscope([command, name, "--json"]).json(), entry);
        }
    }
}

#[test]
fn oracles_are_marked_wherever_they_appear() {
    assert_eq!(crawlscope(["strategies", "omniscient", "--json"]).json()["oracle"], true);
    assert_eq!(crawlscope(["strategies", "opic", "--json"]).json()["oracle"], false);
    assert!(crawlscope(["strategies"]).ok().contains("Omniscient (an oracle)"));
    assert!(
        crawlscope(["strategies", "omniscient"]).ok().contains("information that no crawler has")
    );
    let args = ["--world", "greedy-oracle", "--strategy", "omniscient"];
    assert!(crawlscope(["run"].iter().chain(&args)).ok().contains("omniscient *"));
    assert!(crawlscope(["explain"].iter().chain(&args)).ok().contains("(an oracle)"));
}

#[test]
fn the_table_of_a_run_fits_and_says_everything() {
    let flags = "--strategy breadth-first --strategy opic --budget 400 --at 120";
    for width in [80, 120] {
        let args = ["run", "--world", "web"].into_iter().chain(flags.split(' '));
        let text = with_input(args, b"", width).ok();
        let fits = |line: &&str| line.chars().count() <= width;
        let wide: Vec<&str> = text.lines().filter(|line| !fits(line)).collect();
        assert!(wide.is_empty(), "{wide:#?}");
        for word in [
            "2,000 pages",
            "hosts",
            "digest",
            "at most",
            "budget 400",
            "breadth-first",
            "opic",
            "(ideal)",
            "(random)",
            "100.0 %",
            "top 10 %",
            "regret",
            "N = 400",
            "opic at step 120",
            "next",
            "█",
            "#v=1&world=web&run=breadth-first,opic&budget=400&at=120",
        ] {
            assert!(text.contains(word), "{word} in {text}");
        }
    }
}

#[test]
fn few_reachable_pages_are_warned_of() {
    let folder = Folder::new("reach");
    let file = folder.write("chain.tsv", "1 0\n2 1\n3 2\n4 3\n");
    let text = crawlscope(["run", "--world", &file]).ok();
    assert!(text.contains("page 0 reaches only 1 of 5 pages; choose other seeds with --seed-url"));
    let other = ["run", "--world", &file, "--seed-url", "http://graph.invalid/4"];
    assert!(!crawlscope(other).ok().contains("reaches only"));
}

#[test]
fn bounds_can_be_left_out() {
    let args = ["run", "--world", "web(pages:1000)", "--no-bounds"];
    let text = crawlscope(args).ok();
    assert!(text.contains("skipped (--no-bounds)") && !text.contains("(ideal)"), "{text}");
}

#[test]
fn urls_whose_host_rests_say_so() {
    let args = ["explain", "--world", "web", "--strategy", "breadth-first", "--at", "1"];
    let message = "its host has a crawl delay";
    assert!(!crawlscope(args).ok().contains(message), "no host has a delay");
    let delayed = args.iter().chain(&["--delay", "5", "--top", "20"]);
    assert!(crawlscope(delayed.clone()).ok().contains(message));
    let explained = crawlscope(delayed.chain(&["--json"])).json();
    let next = explained["runs"][0]["next"].as_array().expect("the next URLs");
    let first = next[0]["url"].as_str().expect("a URL").to_owned();
    assert!(next.iter().any(|url| url["held"] == true) && next[0]["held"].is_boolean(), "{first}");
}

#[test]
fn the_next_urls_are_explained_with_numbers_that_add_up() {
    let args = ["explain", "--world", "web", "--strategy", "opic", "--at", "120", "--top", "3"];
    let text = crawlscope(args).ok();
    for word in ["opic, after 120 fetches", "cash(u) = ", "1. http://", "└─ ", "step ", " ÷ "]
    {
        assert!(text.contains(word), "{word} in {text}");
    }
    let explained = crawlscope(args.iter().chain(&["--json"])).json();
    assert_eq!(explained["at"], 120);
    let next = explained["runs"][0]["next"].as_array().expect("the next URLs");
    assert_eq!(next.len(), 3);
    for url in next {
        assert_eq!(url["explanation"]["value"].as_f64(), url["score"].as_f64());
        check_node(&url["explanation"]);
    }
    // The first one is what the run fetches next.
    let run = "run --world web --strategy opic --budget 121 --json --order";
    let run = crawlscope(run.split(' ')).json();
    assert_eq!(run["runs"][0]["order"][120], next[0]["url"]);
}

fn check_node(node: &Value) {
    let children = node["children"].as_array().expect("children");
    let value = |node: &Value| node["value"].as_f64().expect("a number");
    let mut values = children.iter().map(value);
    let expected = match node["op"].as_str().expect("an op") {
        "given" => value(node),
        "sum" => values.sum(),
        "quotient" => values.next().expect("two") / values.next().expect("two"),
        op => panic!("opic does not use {op}"),
    };
    assert!((expected - value(node)).abs() <= 1e-12 * expected.abs(), "{node}");
    children.iter().for_each(check_node);
}

#[test]
fn the_history_of_a_url_is_shown() {
    let run = "run --world web --strategy backlink-count --json --order";
    let run = crawlscope(run.split(' ')).json();
    let url = run["runs"][0]["order"][400].as_str().expect("a URL").to_owned();
    let at = ["explain", "--world", "web", "--strategy", "backlink-count", "--at", "400", "--url"];
    let text = crawlscope(at.iter().chain(&[url.as_str()])).ok();
    assert!(text.contains("at step 401, with score") && text.contains("now       next"), "{text}");
    let history = crawlscope(at.iter().chain(&[url.as_str(), "--json"])).json();
    let history = &history["runs"][0]["url"];
    assert_eq!(history["fetched"]["step"], 401);
    assert_eq!(history["waits"], true);
    let moves = history["moves"].as_array().expect("moves");
    let score = history["fetched"]["score"].as_f64().expect("a score");
    // Each fetched page that links to it adds one; the first found it.
    assert_eq!(moves.len() as f64 + 1.0, score);
    if let Some(last) = moves.last() {
        assert_eq!(last["after"].as_f64(), Some(score));
    }
    let early = crawlscope(["explain", "--world", "web", "--url", url.as_str()]).ok();
    assert!(early.contains("found     not yet"), "{early}");
    let folder = Folder::new("history");
    let file = folder.write("w.jsonl", WORLD);
    let refused = ["explain", "--world", &file, "--at", "3", "--url", "http://b.example/"];
    let refused = crawlscope(refused).ok();
    assert!(refused.contains("now       refused by the rules"), "{refused}");
    assert!(refused.contains("fetched   never"), "{refused}");
}

#[test]
fn a_world_is_inspected() {
    let folder = Folder::new("inspect");
    let file = folder.write("w.jsonl", WORLD.replace("\"bytes\"", "\"colour\":1,\"bytes\""));
    let ran = crawlscope(["inspect", &file]);
    let text = ran.ok();
    for word in [
        "Small",
        "CC0-1.0",
        "json-lines",
        "5 pages",
        "2 hosts on 2 sites",
        "1 with robots.txt",
        "1 leave the snapshot",
        "1 × 301",
        "1 × 404",
        "3 × 200",
        "http://a.example/",
        "best by pagerank",
        "unknown page field \"colour\" is ignored",
        "reach 5 of 5 pages",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let object = crawlscope(["inspect", &file, "--json"]).json();
    assert_eq!((&object["pages"], &object["outside_links"]), (&5.into(), &1.into()));
    assert_eq!(object["statuses"]["404"], 1);
    assert_eq!(object["best"].as_array().map(Vec::len), Some(5));
    assert_eq!(object["notices"].as_array().map(Vec::len), Some(2));
    let made = crawlscope(["inspect", "web", "--json"]).json();
    assert_eq!((&made["pages"], &made["reachable"]), (&2000.into(), &2000.into()));
}

#[test]
fn pages_are_ranked() {
    let object = crawlscope(["rank", "greedy-oracle", "--top", "3", "--json"]).json();
    let best = object["best"].as_array().expect("the best");
    assert_eq!(best.len(), 3);
    assert!(best[0]["rank"].as_f64() >= best[1]["rank"].as_f64());
    let text = crawlscope(["rank", "greedy-oracle", "--ranker", "hits"]).ok();
    assert!(text.contains("ranker    hits") && text.lines().count() > 8, "{text}");
}

#[test]
fn two_rankers_are_compared() {
    let rank = ["rank", "campus", "--top", "5", "--against"];
    let compared = |against: &str| crawlscope(rank.iter().chain(&[against, "--json"])).json();
    let object = compared("hits(of:hub)");
    let against = &object["against"];
    assert_eq!(against["ranker"], "hits(of:hub)");
    let tau = against["tau"].as_f64().expect("a number");
    assert!((-1.0..1.0).contains(&tau), "{tau}");
    let overlaps = against["overlap"].as_array().expect("three");
    let sizes: Vec<_> = overlaps.iter().map(|overlap| overlap["k"].as_u64()).collect();
    assert_eq!(sizes, [Some(12), Some(120), Some(5)], "1 % and 10 % of 1,200, and --top");
    let apart = |page: &Value| {
        let place = |key: &str| page[key].as_i64().expect("a place");
        (place("place") - place("against")).abs()
    };
    let moved: Vec<i64> = against["moved"].as_array().expect("pages").iter().map(apart).collect();
    assert_eq!(moved.len(), 5);
    assert!(moved.is_sorted_by(|a, b| a >= b) && moved[0] > 0, "{moved:?}");
    // A ranker agrees with itself, also with defaults written out.
    let same = compared("pagerank(damping:0.85)");
    assert_eq!(same["against"]["tau"], 1.0);
    assert_eq!(same["against"]["moved"].as_array().map(Vec::len), Some(0));
    assert!(
        same["against"]["overlap"]
            .as_array()
            .is_some_and(|all| all.iter().all(|overlap| overlap["share"] == 1.0))
    );
    let text = with_input(rank.iter().chain(&["hits"]), b"", 80).ok();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for part in
        ["against   hits", "Kendall's τ of pagerank and hits: ", "best 10 %", "120", "Largest"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    // Equal ranks give no order to compare.
    let none = crawlscope(rank.iter().chain(&["pagerank(damping:0)"])).ok();
    assert!(none.contains("τ is undefined"), "{none}");
}

#[test]
fn sweeps_are_reported_until_values_settle() {
    let rank = ["rank", "web", "--ranker", "hits(sweeps:30)", "--against", "pagerank", "--sweeps"];
    let object = crawlscope(rank.iter().chain(&["--json"])).json();
    let residuals = |of: &Value| -> Vec<f64> {
        let list = of["residuals"].as_array().expect("a list").iter();
        list.map(|r| r.as_f64().expect("a number")).collect()
    };
    assert_eq!((residuals(&object).len(), &object["converged"]), (30, &false.into()));
    let pagerank = &object["against"];
    assert_eq!(pagerank["converged"], true);
    assert!(residuals(pagerank).last().is_some_and(|last| *last < 1e-10));
    let text = crawlscope(rank).ok();
    for part in ["hits(sweeps:30): 30 sweeps, not converged", "sweeps, converged", "residual", "█"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    let plain = crawlscope(["rank", "web", "--json"]).json();
    assert_eq!(plain.get("residuals"), None, "only where they were asked for");
}

#[test]
fn the_table_of_orderings_is_the_same_every_time() {
    let folder = Folder::new("orderings");
    let args = ["bench", "orderings", "--markdown", "--data", &folder.path("nothing")];
    let table = crawlscope(args).ok();
    assert!(table.starts_with("| strategy | harvard500 | hollins | campus | shop | web |\n"));
    assert!(table.contains("| omniscient \\* | not found | not found | "), "{table}");
    assert!(table.contains("| (ideal) |") && table.contains("100.0 % ("));
    assert_eq!(crawlscope(args).ok(), table);
    let names = crawlscope(["strategies", "--json"]).json();
    for entry in names.as_array().expect("a list") {
        let id = entry["id"].as_str().expect("an id");
        // Strategies that need a topic are not in the table.
        let is_listed = entry["family"] != "Focused";
        assert_eq!(table.contains(&format!("\n| {id}")), is_listed, "{id}");
    }
}

#[test]
fn graphs_of_the_data_folder_stand_in_the_table_of_orderings() {
    let folder = Folder::new("data");
    for (name, made) in [
        ("harvard500/edges.tsv", "town.edges.tsv"),
        ("harvard500/urls.tsv", "town.urls.tsv"),
        ("hollins/hollins.dat", "village.dat"),
        ("hollins/links.dat", "village.links.dat"),
    ] {
        folder.write(name, std::fs::read(fixture(made)).expect("a fixture"));
    }
    let table = crawlscope(["bench", "orderings", "--data", &folder.path("")]).ok();
    assert!(
        table.contains("harvard500: 120 pages") && table.contains("hollins: 240 pages"),
        "{table}"
    );
    assert!(!table.contains("not found"), "{table}");
}

#[test]
fn help_and_version_are_at_hand() {
    let help = crawlscope(["run", "--help"]).ok();
    for word in ["--batch-per-site", "--robots", "--fetchers", "Crawl rules", "--print-link"] {
        assert!(help.contains(word), "{word} in {help}");
    }
    assert!(crawlscope(["--help"]).ok().contains("Examples:"));
    assert!(crawlscope(["--version"]).ok().starts_with("crawlscope 0."));
}

#[test]
fn a_document_is_tried_again_and_its_claims_are_judged() {
    let folder = Folder::new("reproduce");
    let out = folder.path("out");
    let args =
        ["reproduce", "e", "--webs", "2", "--pages", "1000", "--data", "/nowhere", "--out", &out];
    let text = with_input(args, b"", 100).ok();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    for part in [
        "2 generated webs",
        "rl-crawler(knowledge:all)",
        "Najork & Wiener 2001",
        "16 sweeps",
        "Abiteboul, Preda & Cobena 2003",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let kept = std::fs::read_to_string(folder.path("out/e.json")).expect("was written");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    let printed = crawlscope([
        "reproduce",
        "E",
        "--webs",
        "2",
        "--pages",
        "1000",
        "--data",
        "/nowhere",
        "--json",
    ]);
    assert_eq!(printed.json(), kept, "the same numbers every time");
    let claims = kept["claims"].as_array().expect("claims");
    let verdicts = ["held", "not-held", "undecided"];
    assert!(claims.len() > 5);
    assert!(claims.iter().all(|claim| verdicts.iter().any(|verdict| claim["verdict"] == *verdict)));
    let series = kept["webs"][0]["series"].as_array().expect("curves");
    assert!(series.iter().all(|curve| curve["values"].as_array().is_some_and(|v| v.len() == 100)));
    let plot = std::fs::read_to_string(folder.path("out/e-2-generated-webs-own-4.svg"));
    assert!(plot.expect("was drawn").contains("pages fetched"));
}

#[test]
fn revisiting_is_tried_again_with_the_papers_sums_beside_the_true_ones() {
    let folder = Folder::new("revisiting");
    let out = folder.path("out");
    let args = ["reproduce", "c", "--webs", "2", "--pages", "200", "--data", "/nowhere"];
    let text = with_input([&args[..], &["--out", &out]].concat(), b"", 100).ok();
    for part in ["0.9356", "3.4874", "0.7875", "3.3393", "2.5518", "1/4 day against 1/20"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let plot = std::fs::read_to_string(folder.path("out/c-figure-1.svg")).expect("was drawn");
    assert!(plot.contains("simulated, 95 % interval") && plot.contains("<circle"));
    assert!(text.contains("the crawl's own policies ranked"), "{text}");
}

#[test]
fn a_figure_is_drawn_with_parameters() {
    let folder = Folder::new("figure");
    let out = folder.path("out");
    let figure = |spec: &str, more: &[&str]| {
        crawlscope([&["reproduce", "C", "--figure", spec], more].concat())
    };
    let text = figure("figure-1(visits:20,pages:50)", &["--out", &out]).ok();
    assert!(text.starts_with("figure-1(visits:20,pages:50)\n"), "{text}");
    assert!(text.contains("after 20 visits") && text.contains("bias-reduced, simulated"));
    let plot = std::fs::read_to_string(folder.path("out/c-figure-1.svg")).expect("was drawn");
    assert!(plot.contains("after 20 visits"));
    let printed = figure("figure-1?visits=20&pages=50", &["--json"]).json();
    let kept = std::fs::read_to_string(folder.path("out/c-figure-1.json")).expect("was written");
    assert_eq!(serde_json::from_str::<Value>(&kept).expect("JSON"), printed);
    assert_eq!(printed["lines"][0]["points"].as_array().map(Vec::len), Some(16));
    assert!(crawlscope(["figures"]).ok().contains("figure-1"));
    for (spec, message) in [
        ("figure-1(naive:false,bias-reduced:false)", "no estimator is chosen"),
        ("figure-1(pages:0)", "pages must be a whole number, 10 to 10000, not 0"),
        ("figure-9", "did you mean 'figure-1'?"),
    ] {
        let refused = figure(spec, &[]);
        assert!(refused.err.contains(message), "{}", refused.err);
    }
    let other = crawlscope(["reproduce", "E", "--figure", "figure-1"]);
    assert!(other.err.contains("document E has no figure figure-1"), "{}", other.err);
}

#[test]
fn focused_crawls_are_tried_again_within_the_sizes_their_document_allows() {
    let folder = Folder::new("focused");
    let out = folder.path("out");
    let args = ["reproduce", "b", "--webs", "1", "--pages", "600", "--data", "/nowhere"];
    let report = crawlscope([&args[..], &["--json", "--out", &out]].concat()).json();
    let claims = report["claims"].as_array().expect("claims");
    assert!(
        claims.iter().any(|claim| claim["says"] == "JLSE has a higher target recall than OPIE")
    );
    let plot = std::fs::read_to_string(folder.path("out/b-1-generated-web-shop-harvest-rate.svg"));
    assert!(plot.expect("was drawn").contains("first and last as printed"));
    for (document, pages, message) in [
        ("B", "599", "document B needs webs of 600 to 50000 pages"),
        ("B", "50001", "document B needs webs of 600 to 50000 pages"),
        ("E", "999", "document E needs webs of 1000 to 100000 pages"),
    ] {
        let refused = crawlscope(["reproduce", document, "--webs", "1", "--pages", pages]);
        assert!(refused.err.contains(message), "{}", refused.err);
    }
}
