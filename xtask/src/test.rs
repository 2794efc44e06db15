//! `cargo xtask test`: everything the project checks about itself.
//!
//! All steps run even where one fails, so that one run tells all; only a step whose tools could not
//! be had is skipped. The last line sums up: `N passed, N failed, N skipped`. A test that finds the
//! data it needs missing notes that in a file (`tests/src/data.rs`), and is counted as skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{fs, io};

use anyhow::{Context, Result, bail};

use crate::layers::LAYERS;
use crate::tally::{self, Runner, Tally};
use crate::{deny, dist, e2e, fmt, shell, sizes, tidy, tools};

/// What `cargo xtask test --help` says.
pub const ABOUT: &str = "Installs what is missing, then checks formatting, lints (native and wasm32), runs \
    all native and documentation tests, builds the app, checks its size, runs the browser tests and the \
    scenarios in headless Chromium, and checks the repository's rules. Steps go on after a failure; the \
    summary says how long each took. The last line is `N passed, N failed, N skipped`.\n\
    Tests of real data look for it in ../shared/data, or in the folder that CRAWLSCOPE_DATA names; \
    without it they are counted as skipped.\n\
    --quick checks formatting and lints natively, runs the native tests and checks the repository's \
    rules. It leaves out the wasm32 lints, the long native tests (golden digests, slow references, \
    revisiting, and the long ones of conformance), the documentation tests, the app with its size, the \
    browser tests and the scenarios.";

/// Runs every step, or those of `--quick`.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let report = match arguments {
        [] => whole(),
        [flag] if flag == "--quick" => quick(),
        [other, ..] => bail!("unexpected argument `{other}`; only `--quick` can be given"),
    };
    let total = report.print();
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a person runs before each commit.
fn quick() -> Report {
    let mut report = Report::default();
    report.prepare("rustfmt and clippy", tools::components);
    report.check("formatting", fmt::check);
    report.check("clippy, native", || shell::run(&mut clippy_native()));
    report.native_tests("native tests", Extent::Quick);
    report.check("tidy", tidy::check);
    report
}

/// Installs what is missing and runs every step.
fn whole() -> Report {
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
    report.check("documentation", || shell::run(&mut docs()));
    if deny::is_installed() {
        report.check("licences", deny::check_licences);
        if deny::fetch_database() {
            report.check("advisories", deny::check_advisories);
        } else {
            report.skip("advisories", deny::NO_DATABASE);
        }
    } else {
        report.skip("licences", deny::MISSING);
        report.skip("advisories", deny::MISSING);
    }
    report.native_tests("native tests", Extent::Whole);
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
    report
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

/// The crates that a library user calls.
const LIBRARIES: [&str; 8] = [
    "crawl-catalogue",
    "crawl-core",
    "crawl-import",
    "crawl-learn",
    "crawl-protocol",
    "crawl-refresh",
    "crawl-run",
    "crawl-world",
];

/// Their documentation, in which no link leads nowhere.
fn docs() -> Command {
    let mut command = shell::cargo();
    command.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    for package in LIBRARIES {
        command.args(["--package", package]);
    }
    command
}

/// Which native tests are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All of them.
    Whole,
    /// Without those that take long.
    Quick,
}

/// Test programs that `--quick` leaves out: each takes a minute or more.
const LONG_PROGRAMS: [&str; 4] = ["delayed_benefit", "golden", "reference", "revisiting"];
/// Tests that `--quick` leaves out of other programs, by a part of their names.
const LONG_TESTS: [&str; 3] = ["births::", "generated_worlds", "travel::"];

/// Every test but those in documentation, by nextest where it is installed.
fn native_tests(extent: Extent, has_nextest: bool) -> (Runner, Command) {
    let mut command = shell::cargo();
    command.args(if has_nextest { &["nextest", "run"][..] } else { &["test"] });
    command.args(["--no-fail-fast"]).args(EVERYWHERE_BUT_E2E);
    if has_nextest {
        command.args(["--status-level", "slow"]);
    } else {
        command.args(["--lib", "--bins", "--tests"]);
    }
    if extent == Extent::Quick {
        if has_nextest {
            let programs = LONG_PROGRAMS.map(|name| format!("binary({name})"));
            let tests = LONG_TESTS.map(|part| format!("test({part})"));
            let long = [&programs[..], &tests].concat().join(" | ");
            command.args(["-E", &format!("not ({long})")]);
        } else {
            command.arg("--");
            LONG_TESTS.iter().for_each(|part| {
                command.args(["--skip", part]);
            });
        }
    }
    let runner = if has_nextest { Runner::Nextest } else { Runner::CargoTest };
    (runner, command)
}

/// The same packages as the native tests, so that nothing is built again with other features.
fn doc_tests() -> Command {
    let mut command = shell::cargo();
    command.args(["test", "--doc", "--no-fail-fast"]).args(EVERYWHERE_BUT_E2E);
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
        // Whole crawls take longer than the 20 seconds the runner allows by itself, and a driver on a
        // busy machine longer than 5 to start.
        .env("WASM_BINDGEN_TEST_TIMEOUT", "900")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "120");
    command
}

/// Names the file in which tests note that they were skipped.
const SKIPPED: &str = "CRAWLSCOPE_SKIPPED";

/// That file, which does not exist yet.
fn notes_file() -> Result<PathBuf> {
    let file = shell::target()?.join("skipped-tests.txt");
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(file),
    }
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

    /// Runs the native tests; those that note themselves skipped are counted so.
    fn native_tests(&mut self, step: &'static str, extent: Extent) {
        let has_nextest = shell::probe(shell::cargo().args(["nextest", "--version"])).is_some();
        let (runner, mut command) = native_tests(extent, has_nextest);
        let notes = match notes_file() {
            Ok(notes) => notes,
            Err(error) => return self.fail(step, Instant::now(), &error),
        };
        self.tests(step, runner, command.env(SKIPPED, &notes));
        let noted = fs::read_to_string(&notes).unwrap_or_default();
        noted.lines().for_each(|line| println!("skipped: {line}"));
        if let Some(line) = self.lines.last_mut() {
            line.tally.skip(&noted);
            line.remark = line.tally.to_string();
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
    fn quick_leaves_out_what_takes_long_and_nothing_else() {
        let shown = |extent, has_nextest| shell::shown(&native_tests(extent, has_nextest).1);
        for has_nextest in [true, false] {
            let (whole, quick) =
                (shown(Extent::Whole, has_nextest), shown(Extent::Quick, has_nextest));
            assert!(quick.starts_with(&whole) && quick.len() > whole.len(), "{quick}");
            assert!(LONG_TESTS.iter().all(|part| quick.contains(part)), "{quick}");
        }
        let quick = shown(Extent::Quick, true);
        assert!(quick.contains("-E not (binary(delayed_benefit) | "), "{quick}");
    }

    #[test]
    fn only_quick_can_be_given() {
        let error = run(&["--quik".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`--quik`") && error.contains("`--quick`"), "{error}");
    }

    #[test]
    fn clippy_for_the_browser_leaves_out_the_command_line() {
        let shown = shell::shown(&clippy_wasm());
        assert!(shown.contains("--package crawl-core"), "{shown}");
        assert!(!shown.contains("crawl-cli") && !shown.contains("xtask"), "{shown}");
    }
}
