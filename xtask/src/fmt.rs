//! `cargo xtask fmt`: formats the workspace and the separate fuzz workspace.

use std::process::ExitCode;

use anyhow::Result;

use crate::{fuzz, shell};

/// Formats all sources.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    shell::run(shell::cargo().args(["fmt", "--all"]))?;
    if let Some(manifest) = fuzz::manifest() {
        shell::run(shell::cargo().args(["fmt", "--manifest-path"]).arg(manifest))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails if a source is not formatted.
pub fn check() -> Result<()> {
    shell::run(shell::cargo().args(["fmt", "--all", "--check"]))?;
    if let Some(manifest) = fuzz::manifest() {
        shell::run(shell::cargo().args(["fmt", "--check", "--manifest-path"]).arg(manifest))?;
    }
    Ok(())
}
