//! `cargo xtask extremes`: every parameter of every registry at its smallest and largest value, alone
//! and in pairs, each in a process of its own that must end, or refuse with a reason, within bounds.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::shell;

/// Most seconds of processor time, which other processes do not stretch as they do the clock's.
const MOST_CPU_S: f64 = 20.0;
/// Most memory, in megabytes.
const MOST_MB: f64 = 2048.0;
/// Between two looks at a process.
const LOOK: Duration = Duration::from_millis(5);
/// How many of the heaviest are listed.
const N_HEAVIEST: usize = 10;

/// What became of a command.
struct Outcome {
    what: String,
    args: Vec<String>,
    cpu_s: f64,
    mb: f64,
    /// Its exit code; none where it was ended because it took too much.
    code: Option<i32>,
    reason: String,
}

impl Outcome {
    fn is_over(&self) -> bool {
        self.cpu_s > MOST_CPU_S || self.mb > MOST_MB || self.code.is_none()
    }

    /// Ended well, or refused with a reason.
    fn is_sound(&self) -> bool {
        !self.is_over() && matches!(self.code, Some(0 | 2))
    }

    fn object(&self) -> Value {
        let Self { what, args, cpu_s, mb, code, reason } = self;
        json!({ "what": what, "args": args, "cpu_s": cpu_s, "mb": mb, "code": code, "reason": reason })
    }

    fn line(&self) -> String {
        let link = self.args.last().map_or("", String::as_str);
        let shown: String = link.chars().take(200).collect();
        format!("{:6.2} s {:6.0} MB  {shown}", self.cpu_s, self.mb)
    }
}

/// Tries all, or those whose name has one of the words; writes what was measured into the build folder.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    if !cfg!(target_os = "linux") {
        bail!("time and memory of other processes are read from /proc, which only Linux has");
    }
    shell::run(shell::cargo().args(["build", "--release", "--package", "crawl-cli"]))?;
    let program = shell::target()?.join("release/crawlscope");
    let printed = shell::output(Command::new(&program).arg("extremes"))?;
    let mut trials = Vec::new();
    for line in printed.lines() {
        let trial: Value = serde_json::from_str(line).context("crawlscope extremes")?;
        let what = trial["what"].as_str().unwrap_or_default().to_owned();
        let args = trial["args"].as_array().into_iter().flatten();
        let args: Vec<String> = args.filter_map(|arg| arg.as_str().map(str::to_owned)).collect();
        if arguments.is_empty() || arguments.iter().any(|word| what.contains(word.as_str())) {
            trials.push((what, args));
        }
    }
    let path = shell::target()?.join("extremes.jsonl");
    let mut file = fs::File::create(&path)?;
    let mut outcomes = Vec::new();
    for (number, (what, args)) in trials.iter().enumerate() {
        let outcome = tried(Command::new(&program).args(args), what, args)?;
        writeln!(file, "{}", outcome.object())?;
        if !outcome.is_sound() {
            println!(
                "{} of {}: {what}\n  {}\n  {}",
                number + 1,
                trials.len(),
                outcome.line(),
                outcome.reason
            );
        }
        outcomes.push(outcome);
    }
    let n_refused = outcomes.iter().filter(|outcome| outcome.code == Some(2)).count();
    let n_bad = outcomes.iter().filter(|outcome| !outcome.is_sound()).count();
    outcomes.sort_by(|a, b| b.cpu_s.total_cmp(&a.cpu_s));
    println!("\nthe {N_HEAVIEST} heaviest of {}, {n_refused} of them refused:", outcomes.len());
    outcomes.iter().take(N_HEAVIEST).for_each(|outcome| println!("{}", outcome.line()));
    let most_mb = outcomes.iter().map(|outcome| outcome.mb).fold(0.0, f64::max);
    println!("most memory: {most_mb:.0} MB; all of them: {}", path.display());
    println!("{n_bad} over {MOST_CPU_S} s or {MOST_MB} MB, or failed");
    Ok(if n_bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a command, and ends it once it takes too much.
fn tried(command: &mut Command, what: &str, args: &[String]) -> Result<Outcome> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", shell::shown(command)))?;
    let (mut cpu_s, mut mb) = (0.0, 0.0);
    let mut code = None;
    loop {
        let status = child.try_wait()?;
        if let Some(status) = status {
            code = status.code();
            break;
        }
        if let Some((now_s, now_mb)) = used(&child) {
            (cpu_s, mb) = (now_s, now_mb);
        }
        if cpu_s > MOST_CPU_S || mb > MOST_MB {
            child.kill()?;
            child.wait()?;
            break;
        }
        thread::sleep(LOOK);
    }
    let mut reason = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        std::io::Read::read_to_string(&mut stderr, &mut reason)?;
    }
    let reason = reason.lines().next().unwrap_or_default().to_owned();
    Ok(Outcome { what: what.to_owned(), args: args.to_vec(), cpu_s, mb, code, reason })
}

/// Seconds of processor time and most megabytes of memory of a process so far.
fn used(child: &Child) -> Option<(f64, f64)> {
    let folder = format!("/proc/{}", child.id());
    let stat = fs::read_to_string(format!("{folder}/stat")).ok()?;
    // The name before may have spaces; the 14th and 15th field are in hundredths of a second.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    let cpu_s = (ticks()? + ticks()?) / 100.0;
    let status = fs::read_to_string(format!("{folder}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kb: f64 = peak.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some((cpu_s, kb / 1024.0))
}
