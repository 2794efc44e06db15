//! `cargo xtask golden`: rewrites the golden files from what the tests compute now.

use std::process::ExitCode;

use anyhow::Result;

use crate::shell;

/// Runs the golden test in its rewriting mode.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    shell::run(
        shell::cargo()
            .args(["test", "--package", "crawl-tests", "--test", "golden"])
            .env("CRAWLSCOPE_BLESS", "1"),
    )?;
    Ok(ExitCode::SUCCESS)
}
