//! Invalid or odd change data: refused with the line number, or read without loss and without NaN.

use crate::bad_input::refused;
use crate::support::{Folder, crawlscope};
use serde_json::Value;

/// A world of a changing home page and a second page with these JSON fields.
fn world(fields: &str) -> String {
    [
        r#"{"format":"crawlscope-world","version":1,"seeds":["http://a.example/"]}"#,
        r#"{"url":"http://a.example/","links":["/b"],"change_rate_per_hour":1}"#,
        &format!(r#"{{"url":"http://a.example/b",{fields}}}"#),
        "",
    ]
    .join("\n")
}

/// A change history with these rows; columns are separated by spaces.
fn history(rows: &[&str]) -> String {
    let names = "page unix_time status commit files_in_commit";
    let row = |row: &&str| row.replace(' ', "\t") + "\n";
    std::iter::once(&names).chain(rows).map(row).collect()
}

#[test]
fn invalid_change_data_is_refused_with_the_line() {
    let folder = Folder::new("changes-refused");
    let rate = "change_rate_per_hour";
    let pages: [(&str, &[&str]); 12] = [
        (r#""change_rate_per_hour":-1"#, &[rate, "at least 0", "-1"]),
        (r#""change_rate_per_hour":1e999"#, &[rate, "out of range"]),
        (r#""change_rate_per_hour":1e300"#, &[rate, "at most 3600000", "not 1e300"]),
        (r#""change_rate_per_hour":NaN"#, &[rate, "expected value"]),
        (r#""change_rate_per_hour":Infinity"#, &[rate, "expected value"]),
        (r#""change_rate_per_hour":"inf""#, &[rate, "expected a number"]),
        (r#""changes_s":[-5]"#, &["changes_s", "at least 0", "-5"]),
        (r#""changes_s":[null]"#, &["changes_s", "expected a number"]),
        (r#""changes_s":5"#, &["changes_s", "expected a list"]),
        (r#""born_s":-1"#, &["born_s", "at least 0", "-1"]),
        (r#""gone_s":-1"#, &["gone_s", "at least 0", "-1"]),
        (r#""born_s":9,"gone_s":9"#, &["gone_s", "more than born_s"]),
    ];
    let rows: [(&[&str], &[&str]); 8] = [
        (&["a 5 A c 1", "a NaN M c 1"], &["line 3", "NaN", "whole seconds since 1970"]),
        (&["a NaN M c 1"], &["line 2", "NaN", "whole seconds since 1970"]),
        (&["a inf M c 1"], &["line 2", "inf", "whole seconds"]),
        (&["a  M c 1"], &["line 2", "whole seconds"]),
        (&["a 1508294567000 A c 1"], &["line 2", "1508294567000", "whole seconds"]),
        (&["a 5 R100 c 1"], &["line 2", "R100", "A (added)"]),
        (&["a 5 A c -1"], &["line 2", "-1", "number of files"]),
        (&[], &["no pages"]),
    ];
    let pages =
        pages.map(|(fields, words)| ("w.jsonl", world(fields), [words, &["line 3"]].concat()));
    let rows = rows.map(|(rows, words)| ("w.tsv", history(rows), words.to_vec()));
    for (name, text, words) in pages.into_iter().chain(rows) {
        let file = folder.write(name, &text);
        let words = [&words[..], &[name]].concat();
        refused(&["inspect", &file], &words);
        let visits = ["--revisit", "optimal", "--hours", "24"];
        refused(&[&["run", "--world", &file], &visits[..]].concat(), &words);
        let before = folder.names();
        refused(&["convert", &file, "-o", &folder.path("out.jsonl")], &words);
        assert_eq!(folder.names(), before, "nothing was written");
    }
}

/// Metrics with a `null` value, which is how JSON writes NaN.
fn holes(runs: &Value) -> Vec<String> {
    let mut holes = Vec::new();
    for run in runs.as_array().expect("runs") {
        for (name, series) in run["metrics"].as_object().expect("metrics") {
            let points = series.as_array().expect("a series");
            if points.iter().any(|point| !point[1].is_number()) {
                holes.push(format!("{} of {}", name, run["strategy"]));
            }
        }
    }
    holes
}

#[test]
fn odd_change_data_is_kept_and_measured() {
    let folder = Folder::new("changes-odd");
    let sorted = "are earlier than the change before; changes were sorted";
    let late = "more than 1000000 hours after the start, later than any crawl lasts; all are kept";
    let pages: [(&str, &[&str]); 10] = [
        (r#""change_rate_per_hour":0"#, &[]),
        (r#""change_rate_per_hour":null"#, &[]),
        (r#""change_rate_per_hour":5e-324"#, &[]),
        (r#""change_rate_per_hour":3600000"#, &[]),
        (r#""changes_s":[300,100,200,100]"#, &["line 3: 2 changes", sorted, "1 repeated change"]),
        (r#""changes_s":[1e300,1e18,5]"#, &["line 3: 2 changes", sorted, late]),
        (r#""changes_s":[5,5,5]"#, &["line 3: 2 repeated changes were dropped"]),
        (r#""changes_s":[5],"change_rate_per_hour":3"#, &[]),
        (r#""born_s":1e300"#, &[]),
        (r#""born_s":3600,"changes_s":[10,7200],"gone_s":1e300"#, &[]),
    ];
    let rows: [(&[&str], &[&str]); 4] = [
        (
            &["a 500 A c 1", "a 100 M c 1", "b 300 A c 1", "a 100 M d 1"],
            &["line 3: 1 change is earlier", "1 repeated change was dropped"],
        ),
        (&["a -500 A c 1", "b 300 M c 1"], &[]),
        (&["a 500 A c 1", "a 99999999999 M c 1"], &[late]),
        (&["a 5 D c 1", "b 5 A c 5000"], &["1 page is deleted", "mass edits"]),
    ];
    let pages = pages.map(|(fields, words)| ("w.jsonl", world(fields), words));
    let rows = rows.map(|(rows, words)| ("w.tsv", history(rows), words));
    for (name, text, words) in pages.into_iter().chain(rows) {
        let file = folder.write(name, &text);
        let seen = crawlscope(["inspect", &file]).ok();
        for word in words {
            assert!(seen.contains(word), "no {word:?} in {seen}");
        }
        for budget in ["0", "1", "1000000"] {
            for visits in ["0", "5"] {
                let mut args = vec!["run", "--world", &file, "--json", "--budget", budget];
                args.extend(["--visits", visits, "--hours", "30", "--revisit", "optimal"]);
                args.extend(["--strategy", "opic", "--strategy", "fica"]);
                let ran = crawlscope(&args);
                for word in words {
                    assert!(ran.err.contains(word), "no {word:?} in {}", ran.err);
                }
                let holes = holes(&ran.json()["runs"]);
                assert!(holes.is_empty(), "{holes:?} in {text} with {args:?}");
            }
        }
        // Written and read again, it is the same world.
        let out = folder.path("out.jsonl");
        crawlscope(["convert", &file, "-o", &out, "--force"]).ok();
        let digest = |file: &str| crawlscope(["inspect", file, "--json"]).json()["digest"].clone();
        assert_eq!(digest(&out), digest(&file), "{text}");
    }
}
