//! Invalid input: an error of one line with the position, exit code 2, and no file written.

use crate::support::{Folder, WORLD, crawlscope, gzip, with_input};

/// Runs the program and checks that it refuses the input with these words.
#[track_caller]
pub fn refused(args: &[&str], words: &[&str]) {
    refused_with(args, b"", words);
}

#[track_caller]
fn refused_with(args: &[&str], input: &[u8], words: &[&str]) {
    let ran = with_input(args, input, 100);
    let message = format!("{args:?}: {}", ran.err);
    assert_eq!(ran.code, Some(2), "{message}");
    assert_eq!(ran.err.matches('\n').count(), 1, "one line: {message}");
    assert!(ran.err.starts_with("crawlscope: "), "{message}");
    assert!(!ran.err.contains("panicked"), "{message}");
    assert_eq!(ran.out, "", "{message}");
    for word in words {
        assert!(ran.err.contains(word), "no {word:?} in {message}");
    }
}

#[test]
fn names_that_do_not_exist_come_with_the_nearest() {
    let run = |rest: &[&str], words: &[&str]| {
        refused(&[&["run", "--world", "web"], rest].concat(), words);
    };
    refused(&["run", "--world", "wbe"], &["wbe", "neither a file nor", "'web'"]);
    refused(&["run", "--world", "wbe(pages:1000)"], &["unknown world 'wbe'", "'web'"]);
    refused(&["run", "--world", "gen:wbe"], &["unknown world 'wbe'", "'web'"]);
    refused(&["run", "--world", "no/such/file.tsv"], &["no/such/file.tsv", "neither a file"]);
    refused(&["inspect", "greedy-orcale"], &["'greedy-oracle'"]);
    refused(&["convert", "greedy-orcale", "-o", "-"], &["'greedy-oracle'"]);
    run(&["--strategy", "opik"], &["unknown strategy 'opik'", "'opic'"]);
    run(&["--strategy", "opic(kep:true)"], &["opic has no parameter 'kep'", "'keep'"]);
    run(&["--strategy", "opic?kep=true"], &["opic has no parameter 'kep'", "'keep'"]);
    run(&["--strategy", "omniscient(of:pagerang)"], &["unknown ranker 'pagerang'", "'pagerank'"]);
    run(&["--budgt", "3"], &["--budgt", "'--budget'"]);
    refused(&["run", "--world", "web(pags:1000)"], &["web has no parameter 'pags'", "'pages'"]);
    refused(&["strategies", "opik"], &["unknown strategy 'opik'", "'opic'"]);
    refused(&["rank", "web", "--ranker", "hist"], &["unknown ranker 'hist'", "'hits'"]);
    refused(&["rank", "web", "--against", "hist"], &["unknown ranker 'hist'", "'hits'"]);
    refused(&["inspct"], &["inspct", "'inspect'"]);
    refused(&[], &["crawlscope run"]);
}

#[test]
fn values_that_do_not_fit_come_with_the_range() {
    let run = |rest: &[&str], words: &[&str]| {
        refused(&[&["run", "--world", "web"], rest].concat(), words);
    };
    run(&["--strategy", "fractional-pagerank(damping:NaN)"], &["damping must be 0 to 1", "NaN"]);
    run(&["--strategy", "fractional-pagerank(damping:2)"], &["damping must be 0 to 1", "2"]);
    run(&["--strategy", "historical(memory:0)"], &["memory must be 0.01 to 1", "0"]);
    run(&["--strategy", "historical(born:NaN)"], &["born must be 0 to 0.9", "NaN"]);
    run(&["--strategy", "historical(new:old)"], &["new must be oracle | random | zero", "old"]);
    run(&["--strategy", "opic(keep:true"], &["bracket is not closed", "character 5"]);
    run(&["--strategy", "opic)"], &["unmatched closing bracket"]);
    run(&["--strategy", "opic(keep:'true)"], &["quote is not closed"]);
    run(&["--budget", "1.5"], &["budget must be a whole number", "1.5"]);
    run(&["--budget", "-1"], &["budget must be a whole number", "-1"]);
    run(&["--delay", "NaN"], &["delay must be 0 to 86400", "NaN"]);
    run(&["--delay", "inf"], &["delay must be 0 to 86400", "inf"]);
    run(&["--fetchers", "0"], &["fetchers must be a whole number, 1 to 1000", "0"]);
    run(&["--robots", "perhaps"], &["robots must be true | false", "perhaps"]);
    run(&["--rng", "9007199254740992"], &["--rng", "9007199254740991"]);
    run(&["--rng", "-3"], &["--rng"]);
    run(&["--at", "many"], &["--at", "many"]);
    run(&["--bounds", "--no-bounds"], &["--bounds", "--no-bounds"]);
    refused(
        &["run", "--world", "web(pages:1)"],
        &["pages must be a whole number, 1000 to 1000000"],
    );
    refused(&["run", "--world", "web(pages:1000"], &["bracket is not closed"]);
    refused(&["run"], &["--world"]);
    refused(&["explain", "--world", "web", "--top", "0"], &["--top"]);
    let many = ["--strategy", "opic"].repeat(65);
    run(&many, &["run must be at most 64 strategies", "65"]);
}

