//! `cargo xtask bench`: measures speed and memory, as ratios within one run, into BENCHMARKS.md.
//!
//! Crawls are compared with a bare loop over the same links, years of revisiting with a bare event
//! loop, the browser with native code, PageRank and the stage with peers. Peers are installed beside
//! the project's other tools, and skipped with a message if they are not available.

mod peers;
mod report;
mod screen;
mod years;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::{shell, test, tools};
use report::Report;
pub use report::save_section;

/// Number of alternations between native code and the browser, to average out other load.
const N_TURNS: u32 = 3;
/// Number of seeks per run.
const N_SEEKS: &str = "200";
/// The real graph for ranking.
const CNR: &str = "cnr-2000/cnr-2000.graph-txt.gz";

/// Runs all parts, or the named ones.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    const PARTS: [&str; 8] =
        ["crawl", "browser", "revisit", "learn", "seek", "rank", "stage", "app"];
    if let Some(unknown) = arguments.iter().find(|a| !PARTS.contains(&a.as_str())) {
        bail!("unknown part `{unknown}`; known parts: {}", PARTS.join(", "));
    }
    let wanted = |part: &str| arguments.is_empty() || arguments.iter().any(|a| a == part);
    shell::run(shell::cargo().args(["build", "--release", "--package", "crawl-bench"]))?;
    let mut report = Report::default();
    if wanted("browser") {
        let browser = Browser::ready("crawl-bench", "browser")?;
        for turn in 1..=N_TURNS {
            shell::heading(&format!(
                "crawls of 100,000 pages, natively and in Chromium, {turn} of {N_TURNS}"
            ));
            keep(&mut report.small, native_small()?, f64::min);
            keep(&mut report.focused, measured(&["focused", "3"])?, f64::min);
            keep(&mut report.browser, browser.measured()?, f64::min);
            same_work(&[report.small.clone(), report.focused.clone()].concat(), &report.browser)?;
        }
    } else if wanted("crawl") {
        shell::heading("crawls of 100,000 pages");
        report.small = native_small()?;
    }
    if wanted("crawl") {
        shell::heading("crawls of 1,000,000 pages");
        report.large = measured(&["crawl", "1000000", "3"])?;
    }
    if wanted("revisit") {
        report.years = years::Years::measured()?;
    }
    if wanted("learn") {
        shell::heading("matching links and learning on graphs");
        let mut command = shell::cargo();
        command.args(["run", "--quiet", "--release", "--package", "crawl-learn"]);
        report.learning = shell::output(command.args(["--example", "learn_timing"]))?;
    }
    if wanted("seek") {
        shell::heading("seeks");
        for world in ["campus", "web(pages:300000)"] {
            for strategy in ["breadth-first", "opic"] {
                let lines = measured(&["seek", world, strategy, N_SEEKS])?;
                report.seeks.push((world.to_owned(), strategy.to_owned(), lines));
            }
        }
    }
    if wanted("rank") {
        shell::heading("PageRank of cnr-2000");
        report.ranks = ranks()?;
    }
    if wanted("stage") {
        shell::heading("the stage");
        report.stage = screen::stage()?;
    }
    if wanted("app") {
        shell::heading("the app");
        report.app = screen::app()?;
    }
    report.print_and_save(&shell::root().join("BENCHMARKS.md"), arguments.is_empty())?;
    Ok(ExitCode::SUCCESS)
}

/// A measurement: one line `what<TAB>name<TAB>number` of a measuring program.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Kind of measurement.
    pub what: String,
    /// What was measured.
    pub name: String,
    /// Value.
    pub number: f64,
}

/// Runs the native measuring program.
fn measured(arguments: &[&str]) -> Result<Vec<Measured>> {
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--release", "--package", "crawl-bench", "--"]);
    let printed = shell::output(command.args(arguments))?;
    print!("{printed}");
    Ok(read(&printed))
}

/// Parses the measurements in a program's output; skips other lines.
pub fn read(printed: &str) -> Vec<Measured> {
    let line = |line: &str| {
        let mut fields = line.trim().split('\t');
        let (what, name) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let number = fields.next()?.parse().ok()?;
        Some(Measured { what, name, number })
    };
    printed.lines().filter_map(line).collect()
}

