//! Reading and writing worlds.

use crate::support::{Folder, WORLD, crawlscope, fixture, gzip, real, with_input};
use serde_json::Value;
use std::fs;

fn digest(world: &str) -> String {
    let object = crawlscope(["inspect", world, "--json"]).json();
    object["digest"].as_str().expect("a digest").to_owned()
}

#[test]
fn what_is_converted_reads_back_the_same() {
    let folder = Folder::new("convert");
    let edges = folder.write("edges.tsv", "0 1\n1 2\n2 0\n2 1\n");
    let file = folder.write("w.jsonl", gzip(WORLD.as_bytes()));
    for (i, world) in ["web(pages:1000)", "greedy-oracle", &edges, &file].iter().enumerate() {
        let digest = digest(world);
        for name in [format!("{i}.jsonl"), format!("{i}.jsonl.gz")] {
            let out = folder.path(&name);
            let text = crawlscope(["convert", world, "-o", &out]).ok();
            assert!(text.contains(&digest) && text.contains(&name), "{text}");
            assert_eq!(self::digest(&out), digest, "{world}");
            let starts = fs::read(&out).expect("it was written");
            let gzipped = starts.starts_with(&[0x1f, 0x8b]);
            assert_eq!(gzipped, name.ends_with(".gz"));
        }
        let stream = crawlscope(["convert", world, "-o", "-"]).ok();
        assert_eq!(stream, fs::read_to_string(folder.path(&format!("{i}.jsonl"))).expect("text"));
    }
    assert_eq!(folder.names().len(), 2 + 8, "{:?}", folder.names());
}

#[test]
fn texts_survive_a_conversion() {
    let folder = Folder::new("texts");
    let file = folder.write("w.jsonl", WORLD);
    crawlscope(["convert", &file, "-o", &folder.path("copy.jsonl")]).ok();
    let object = crawlscope(["inspect", &folder.path("copy.jsonl"), "--json"]).json();
    assert_eq!((&object["title"], &object["license"]), (&"Small".into(), &"CC0-1.0".into()));
}

#[test]
fn urls_are_read_from_a_second_file() {
    let folder = Folder::new("urls");
    let edges = folder.write("edges.tsv", "0 1\n1 0\n");
    let urls = folder.write("urls.tsv", "0 http://a.example/\n1 http://b.example/\n");
    let run = crawlscope(["run", "--world", &edges, "--urls", &urls, "--json", "--order"]).json();
    assert_eq!(run["runs"][0]["order"][1], "http://b.example/");
    let out = folder.path("w.jsonl");
    crawlscope(["convert", &edges, "--urls", &urls, "--format", "edge-list", "-o", &out]).ok();
    assert_eq!(run["world"]["digest"], digest(&out));
}

