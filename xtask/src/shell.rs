//! Runs other programs.

use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::{env, thread};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The root folder of the repository.
pub fn root() -> PathBuf {
    let own = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    own.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The cargo that runs this program, in the root folder.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    // Output passes through a pipe; keeps its colours.
    if io::stdout().is_terminal() && env::var_os("CARGO_TERM_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    command
}

/// The optimised `crawlscope` program.
pub fn crawlscope() -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "crawl-cli", "--"]);
    command
}

/// The metadata of a workspace, without dependencies.
pub fn metadata(manifest: &Path) -> Result<Value> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
    let printed = output(command.arg(manifest))?;
    serde_json::from_str(&printed)
        .with_context(|| format!("{} did not print JSON", shown(&command)))
}

/// The target folder.
pub fn target() -> Result<PathBuf> {
    let metadata = metadata(&root().join("Cargo.toml"))?;
    Ok(metadata["target_directory"].as_str().context("cargo reports no target folder")?.into())
}

/// Fails if there are arguments.
pub fn no_arguments(arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => bail!("unexpected argument `{argument}`"),
    }
}

/// Prints a heading.
pub fn heading(text: &str) {
    if io::stdout().is_terminal() {
        println!("\n\x1b[1m== {text}\x1b[0m");
    } else {
        println!("\n== {text}");
    }
}

/// The command line of a command.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let mut words = vec![program.to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    words.join(" ")
}

/// Runs a command with inherited output; fails unless it exits with 0.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    expect_success(command, status)
}

/// Runs a command and returns its standard output; standard error is inherited.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    expect_success(command, output.status)?;
    String::from_utf8(output.stdout)
        .with_context(|| format!("{} did not print text", shown(command)))
}

/// Runs a command silently; returns its output if it succeeds.
pub fn probe(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok().filter(|o| o.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// Runs a command, prints its output, and returns both streams without colours.
pub fn tee(command: &mut Command) -> Result<(ExitStatus, String)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    let kept = Mutex::new(Vec::new());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(|| copy_lines(stdout, |line| print!("{line}"), &kept));
        scope.spawn(|| copy_lines(stderr, |line| eprint!("{line}"), &kept));
    });
    let status = child.wait().with_context(|| format!("cannot wait for {}", shown(command)))?;
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((status, without_colours(&String::from_utf8_lossy(&kept))))
}

/// Finds a program on PATH.
pub fn which(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|p| p.is_file())
}

fn expect_success(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

fn copy_lines(from: Option<impl Read>, show: fn(&str), kept: &Mutex<Vec<u8>>) {
    let Some(from) = from else { return };
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while matches!(from.read_until(b'\n', &mut line), Ok(n) if n > 0) {
        show(&String::from_utf8_lossy(&line));
        kept.lock().unwrap_or_else(PoisonError::into_inner).append(&mut line);
    }
}

/// Removes terminal escapes of the form `ESC [ … letter`.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once("\x1b[") {
        plain += before;
        let end = escape.find(|c: char| c.is_ascii_alphabetic()).map_or(escape.len(), |i| i + 1);
        rest = &escape[end..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_taken_out() {
        assert_eq!(without_colours("\x1b[32;1m 12\x1b[0m passed\x1b["), " 12 passed");
    }

    #[test]
    fn tee_keeps_both_streams_and_the_exit_code() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let (status, text) = tee(&mut command).unwrap();
        assert_eq!(status.code(), Some(3));
        assert!(text.contains("out\n") && text.contains("err\n"), "{text}");
    }

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("some/where/cargo");
        command.args(["test", "--doc"]);
        assert_eq!(shown(&command), "cargo test --doc");
    }
}
