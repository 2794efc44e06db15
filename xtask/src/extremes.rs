//! `cargo xtask extremes`: every parameter of every registry at its smallest and largest value, alone
//! and in pairs, each in a process of its own that must end, or refuse with a reason, within limits.
//!
//! Every core runs one trial at a time. A trial is measured by the processor time and the memory of
//! its own process, so that it does not matter what else the machine does. Results are appended to
//! `extremes.jsonl` in the build folder; a run of some trials replaces their results and keeps the
//! others'. Once every trial has a result, BENCHMARKS.md and the list of the heaviest are rewritten.

mod process;
mod record;

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::bench;
use crate::shell;
use record::{Kind, Record};

/// Only trials without a result.
const MISSING: &str = "--missing";
/// Trials between two lines of progress.
const PROGRESS: usize = 100;
/// The heaviest trials, for the scenario that tries them in the app.
const HEAVIEST: &str = "e2e/tests/too_much/heaviest.tsv";

/// A command of the program and what it tries.
#[derive(Clone, Debug, PartialEq)]
struct Trial {
    what: String,
    args: Vec<String>,
    /// The address in the app that tries the same.
    page: String,
}

impl Trial {
    fn read(line: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(line)?;
        let text = |key: &str| value[key].as_str().map(str::to_owned).context("a text is missing");
        let args = value["args"].as_array().context("arguments are missing")?;
        let args = args.iter().filter_map(|arg| arg.as_str().map(str::to_owned)).collect();
        Ok(Self { what: text("what")?, args, page: text("page")? })
    }
}

/// What became of a trial.
#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    /// Seconds of processor time.
    cpu_s: f64,
    /// Most megabytes of memory.
    mb: f64,
    /// Its exit code; none where it was ended because it took too much.
    code: Option<i32>,
    /// What it wrote on the standard error: its first line.
    reason: String,
}

impl Outcome {
    fn object(&self, trial: &Trial) -> Value {
        let Self { cpu_s, mb, code, reason } = self;
        let Trial { what, args, .. } = trial;
        json!({ "what": what, "args": args, "cpu_s": cpu_s, "mb": mb, "code": code, "reason": reason })
    }

    /// Reads a result and the arguments it belongs to.
    fn read(line: &str) -> Option<(Vec<String>, Self)> {
        let value: Value = serde_json::from_str(line).ok()?;
        let args = value["args"].as_array()?.iter();
        let args = args.map(|arg| arg.as_str().map(str::to_owned)).collect::<Option<_>>()?;
        let outcome = Self {
            cpu_s: value["cpu_s"].as_f64()?,
            mb: value["mb"].as_f64()?,
            code: value["code"].as_i64().and_then(|code| i32::try_from(code).ok()),
            reason: value["reason"].as_str()?.to_owned(),
        };
        Some((args, outcome))
    }
}

/// Results by the arguments of their trials.
type Outcomes = BTreeMap<Vec<String>, Outcome>;

/// Tries all, those whose name has one of the words, or those without a result.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    if !cfg!(target_os = "linux") {
        bail!("time and memory of other processes are read from /proc, which only Linux has");
    }
    shell::run(shell::cargo().args(["build", "--release", "--package", "crawl-cli"]))?;
    let target = shell::target()?;
    let program = target.join("release/crawlscope");
    let printed = shell::output(Command::new(&program).arg("extremes"))?;
    let trials = printed.lines().map(Trial::read).collect::<Result<Vec<_>>>();
    let trials = trials.context("crawlscope extremes")?;

    let path = target.join("extremes.jsonl");
    let mut outcomes = if arguments.is_empty() { Outcomes::new() } else { load(&path)? };
    let words: Vec<&String> = arguments.iter().filter(|word| *word != MISSING).collect();
    let is_missing = words.len() < arguments.len();
    let wanted = |trial: &&Trial| {
        is_missing && !outcomes.contains_key(&trial.args)
            || words.iter().any(|word| trial.what.contains(word.as_str()))
            || arguments.is_empty()
    };
    let wanted: Vec<&Trial> = trials.iter().filter(wanted).collect();
    // A whole run starts over.
    let file = if arguments.is_empty() {
        File::create(&path)
    } else {
        OpenOptions::new().create(true).append(true).open(&path)
    };
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    outcomes.append(&mut try_all(&wanted, &program, file)?);

    let record = Record::new(&trials, &outcomes);
    println!("\n{}", record.text());
    println!("all results: {}", path.display());
    for (trial, outcome, kind) in record.bad() {
        println!("{}: {}\n  {}", kind.word(), record::line(trial, outcome), outcome.reason);
    }
    if record.n_missing() > 0 {
        println!("{} of {} trials have no result", record.n_missing(), trials.len());
    } else {
        bench::save_section(&shell::root().join("BENCHMARKS.md"), &record.section())?;
        let heaviest = shell::root().join(HEAVIEST);
        fs::write(&heaviest, record.heaviest_list())
            .with_context(|| format!("cannot write {}", heaviest.display()))?;
        println!("written to BENCHMARKS.md and {HEAVIEST}");
    }
    println!("{}", record.tally());
    Ok(if record.bad().next().is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Results of earlier runs; of two results of one trial the later counts.
fn load(path: &Path) -> Result<Outcomes> {
    if !path.is_file() {
        return Ok(Outcomes::new());
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    // A run that was ended may leave half a line.
    Ok(text.lines().filter_map(Outcome::read).collect())
}

/// Runs trials, one on each core at a time, and appends each result to the file.
fn try_all(trials: &[&Trial], program: &Path, file: File) -> Result<Outcomes> {
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    let waiting = Mutex::new(trials.iter());
    let done = Mutex::new((file, Outcomes::new()));
    let work = || -> Result<()> {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(trial) = next else { return Ok(()) };
            let outcome = process::measured(Command::new(program).args(&trial.args))?;
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            let (file, outcomes) = &mut *done;
            writeln!(file, "{}", outcome.object(trial))?;
            let kind = Kind::of(&outcome);
            if kind.is_bad() {
                println!(
                    "{}: {}\n  {}",
                    kind.word(),
                    record::line(trial, &outcome),
                    outcome.reason
                );
            }
            outcomes.insert(trial.args.clone(), outcome);
            if outcomes.len().is_multiple_of(PROGRESS) {
                println!("{} of {}", outcomes.len(), trials.len());
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(result) => result,
            Err(_) => bail!("a thread panicked"),
        })
    })?;
    let (_, outcomes) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if outcomes.len() != trials.len() {
        bail!("{} trials, but {} results", trials.len(), outcomes.len());
    }
    Ok(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_as_it_was_written() {
        let line = r##"{"what":"ranker opic","args":["rank","web"],"page":"#v=1"}"##;
        let trial = Trial::read(line).unwrap();
        for code in [Some(0), None] {
            let outcome =
                Outcome { cpu_s: 1.5, mb: 20.25, code, reason: "too “much”".to_owned() };
            let read = Outcome::read(&outcome.object(&trial).to_string());
            assert_eq!(read, Some((trial.args.clone(), outcome)));
        }
        assert_eq!(Outcome::read(r#"{"what":"ranker op"#), None);
    }
}