#[test]
fn labels_and_contexts_come_with_an_archive() {
    let folder = Folder::new("archive");
    let record = |url: &str, html: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        let length = block.len();
        gzip(
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
                 Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
            )
            .as_bytes(),
        )
    };
    let home = record("http://a.example/", "<p>far</p><p>near <a href=b>b</a></p>");
    let archive = [home, record("http://a.example/b", "<title>B</title>")].concat();
    let whole = folder.write("w.warc.gz", &archive);
    let labels = folder.write("labels.tsv", "url\tclass\nhttp://a.example/b\tcourse\n");
    let run = crawlscope(["run", "--world", &whole, "--labels", &labels, "--json", "--order"]);
    let run = run.json();
    assert_eq!(run["runs"][0]["order"][1], "http://a.example/b");
    let convert = |distance: &str| {
        let flags = ["--labels", &labels, "--context-distance", distance, "-o", "-"];
        crawlscope([&["convert", whole.as_str()], &flags[..]].concat()).ok()
    };
    assert!(convert("3").contains(r#""context":"near b""#), "{}", convert("3"));
    assert!(convert("4").contains(r#""context":"far near b""#), "{}", convert("4"));
    assert!(convert("4").contains(r#""topics":["course"]"#));
    let cut = folder.write("cut.warc.gz", &archive[..archive.len() - 20]);
    let notices = crawlscope(["inspect", &cut]).ok();
    assert!(notices.contains("record 2: the record at byte "), "{notices}");
    for flags in [["--labels", &labels], ["--context-distance", "4"]] {
        let refused = crawlscope([&["inspect", "campus"], &flags[..]].concat());
        assert_eq!(refused.code, Some(2));
        let message = format!("{} works only with a file", flags[0]);
        assert!(refused.err.contains(&message), "{}", refused.err);
    }
}

#[test]
fn change_histories_open_and_say_how_pages_change() {
    let folder = Folder::new("change-histories-open");
    let rows = "page\tunix_time\tstatus\tcommit\tfiles_in_commit\n\
        a.md\t1000\tA\tc\t1\na.md\t4600\tM\td\t70\nb.md\t8200\tD\te\t1\n";
    let history = folder.write("docs.tsv", rows);
    let text = crawlscope(["inspect", &history]).ok();
    let changes =
        "1 never · 2 recorded · 1 deleted by the end · median change interval of changing pages ";
    assert!(text.contains(changes), "{text}");
    assert!(text.contains("1 row of commits with more than 50 files was dropped"), "{text}");
    let all = crawlscope(["convert", &history, "--most-files", "70", "-o", "-"]).ok();
    assert!(all.contains(r#""changes_s":[0,3600]"#), "{all}");
    assert!(all.contains(r#""changes_s":[7200],"gone_s":7200"#), "{all}");
    let refused = crawlscope(["inspect", "newsroom", "--most-files", "9"]);
    assert!(refused.err.contains("--most-files works only with a file"), "{}", refused.err);
    let newsroom = crawlscope(["inspect", "newsroom", "--json"]).json();
    assert_eq!(newsroom["change_processes"]["bursty"], 6);
    assert_eq!((&newsroom["born_later"], &newsroom["last_born_s"]), (&0.into(), &Value::Null));
}

#[test]
fn pages_that_appear_later_are_counted() {
    let text = crawlscope(["inspect", "newsroom(coming:40)"]).ok();
    assert!(text.contains("40 pages appear after the start · the last after "), "{text}");
    let object = crawlscope(["inspect", "newsroom(coming:40)", "--json"]).json();
    assert_eq!((&object["pages"], &object["born_later"]), (&1540.into(), &40.into()));
    assert!(object["last_born_s"].as_f64().is_some_and(|at_s| at_s > 3600.0));
    assert!(!crawlscope(["inspect", "newsroom"]).ok().contains("births"));
    let written = crawlscope(["convert", "newsroom(coming:40)", "-o", "-"]).ok();
    assert_eq!(written.matches("\"born_s\":").count(), 40);
}

#[test]
fn a_link_names_all_its_files_and_refuses_another_world() {
    let folder = Folder::new("link-names-files");
    let edges = folder.write("edges.txt", "0 1\n1 2\n2 0\n");
    let urls =
        folder.write("urls.txt", "0 http://a.example/\n1 http://b.example/\n2 http://c.example/\n");
    let made = ["run", "--world", &edges, "--urls", &urls, "--print-link"];
    let link = crawlscope(made).ok();
    let link = link.lines().find(|line| line.contains("#v=1")).expect("a link").trim();
    assert!(link.contains(",'edges.txt','urls.txt')"), "{link}");
    let given = |files: &[&str]| crawlscope([&["run", "--link", link], files].concat());
    for (files, message) in [
        (&[][..], "needs the files 'edges.txt' and 'urls.txt'"),
        (&["--world", &edges][..], "this is another world"),
        (&["--world", &edges][..], "it was made from 'edges.txt' and 'urls.txt'"),
    ] {
        let ran = given(files);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{files:?}");
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    given(&["--world", &edges, "--urls", &urls]).ok();
}

#[test]
fn webkb_opens() {
    let stem = "webkb/webkb-cornell-texas-washington";
    let (archive, labels) = (format!("{stem}.warc.gz"), format!("{stem}.labels.tsv"));
    let Some([archive, labels]) = real("webkb_opens", [&archive, &labels]) else {
        return;
    };
    let object = crawlscope(["inspect", &archive, "--labels", &labels, "--json"]).json();
    assert_eq!((&object["pages"], &object["format"]), (&2874.into(), &"warc".into()));
}

#[test]
fn a_file_may_be_called_like_a_world() {
    let folder = Folder::new("called");
    let file = folder.write("web", "0 1\n1 0\n");
    let object = crawlscope(["inspect", &file, "--json"]).json();
    assert_eq!((&object["pages"], &object["format"]), (&2.into(), &"edge-list".into()));
}

#[test]
fn unknown_fields_are_named_and_ignored() {
    let folder = Folder::new("fields");
    let file = folder.write("w.jsonl", WORLD.replace("\"bytes\"", "\"colour\":1,\"bytes\""));
    let ran = crawlscope(["run", "--world", &file]);
    assert!(ran.err.contains("line 4: unknown page field \"colour\" is ignored"), "{}", ran.err);
    ran.ok();
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_crawlscope"))
        .args(["run", "--world", "web(pages:20000)", "--order", "--no-bounds"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Real-world files with their URLs or labels in a second file.
#[test]
fn untidy_files_open() {
    for (file, option, second, pages) in [
        ("town.edges.tsv", "--urls", Some("town.urls.tsv"), 120),
        ("village.dat", "--urls", Some("village.links.dat"), 240),
        ("county.txt", "", None, 60),
        ("lattice.graph-txt", "", None, 81),
        ("history.tsv", "", None, 23),
        ("library.warc", "--labels", Some("library.labels.tsv"), 5),
    ] {
        let (path, second) = (fixture(file), second.map(fixture));
        let mut args = vec!["inspect", &path, "--json"];
        args.extend(second.iter().flat_map(|second| [option, second]));
        assert_eq!(crawlscope(args).json()["pages"], pages, "{file}");
    }
}

#[test]
fn harvard500_opens() {
    let files = ["harvard500/edges.tsv", "harvard500/urls.tsv"];
    if let Some([path, urls]) = real("harvard500_opens", files) {
        assert_eq!(crawlscope(["inspect", &path, "--json", "--urls", &urls]).json()["pages"], 500);
    }
}

#[test]
fn hollins_opens() {
    if let Some([path, urls]) = real("hollins_opens", ["hollins/hollins.dat", "hollins/links.dat"])
    {
        assert_eq!(crawlscope(["inspect", &path, "--json", "--urls", &urls]).json()["pages"], 6012);
    }
}

#[test]
fn epa_opens() {
    if let Some([path]) = real("epa_opens", ["epa/gr0.epa.txt"]) {
        assert_eq!(crawlscope(["inspect", &path, "--json"]).json()["pages"], 4772);
    }
}

#[test]
fn nothing_in_a_file_reaches_the_terminal_raw() {
    let folder = Folder::new("raw");
    let file = folder.write("w.jsonl", WORLD.replace("Small", "Sm\\u001b[2Jall"));
    let text = with_input(["run", "--world", &file], b"", 80).ok();
    assert!(text.contains("Sm\\u{1b}[2Jall") && !text.contains('\u{1b}'), "{text}");
}

/// Zero-width, bidirectional and control characters.
const HIDDEN: &str = "\u{202e}\u{2066}\u{200f}\u{61c}\u{200b}\u{feff}\u{9b}\u{2028}";

#[track_caller]
fn shows_nothing_hidden(args: &[&str], code: i32) -> String {
    let ran = with_input(args, b"", 100);
    let text = ran.out + &ran.err;
    assert_eq!(ran.code, Some(code), "{text}");
    assert!(!text.contains(|c: char| HIDDEN.contains(c)), "{args:?}: {text:?}");
    text
}

#[test]
fn hidden_characters_of_a_file_are_shown_as_escapes() {
    let folder = Folder::new("hidden");
    let hostile = format!("x{HIDDEN}y");
    let page = format!("http://a.example/{hostile}");
    let world = format!(
        "{{\"format\":\"crawlscope-world\",\"version\":1,\"title\":\"T{hostile}\",\"license\":\"L{hostile}\",\
         \"seeds\":[\"{page}\"],\"F{hostile}\":1}}\n\
         {{\"url\":\"{page}\",\"title\":\"{hostile}\",\"topics\":[\"{hostile}\"],\
         \"links\":[{{\"to\":\"http://a.example/b\",\"anchor\":\"{hostile}\",\"context\":\"{hostile}\"}}]}}\n\
         {{\"url\":\"http://a.example/b\",\"links\":[\"{page}\",\"ftp:{hostile}\"]}}\n"
    );
    let file = folder.write(&format!("w{hostile}.jsonl"), &world);
    let escaped = "x\\u{202e}\\u{2066}";
    for args in [
        &["run", "--world", &file, "--strategy", "opic"][..],
        &["inspect", &file],
        &["explain", "--world", &file, "--strategy", "opic", "--at", "1"],
        &["rank", &file],
    ] {
        let text = shows_nothing_hidden(args, 0);
        assert!(text.contains(escaped), "{args:?}: {text}");
    }
    let out = folder.path(&format!("out{hostile}.jsonl"));
    shows_nothing_hidden(&["convert", &file, "-o", &out], 0);
    shows_nothing_hidden(&["convert", &file, "-o", &out], 2);
    let broken =
        folder.write(&format!("broken{hostile}.jsonl"), format!("{world}{{\"{hostile}\":\n"));
    shows_nothing_hidden(&["inspect", &broken], 2);
    for name in ["run", "inspect"] {
        shows_nothing_hidden(&[name, &format!("--{hostile}")], 2);
    }
    shows_nothing_hidden(&["run", "--world", &hostile], 2);
    shows_nothing_hidden(&["run", "--world", "web", "--strategy", &hostile], 2);
    shows_nothing_hidden(&["run", "--link", &format!("#v=1&{hostile}=1")], 2);
    let topic = format!("label(of:'no{hostile}',train:same)");
    let run = ["run", "--world", &file, "--strategy", "best-first", "--topic", &topic];
    shows_nothing_hidden(&run, 2);
    // JSON output keeps them.
    let json = with_input(["inspect", &file, "--json"], b"", 100).json();
    assert_eq!(json["license"], format!("L{hostile}"));
}

#[test]
fn long_names_are_shortened_in_messages() {
    let folder = Folder::new("long");
    let long = "n".repeat(200);
    let file = folder.write(&format!("{long}.tsv"), "0 1\n2\n");
    // Linux limits one argument to 128 kB.
    let key = "k".repeat(100_000);
    for args in [
        &["inspect", &file][..],
        &["inspect", &format!("{long}.warc")],
        &["run", "--link", &format!("#v=1&{key}=1")],
        &["run", "--world", "web", "--strategy", &format!("opic({key}:1)")],
        &["run", "--world", "web", "--strategy", &key],
        &["run", &format!("--{key}")],
    ] {
        let ran = with_input(args, b"", 100);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.chars().count() < 400, "{} characters", ran.err.chars().count());
        assert!(ran.err.contains('…'), "{}", ran.err);
    }
    let ran = with_input(["inspect", &file], b"", 100);
    assert!(ran.err.contains("nnn.tsv, line 2"), "{}", ran.err);
}