#[test]
fn links_say_what_is_wrong_with_them() {
    let link = |link: &str, words: &[&str]| refused(&["run", "--link", link], words);
    link("#v=2&world=web&run=opic", &["version 2", "newer"]);
    link("#world=web&run=opic", &["version"]);
    link("#v=1&world=web", &["no part 'run'"]);
    link("#v=1&run=opic", &["no part 'world'"]);
    link("#v=1&world=web&run=opic(keep:true", &["in run", "bracket is not closed"]);
    link("#v=1&world=web(pages:2000&run=opic", &["bracket is not closed"]);
    link("#v=1&world=web&run=opic&bugdet=3", &["'bugdet'", "'budget'"]);
    link("#v=1&world=web&run=opic&budget=NaN", &["budget must be", "NaN"]);
    link("#v=1&world=web&run=opic%zz", &["percent-encoding"]);
    link("#v=1&world=web&run=opic&digest=xyz", &["digest must be"]);
    link(
        "#v=1&world=file(00112233445566778899aabbccddeeff,'w.tsv')&run=opic",
        &["'w.tsv'", "00112233445566778899aabbccddeeff", "--world"],
    );
    link(
        "#v=1&world=file(00112233445566778899aabbccddeeff,'w.tsv','u.tsv')&run=opic",
        &["the files 'w.tsv' and 'u.tsv'", "00112233445566778899aabbccddeeff", "--urls"],
    );
    let good = "#v=1&world=web&run=opic";
    refused(&["run", "--link", good, "--world", "web"], &["a built-in world", "remove --world"]);
    refused(&["run", "--link", good, "--budget", "3"], &["--budget", "--link"]);
    refused(&["run", "--link", good, "--strategy", "opic"], &["--strategy", "--link"]);
}

#[test]
fn invalid_revisit_options_are_refused() {
    let world = ["run", "--world", "refresh-table-1", "--strategy", "breadth-first"];
    let run = |rest: &[&str], words: &[&str]| refused(&[&world, rest].concat(), words);
    run(&["--revisit", "unifrom"], &["unknown policy 'unifrom'", "'uniform'"]);
    run(&["--revisit", "optimal(for:fresh)"], &["for must be freshness | age", "fresh"]);
    run(&["--revisit", "optimal(know:rates)"], &["optimal has no parameter 'know'", "'knows'"]);
    for policy in ["adaptive", "nutch-adaptive", "storm-adaptive", "period-estimate"] {
        let message = format!("{policy}: ceiling must be at least floor, which is 10, not 1");
        let crossed = format!("{policy}(floor:10,ceiling:1)");
        run(&["--revisit", &crossed], &[&message]);
        let link = format!("#v=1&world=refresh-table-1&run=opic&revisit={crossed}");
        refused(&["run", "--link", &link], &[&message]);
    }
    let high = "adaptive: floor must be at most ceiling, which is 8760, not 9000";
    run(&["--revisit", "adaptive(floor:9000)"], &[high]);
    run(&["--revisit", "adaptive(start:0)"], &["start must be 0.001 to 1000000", "0"]);
    let uniform = |rest: &[&str], words: &[&str]| {
        run(&[&["--revisit", "uniform"], rest].concat(), words);
    };
    uniform(&["--visits", "-1"], &["visits must be 0 to 1000000000", "-1"]);
    uniform(&["--visits", "NaN"], &["visits must be", "NaN"]);
    uniform(&["--hours", "0"], &["hours must be 0.001 to 1000000", "0"]);
    uniform(&["--hours", "inf"], &["hours must be", "inf"]);
    uniform(&["--new", "-2"], &["new must be", "-2"]);
    uniform(&["--sees", "all"], &["sees must be clean | anything | last-modified", "all"]);
    uniform(&["--not-modified", "0"], &["not-modified must be 0.001 to 1", "0"]);
    uniform(&["--sitemap", "-1"], &["sitemap must be", "-1"]);
    uniform(&["--visit", "3"], &["--visit"]);
    let nothing = ["--revisit", "period-estimate", "--visits", "0", "--new", "0"];
    run(&nothing, &["period-estimate", "visits + new", "0"]);

    let link = |rest: &str, words: &[&str]| {
        let link = format!("#v=1&world=refresh-table-1&run=breadth-first,opic,random&{rest}");
        refused(&["run", "--link", &link], words);
    };
    link(
        "revisit=uniform,never",
        &["one policy for all 3 strategies", "repeat a strategy", "not 2"],
    );
    link("revisit=uniform,never,unifrom", &["unknown policy 'unifrom'", "'uniform'"]);
    link("revisit=uniform(", &["in revisit", "is missing", "character 9"]);
    link("revisit=", &["revisit"]);
    link("revisit=uniform&visits=-1", &["visits must be 0 to 1000000000", "-1"]);
    link("revisit=uniform&hours=0", &["hours must be 0.001 to 1000000", "0"]);
    link("revisit=period-estimate&visits=0&new=0", &["period-estimate", "visits + new"]);
    link("revisits=uniform", &["'revisits'", "'revisit'"]);
}

