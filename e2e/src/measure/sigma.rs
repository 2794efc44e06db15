//! Benchmark of sigma.js, animating the stage's benchmark graph, against a bare loop.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::time;

use crate::scene::{Setup, played};

const PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>sigma.js</title>
<link rel=icon href=data:,>
<body style='margin:0'>
<script src=graphology.umd.min.js></script><script src=sigma.min.js></script>
<script src=frames.js></script>";

/// The npm packages' files that the page loads.
const FILES: [&str; 2] = ["graphology/dist/graphology.umd.min.js", "sigma/dist/sigma.min.js"];

/// Measures frames of sigma.js and of a bare loop alternately; `packages` contains `node_modules`.
pub fn frames(packages: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for (name, text) in [("index.html", PAGE), ("frames.js", include_str!("sigma.js"))] {
        fs::write(folder.path().join(name), text)?;
    }
    for file in FILES {
        let from = packages.join("node_modules").join(file);
        let name = from.file_name().context("a file")?;
        fs::copy(&from, folder.path().join(name))
            .with_context(|| format!("cannot copy {}", from.display()))?;
    }
    let setup = Setup {
        folder: Some(folder.path().to_path_buf()),
        within: Duration::from_secs(600),
        ..Setup::default()
    };
    played("sigma.js", &setup, async |scene| {
        scene.tab.open("").await?;
        // Not awaited: it takes longer than the driver's timeout.
        scene.tab.eval("void measured().then((lines) => { window.lines = lines; })").await?;
        loop {
            let lines = scene.tab.eval("window.lines ?? null").await?;
            if let Some(lines) = lines.as_array() {
                lines.iter().filter_map(Value::as_str).for_each(|line| println!("{line}"));
                return Ok(());
            }
            time::sleep(Duration::from_millis(500)).await;
        }
    })
}
