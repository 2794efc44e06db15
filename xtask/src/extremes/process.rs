//! One process: its processor time and its memory, and an end once it takes too much.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Outcome;
use crate::shell;

/// Most seconds of processor time, which other processes do not stretch as they do the clock's.
pub const MOST_CPU_S: f64 = 20.0;
/// Most memory, in megabytes.
pub const MOST_MB: f64 = 2048.0;
/// Most time by the clock: for a process that waits and computes nothing. Busy machines are slow.
const MOST_CLOCK: Duration = Duration::from_secs(1800);
/// Between two looks at a process.
const LOOK: Duration = Duration::from_millis(5);
/// Of processor time, in which the system counts.
const TICKS_PER_S: f64 = 100.0;

/// Runs a command, and ends it once it takes too much.
pub fn measured(command: &mut Command) -> Result<Outcome> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", shell::shown(command)))?;
    let (mut cpu_s, mut mb) = (0.0, 0.0_f64);
    let mut is_ended_early = false;
    // Until it is waited for, the system keeps the processor time of a process that has ended.
    while let Some(used) = Used::of(child.id()) {
        cpu_s = used.cpu_s;
        mb = mb.max(used.mb.unwrap_or(0.0));
        if used.has_ended {
            break;
        }
        if cpu_s > MOST_CPU_S || mb > MOST_MB || started.elapsed() > MOST_CLOCK {
            child.kill()?;
            is_ended_early = true;
            break;
        }
        thread::sleep(LOOK);
    }
    let status = child.wait()?;
    let mut reason = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_string(&mut reason)?;
    }
    let reason = reason.lines().next().unwrap_or_default().to_owned();
    Ok(Outcome { cpu_s, mb, code: status.code().filter(|_| !is_ended_early), reason })
}

/// What a process has used so far.
#[derive(Debug, PartialEq)]
struct Used {
    cpu_s: f64,
    /// Most megabytes; unknown once it has ended.
    mb: Option<f64>,
    has_ended: bool,
}

impl Used {
    fn of(id: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        Self::read(&stat, &status)
    }

    /// From `/proc/ID/stat` and `/proc/ID/status`.
    fn read(stat: &str, status: &str) -> Option<Self> {
        // The name in brackets may hold spaces. After it come the state as the third field, and the
        // ticks spent in the program and in the system as the 14th and 15th.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let has_ended = matches!(*fields.first()?, "Z" | "X");
        let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kb = peak.and_then(|kb| kb.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
        let mb = kb.map(|kb| kb / 1024.0);
        Some(Self { cpu_s: (ticks(11)? + ticks(12)?) / TICKS_PER_S, mb, has_ended })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_memory_are_read() {
        let stat = "7 (a b) c) S 1 7 7 0 -1 4194304 1 0 0 0 250 50 0 0 20 0 2 0 100 1 1";
        let used = Used::read(stat, "Name:\ta\nVmHWM:\t    2048 kB\n");
        assert_eq!(used, Some(Used { cpu_s: 3.0, mb: Some(2.0), has_ended: false }));
        let ended = Used::read(&stat.replace(") S", ") Z"), "Name:\ta\n");
        assert_eq!(ended, Some(Used { cpu_s: 3.0, mb: None, has_ended: true }));
        assert_eq!(Used::read("7 (a) S 1", ""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_is_measured_to_its_end() {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo why >&2; exit 2",
        ]);
        let outcome = measured(&mut command).unwrap();
        assert_eq!((outcome.code, outcome.reason.as_str()), (Some(2), "why"));
        assert!(outcome.cpu_s > 0.0 && outcome.mb > 0.0, "{outcome:?}");
    }
}
