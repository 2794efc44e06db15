//! Tests of the JSON Lines format: reading, errors, and round trips.

use super::*;
use crate::links::{Matcher, Resolved};
use crate::testing::{error, error_with_urls, limits, notices, try_import, urls_of, world};
use crate::{File, Limits, address, import, no_progress};
use crawl_world::{MAX_CHANGES_PER_HOUR, PageId, Rhythm};
use proptest::prelude::*;

const HEADER: &str = r#"{"format":"crawlscope-world","version":1}"#;

fn with_header(lines: &str) -> String {
    format!("{HEADER}\n{lines}")
}

fn written(world: &World) -> String {
    let mut bytes = Vec::new();
    write(world, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Every field of the format, as the writer writes it.
const FULL: &str = r#"{"format":"crawlscope-world","version":1,"title":"All","seeds":["http://b.example/x","http://a.example"],"license":"CC0"}
{"url":"http://a.example","title":"\"A\"","text":"line\nline","bytes":5120,"latency_ms":80,"links":["http://a.example/",{"to":"http://b.example/x","anchor":"b","context":"see b","rel":"nofollow"},"http://out.example/"],"topics":["phones",""],"clicks":3,"change_rate_per_hour":0.2,"changes_s":[1,2.5,1e+300]}
{"url":"http://a.example/","links":[{"to":"http://a.example","context":"back"}]}
{"url":"http://b.example/x","status":301,"location":"../y"}
{"url":"http://b.example/y","text":"not here","status":404}
{"url":"http://b.example/z","changes_s":[0,7],"change_period_s":86400,"change_phase_s":28800.5,"gone_s":7}
{"url":"http://b.example/new","links":["http://a.example","http://b.example/late","http://b.example/latest"],"born_s":60.5,"gone_s":99}
{"url":"http://b.example/latest","born_s":3600}
{"url":"http://b.example/late","born_s":1800}
{"url":"http://b.example/live","change_bursts_per_hour":0.1,"change_rate_in_burst_per_hour":30,"change_burst_s":600}
{"host":"a.example","robots":"User-agent: *\nDisallow: /admin","crawl_delay_s":1.5}
{"host":"b.example","robots":""}
"#;

#[test]
fn a_full_world_reads_and_writes_back_verbatim() {
    let (world, notices) = try_import("w", FULL, None).unwrap();
    assert_eq!(written(&world), FULL);
    assert_eq!(
        notices,
        [
            "w, line 2: 1 change is more than 1000000 hours after the start, later than any crawl lasts; all are kept",
            "w, line 2: 2 pages have changes_s; their rate or rhythm is ignored",
            "w, line 2: 1 link leaves the snapshot, first to http://out.example/",
        ]
    );
    assert_eq!((world.title(), world.license()), ("All", "CC0"));
    assert_eq!(world.own_seeds(), [PageId(2), PageId(0)]);
    let [a, slash, moved, lost] = [0, 1, 2, 3].map(PageId);
    assert_eq!(world.links(a), [slash, moved]);
    assert_eq!(world.out_degree(a), 3);
    let link = world.link_range(a).end - 1;
    assert_eq!((world.anchor(link), world.context(link)), ("b", "see b"));
    assert!(world.is_nofollow(link) && !world.is_nofollow(link - 1));
    assert_eq!((world.status(moved), world.location(moved)), (301, "../y"));
    assert_eq!(world.links(moved), [lost]);
    assert_eq!((world.bytes(a), world.latency_ms(a)), (Some(5120), Some(80.0)));
    assert_eq!((world.clicks(a), world.change_rate_per_hour(a)), (3, 0.2));
    assert_eq!(world.change_times_s(a), [1.0, 2.5, 1e300]);
    let [timed, new, live] = [4, 5, 8].map(PageId);
    let daily = Rhythm::Periodic { period_s: 86_400.0, phase_s: 28_800.5 };
    assert_eq!((world.rhythm(timed), world.gone_s(timed)), (Some(daily), Some(7.0)));
    assert_eq!(world.change_process(live).name(), "bursty");
    assert_eq!((world.born_s(new), world.gone_s(new)), (Some(60.5), Some(99.0)));
    assert_eq!(world.links(new), [0, 7, 6].map(PageId));
    assert_eq!(world.topics(a).collect::<Vec<_>>(), ["phones", ""]);
    assert_eq!(world.hosts()[0].crawl_delay_s, Some(1.5));
    assert_eq!(world.hosts()[1].robots.as_deref(), Some(""));
}

#[test]
fn lines_come_in_any_order_and_defaults_may_be_spelled_out() {
    let lines = [
        r#"{"host":"A.Example","crawl_delay_s":2,"robots":null}"#,
        r#"{"links":["/b","c",{"to":"http://a.example/b","anchor":null}],"url":"http://a.example/"}"#,
        "",
        r#"{"url":"http://a.example/b","status":200,"location":null,"bytes":0,"links":[],"topics":null,"clicks":0,"title":""}"#,
    ];
    let spelled = world(&with_header(&lines.join("\r\n")));
    assert_eq!(urls_of(&spelled), ["http://a.example/", "http://a.example/b"]);
    assert_eq!(spelled.links(PageId(0)), [PageId(1)]);
    let outside: Vec<_> = spelled.outside_links(PageId(0)).collect();
    assert_eq!(outside, ["http://a.example/c"]);
    assert_eq!(spelled.hosts()[0].crawl_delay_s, Some(2.0));
    let plain = with_header(
        r#"{"url":"http://a.example/","links":["http://a.example/b","http://a.example/c"]}
           {"url":"http://a.example/b"}
           {"host":"a.example","crawl_delay_s":2}"#,
    );
    assert_eq!(spelled.digest(), world(&plain).digest());
}

#[test]
fn numbered_pages_stay_numbered() {
    let numbered = world("0 1\n2 1\n");
    let text = written(&numbered);
    assert!(
        text.contains(r#"{"url":"http://graph.invalid/2","links":["http://graph.invalid/1"]}"#)
    );
    let again = world(&text);
    assert!(again.is_numbered());
    assert_eq!(again, numbered);
}

#[test]
fn what_is_odd_is_reported_once() {
    let lines = [
        r#"{"url":"http://a.example/","colour":1,"links":[{"to":"/b","size":2},{"to":"c","size":[{}]},"mailto:x"],"robots":"x"}"#,
        r#"{"url":"http://a.example/b","colour":{"deep":[]},"html":"<p>","title":"","text":"","links":["b","b#1","/c","/c"]}"#,
        r#"{"url":"http://a.example/old","status":302,"location":"http://gone.example/","links":["/"]}"#,
        r#"{"host":"c.example"}"#,
    ];
    let text =
        format!("{}\n{}", r#"{"format":"crawlscope-world","author":"me"}"#, lines.join("\n"));
    assert_eq!(
        notices(&text),
        [
            r#"w, line 1: unknown header field "author" is ignored"#,
            "w, line 1: the header has no version, 1 is assumed",
            r#"w, line 2: unknown link field "size" is ignored (2 times)"#,
            r#"w, line 2: unknown page field "robots" is ignored"#,
            r#"w, line 2: unknown page field "colour" is ignored (2 times)"#,
            "w, line 3: html is ignored because title, text or links are given",
            "w, line 4: 1 link of redirects and errors was dropped",
            r#"w, line 4: 1 redirect leaves the snapshot, first to "http://gone.example/""#,
            r#"w, line 2: 1 link to other schemes than http(s) was dropped, first "mailto:x""#,
            "w, line 5: 1 host without pages was dropped, first c.example",
            "w: 2 links from a page to itself were dropped",
            "w: 1 repeated link was dropped",
            "w, line 2: 2 links leave the snapshot, first to http://a.example/c",
        ]
    );
}

#[test]
fn errors_have_line_numbers() {
    let header = r#"the first line must be a header: {"format":"crawlscope-world","version":1}"#;
    let cases = [
        (r#"{"url":"http://a.example/"}"#, format!("w, line 1: {header}")),
        ("[1]", "w, line 1: invalid type: sequence, expected an object: header, page or host (column 0)".into()),
        (
            r#"{"format":"other","version":1}"#,
            r#"w, line 1: format must be "crawlscope-world", not "other""#.into(),
        ),
        (
            r#"{"format":"crawlscope-world","version":2}"#,
            "w, line 1: version 2 is not known; this program reads version 1".into(),
        ),
        (
            r#"{"format":"crawlscope-world","version":"1"}"#,
            r#"w, line 1: version: invalid type: string "1", expected an integer of at least 0 (column 42)"#.into(),
        ),
        (HEADER, "w: no pages: a world needs at least one".into()),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
    assert_eq!(error("{}"), format!("w, line 1: {header}"));
    assert_eq!(
        try_import("w.jsonl", "\n\n", None).unwrap_err().to_string(),
        format!("w.jsonl: {header}")
    );

    let page = r#"{"url":"http://a.example/"}"#;
    let links = format!(r#"{{"url":"http://a.example/","links":[{}""]}}"#, r#""","#.repeat(1000));
    let text = format!(r#"{{"url":"http://a.example/","text":"{}"}}"#, "x".repeat(5001));
    let cases = [
        (r#"{"url":"http://a.example/""#, "EOF while parsing an object (column 26)"),
        (r#"{"url":"http://a.example/"}}"#, "trailing characters (column 28)"),
        (r#"{"url":"\ud800"}"#, "url: unexpected end of hex escape (column 15)"),
        (HEADER, "duplicate header"),
        ("{}", r#"a line needs "url" (a page) or "host""#),
        (
            r#"{"url":"http://a.example/","host":"a.example"}"#,
            r#"a line has either "url" or "host", not both"#,
        ),
        (
            r#"{"url":"http://a.example/","html":1}"#,
            "html: invalid type: integer `1`, expected a string (column 35)",
        ),
        (r#"{"url":"/a"}"#, r#"not an absolute http(s) URL: "/a""#),
        (r#"{"url":"http://a.example/","url":"x"}"#, "url: given twice (column 32)"),
        (
            r#"{"url":"http://a.example/","status":"ok"}"#,
            r#"status: invalid type: string "ok", expected an integer of at least 0 (column 40)"#,
        ),
        (r#"{"url":"http://a.example/","status":99}"#, "status must be 100 to 599, not 99"),
        (r#"{"url":"http://a.example/","status":70000}"#, "status must be 100 to 599, not 70000"),
        (
            r#"{"url":"http://a.example/","bytes":-1}"#,
            "bytes: invalid type: integer `-1`, expected an integer of at least 0 (column 37)",
        ),
        (
            r#"{"url":"http://a.example/","bytes":4294967296}"#,
            "bytes must be at most 4294967295, not 4294967296",
        ),
        (
            r#"{"url":"http://a.example/","latency_ms":-1}"#,
            "latency_ms must be a number of at least 0, not -1",
        ),
        (
            r#"{"url":"http://a.example/","latency_ms":1e999}"#,
            "latency_ms: number out of range (column 45)",
        ),
        (
            r#"{"url":"http://a.example/","change_rate_per_hour":-0.5}"#,
            "change_rate_per_hour must be a number of at least 0, not -0.5",
        ),
        (
            r#"{"url":"http://a.example/","changes_s":[-2]}"#,
            "changes_s must be a number of at least 0, not -2",
        ),
        (
            r#"{"url":"http://a.example/","links":"b"}"#,
            r#"links: invalid type: string "b", expected a list (column 38)"#,
        ),
        (r#"{"url":"http://a.example/","links":[{"anchor":"b"}]}"#, r#"links: a link needs "to""#),
        (
            r#"{"url":"http://a.example/","links":[7]}"#,
            r#"links: invalid type: integer `7`, expected a URL, or an object with "to" (column 37)"#,
        ),
        (r#"{"host":"a b"}"#, r#"not a host name: "a b""#),
        (r#"{"host":"a.example:80"}"#, r#"not a host name: "a.example:80""#),
        (&links, "more than 1000 links on one page"),
        (&text, "more than 5000 bytes of text"),
    ];
    for (line, message) in cases {
        let message = format!("w, line 2: {message}");
        assert_eq!(error(&with_header(line)), message, "{line}");
    }

    let cases = [
        (
            format!("{page}\n\n{page}"),
            r#"w, line 4: duplicate URL "http://a.example/", first on line 2"#,
        ),
        (
            format!("{{\"host\":\"a.example\"}}\n{page}\n{{\"host\":\"A.example\"}}"),
            r#"w, line 4: duplicate host "a.example", first on line 2"#,
        ),
        (
            format!("{page}\n{{\"host\":\"a.example\",\"crawl_delay_s\":-1}}"),
            "w, line 3: crawl_delay_s must be a number of at least 0, not -1",
        ),
    ];
    for (lines, message) in cases {
        assert_eq!(error(&with_header(&lines)), message, "{lines}");
    }
    assert_eq!(
        error_with_urls(&with_header(page), "0 http://a.example/"),
        "urls: this format contains its own URLs; remove the file of URLs"
    );
}

#[test]
fn seeds_must_be_pages() {
    let seeds = |seed: &str| {
        let header = format!(r#"{{"format":"crawlscope-world","version":1,"seeds":["{seed}"]}}"#);
        format!("{header}\n{{\"url\":\"http://a.example/index.html\"}}\n")
    };
    assert_eq!(world(&seeds("HTTP://a.example/index.html#x")).own_seeds(), [PageId(0)]);
    let message = r#"w, line 1: the seed "http://a.example/index.htm" is not a page of this world; did you mean "http://a.example/index.html"?"#;
    assert_eq!(error(&seeds("http://a.example/index.htm")), message);
    let message = r#"w, line 1: the seed "index.html" is not a page of this world"#;
    assert_eq!(error(&seeds("index.html")), message);
}

#[test]
fn pages_of_one_world_may_differ_by_a_slash() {
    let text = with_header(
        r#"{"url":"http://www.epa.gov","links":["http://www.epa.gov/"]}
           {"url":"http://www.epa.gov/","links":["http://www.epa.gov"," #top"]}"#,
    );
    let world = world(&text);
    assert_eq!(world.n_links(), 2);
    assert_eq!(written(&world).lines().nth(1), text.lines().nth(1));
}

#[test]
fn html_stands_for_what_is_not_given() {
    let html = "<title>T</title><p>see <a href='b' rel=nofollow>this</a> and <a href=c>that</a>";
    let html = serde_json::to_string(html).unwrap();
    let text = with_header(&format!(
        r#"{{"url":"http://a.example/","html":{html},"topics":["x"]}}
           {{"url":"http://a.example/b","html":{html},"title":"given","links":["/"]}}"#
    ));
    let (world, notices) = try_import("w", &text, None).unwrap();
    let [first, second] = [PageId(0), PageId(1)];
    assert_eq!((world.title_of(first), world.title_of(second)), ("T", "given"));
    assert_eq!(
        (world.page_text(first), world.page_text(second)),
        ("see this and that", "see this and that")
    );
    assert_eq!((world.links(first), world.links(second)), (&[second][..], &[first][..]));
    assert_eq!((world.anchor(0), world.context(0)), ("this", "see this and that"));
    assert!(world.is_nofollow(0) && !world.is_nofollow(1) && world.has_topic(first, "x"));
    assert_eq!(world.outside_links(first).collect::<Vec<_>>(), ["http://a.example/c"]);
    assert_eq!(notices, ["w, line 2: 1 link leaves the snapshot, first to http://a.example/c"]);
    let again = try_import("w", &written(&world), None).unwrap().0;
    assert_eq!(again.digest(), world.digest());
    assert_eq!((again.anchor(0), again.context(0)), (world.anchor(0), world.context(0)));
    assert_eq!(again.page_text(first), world.page_text(first));
    assert!(again.has_topic(first, "x"));
}

/// URLs of pages: some share a normal form, some need escapes.
const PAGES: &[&str] = &[
    "http://a.example",
    "http://a.example/",
    "HTTP://A.example/#x",
    "http://a.example/b?q=ä \"q\"",
    "https://b.example:8080/x/../y",
    "http://bücher.example/\u{2028}",
    "http://graph.invalid/0",
    "http://graph.invalid/7",
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://c.example/x\\y",
    " http://d.example/ ",
];
/// Normalised URLs that are not pages.
const OUTSIDE: &[&str] = &["http://out.example/", "https://a.example/", "http://a.example/b?q"];
/// Redirect locations: pages, relative, outside, or not http(s).
const LOCATIONS: &[&str] =
    &["", "/", "http://a.example", "../y", "http://out.example/", "mailto:x"];

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        1 => prop::sample::select(vec!["plain", "\"quoted\\\"", "\u{0}\u{7}\n\r\t", "ä€𝄞\u{2028}\u{feff}"])
            .prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn reals() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        (0_u32..1000).prop_map(f64::from),
        any::<f64>().prop_map(f64::abs).prop_filter("finite", |x| x.is_finite()),
    ]
}

prop_compose! {
    fn any_link(n: usize)(
        from in 0..n,
        to in 0..n,
        anchor in texts(),
        context in texts(),
        nofollow in any::<bool>(),
        outside in prop::option::of(prop::sample::select(OUTSIDE)),
    ) -> (u32, u32, String, String, bool, Option<&'static str>) {
        (from as u32, to as u32, anchor, context, nofollow, outside)
    }
}

type AnyPage = ((String, String, Vec<String>), (u32, u32, u16, &'static str), (f64, f64, Vec<f64>));

fn any_page() -> impl Strategy<Value = AnyPage> {
    let topics = prop::collection::vec(texts(), 0..3);
    let status = prop_oneof![3 => Just(200_u16), 1 => 100_u16..600];
    let changes = prop::collection::vec(reals(), 0..4);
    let numbers = (prop_oneof![Just(0), any::<u32>()], prop_oneof![Just(0), any::<u32>()]);
    (
        (texts(), texts(), topics),
        (numbers, status, prop::sample::select(LOCATIONS))
            .prop_map(|((bytes, clicks), status, location)| (bytes, clicks, status, location)),
        (reals(), reals(), changes),
    )
}

prop_compose! {
    fn any_world()(urls in prop::sample::subsequence(PAGES, 1..=PAGES.len()).prop_shuffle())(
        links in prop::collection::vec(any_link(urls.len()), 0..40),
        pages in prop::collection::vec(any_page(), urls.len()),
        seeds in prop::collection::vec(0..urls.len() as u32, 0..4),
        names in (texts(), texts()),
        host in prop::option::of((prop::option::of(texts()), prop::option::of(reals()))),
        urls in Just(urls),
    ) -> World {
        let mut builder = address::builder(&names.0);
        builder.license(&names.1);
        for url in &urls {
            address::add_page(&mut builder, url).unwrap();
        }
        let matcher = Matcher::new(&builder);
        for (i, (words, (bytes, clicks, status, location), reals)) in pages.iter().enumerate() {
            let page = PageId(i as u32);
            builder.set_title(page, &words.0);
            builder.set_text(page, &words.1);
            words.2.iter().for_each(|topic| builder.add_topic(page, topic));
            builder.set_bytes(page, *bytes);
            builder.set_clicks(page, *clicks);
            builder.set_status(page, *status).unwrap();
            builder.set_latency_ms(page, reals.0).unwrap();
            builder.set_change_rate(page, reals.1.min(MAX_CHANGES_PER_HOUR)).unwrap();
            // Seeds cannot be born late, and pages are deleted after their birth.
            if i % 2 == 1 && reals.1 < reals.0 {
                builder.set_born(page, reals.1).unwrap();
            }
            if bytes % 5 == 1 {
                builder.set_gone(page, reals.0).unwrap();
                let (phase_s, period_s) = (reals.0, reals.0.max(0.1) * 2.0);
                // Doubling may overflow to infinity.
                let _ = builder.set_rhythm(page, Rhythm::Periodic { period_s, phase_s });
            } else if bytes % 5 == 2 {
                let bursts_per_hour = reals.1.clamp(1e-9, 1e6);
                let (changes_per_hour, burst_s) = (bursts_per_hour * 1.3, reals.0.max(0.1));
                let rhythm = Rhythm::Bursty { bursts_per_hour, changes_per_hour, burst_s };
                builder.set_rhythm(page, rhythm).unwrap();
            }
            reals.2.iter().for_each(|at_s| builder.add_change(page, *at_s).unwrap());
            if !location.is_empty() {
                let to = match matcher.resolve(&builder, page, location) {
                    Resolved::Page(to) => Some(to),
                    _ => None,
                };
                builder.set_location(page, location, to);
            }
        }
        for (from, to, anchor, context, nofollow, outside) in &links {
            let link = Link { anchor, context, nofollow: *nofollow };
            match outside {
                Some(url) => builder.link_outside(PageId(*from), url),
                None => builder.link_with(PageId(*from), PageId(*to), link),
            }
        }
        seeds.iter().for_each(|seed| builder.seed(PageId(*seed & !1)));
        if let Some((robots, delay_s)) = host {
            builder.set_host("a.example", robots.as_deref(), delay_s).unwrap();
        }
        builder.finish().unwrap()
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back_as_the_same_world(world in any_world()) {
        let text = written(&world);
        let source = File::from_bytes("", text.as_bytes()).into();
        let limits = Limits { text_bytes: 1 << 30, ..limits() };
        let again = import(source, &limits, &mut no_progress).unwrap();
        prop_assert_eq!(again.world.digest(), world.digest());
        prop_assert_eq!(again.world.title(), world.title());
        prop_assert_eq!(again.world.license(), world.license());
        prop_assert_eq!(again.world.hosts(), world.hosts());
        prop_assert_eq!(written(&again.world), text);
    }

    #[test]
    fn lines_of_any_json_neither_panic_nor_read_back_differently(
        lines in prop::collection::vec(any_line(), 0..12),
    ) {
        let text = with_header(&lines.join("\n"));
        if let Ok((world, _)) = try_import("w", &text, None) {
            let again = try_import("w", &written(&world), None).unwrap().0;
            prop_assert_eq!(again.digest(), world.digest());
        }
    }
}

/// Mostly valid lines.
fn any_line() -> impl Strategy<Value = String> {
    let url = prop::sample::select([PAGES, OUTSIDE, LOCATIONS].concat());
    let value = prop_oneof![
        6 => url.prop_map(|url| serde_json::to_string(url).unwrap()),
        1 => prop::sample::select(vec!["null", "1", "301", "-1", "0.5", "true", "[]", "{}", "[1]", "\"x"])
            .prop_map(str::to_owned),
    ];
    let links = prop::collection::vec(value.clone(), 0..4)
        .prop_map(|links| format!("[{}]", links.join(",")));
    let name = prop::sample::select(row::FIELD_NAMES);
    let field = prop_oneof![
        4 => value.clone().prop_map(|url| format!("\"url\":{url}")),
        4 => links.prop_map(|links| format!("\"links\":{links}")),
        2 => Just("\"status\":301".to_owned()),
        2 => value.clone().prop_map(|to| format!("\"location\":{to}")),
        1 => (name, value).prop_map(|(name, value)| format!("\"{name}\":{value}")),
    ];
    prop::collection::vec(field, 1..5).prop_map(|fields| format!("{{{}}}", fields.join(",")))
}
