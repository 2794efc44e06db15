//! `cargo xtask test`: runs every check and test of the project.
//!
//! A failing step does not stop the others; a step is skipped only if its tools are not available. The
//! last line is the summary: `N passed, N failed, N skipped`. A test whose data is missing writes a
//! note to a file (`tests/src/data.rs`) and counts as skipped.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{fs, io};

use anyhow::{Context, Result, bail};

use crate::layers::LAYERS;
use crate::tally::{self, Runner, Tally};
use crate::{deny, dist, e2e, fmt, shell, sizes, tidy, tools};

/// Description in `cargo xtask test --help`.
pub const ABOUT: &str = "Installs missing tools, checks formatting and lints (native and wasm32), runs all native \
    and documentation tests, builds the app, checks its size, runs the browser tests and the scenarios in \
    headless Chromium, and checks the repository's rules. A failing step does not stop the others; the \
    summary shows the time of each. The last line is `N passed, N failed, N skipped`.\n\
    Tests on real data look for it in ../shared/data, or in the folder named by CRAWLSCOPE_DATA; \
    without it they count as skipped.\n\
    --quick checks formatting and native lints, runs the native tests and checks the repository's rules. \
    It skips the wasm32 lints, the long native tests (golden digests, links, slow references, revisiting, and \
    the long ones of conformance), the documentation tests, the app with its size, the browser tests \
    and the scenarios.";

/// Runs all steps, or those of `--quick`.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let report = match arguments {
        [] => whole(),
        [flag] if flag == "--quick" => quick(),
        [other, ..] => bail!("unexpected argument `{other}`; the only option is `--quick`"),
    };
    let total = report.print();
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The steps before each commit.
fn quick() -> Report {
    let mut report = Report::default();
    report.prepare("rustfmt and clippy", tools::components);
    report.check("formatting", fmt::check);
    report.check("clippy, native", || shell::run(&mut clippy_native()));
    report.native_tests("native tests", Extent::Quick);
    report.check("tidy", tidy::check);
    report
}

/// Installs missing tools and runs all steps.
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
        None => report.skip("clippy, wasm32", "the wasm32 target is missing"),
    }
    report.check("documentation", || shell::run(&mut docs()));
    report.check("fuzz programs", fuzz_programs);
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

/// Scenarios need the built app and run later.
const EVERYWHERE_BUT_E2E: [&str; 3] = ["--workspace", "--exclude", e2e::PACKAGE];
const NO_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];
/// Packages and test files that run in the browser.
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

