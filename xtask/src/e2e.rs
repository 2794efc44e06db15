//! Runs the built app in a browser: scenarios and screenshots.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::{dist, shell, tools};

/// Package of the scenarios.
pub const PACKAGE: &str = "crawl-e2e";

/// `cargo xtask e2e`: builds the app and runs all or the named scenarios.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let (driver, axe) = (tools::chromium_driver()?, tools::axe()?);
    dist::build()?;
    build_command_line()?;
    let mut command = scenarios(&driver, &axe);
    for name in arguments {
        command.args(["--test", name]);
    }
    shell::run(&mut command)?;
    Ok(ExitCode::SUCCESS)
}

/// `cargo xtask shots`: builds the app and takes screenshots, all or those whose name contains a word.
pub fn shots(arguments: &[String]) -> Result<ExitCode> {
    let driver = tools::chromium_driver()?;
    dist::build()?;
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--package", PACKAGE, "--bin", "shots", "--"]);
    shell::run(command.args(arguments).env("CRAWLSCOPE_E2E", "1").env("CHROMEDRIVER", driver))?;
    Ok(ExitCode::SUCCESS)
}

/// `cargo xtask pictures`: takes the pictures of README.md from the app in dist/.
pub fn pictures(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    let driver = tools::chromium_driver()?;
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--package", PACKAGE, "--bin", "pictures"]);
    shell::run(command.env("CRAWLSCOPE_E2E", "1").env("CHROMEDRIVER", driver))?;
    Ok(ExitCode::SUCCESS)
}

/// The program that measures the built app in the browser.
pub fn measure(driver: &Path) -> Command {
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--package", PACKAGE, "--bin", "measure", "--"]);
    command.env("CRAWLSCOPE_E2E", "1").env("CHROMEDRIVER", driver).env("RUST_BACKTRACE", "0");
    command
}

/// Builds the command line, which scenarios compare with, in advance.
pub fn build_command_line() -> Result<()> {
    shell::run(shell::cargo().args(["build", "--quiet", "--package", "crawl-cli"]))
}

/// Runs every scenario, one at a time, because browsers without a graphics card are slow.
pub fn scenarios(driver: &Path, axe: &Path) -> Command {
    let mut command = shell::cargo();
    command
        .args(["test", "--package", PACKAGE, "--no-fail-fast"])
        .env("CRAWLSCOPE_E2E", "1")
        .env("CRAWLSCOPE_AXE", axe)
        .env("CHROMEDRIVER", driver)
        .env("RUST_TEST_THREADS", "1")
        .env("RUST_BACKTRACE", "0");
    command
}
