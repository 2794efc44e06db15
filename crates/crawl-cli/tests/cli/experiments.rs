//! Experiments as links: printing, parsing and running them.

use crate::support::{Folder, WORLD, crawlscope, with_input};
use serde_json::Value;

fn digests(run: &Value) -> Vec<&str> {
    let runs = run["runs"].as_array().expect("runs");
    runs.iter().map(|run| run["digest"].as_str().expect("a digest")).collect()
}

#[test]
fn the_object_a_run_prints_has_what_was_agreed() {
    let args =
        ["run", "--world", "web", "--strategy", "opic(keep:true)", "--strategy", "omniscient"];
    let run = crawlscope(args.into_iter().chain(["--budget", "50", "--json", "--order"])).json();
    assert_eq!(run["world"]["pages"], 2000);
    assert!(run["world"]["links"].as_u64().is_some_and(|n| n > 2000));
    assert!(run["world"]["digest"].as_str().is_some_and(|d| d.len() == 32));
    let runs = run["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["strategy"], "opic");
    assert_eq!(runs[0]["params"]["keep"], true);
    assert_eq!((&runs[0]["oracle"], &runs[1]["oracle"]), (&false.into(), &true.into()));
    assert_eq!(runs[1]["params"]["of"], "pagerank");
    for lane in runs {
        assert_eq!(lane["fetched"], 50);
        let order = lane["order"].as_array().expect("an order");
        assert_eq!(order.len(), 50);
        assert_eq!(order[0], run["world"]["seeds"][0]);
        assert!(lane["digest"].as_str().is_some_and(|d| d.len() == 32));
        assert_eq!(lane["counters"]["started"], 50);
        let metrics = lane["metrics"].as_object().expect("metrics");
        assert!(metrics.len() >= 10, "{:?}", metrics.keys());
        let gathered = metrics["cumulative-pagerank"].as_array().expect("points");
        assert_eq!(gathered.len(), 50);
        let rises = |pair: &[Value]| pair[0][1].as_f64() <= pair[1][1].as_f64();
        assert!(gathered.windows(2).all(rises));
        assert_eq!(gathered[49][0], 50);
        assert!(metrics["gap-closed"].as_array().is_some_and(|points| !points.is_empty()));
    }
    assert_eq!(run["bounds"]["ideal"].as_array().map(Vec::len), Some(50));
    assert_eq!(run["link"], "#v=1&world=web&run=opic(keep:true),omniscient&budget=50");
}

#[test]
fn orders_and_bounds_come_only_when_wanted() {
    let run = crawlscope(["run", "--world", "greedy-oracle", "--json", "--no-bounds"]).json();
    assert_eq!(run["runs"][0]["strategy"], "breadth-first", "the default");
    assert_eq!(run["runs"][0].get("order"), None);
    assert_eq!(run["runs"][0].get("reproduced"), None);
    assert_eq!(run.get("bounds"), None);
    // A fifth of seven pages is one.
    assert_eq!((&run["area_pages"], &run["runs"][0]["fetched"]), (&1.into(), &7.into()));
}

#[test]
fn printing_a_link_and_running_it_are_inverse() {
    let folder = Folder::new("inverse");
    let world = folder.write("it's a world.jsonl", WORLD);
    let seed = "http://a.example/b";
    let all_rules = "--budget 90 --fetchers 3 --delay 0.5 --robots false --nofollow --batch 7 \
        --batch-per-site 2 --pages-per-site 40 --sites 9 --depth 6 --repeats 3 --latency 80 \
        --bandwidth 5e5 --rng 77 --at 12";
    let with_rules: Vec<&str> = all_rules.split_whitespace().collect();
    let experiments: [Vec<&str>; 7] = [
        vec!["--world", "web"],
        vec!["--world", "web?pages=1000&rng=3", "--strategy", "random", "--budget", "200"],
        vec![
            "--world",
            "gen:web(pages:1200)",
            "--strategy",
            "opic?keep=true",
            "--strategy",
            "opic",
        ],
        [vec!["--world", "builtin:web", "--strategy", "backlink-count"], with_rules].concat(),
        vec!["--world", "greedy-oracle", "--strategy", "omniscient(of:pagerank)"],
        vec!["--world", &world, "--seed-url", seed, "--seed-url", "http://a.example/"],
        vec!["--world", &world, "--robots", "false", "--rng", "9007199254740991"],
    ];
    for flags in experiments {
        let run = |more: &[&str]| crawlscope(["run"].iter().chain(&flags).chain(more));
        let link = run(&["--print-link"]).ok();
        let link = link.trim_end();
        assert!(link.starts_with("#v=1&world=") && !link.contains(char::is_whitespace), "{link}");
        let from_flags = run(&["--json", "--order", "--no-bounds"]).json();
        assert_eq!(from_flags["link"], *link);

        let file = if link.contains("file(") { vec!["--world", &world] } else { vec![] };
        let open = |link: &str, more: &[&str]| {
            crawlscope(["run", "--link", link].iter().chain(&file).chain(more))
        };
        let from_link = open(link, &["--json", "--order", "--no-bounds"]).json();
        assert_eq!(from_link, from_flags, "{link}");
        assert_eq!(open(link, &["--print-link"]).ok().trim_end(), link);

        let signed = open(link, &["--print-link", "--with-digests"]).ok();
        let signed = signed.trim_end();
        assert_eq!(signed, format!("{link}&digest={}", digests(&from_flags).join(",")));
        assert_eq!(open(signed, &["--print-link"]).ok().trim_end(), signed);
        let checked = open(signed, &["--json", "--no-bounds"]).json();
        assert_eq!(checked["runs"][0]["reproduced"], true);
        assert!(open(signed, &["--no-bounds"]).ok().contains("  reproduced\n"));
    }
}

#[test]
fn a_link_that_shows_a_figure_runs_as_without_it() {
    let link = "#v=1&world=greedy-oracle&run=opic&figure=figure-1(visits:20)";
    let open = |more: &[&str]| crawlscope(["run", "--link", link].iter().chain(more));
    assert_eq!(open(&["--print-link"]).ok().trim_end(), link);
    assert_eq!(open(&["--json"]).json()["runs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn another_digest_is_reported_and_fails() {
    let wrong = "00112233445566778899aabbccddeeff";
    let right = crawlscope(["run", "--world", "greedy-oracle", "--json"]).json();
    let link = format!(
        "#v=1&world=greedy-oracle&run=breadth-first,depth-first,opic&digest={},{wrong}",
        digests(&right)[0]
    );
    let ran = crawlscope(["run", "--link", &link]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err.matches('\n').count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("crawlscope: not reproduced: depth-first has digest "));
    assert!(ran.out.contains("breadth-first  reproduced"), "{}", ran.out);
    assert!(ran.out.contains("depth-first    NOT reproduced: the link says 0011"), "{}", ran.out);
    let ran = crawlscope(["run", "--link", &link, "--json"]);
    assert_eq!(ran.code, Some(1));
    let run: Value = serde_json::from_str(&ran.out).expect("JSON");
    let verdicts: Vec<&Value> = [0, 1, 2].map(|i| &run["runs"][i]["reproduced"]).to_vec();
    assert_eq!(verdicts, [&Value::from(true), &Value::from(false), &Value::Null]);
}

#[test]
fn a_world_on_the_standard_input_is_the_world_of_the_file() {
    let folder = Folder::new("stdin");
    let file = folder.write("w.jsonl", WORLD);
    let from_file = crawlscope(["run", "--world", &file, "--json"]).json();
    let piped = with_input(["run", "--world", "-", "--json"], WORLD.as_bytes(), 100).json();
    assert_eq!(digests(&from_file), digests(&piped));
    assert_eq!(from_file["world"]["digest"], piped["world"]["digest"]);
    let digest = piped["world"]["digest"].as_str().expect("a digest");
    assert_eq!(piped["link"], format!("#v=1&world=file({digest})&run=breadth-first"));
}

#[test]
fn the_rules_are_seen_to_work() {
    let folder = Folder::new("rules");
    let file = folder.write("w.jsonl", WORLD);
    let run = |more: &[&str]| {
        let args = ["run", "--world", &file, "--json", "--order"];
        crawlscope(args.iter().chain(more)).json()["runs"][0].clone()
    };
    let polite = run(&[]);
    assert_eq!(polite["counters"]["refused"]["robots"], 1);
    assert_eq!(polite["counters"]["errors"], 1);
    assert_eq!(polite["fetched"], 4);
    let rude = run(&["--robots", "false"]);
    assert_eq!((&rude["fetched"], &rude["counters"]["redirects"]), (&5.into(), &1.into()));
    assert_eq!(run(&["--budget", "2"])["fetched"], 2);
    assert_eq!(run(&["--robots", "false", "--depth", "1"])["fetched"], 4);
    let waits = run(&["--delay", "10"])["seconds"].as_f64().expect("seconds");
    assert!(waits > 30.0, "{waits}");
}
