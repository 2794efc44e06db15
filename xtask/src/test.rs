//! `cargo xtask test`: everything the project checks about itself.
//!
//! All steps run even where one fails, so that one run tells all; only a step whose tools could not
//! be had is skipped. The last line sums up: `N passed, N failed`.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::Result;

use crate::layers::LAYERS;
use crate::tally::{self, Runner, Tally};
use crate::{dist, e2e, fmt, shell, sizes, tidy, tools};

/// Installs what is missing and runs every step.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    let mut report = Report::default();

    report.prepare("rustfmt and clippy", tools::components);
    let target = report.prepare("wasm32 target", tools::wasm_target);
    let runner = report.prepare("browser test runner", tools::wasm_test_runner);
    let driver = report.prepare("Chromium", tools::chromium_driver);
    let axe = report.prepare("axe-core", tools::axe);

    report.check("formatting", fmt::check);
    report.check("clippy, native", || shell::run(&mut clippy_native()));
    match target {
        Some(()) => {
            report.check("clippy, wasm32", || shell::run(&mut clippy_wasm()));
        }
        None => report.skip("clippy, wasm32", "there is no wasm32 target"),
    }
    let (kind, mut command) = native_tests();
    report.tests("native tests", kind, &mut command);
    report.tests("documentation tests", Runner::CargoTest, &mut doc_tests());
    let built = report.check("build the app", dist::build);
    if built {
        report.check("sizes", sizes::check);
    } else {
        report.skip("sizes", "the app could not be built");
    }
    match (target, &runner, &driver) {
        (Some(()), Some(runner), Some(driver)) => {
            for (package, test) in BROWSER_TESTS {
                let mut command = browser_test(package, test, runner, driver);
                report.tests("browser tests", Runner::CargoTest, &mut command);
            }
        }
        _ => report.skip("browser tests", "a tool they need is missing, see above"),
    }
    match (built, driver, axe) {
        (true, Some(driver), Some(axe)) => {
            report.check("build the command line", e2e::build_command_line);
            let mut command = e2e::scenarios(&driver, &axe);
            report.tests("end to end", Runner::CargoTest, &mut command);
        }
        _ => report.skip("end to end", "the app, a browser or axe-core is missing, see above"),
    }
    report.check("tidy", tidy::check);

    let total = report.print();
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Scenarios need the built app and come after it.
const EVERYWHERE_BUT_E2E: [&str; 3] = ["--workspace", "--exclude", e2e::PACKAGE];
const NO_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];
/// The test files that run in the browser, and their packages.
const BROWSER_TESTS: [(&str, &str); 2] =
    [("crawl-tests", "golden_wasm"), ("crawl-stage", "browser")];

fn clippy_native() -> Command {
    let mut command = shell::cargo();
    command.args(["clippy", "--workspace", "--all-targets"]).args(NO_WARNINGS);
    command
}

fn clippy_wasm() -> Command {
    let mut command = shell::cargo();
    command.args(["clippy", "--target", tools::WASM, "--lib", "--bins"]);
    for (_, test) in BROWSER_TESTS {
        command.args(["--test", test]);
    }
    for layer in LAYERS.iter().filter(|layer| layer.wasm) {
        command.args(["--package", layer.name]);
    }
    command.args(NO_WARNINGS);
    command
}

/// Every test but those in documentation, by nextest where it is installed.
fn native_tests() -> (Runner, Command) {
    let mut command = shell::cargo();
    if shell::probe(shell::cargo().args(["nextest", "--version"])).is_some() {
        command.args(["nextest", "run", "--no-fail-fast", "--status-level", "slow"]);
        command.args(EVERYWHERE_BUT_E2E);
        (Runner::Nextest, command)
    } else {
        command.args(["test", "--lib", "--bins", "--tests", "--no-fail-fast"]);
        command.args(EVERYWHERE_BUT_E2E);
        (Runner::CargoTest, command)
    }
}

fn doc_tests() -> Command {
    let mut command = shell::cargo();
    command.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
    command
}

