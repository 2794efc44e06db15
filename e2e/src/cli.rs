//! Runs experiments on the command line, for comparison.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The output of `crawlscope run` for a link.
pub fn run_link(link: &str) -> Result<Value> {
    let fragment = link.find('#').map_or(link, |at| &link[at..]);
    crawlscope(&["run", "--json", "--link", fragment])
}

/// The JSON output of the command line.
pub fn crawlscope(arguments: &[&str]) -> Result<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "crawl-cli", "--"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .context("cannot start crawlscope")?;
    if !output.status.success() {
        bail!("crawlscope: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
