//! Output about revisits.

use crate::support::{crawlscope, piped};
use serde_json::Value;

const NEWSROOM: &str = "--world newsroom(pages:300) --visits 100 --hours 48";

fn args<'a>(command: &'a str, rest: &'a str) -> impl Iterator<Item = &'a str> {
    [command].into_iter().chain(NEWSROOM.split(' ')).chain(rest.split(' '))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn a_visit_is_explained_by_its_policy() {
    let text = crawlscope(args("explain", "--revisit optimal --at 900")).ok();
    for words in [
        "breadth-first · optimal, after 900 fetches",
        "new pages, breadth-first: score(u) = −discovery number(u)",
        "revisits, optimal: max Σ",
        "by the time until each is due:\n\n1. ",
        "urgency: due at 1",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let run = &crawlscope(args("explain", "--revisit adaptive --at 500 --json")).json()["runs"][0];
    assert_eq!(run["revisit"]["policy"], "adaptive");
    assert!(run["revisit"]["formula"].as_str().expect("a formula").contains("T ÷ 2"));
    let next = run["next"].as_array().expect("the next URLs");
    let mut last = 0.0;
    for url in next {
        // The root of an explanation is the score.
        assert_eq!(number(&url["score"]), number(&url["explanation"]["value"]));
        assert!(number(&url["ordering_score"]) < 0.0, "{url}");
        let due_in_s = number(&url["due_in_s"]);
        assert!(due_in_s >= last, "{due_in_s} after {last}");
        last = due_in_s;
    }
    assert!(last > 0.0 && next.len() == 5);
}

#[test]
fn pages_not_fetched_yet_keep_their_score_where_others_are_visited_again() {
    let run = &crawlscope(args("explain", "--revisit uniform --at 40 --json")).json()["runs"][0];
    let next = &run["next"][0];
    assert_eq!(number(&next["score"]), number(&next["explanation"]["value"]));
    assert!(next.get("ordering_score").is_none() && next.get("due_in_s").is_none(), "{next}");
    let text = crawlscope(args("explain", "--revisit uniform --at 40")).ok();
    assert!(text.contains("Pages not fetched yet, by score:\n\n1. http://"), "{text}");
    // New and old pages are in one list if they compete.
    let text = crawlscope(args("explain", "--revisit period-estimate --batch 40 --at 410")).ok();
    assert!(text.contains("1. http://") && !text.contains("due:"), "{text}");
}

#[test]
fn evidence_is_not_cut() {
    let optimal = "--revisit optimal --at 900";
    for text in [crawlscope(args("explain", optimal)).ok(), piped(args("explain", optimal)).ok()] {
        assert!(!text.contains('…'), "{text}");
        let words = text.split_whitespace().filter(|w| !"│├└─".contains(&w[..w.len().min(3)]));
        let words: Vec<&str> = words.collect();
        assert!(words.join(" ").contains("is worth μ = "), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }
    // A narrow terminal shortens URLs; a pipe shortens nothing.
    let opic = ["explain", "--world", "shop", "--strategy", "opic", "--at", "200"];
    let narrow = crate::support::with_input(opic, b"", 45).ok();
    assert!(narrow.contains('…'), "{narrow}");
    assert!(!piped(opic).ok().contains('…'));
}

#[test]
fn the_history_of_a_page_has_its_next_visit() {
    let url = "http://www.newsroom.example/";
    let history = args("explain", "--revisit uniform --at 900 --url").chain([url]);
    let text = crawlscope(history).ok();
    assert!(text.contains("now       fetched, next visit due in "), "{text}");
    assert!(text.contains("\nurgency of the next visit\n   urgency: due at 1"), "{text}");
}

#[test]
fn one_strategy_runs_with_each_of_several_policies() {
    let both = "--revisit uniform --revisit optimal --print-link";
    let link = crawlscope(args("run", both)).ok();
    let lanes = "run=breadth-first,breadth-first&revisit=uniform,optimal&";
    assert!(link.contains(lanes), "{link}");
    let short = link.replace("run=breadth-first,breadth-first&", "run=breadth-first&");
    assert_eq!(crawlscope(["run", "--print-link", "--link", short.trim()]).ok(), link);
    // Several strategies and several policies must be equally many.
    let rest =
        "--strategy opic --strategy random --revisit never --revisit uniform --revisit optimal";
    let ran = crawlscope(args("run", rest));
    assert_eq!(ran.code, Some(2));
    let message = "revisit must be one policy for all 2 strategies, or 2 policies, one for each (repeat a \
                strategy to run it with several), not 3 policies";
    assert!(ran.err.contains(message), "{}", ran.err);
}

#[test]
fn the_table_of_visits_says_what_it_measures_against() {
    let text = crawlscope(args("run", "--revisit never --revisit optimal --no-bounds")).ok();
    for words in ["to best, long run", "expected", "rates off", "(the median;"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    // The metric is the mean; the table has the median, which is lower here.
    let run = crawlscope(args("run", "--revisit optimal --no-bounds --json")).json();
    let series = run["runs"][0]["metrics"]["rate-error"].as_array().expect("a measure");
    let mean = number(&series[series.len() - 1][1]);
    let head = text.lines().position(|line| line.contains("rates off")).expect("the head");
    let optimal = text.lines().skip(head).find(|line| line.starts_with("optimal"));
    let shown = optimal.expect("its row").split_whitespace().rev().nth(3).expect("a number");
    let median = shown.parse::<f64>().expect("a share") / 100.0;
    assert!(median > 0.0 && median < mean, "{median} {mean} in {text}");
}

#[test]
fn long_defaults_are_rounded() {
    let text = crawlscope(["policies"]).ok();
    for words in ["f0 = 0.1667 (", "floor = 0.01667 (", "start = 24 ("] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let budget = "so a run may make up to 5 + 2·√n visits more";
    let one = crawlscope(["policies", "optimal"]).ok();
    for text in [text, one].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")) {
        assert!(text.contains(budget), "{text}");
    }
    assert!(!crawlscope(["metrics"]).ok().contains("5 + 2·√n"));
    let listed = crawlscope(["policies", "adaptive", "--json"]).json();
    assert_eq!(number(&listed["params"][1]["default"]), 1.0 / 60.0);
}
