//! Experiments that would never end are refused before they start.

use crate::support::crawlscope;

/// Four lanes that would make 10¹⁵ visits, or 17 million each.
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
            assert!(ran.err.ends_with("; --no-limits runs it all the same\n"), "{}", ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        }
        let ran = crawlscope(["explain", "--link", link]);
        assert!(ran.code == Some(2) && ran.err.contains("at most 4,000,000 fit"), "{}", ran.err);
        // The link itself is sound, and can be printed.
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
    // As many visits as would fit no more, of which the budget ends all but a few.
    let link = "#v=1&world=greedy-oracle&run=pagerank(every:1,damping:0.999)&seeds=top(opic(tolerance:1e-14,sweeps:10000),2)";
    crawlscope(["run", "--link", link]).ok();
    let web = ["run", "--json", "--no-bounds", "--world", "web(pages:1000,links:30)"];
    let refused = ["--strategy", "combined(a:hits(every:1),b:pagerank(every:1,damping:0.99))"];
    let ran = crawlscope(web.iter().chain(&refused));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let lifted = ["--no-limits", "--budget", "20"];
    crawlscope(web.iter().chain(&refused).chain(&lifted)).ok();
}

/// Parameters at their extremes, as `cargo xtask extremes` tries all of them.
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
