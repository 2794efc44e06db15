//! `cargo xtask bench`: measures the optimised build.

use std::process::ExitCode;

use anyhow::Result;

use crate::shell;

/// Runs `crawlscope bench` with the arguments given.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::run(shell::crawlscope().arg("bench").args(arguments))?;
    Ok(ExitCode::SUCCESS)
}
