//! `cargo xtask fuzz`: runs the targets of `fuzz/targets` with libFuzzer for a limited time.
//!
//! A target starts from the seeds and crashes in the repository, with its dictionary; new inputs go to
//! `fuzz/corpus`, which git ignores. `cargo xtask test` runs the same targets without libFuzzer.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{shell, tools};

/// Memory limit in MB; an input that exceeds it counts as a crash.
const MEMORY_MB: u32 = 2048;

/// Runs the named targets, or all.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let options = Options::read(arguments)?;
    let manifest = manifest().context("fuzz/Cargo.toml is missing")?;
    let targets = options.choose(&programs(&shell::metadata(&manifest)?))?;
    let is_nightly = has_nightly();
    let folder = tools::cargo_fuzz()?;

    let mut crashed = Vec::new();
    for target in targets {
        shell::heading(&format!("{target}, {} seconds", options.seconds));
        let mut command = if is_nightly {
            let mut command = Command::new("rustup");
            command.args(["run", "nightly", "cargo"]);
            command
        } else {
            // Lets a stable compiler accept unstable flags.
            let mut command = Command::new("cargo");
            command.env("RUSTC_BOOTSTRAP", "1");
            command
        };
        command.args(["fuzz", "run", "--fuzz-dir", "fuzz", &target]).args(corpora(&target)?);
        command
            .arg("--")
            .arg(format!("-max_total_time={}", options.seconds))
            .arg(format!("-rss_limit_mb={MEMORY_MB}"))
            .args(dictionary(&target))
            .current_dir(shell::root());
        if let Some(folder) = &folder {
            command.env("PATH", tools::path_with(folder)?);
        }
        let (status, output) = shell::tee(&mut command)?;
        if !status.success() {
            let artifact = artifact(&output).unwrap_or("no artifact written, see above");
            crashed.push(format!("{target}: {artifact}"));
        }
    }
    shell::heading("summary");
    if crashed.is_empty() {
        println!("no crash");
        return Ok(ExitCode::SUCCESS);
    }
    for crash in &crashed {
        println!("crashed: {crash}");
    }
    println!("fix the fault, then move the file to fuzz/crashes/TARGET/: every test run tries it");
    Ok(ExitCode::FAILURE)
}

/// Corpus folders of a target; libFuzzer writes new inputs to the first.
fn corpora(target: &str) -> Result<Vec<String>> {
    let found = format!("fuzz/corpus/{target}");
    let folder = shell::root().join(&found);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let kept = ["seeds", "crashes"].map(|kind| format!("fuzz/{kind}/{target}"));
    let kept = kept.into_iter().filter(|folder| shell::root().join(folder).is_dir());
    Ok([found].into_iter().chain(kept).collect())
}

/// The argument for a target's dictionary, if it has one.
fn dictionary(target: &str) -> Option<String> {
    let path = format!("fuzz/dictionaries/{target}.dict");
    shell::root().join(&path).is_file().then(|| format!("-dict={path}"))
}

/// The manifest of the separate fuzz workspace, if it exists.
pub fn manifest() -> Option<PathBuf> {
    Some(shell::root().join("fuzz").join("Cargo.toml")).filter(|path| path.is_file())
}

#[derive(Debug, PartialEq, Eq)]
struct Options {
    seconds: u32,
    targets: Vec<String>,
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self> {
        let mut options = Self { seconds: 30, targets: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let seconds = match argument.strip_prefix("--seconds") {
                Some("") => arguments.next().context("--seconds: a number is missing")?,
                Some(value) if value.starts_with('=') => &value[1..],
                _ if argument.starts_with('-') => bail!("unexpected argument `{argument}`"),
                _ => {
                    options.targets.push(argument.clone());
                    continue;
                }
            };
            options.seconds = match seconds.parse() {
                Ok(seconds) if seconds > 0 => seconds,
                // 0 means no limit to libFuzzer.
                _ => bail!("--seconds: `{seconds}` is not a whole number above 0"),
            };
        }
        Ok(options)
    }

    fn choose(&self, known: &[String]) -> Result<Vec<String>> {
        if let Some(unknown) = self.targets.iter().find(|target| !known.contains(target)) {
            bail!("unknown fuzz target `{unknown}`; known targets: {}", known.join(", "));
        }
        if known.is_empty() {
            bail!("fuzz/Cargo.toml has no targets");
        }
        Ok(if self.targets.is_empty() { known.to_vec() } else { self.targets.clone() })
    }
}

/// Names of the binaries in the output of `cargo metadata`.
fn programs(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    targets
        .filter(|target| {
            target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"bin".into()))
        })
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect()
}

fn has_nightly() -> bool {
    let list = shell::probe(Command::new("rustup").args(["toolchain", "list"]));
    list.is_some_and(|list| list.lines().any(|line| line.starts_with("nightly")))
}

/// Path of the crashing input in libFuzzer's output.
fn artifact(output: &str) -> Option<&str> {
    let line = output.lines().rev().find(|line| line.contains("Test unit written to "))?;
    let (_, path) = line.split_once("Test unit written to ")?;
    let path = path.trim();
    Some(path.find("fuzz/artifacts").map_or(path, |start| &path[start..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(words: &[&str]) -> Result<Options> {
        Options::read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn seconds_and_targets_are_read_in_any_order() {
        let expected = Options { seconds: 5, targets: vec!["link".to_owned()] };
        assert_eq!(read(&["link", "--seconds", "5"]).unwrap(), expected);
        assert_eq!(read(&["--seconds=5", "link"]).unwrap(), expected);
        assert_eq!(read(&[]).unwrap().seconds, 30);
    }

    #[test]
    fn bad_arguments_are_refused() {
        for words in [&["--seconds"][..], &["--seconds", "0"], &["--seconds=x"], &["--fast"]] {
            assert!(read(words).is_err(), "{words:?}");
        }
        let known = ["link".to_owned(), "edges".to_owned()];
        let error = read(&["lnik"]).unwrap().choose(&known).unwrap_err().to_string();
        assert!(error.contains("`lnik`") && error.contains("link, edges"), "{error}");
        assert_eq!(read(&[]).unwrap().choose(&known).unwrap(), known);
    }

    #[test]
    fn a_target_starts_from_what_the_repository_has() {
        let folders = corpora("formula").unwrap();
        assert_eq!(folders[..2], ["fuzz/corpus/formula", "fuzz/seeds/formula"]);
        assert_eq!(dictionary("formula").unwrap(), "-dict=fuzz/dictionaries/formula.dict");
        assert_eq!(dictionary("no such target"), None);
    }

    #[test]
    fn only_programs_are_targets() {
        let library = json!({ "kind": ["lib"], "name": "shared" });
        let program = json!({ "kind": ["bin"], "name": "link" });
        let metadata = json!({ "packages": [{ "targets": [library, program] }] });
        assert_eq!(programs(&metadata), ["link"]);
    }

    #[test]
    fn the_artifact_is_named_from_the_repository_on() {
        let output = "==1== ERROR: libFuzzer: deadly signal\n\
                      artifact_prefix='x'; Test unit written to ./a/fuzz/artifacts/link/crash-12\n";
        assert_eq!(artifact(output), Some("fuzz/artifacts/link/crash-12"));
        assert_eq!(artifact("Done 10 runs"), None);
    }
}
