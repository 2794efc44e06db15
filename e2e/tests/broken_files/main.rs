//! Files that cannot be read say what is wrong, and nothing is lost.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use crawl_e2e::{Setup, Tab, scenario};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

const GOOD: &str = r#"{"format":"crawlscope-world","version":1,"title":"Three pages","seeds":["http://a.example/"]}
{"url":"http://a.example/","links":[{"to":"/b"},{"to":"/c"}]}
{"url":"http://a.example/b","links":[{"to":"/"}]}
{"url":"http://a.example/c"}
"#;

/// Files that are wrong, and a part of what is said of each.
fn write(folder: &Path) -> Result<Vec<(&'static str, &'static str)>> {
    let mut chance = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (chance >> 56) as u8
    })
    .take(4096)
    .collect();
    let mut gzipped = GzEncoder::new(Vec::new(), Compression::best());
    gzipped.write_all(GOOD.repeat(50).as_bytes())?;
    let gzipped = gzipped.finish()?;
    let malformed = GOOD.replace("\"links\":[{\"to\":\"/\"}]", "\"links\":[{\"to\":\"/\"");
    let files: [(&str, &[u8], &str); 4] = [
        ("empty.jsonl", b"", "empty"),
        ("noise.bin", &noise, ""),
        ("cut.jsonl.gz", &gzipped[..gzipped.len() / 2], ""),
        ("malformed.jsonl", malformed.as_bytes(), "line 3"),
    ];
    for (name, bytes, _) in files {
        std::fs::write(folder.join(name), bytes)?;
    }
    std::fs::write(folder.join("good.jsonl"), GOOD)?;
    Ok(files.map(|(name, _, said)| (name, said)).to_vec())
}

/// Drops a file or folder in the middle of the page.
async fn drop_on_page(tab: &Tab, path: &Path) -> Result<()> {
    let path = path.canonicalize()?;
    for kind in ["dragEnter", "dragOver", "drop"] {
        let data = json!({ "items": [], "files": [path], "dragOperationsMask": 1 });
        let event = json!({ "type": kind, "x": 700, "y": 400, "data": data });
        tab.developer_tools("Input.dispatchDragEvent", event).await?;
    }
    Ok(())
}

#[test]
fn broken_files_say_what_is_wrong_and_lose_nothing() {
    scenario("broken files", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        let files = write(folder.path())?;
        tab.open_and_run("#v=1&world=campus&run=breadth-first,opic&budget=100&at=40").await?;
        tab.wait_for_step(40).await?;
        let (shown, address) = (tab.shown().await?, tab.address().await?);
        for (name, said) in files {
            tab.press("Change").await?;
            tab.choose_files("#files", &[&folder.path().join(name)]).await?;
            tab.wait_for(".upload .error").await?;
            let error = tab.text(".upload .error").await?;
            println!("{name}: {error}");
            assert!(error.starts_with("Reading failed: ") && error.len() > 30, "{error}");
            assert!(error.contains(said), "{name}: {error}");
            assert_eq!(tab.count(".imported").await?, 0);
            tab.accessible().await?;
            tab.key("Escape").await?;
            tab.wait_until_gone("dialog").await?;
            assert_eq!(tab.shown().await?, shown, "{name}");
            assert_eq!(tab.address().await?, address, "{name}");
        }
        // Of three files two are read; a folder is not.
        let path = |name: &str| folder.path().join(name);
        tab.press("Change").await?;
        let three = [&path("good.jsonl"), &path("empty.jsonl"), &path("noise.bin")];
        tab.choose_files("#files", &three.map(PathBuf::as_path)).await?;
        let left_out = "Read: good.jsonl, empty.jsonl. Ignored: noise.bin.";
        tab.wait_for_text(".upload .left-out", left_out).await?;
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        drop_on_page(tab, folder.path()).await?;
        tab.wait_for_text(".upload .left-out", "Folders cannot be opened: folder").await?;
        assert_eq!(tab.count(".upload .error").await?, 0);
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        assert_eq!(tab.shown().await?, shown);
        // A file that is right is read as if nothing had been.
        tab.press("Change").await?;
        assert_eq!(tab.count(".upload .error").await?, 0);
        assert_eq!(tab.count(".kept-name").await?, 0, "a file that is wrong was kept");
        tab.choose_files("#files", &[&folder.path().join("good.jsonl")]).await?;
        tab.wait_for_text(".imported", "3\u{a0}pages, 3\u{a0}links").await?;
        tab.press("Run it").await?;
        // The runs before it were complete too, so that only their length tells them apart.
        tab.wait_for_text(".transport", "of 3 pages").await?;
        tab.wait_for_runs().await?;
        tab.key("End").await?;
        tab.wait_for_step(3).await?;
        assert_eq!(tab.text(".world-name").await?, "Three pages");
        tab.accessible().await
    });
}