/// A test file of a package, run in the browser, compiled as what the browser is sent.
pub fn browser_test(package: &str, test: &str, runner: &Path, driver: &Path) -> Command {
    let mut command = shell::cargo();
    command
        .args(["test", "--profile", "web-fast", "--package", package, "--target", tools::WASM])
        .args(["--test", test])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .env("CHROMEDRIVER", driver)
        // The runner's own backtrace says nothing about a test.
        .env("RUST_BACKTRACE", "0")
        // Whole crawls take longer than the 20 seconds the runner allows by itself.
        .env("WASM_BINDGEN_TEST_TIMEOUT", "600");
    command
}

/// What was done so far, step by step.
#[derive(Default)]
struct Report {
    lines: Vec<Line>,
}

struct Line {
    step: &'static str,
    seconds: f64,
    tally: Tally,
    remark: String,
}

impl Report {
    /// Makes a tool available. Counts only when it fails.
    fn prepare<T>(&mut self, tool: &'static str, install: impl FnOnce() -> Result<T>) -> Option<T> {
        shell::heading(tool);
        let start = Instant::now();
        match install() {
            Ok(found) => {
                self.add(tool, start, Tally::default(), "ready".to_owned());
                Some(found)
            }
            Err(error) => {
                self.fail(tool, start, &error);
                None
            }
        }
    }

    /// Runs something that holds or does not, and says which.
    fn check(&mut self, step: &'static str, check: impl FnOnce() -> Result<()>) -> bool {
        shell::heading(step);
        let start = Instant::now();
        match check() {
            Ok(()) => {
                self.add(step, start, Tally::PASSED, "ok".to_owned());
                true
            }
            Err(error) => {
                self.fail(step, start, &error);
                false
            }
        }
    }

    /// Runs tests and counts them.
    fn tests(&mut self, step: &'static str, runner: Runner, command: &mut Command) {
        shell::heading(step);
        let start = Instant::now();
        match shell::tee(command) {
            Ok((status, output)) => {
                let tally = tally::count(runner, &output, status.success());
                self.add(step, start, tally, tally.to_string());
            }
            Err(error) => self.fail(step, start, &error),
        }
    }

    fn skip(&mut self, step: &'static str, why: &str) {
        shell::heading(step);
        println!("skipped: {why}");
        self.add(step, Instant::now(), Tally::SKIPPED, format!("skipped: {why}"));
    }

    fn fail(&mut self, step: &'static str, start: Instant, error: &anyhow::Error) {
        println!("error: {error:#}");
        self.add(step, start, Tally::FAILED, "FAILED, see above".to_owned());
    }

    fn add(&mut self, step: &'static str, start: Instant, tally: Tally, remark: String) {
        self.lines.push(Line { step, seconds: start.elapsed().as_secs_f64(), tally, remark });
    }

    fn print(&self) -> Tally {
        shell::heading("summary");
        let mut total = Tally::default();
        for line in &self.lines {
            println!("{:20} {:7.1} s  {}", line.step, line.seconds, line.remark);
            total += line.tally;
        }
        println!("{total}");
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_counted_once() {
        let mut report = Report::default();
        assert_eq!(report.prepare("a tool", || Ok(7)), Some(7));
        assert_eq!(report.prepare("no tool", || -> Result<i32> { anyhow::bail!("gone") }), None);
        report.check("holds", || Ok(()));
        report.check("does not hold", || anyhow::bail!("line 3"));
        report.skip("cannot run", "no tool");
        let mut command = Command::new("sh");
        command.args(["-c", "echo 'test result: FAILED. 4 passed; 1 failed; 0 ignored'; exit 1"]);
        report.tests("tests", Runner::CargoTest, &mut command);
        assert_eq!(report.print(), Tally { passed: 5, failed: 3, skipped: 1 });
    }

    #[test]
    fn clippy_for_the_browser_leaves_out_the_command_line() {
        let shown = shell::shown(&clippy_wasm());
        assert!(shown.contains("--package crawl-core"), "{shown}");
        assert!(!shown.contains("crawl-cli") && !shown.contains("xtask"), "{shown}");
    }
}