/// Syntax errors are shown with a caret under their position.
#[test]
fn formulas_say_where_they_are_wrong() {
    let shown = |args: &[&str], message: &str, line: &str, caret: &str| {
        let ran = with_input(args, b"", 60);
        let expected = format!("crawlscope: formula: of: {message}\n  {line}\n  {caret}\n");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert_eq!(ran.err, expected, "{args:?}");
    };
    let strategy = |of: &str, message: &str, line: &str, caret: &str| {
        let spec = format!("formula(of:'{of}')");
        shown(&["run", "--world", "web", "--strategy", &spec], message, line, caret);
    };
    let unknown = "unknown name 'dpeth'; did you mean 'depth'?";
    strategy(
        "backlinks / (1 + dpeth)",
        &format!("character 18: {unknown}"),
        "backlinks / (1 + dpeth)",
        "                 ^",
    );
    let soon = "unexpected end: expected a number, a name or an opening bracket";
    strategy("depth +", &format!("character 8: {soon}"), "depth +", "       ^");
    strategy("", &format!("character 1: {soon}"), "", "^");
    // Of a long text only the part around the error is shown.
    let deep = "more than 32 nested brackets";
    let line = "(".repeat(58);
    let caret = " ".repeat(33) + "^";
    strategy(&"(".repeat(1000), &format!("character 34: {deep}"), &line, &caret);
    let long = "longer than 2000 characters";
    let (many, of) = ("1+".repeat(10_000), "+1".repeat(29));
    let caret = " ".repeat(39) + "^";
    strategy(&many, &format!("character 2001: {long}"), &of, &caret);
    let link = "#v=1&world=web&run=opic,formula(of:'cash%20%20$%202')";
    let message = "character 7: expected an operator, such as + or *, or the end";
    shown(&["run", "--link", link], message, "cash  $ 2", "      ^");
}

#[test]
fn seeds_and_urls_must_be_pages() {
    let folder = Folder::new("seeds");
    let world = folder.write("w.jsonl", WORLD);
    let seed = "http://a.example/bb";
    let run = ["run", "--world", &world, "--seed-url"];
    refused(&[&run[..], &[seed]].concat(), &[seed, "http://a.example/b"]);
    refused(&[&run[..], &[seed, "--print-link"]].concat(), &[seed]);
    refused(&["explain", "--world", &world, "--url", seed], &[seed]);
    let link = "#v=1&world=web&seeds='http://no.such/'&run=opic";
    refused(&["run", "--link", link], &["http://no.such/"]);
}

