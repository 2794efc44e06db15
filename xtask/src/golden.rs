//! `cargo xtask golden`: rewrites the golden files.

use std::process::ExitCode;

use anyhow::Result;

use crate::shell;

/// Runs the program that writes them.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    shell::run(shell::cargo().args(["run", "--package", "crawl-tests", "--bin", "golden"]))?;
    Ok(ExitCode::SUCCESS)
}
