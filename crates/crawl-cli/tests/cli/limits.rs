//! Experiments that would take too long are refused before they start.

use crate::support::crawlscope;

/// Four lanes with 10¹⁵ visits each, and with 17 million each.
const ENDLESS: &str = "#v=1&world=campus\
    &run=breadth-first,breadth-first,breadth-first,breadth-first\
    &revisit=uniform,uniform,uniform,uniform&hours=1000000&visits=1000000000";
const A_YEAR: &str = "#v=1&world=campus\
    &run=breadth-first,breadth-first,breadth-first,breadth-first\
    &revisit=uniform,uniform,uniform,uniform&hours=8760&visits=2000";

#[test]
fn endless_links_are_refused_with_the_number_and_what_fits() {
    for link in [ENDLESS, A_YEAR] {
        for rest in [&[][..], &["--json"], &["--order"], &["--with-digests", "--print-link"]] {
            let ran = crawlscope(["run", "--link", link].iter().chain(rest));
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
            for words in
                ["this run would make about ", " visits; at most 4,000,000 fit: try hours="]
            {
                assert!(ran.err.contains(words), "{words} in {}", ran.err);
            }
            assert!(ran.err.ends_with("; --no-limits lifts the limits\n"), "{}", ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        }
        let ran = crawlscope(["explain", "--link", link]);
        assert!(ran.code == Some(2) && ran.err.contains("at most 4,000,000 fit"), "{}", ran.err);
        // The link itself is valid and can be printed.
        let printed = crawlscope(["run", "--print-link", "--link", link]).ok();
        assert!(printed.starts_with("#v=1&world=campus&run=breadth-first,"), "{printed}");
    }
}

#[test]
fn worlds_rankers_and_orderings_are_refused_likewise() {
    let web = "web(pages:1000000,links:30)";
    for args in [
        vec!["run", "--world", web],
        vec!["inspect", web],
        vec!["rank", web],
        vec!["rank", "web(pages:20000)", "--ranker", "opic(tolerance:1e-14,sweeps:10000)"],
        vec!["rank", "web(pages:20000)", "--against", "opic(tolerance:1e-14,sweeps:10000)"],
        vec!["run", "--world", "web(pages:20000)", "--strategy", "pagerank(every:1)"],
        vec!["run", "--world", "web(pages:20000)", "--strategy", "combined(a:pagerank(every:1))"],
        vec![
            "run",
            "--world",
            "web(pages:20000)",
            "--seeds",
            "top(opic(tolerance:1e-14,sweeps:10000),3)",
        ],
    ] {
        let ran = crawlscope(&args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(" fit: try "), "{args:?}: {}", ran.err);
    }
}

#[test]
fn limits_can_be_lifted() {
    // An experiment over the limits that its budget ends early.
    let link = "#v=1&world=greedy-oracle&run=pagerank(every:1,damping:0.999)&seeds=top(opic(tolerance:1e-14,sweeps:10000),2)";
    crawlscope(["run", "--link", link]).ok();
    let web = ["run", "--json", "--no-bounds", "--world", "web(pages:1000,links:30)"];
    let refused = ["--strategy", "combined(a:hits(every:1),b:pagerank(every:1,damping:0.99))"];
    let ran = crawlscope(web.iter().chain(&refused));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let lifted = ["--no-limits", "--budget", "20"];
    crawlscope(web.iter().chain(&refused).chain(&lifted)).ok();
}

/// A sample of the minima and maxima that `cargo xtask extremes` tries.
#[test]
fn a_sample_of_extremes_ends_within_its_limits() {
    const NEWS: &str = "world=newsroom(pages:200)&run=breadth-first&revisit=uniform";
    for rest in [
        "world=web&run=opic&batch=1000000",
        "world=web&run=opic&batch=1000000&batch-per-site=1",
        "world=web(pages:1000)&run=pagerank(every:1)",
        "world=web(pages:1000,links:3)&run=rl-crawler(every:1,gamma:0.99)",
        "world=web&run=formula(of:'age*age*age*age*age*age*age*age*age')",
        "world=web&run=combined(a:breadth-first,b:depth-first)",
        "world=campus&run=breadth-first&revisit=uniform&fetchers=1000&hours=4&visits=1000",
        "world=newsroom(coming:5000)&run=depth-first&depth=1000000",
        &format!("{NEWS}&hours=1000000&visits=0.01"),
        &format!("{NEWS}&hours=1000&visits=10&sees=anything&boilerplate=1000000"),
        &format!("{NEWS}&hours=10&visits=10&not-modified=0.001"),
        &format!("{NEWS}&hours=10&visits=100&sitemap=0.000001"),
        &format!("{NEWS}&hours=1&visits=1000000000&latency=3600000"),
        &format!("{NEWS}&hours=0.001&visits=1000000000&latency=0&bandwidth=1000000000000"),
        &format!("{NEWS}&hours=1000&visits=1000000000&delay=86400&budget=1000"),
    ] {
        let link = format!("#v=1&{rest}");
        let json = crawlscope(["run", "--json", "--no-bounds", "--link", &link]).json();
        let steps = json["runs"][0]["fetched"].as_u64().expect("steps");
        assert!((1..=4_000_000).contains(&steps), "{steps} steps: {link}");
    }
}

/// Trials of `cargo xtask extremes`, by name.
const SAMPLE: [&str; 22] = [
    "world web(pages:1000000,links:30)",
    "world calendar(pages:60,trap:100)",
    "world newsroom(pages:200,coming:5000)",
    "strategy pagerank(every:1,damping:0)",
    "strategy rl-crawler(every:1)",
    "strategy hits(every:1)",
    "strategy combined(a:hits(every:1))",
    "strategy shark-search(depth:1000)",
    "policy period-estimate",
    "policy adaptive(floor:0.0001)",
    "ranker opic(window:sweep,sweeps:10000)",
    "ranker pagerank(damping:0.999,tolerance:0.00000000000001)",
    "ranker hits(sweeps:1)",
    "topic label(samples:1)",
    "metric top-found(percent:100)",
    "figure figure-1(visits:1,pages:10)",
    "rules visits=1000000000&hours=1000000",
    "rules of a bare web batch=1000000&batch-per-site=1",
    "rules with boilerplate boilerplate=1000000&sitemap=0.000001",
    "seeds top(own,1000)",
    "largest ranker opic in web(pages:1000000,links:12)",
    "optimal hours=1000000",
];

#[test]
fn a_sample_of_the_walk_ends_or_is_refused_with_what_fits() {
    let listed = crawlscope(["extremes"]).ok();
    let trials: Vec<serde_json::Value> =
        listed.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let mut n_refused = 0;
    for name in SAMPLE {
        let trial = trials.iter().find(|trial| trial["what"] == name);
        let trial = trial.unwrap_or_else(|| panic!("no trial is called {name}"));
        let args = trial["args"].as_array().expect("arguments").iter();
        let ran = crawlscope(args.map(|arg| arg.as_str().expect("a text")));
        match ran.code {
            Some(0) => assert!(!ran.out.is_empty(), "{name} printed nothing"),
            Some(2) => {
                n_refused += 1;
                assert!(ran.err.contains("; at most "), "{name}: {}", ran.err);
                assert!(ran.err.contains(" fit: try "), "{name}: {}", ran.err);
            }
            code => panic!("{name} ended with {code:?}: {}", ran.err),
        }
    }
    assert!((1..SAMPLE.len()).contains(&n_refused), "{n_refused} refused");
}