#[test]
fn invalid_files_are_refused_with_the_line() {
    let folder = Folder::new("files");
    let lines: Vec<&str> = WORLD.lines().collect();
    let with = |line: &str| format!("{}\n{}\n{line}\n", lines[0], lines[1]);
    let packed = gzip(WORLD.repeat(50).as_bytes());
    let noise: Vec<u8> =
        (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let bomb = gzip(&[&b"0 1\n"[..], &vec![b'\n'; 80 << 20]].concat());
    let cases: [(&str, Vec<u8>, &[&str]); 15] = [
        ("bomb.gz", bomb, &["gzip", "times its size"]),
        ("json.jsonl", with(r#"{"url":"http://a.example/b","links":[}"#).into(), &["line 3"]),
        ("cut.jsonl", with(r#"{"url":"http://a.exa"#).into(), &["line 3"]),
        ("twice.jsonl", with(lines[1]).into(), &["line 3", "duplicate URL", "line 2"]),
        ("url.jsonl", with(r#"{"url":"not a url"}"#).into(), &["line 3", "not a url"]),
        ("seed.jsonl", format!("{}\n", lines[0]).into(), &["seed.jsonl"]),
        ("newer.jsonl", lines[0].replace("\"version\":1", "\"version\":9").into(), &["version 9"]),
        (
            "latin.jsonl",
            [with("").as_bytes(), b"{\"url\":\"http://a.example/\xe9\"}\n"].concat(),
            &["line 4", "UTF-8"],
        ),
        ("empty.jsonl", Vec::new(), &["empty"]),
        ("noise.bin", noise, &["noise.bin"]),
        ("cut.jsonl.gz", packed[..packed.len() / 2].to_vec(), &["gzip", "truncated"]),
        ("range.txt", b"2\n1\n5\n".to_vec(), &["line 3", "page 5"]),
        ("mixed.tsv", b"0 1\nhttp://a.example/ http://b.example/\n".to_vec(), &["line 2", "mixed"]),
        ("one.tsv", b"0 1\n2\n".to_vec(), &["line 2"]),
        ("huge.tsv", b"0 1\n1 99999999999\n".to_vec(), &["line 2", "99999999999"]),
    ];
    for (name, bytes, words) in &cases {
        let file = folder.write(name, bytes);
        let words = [words, &[*name][..]].concat();
        refused(&["run", "--world", &file], &words);
        refused(&["inspect", &file], &words);
    }
    let before = folder.names();
    for (name, _, words) in &cases {
        let out = folder.path("out.jsonl");
        refused(&["convert", &folder.path(name), "-o", &out], words);
    }
    assert_eq!(folder.names(), before, "nothing was written");
    refused_with(&["inspect", "-"], b"", &["standard input", "empty"]);
}

#[test]
fn flags_for_files_are_checked() {
    let folder = Folder::new("flags");
    let edges = folder.write("edges.tsv", "0 1\n1 0\n");
    let urls = folder.write("urls.tsv", "0 http://a.example/\n1 http://b.example/\n");
    let missing = folder.path("missing.tsv");
    refused(&["inspect", &missing], &["missing.tsv", "neither a file"]);
    refused(&["inspect", &edges, "--urls", &missing], &["missing.tsv", "no such file"]);
    refused(&["inspect", &edges, "--format", "edge-lits"], &["edge-lits", "edge-list"]);
    refused(&["inspect", "web", "--urls", &urls], &["--urls", "built in"]);
    refused(&["inspect", "web", "--format", "edge-list"], &["--format", "built in"]);
    refused(&["inspect", &folder.path("")], &["cannot be read"]);
    let world = folder.write("w.jsonl", WORLD);
    refused(&["inspect", &world, "--urls", &urls], &["URLs"]);
    let link = "#v=1&world=file(00112233445566778899aabbccddeeff)&run=opic";
    let digest = "00112233445566778899aabbccddeeff";
    refused(&["run", "--link", link, "--world", &world], &[digest, "the link asks for"]);
}

#[test]
fn files_are_not_overwritten_and_no_temporary_file_remains() {
    let folder = Folder::new("replace");
    let world = folder.write("w.jsonl", WORLD);
    let out = folder.write("out.jsonl", "precious");
    refused(&["convert", &world, "-o", &out], &["out.jsonl", "exists", "--force"]);
    assert_eq!(std::fs::read_to_string(&out).expect("it is there"), "precious");
    let nowhere = folder.path("no/such/folder/out.jsonl");
    refused(&["convert", &world, "-o", &nowhere], &["no such file"]);
    refused(&["convert", &world, "-o", &folder.path("")], &["not a file name"]);
    assert_eq!(folder.names(), ["out.jsonl", "w.jsonl"]);
    crawlscope(["convert", &world, "-o", &out, "--force"]).ok();
    assert_eq!(folder.names(), ["out.jsonl", "w.jsonl"]);
    assert!(std::fs::read_to_string(&out).expect("it is there").starts_with("{\"format\""));
}
