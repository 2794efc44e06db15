//! The built app in a real browser: its scenarios, and its screenshots.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::{dist, shell, tools};

/// The package that holds the scenarios.
pub const PACKAGE: &str = "crawl-e2e";

/// `cargo xtask e2e`: builds the app and plays scenarios, all or those named.
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

/// `cargo xtask shots`: builds the app and takes the screenshots, all or those whose name holds a
/// word.
pub fn shots(arguments: &[String]) -> Result<ExitCode> {
    let driver = tools::chromium_driver()?;
    dist::build()?;
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--package", PACKAGE, "--bin", "shots", "--"]);
    shell::run(command.args(arguments).env("CRAWLSCOPE_E2E", "1").env("CHROMEDRIVER", driver))?;
    Ok(ExitCode::SUCCESS)
}

/// The program that measures the built app in the browser.
pub fn measure(driver: &Path) -> Command {
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--package", PACKAGE, "--bin", "measure", "--"]);
    command.env("CRAWLSCOPE_E2E", "1").env("CHROMEDRIVER", driver).env("RUST_BACKTRACE", "0");
    command
}

/// Builds the command line, with which scenarios compare, so that none waits for it.
pub fn build_command_line() -> Result<()> {
    shell::run(shell::cargo().args(["build", "--quiet", "--package", "crawl-cli"]))
}

/// Plays every scenario, one at a time: each has a browser that draws without a graphics card.
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
