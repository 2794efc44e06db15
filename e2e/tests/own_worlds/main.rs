//! A web of one's own: read, shown before it runs, kept, renamed, deleted; and files to take away.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use crawl_e2e::{Painted, Scene, Setup, Tab, scenario};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// As large as the web of a college.
const PAGES: u64 = 6_000;
const LINKS: usize = 24_000;

/// A tree that reaches every page, and links by chance: an edge list and a file of URLs.
struct Files {
    edges: PathBuf,
    urls: PathBuf,
    gzipped: PathBuf,
}

fn write(folder: &Path) -> Result<Files> {
    let mut links = BTreeSet::new();
    for page in 1..PAGES {
        links.insert(((page - 1) / 3, page));
    }
    let mut chance = 7_u64;
    while links.len() < LINKS {
        chance =
            chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (from, to) = ((chance >> 33) % PAGES, (chance >> 17) % PAGES);
        // Small numbers are linked to more often.
        let to = to * ((chance >> 45) % PAGES) / PAGES;
        if from != to {
            links.insert((from, to));
        }
    }
    let (mut edges, mut urls) = (String::from("# from to\n"), String::new());
    for (from, to) in &links {
        writeln!(edges, "{from}\t{to}")?;
    }
    for page in 0..PAGES {
        writeln!(urls, "{page} http://www{}.college.example/{}/{page}.html", page % 4, page % 40)?;
    }
    let files = Files {
        edges: folder.join("college.txt"),
        urls: folder.join("college-urls.txt"),
        gzipped: folder.join("college.txt.gz"),
    };
    std::fs::write(&files.edges, &edges)?;
    std::fs::write(&files.urls, urls)?;
    let mut packed = GzEncoder::new(std::fs::File::create(&files.gzipped)?, Compression::fast());
    packed.write_all(edges.as_bytes())?;
    packed.finish()?;
    Ok(files)
}

/// Opens the dialog of worlds and has files read.
async fn read(tab: &Tab, files: &[&Path]) -> Result<()> {
    tab.press("Change").await?;
    tab.choose_files("#files", files).await?;
    tab.wait_for(".imported").await?;
    let said = tab.text(".imported").await?;
    assert!(said.contains("6,000 pages, 24,000 links"), "{said}");
    assert!(said.contains("reaches 6,000 of 6,000 pages"), "{said}");
    Ok(())
}

#[test]
fn a_web_of_ones_own_is_read_run_and_kept() {
    scenario("own world", Setup::default(), async |scene: &mut Scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        let files = write(folder.path())?;
        tab.open_and_run("#v=1&world=campus&run=breadth-first,opic&budget=300").await?;
        read(tab, &[&files.edges, &files.urls]).await?;
        assert!(tab.text(".imported").await?.contains("4 hosts"));
        // Nothing has changed before it is told to run.
        assert!(tab.text(".world-name").await?.contains("Campus"));
        tab.accessible().await?;
        tab.press("Run it").await?;
        tab.wait_until_gone("dialog").await?;
        tab.wait_for_text(".world-line", "6,000\u{a0}pages").await?;
        tab.wait_for_runs().await?;
        tab.wait_until_beyond(0).await?;
        tab.key("End").await?;
        tab.wait_for_step(300).await?;
        let shown = tab.shown().await?;
        assert!(
            shown["lanes"][0]["rows"][0][1]
                .as_str()
                .unwrap_or_default()
                .contains("college.example")
        );
        tab.accessible().await?;

        // The same file gzipped is the same graph; without URLs it is another world.
        read(tab, &[&files.gzipped]).await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;

        tab.reload().await?;
        tab.wait_for_runs().await?;
        tab.wait_for_step(300).await?;
        assert_eq!(tab.shown().await?, shown, "it is still there");
        tab.press("Change").await?;
        tab.wait_for_true("document.querySelectorAll('.kept-name').length === 2").await?;
        tab.accessible().await?;
        tab.click(".kept-name").await?;
        tab.key("Control+a").await?;
        tab.type_into(".kept-name", "Our college").await?;
        tab.key("Tab").await?;
        let named = "[...document.querySelectorAll('.kept-name')].map((e) => e.value)";
        tab.reload().await?;
        tab.wait_for_runs().await?;
        tab.press("Change").await?;
        tab.wait_for_true(&format!("{named}.includes('Our college')")).await?;
        assert_eq!(tab.eval(&format!("{named}.length")).await?, 2);

        for left in [1, 0] {
            tab.press("Delete").await?;
            tab.wait_for_true(&format!(
                "document.querySelectorAll('.kept-name').length === {left}"
            ))
            .await?;
        }
        tab.accessible().await?;
        tab.reload().await?;
        tab.wait_for_text(".page-state", "This experiment needs 2 files").await?;
        let names = tab.texts(".page-state .needed-files li").await?;
        assert_eq!(names, ["college.txt", "college-urls.txt"]);
        tab.accessible().await?;
        // Whoever has the files goes on from there.
        tab.press("Choose the files").await?;
        tab.choose_files("#files", &[&files.edges, &files.urls]).await?;
        tab.wait_for(".imported").await?;
        tab.press("Run it").await?;
        tab.wait_for_runs().await?;
        tab.key("End").await?;
        tab.wait_for_step(300).await?;
        let rows = |shown: &Value| shown["lanes"][1]["rows"].clone();
        assert_eq!(rows(&tab.shown().await?), rows(&shown));
        Ok(())
    });
}