/// The documentation of every crate, without broken links.
fn docs() -> Command {
    let mut command = shell::cargo();
    command.args(["doc", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-D warnings");
    command
}

/// The libFuzzer programs compile: they are a workspace of their own.
fn fuzz_programs() -> Result<()> {
    let mut command = shell::cargo();
    command.args(["check", "--manifest-path", "fuzz/Cargo.toml", "--bins", "--locked"]);
    command.current_dir(shell::root()).env("CARGO_TARGET_DIR", shell::target()?.join("fuzz"));
    shell::run(&mut command)
}

/// Which native tests are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All of them.
    Whole,
    /// All but the long ones.
    Quick,
}

/// Test programs that `--quick` leaves out: each takes a minute or more.
const LONG_PROGRAMS: [&str; 5] = ["delayed_benefit", "golden", "links", "reference", "revisiting"];
/// Tests that `--quick` leaves out of other programs, by a part of their names.
const LONG_TESTS: [&str; 3] = ["births::", "generated_worlds", "travel::"];

/// Every test but those in documentation, by nextest where it is installed.
///
/// # Errors
/// When cargo does not list the workspace's test programs.
fn native_tests(extent: Extent, has_nextest: bool) -> Result<(Runner, Command)> {
    let mut command = shell::cargo();
    command.args(if has_nextest { &["nextest", "run"][..] } else { &["test"] });
    command.args(["--no-fail-fast"]).args(EVERYWHERE_BUT_E2E);
    match (has_nextest, extent) {
        (true, Extent::Whole) => {
            command.args(["--status-level", "slow"]);
        }
        (true, Extent::Quick) => {
            let programs = LONG_PROGRAMS.map(|name| format!("binary({name})"));
            let tests = LONG_TESTS.map(|part| format!("test({part})"));
            let long = [&programs[..], &tests].concat().join(" | ");
            command.args(["--status-level", "slow", "-E", &format!("not ({long})")]);
        }
        (false, Extent::Whole) => {
            command.args(["--lib", "--bins", "--tests"]);
        }
        // `cargo test` cannot leave a test program out, so the others are named.
        (false, Extent::Quick) => {
            command.args(["--lib", "--bins"]);
            for name in test_programs()? {
                if !LONG_PROGRAMS.contains(&name.as_str()) {
                    command.args(["--test", &name]);
                }
            }
            command.arg("--");
            for part in LONG_TESTS {
                command.args(["--skip", part]);
            }
        }
    }
    let runner = if has_nextest { Runner::Nextest } else { Runner::CargoTest };
    Ok((runner, command))
}

/// Names of the files in `tests/` folders of the workspace, without those of the scenarios.
fn test_programs() -> Result<BTreeSet<String>> {
    let metadata = shell::metadata(&shell::root().join("Cargo.toml"))?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let targets = packages
        .iter()
        .filter(|package| package["name"] != e2e::PACKAGE)
        .filter_map(|package| package["targets"].as_array())
        .flatten();
    let tests = targets.filter(|target| target["kind"][0] == "test");
    Ok(tests.filter_map(|target| target["name"].as_str()).map(str::to_owned).collect())
}

/// The same packages as the native tests, so that nothing is rebuilt with other features.
fn doc_tests() -> Command {
    let mut command = shell::cargo();
    command.args(["test", "--doc", "--no-fail-fast"]).args(EVERYWHERE_BUT_E2E);
    command
}

/// A test file in the browser, compiled with the profile of the app.
pub fn browser_test(package: &str, test: &str, runner: &Path, driver: &Path) -> Command {
    let mut command = shell::cargo();
    command
        .args(["test", "--profile", "web-fast", "--package", package, "--target", tools::WASM])
        .args(["--test", test])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .env("CHROMEDRIVER", driver)
        // The runner's own backtrace does not help.
        .env("RUST_BACKTRACE", "0")
        // Whole crawls take longer than the runner's default of 20 seconds, and starting a driver on a busy
        // machine longer than 5.
        .env("WASM_BINDGEN_TEST_TIMEOUT", "900")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "120");
    command
}

/// Environment variable with the path of the file of skipped tests.
const SKIPPED: &str = "CRAWLSCOPE_SKIPPED";

/// The path of that file, which is removed first.
fn notes_file() -> Result<PathBuf> {
    let file = shell::target()?.join("skipped-tests.txt");
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(file),
    }
}

/// Results of all steps so far.
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
    /// Installs a tool; counts only a failure.
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

    /// Runs a check and prints its result.
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

    /// Runs the native tests; those that wrote a note count as skipped.
    fn native_tests(&mut self, step: &'static str, extent: Extent) {
        let has_nextest = shell::probe(shell::cargo().args(["nextest", "--version"])).is_some();
        let prepared = native_tests(extent, has_nextest)
            .and_then(|(runner, command)| Ok((runner, command, notes_file()?)));
        let (runner, mut command, notes) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return self.fail(step, Instant::now(), &error),
        };
        self.tests(step, runner, command.env(SKIPPED, &notes));
        let noted = fs::read_to_string(&notes).unwrap_or_default();
        noted.lines().for_each(|line| println!("skipped: {line}"));
        if let Some(line) = self.lines.last_mut() {
            // nextest counts tests that its filter leaves out as skipped.
            if extent == Extent::Quick {
                line.tally.skipped = 0;
            }
            line.tally.skip(&noted);
            line.remark = line.tally.to_string();
        }
    }

    /// Runs tests and counts their results.
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
        let quick = |has_nextest| {
            let (_, command) = native_tests(Extent::Quick, has_nextest).unwrap();
            let shown = shell::shown(&command);
            assert!(LONG_TESTS.iter().all(|part| shown.contains(part)), "{shown}");
            (command, shown)
        };
        let (_, nextest) = quick(true);
        assert!(nextest.contains("-E not (binary(delayed_benefit) | "), "{nextest}");
        let (cargo, shown) = quick(false);
        let words: Vec<_> = cargo.get_args().collect();
        let named: Vec<_> =
            words.windows(2).filter(|pair| pair[0] == "--test").map(|pair| pair[1]).collect();
        assert!(named.iter().any(|name| *name == "conformance"), "{shown}");
        for long in LONG_PROGRAMS {
            assert!(test_programs().unwrap().contains(long), "there is no test program {long}");
            assert!(named.iter().all(|name| *name != long), "{shown}");
        }
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