fn native_small() -> Result<Vec<Measured>> {
    measured(&["crawl", "100000", "7"])
}

/// Merges repeated measurements with `of_two`: the minimum for times, the maximum for worst cases.
fn keep(kept: &mut Vec<Measured>, new: Vec<Measured>, of_two: fn(f64, f64) -> f64) {
    for line in new {
        match kept.iter_mut().find(|k| k.what == line.what && k.name == line.name) {
            Some(before) => before.number = of_two(before.number, line.number),
            None => kept.push(line),
        }
    }
}

/// Fails if native code and the browser did not do the same work.
fn same_work(native: &[Measured], browser: &[Measured]) -> Result<()> {
    let works = browser.iter().filter(|line| line.what.starts_with("work of "));
    let mut n = 0;
    for line in works {
        let there = report::number(native, &line.what, &line.name);
        if there != Some(line.number) {
            bail!("{} differs between the browser and native code: {}", line.what, line.name);
        }
        n += 1;
    }
    if n == 0 {
        bail!("the browser did not report its work");
    }
    Ok(())
}

/// A test file that measures in the browser.
struct Browser {
    package: &'static str,
    test: &'static str,
    runner: PathBuf,
    driver: PathBuf,
}

impl Browser {
    /// Finds the tools and builds the test file before measuring.
    fn ready(package: &'static str, test: &'static str) -> Result<Self> {
        tools::wasm_target()?;
        let (runner, driver) = (tools::wasm_test_runner()?, tools::chromium_driver()?);
        let browser = Self { package, test, runner, driver };
        shell::run(browser.command().arg("--no-run"))?;
        Ok(browser)
    }

    fn command(&self) -> Command {
        test::browser_test(self.package, self.test, &self.runner, &self.driver)
    }

    fn measured(&self) -> Result<Vec<Measured>> {
        let (status, printed) = shell::tee(self.command().args(["--", "--nocapture"]))?;
        if !status.success() {
            bail!("the browser's measurements failed");
        }
        let lines = read(&printed);
        if lines.is_empty() {
            bail!("the browser printed no measurements");
        }
        Ok(lines)
    }
}

/// Times of our PageRank and of the peers' on one graph, and differences of the ranks.
fn ranks() -> Result<Vec<Measured>> {
    let Some(graph) = data(CNR) else {
        println!("skipped: {CNR} not found");
        return Ok(Vec::new());
    };
    let folder = shell::root().join("target").join("bench");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let ours = folder.join("ranks.bin");
    let (graph_text, ours_text) = (path(&graph)?, path(&ours)?);
    let mut lines = measured(&["rank", graph_text, "5", ours_text])?;
    lines.extend(peers::python(&graph, &ours));
    lines.extend(peers::node(&graph, &ours));
    Ok(lines)
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))
}

/// A file of the data folder beside the repository, if it exists.
fn data(name: &str) -> Option<PathBuf> {
    let file = shell::root().parent()?.join("shared").join("data").join(name);
    file.is_file().then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_found_among_other_lines() {
        let printed = "running 1 test\n  timing\topic\t12.5\ntiming\tbad\tx\nok\n";
        let lines = read(printed);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].name.as_str(), lines[0].number), ("opic", 12.5));
    }

    #[test]
    fn times_of_different_work_are_not_compared() {
        let native = read("timing\topic\t12\nwork of timing\topic\t7\n");
        let same = read("timing\topic\t20\nwork of timing\topic\t7\n");
        assert!(same_work(&native, &same).is_ok());
        let other = read("timing\topic\t20\nwork of timing\topic\t8\n");
        assert!(same_work(&native, &other).unwrap_err().to_string().contains("opic"));
        assert!(same_work(&native, &read("timing\topic\t20\n")).is_err());
        assert!(same_work(&[], &same).is_err());
    }

    #[test]
    fn of_several_turns_the_least_is_kept() {
        let mut kept = read("timing\topic\t12.5\ntiming\trandom\t3\n");
        keep(&mut kept, read("timing\topic\t11\ntiming\trandom\t4\nmade\topic\t1\n"), f64::min);
        let numbers: Vec<f64> = kept.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [11.0, 3.0, 1.0]);
    }
}