/// What is shared is the experiment, or another one that says so.
#[test]
fn a_shared_upload_asks_for_all_its_files() {
    scenario("shared upload", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        let files = write(folder.path())?;
        tab.open_and_run("#v=1&world=campus&run=opic&budget=300").await?;
        read(tab, &[&files.edges, &files.urls]).await?;
        tab.press("Run it").await?;
        tab.wait_for_text(".world-line", "6,000\u{a0}pages").await?;
        tab.wait_for_runs().await?;
        // A seed that only the file of URLs knows.
        let seed = "http://www3.college.example/3/3.html";
        tab.press("Seeds").await?;
        tab.fill("#seed-search", seed).await?;
        tab.wait_for_text("dialog .found li:nth-of-type(1)", seed).await?;
        tab.press("Start here").await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        tab.wait_for_runs().await?;
        tab.press("Share").await?;
        tab.wait_for_text("dialog", "needs college.txt and college-urls.txt").await?;
        tab.wait_for_true("document.querySelector('#share-link').value.includes('digest=')")
            .await?;
        let link = tab.eval("document.querySelector('#share-link').value").await?;
        let link = link.as_str().context("a link")?.to_owned();

        // Elsewhere, where nothing is stored.
        tab.open("about:blank").await?;
        tab.open("").await?;
        tab.eval(
            "new Promise((done) => { indexedDB.deleteDatabase('crawlscope').onsuccess = done; })",
        )
        .await?;
        tab.open("about:blank").await?;
        tab.open(&link).await?;
        tab.wait_for_text(".page-state", "This experiment needs 2 files").await?;
        tab.press("Choose the files").await?;
        tab.choose_files("#files", &[&files.edges]).await?;
        tab.wait_for_text(".upload", "Still needed: college-urls.txt.").await?;
        assert_eq!(tab.count(".imported").await?, 0, "one file alone is not read");
        tab.accessible().await?;
        // The same links under another name, without URLs.
        let renamed = folder.path().join("renamed.txt");
        std::fs::copy(&files.edges, &renamed)?;
        tab.reload().await?;
        tab.press("Choose the files").await?;
        tab.choose_files("#files", &[&renamed]).await?;
        tab.wait_for_text(".imported", "This is another world").await?;
        let said = tab.text(".imported").await?;
        assert!(said.contains("The link was made from college.txt and college-urls.txt"), "{said}");
        assert!(said.contains("drops these parts of the link: seeds, step, digests"), "{said}");
        assert_eq!(tab.count(".imported .primary").await?, 1);
        tab.accessible().await?;
        assert!(tab.address().await?.as_str().contains("digest="), "nothing has changed yet");
        // With all its files it is what was shared.
        tab.choose_files("#files", &[&files.urls, &files.edges]).await?;
        tab.wait_for_text(".imported", "This is the world of the link").await?;
        tab.press("Run it").await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        tab.wait_for_text(".world-line", "starts from 1 chosen page").await?;

        // Another world can be opened, as what it is.
        tab.eval(
            "new Promise((done) => { indexedDB.deleteDatabase('crawlscope').onsuccess = done; })",
        )
        .await?;
        tab.open("about:blank").await?;
        tab.open(&link).await?;
        tab.press("Choose the files").await?;
        tab.choose_files("#files", &[&renamed]).await?;
        tab.wait_for_text(".imported", "This is another world").await?;
        tab.press("Open it as a new experiment").await?;
        tab.wait_for_runs().await?;
        tab.wait_for_text(".world-line", "starts from the world's").await?;
        let address = tab.address().await?;
        assert!(!address.as_str().contains("digest="), "{address}");
        assert_eq!(tab.count(".badge").await?, 0);
        tab.back().await?;
        tab.wait_for_text(".page-state", "This experiment needs 2 files").await
    });
}

