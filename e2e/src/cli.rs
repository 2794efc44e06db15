//! The same experiments headless, to compare.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What `crawlscope run` prints about a link's experiment.
pub fn run_link(link: &str) -> Result<Value> {
    let fragment = link.find('#').map_or(link, |at| &link[at..]);
    crawlscope(&["run", "--json", "--link", fragment])
}

/// What the command line prints as JSON.
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