#[test]
fn a_world_that_finds_no_room_says_so_and_runs() {
    scenario("full store", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        let files = write(folder.path())?;
        tab.open_and_run("#v=1&world=campus&run=opic&budget=100").await?;
        let origin = tab.eval("location.origin").await?;
        let quota = serde_json::json!({ "origin": origin, "quotaSize": 20_000 });
        tab.developer_tools("Storage.overrideQuotaForOrigin", quota).await?;
        read(tab, &[&files.edges]).await?;
        let said = tab.text(".imported .error").await?;
        assert!(said.contains("storage is full; the world needs"), "{said}");
        assert!(said.contains("kB") || said.contains("MB"), "{said}");
        tab.accessible().await?;
        tab.press("Run it").await?;
        tab.wait_for_text(".world-line", "6,000\u{a0}pages").await?;
        tab.wait_for_runs().await
    });
}

#[test]
fn a_link_without_its_file_says_nothing_of_runs() {
    scenario("awaited-file", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open(
            "#v=1&world=file(a41b75f8481e8fb0a2d746f7bd97595f,'rust-book.tsv.gz')\
             &run=breadth-first,breadth-first&revisit=uniform,optimal&visits=10&hours=8760\
             &at=88227&digest=beca7694b251c0ad88403f8811fe01e2,d146194914a55752e910cb18a5482a07\
             &axis=seconds&timeline=rate",
        )
        .await?;
        tab.wait_for_text(".page-state", "This experiment needs a file").await?;
        tab.wait_for_text(".world-name", "rust-book.tsv.gz").await?;
        assert_eq!(tab.eval("document.querySelector('.badge')").await?, Value::Null);
        // 88,227 is a step: when it is, nobody knows yet.
        assert_eq!(tab.text("#step").await?, "0.0\u{202f}s");
        tab.accessible().await?;
        Ok(())
    });
}

#[test]
fn files_to_take_away_are_whole() {
    scenario("exports", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        let folder = folder.path();
        tab.download_to(folder).await?;
        tab.open_and_run("#v=1&world=campus&run=breadth-first,opic(keep:true)&budget=60&at=40")
            .await?;
        // With the ideal, which comes last and stands in the files.
        tab.shown().await?;
        tab.press("Export").await?;
        tab.wait_for("dialog").await?;
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;

        let csv = String::from_utf8(tab.export(folder, "All metrics as CSV", "series.csv").await?)?;
        let n_rows = table(&csv, "strategy,measure,step,seconds,value,ideal,random")?;
        assert!(n_rows > 200, "{n_rows} rows");
        let compared = csv.lines().filter(|row| row.contains(",cumulative-pagerank,"));
        for row in compared {
            let cells: Vec<f64> =
                row.split(',').skip(4).map(str::parse).collect::<Result<_, _>>()?;
            ensure!(cells[1] >= cells[0] && cells[1] >= cells[2], "nothing beats the ideal: {row}");
        }
        let csv = String::from_utf8(tab.export(folder, "Fetch orders as CSV", "order.csv").await?)?;
        assert_eq!(table(&csv, "strategy,step,seconds,score,page,url")?, 120);

        let json = tab.export(folder, "All metrics as JSON", "series.json").await?;
        let json: Value = serde_json::from_slice(&json)?;
        assert_eq!(json["world"]["pages"], 1200);
        for curve in ["ideal", "random", "random_deviation"] {
            assert_eq!(json["bounds"][curve].as_array().map(Vec::len), Some(60), "{curve}");
        }
        for run in json["runs"].as_array().context("runs")? {
            assert_eq!(run["fetched"], 60);
            assert_eq!(run["digest"].as_str().map(str::len), Some(32));
            let measured = run["metrics"]["cumulative-pagerank"].as_array().context("a measure")?;
            assert_eq!(measured.len(), 60);
        }
        let json = tab.export(folder, "Fetch orders as JSON", "order.json").await?;
        let json: Value = serde_json::from_slice(&json)?;
        assert_eq!(json["runs"][1]["order"].as_array().map(Vec::len), Some(60));
        assert_eq!(json["runs"][1]["strategy"], "opic(keep:true)");

        tab.press("Export").await?;
        tab.press("World as JSON Lines").await?;
        let name = "Campus.jsonl";
        let lines = String::from_utf8(tab.downloaded(folder, name).await?)?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        let lines: Vec<Value> =
            lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        assert_eq!(lines[0]["format"], "crawlscope-world");
        assert_eq!(lines.iter().filter(|line| line["url"].is_string()).count(), 1200);

        for (button, name) in [("Stage as SVG", "stage.svg"), ("Chart as SVG", "chart.svg")] {
            let svg = String::from_utf8(tab.export(folder, button, name).await?)?;
            let marks = drawn(tab, &svg).await?;
            assert!(marks > 3, "{name} has {marks} marks");
            // A chart says by itself what it shows, of whom, and against what.
            let needed = ["PageRank gathered · Campus", "Breadth-first", "OPIC (keep true)"];
            let axes = ["pages fetched", ">20<", ">20\u{202f}%<", ">ideal<", ">random<"];
            for words in needed.iter().chain(&axes).filter(|_| name == "chart.svg") {
                assert!(svg.contains(words), "{name} does not say {words}");
            }
        }
        for (button, name) in [("Stage as PNG", "stage.png"), ("Chart as PNG", "chart.png")] {
            let png = tab.export(folder, button, name).await?;
            let Painted { width, height, colours } = tab.painted(&png).await?;
            assert!(
                width > 300 && height > 80 && colours > 8,
                "{name}: {width}×{height} {colours}"
            );
        }
        Ok(())
    });
}

/// Checks a table's head and that all rows are as long; says how many there are.
fn table(csv: &str, head: &str) -> Result<usize> {
    let (first, rows) = csv.split_once('\n').context("a head")?;
    assert_eq!(first, head);
    for row in rows.lines() {
        // Strategies with several parameters are quoted, for they hold commas.
        let cells: Vec<&str> = row.split(',').collect();
        ensure!(cells.len() == head.split(',').count(), "{row}");
        ensure!(cells[2].parse::<f64>().is_ok() && cells[3].parse::<f64>().is_ok(), "{row}");
    }
    Ok(rows.lines().count())
}

/// Reads a drawing as the browser does; says how many marks it has.
async fn drawn(tab: &Tab, svg: &str) -> Result<u64> {
    let read = format!(
        "(() => {{
            const read = new DOMParser().parseFromString({}, 'image/svg+xml');
            return read.querySelector('parsererror')?.textContent
                ?? read.querySelectorAll('circle, path, rect').length;
        }})()",
        Value::from(svg)
    );
    let marks = tab.eval(&read).await?;
    marks.as_u64().with_context(|| marks.to_string())
}
