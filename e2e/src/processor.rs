//! Processor time of the browser's workers, read from /proc.
//!
//! The clock says little on a machine that is busy; the time that the threads of a page's workers
//! spent computing says what a run costs there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The first letters of the names of threads in which workers run; the system keeps fifteen.
const WORKER: &str = "DedicatedWorker";
/// Of processor time, in which the system counts.
const TICKS_PER_S: f64 = 100.0;

/// Seconds of processor time of each thread that runs a worker, by process and thread, of all
/// browsers that this program has started. Empty where the system has no /proc.
pub fn worker_seconds() -> BTreeMap<(u32, u32), f64> {
    let mut parents = BTreeMap::new();
    for id in numbers(Path::new("/proc")) {
        let stat = Stat::of(Path::new(&format!("/proc/{id}/stat")));
        parents.extend(stat.map(|stat| (id, stat.parent)));
    }
    let own = std::process::id();
    let is_own = |id: u32| {
        let mut id = Some(id);
        while let Some(now) = id.filter(|id| *id != own) {
            id = parents.get(&now).copied().filter(|parent| *parent != now);
        }
        id.is_some()
    };
    let mut seconds = BTreeMap::new();
    for process in parents.keys().copied().filter(|id| is_own(*id)) {
        let tasks = format!("/proc/{process}/task");
        for thread in numbers(Path::new(&tasks)) {
            let stat = Stat::of(Path::new(&format!("{tasks}/{thread}/stat")));
            if let Some(stat) = stat.filter(|stat| stat.name.starts_with(WORKER)) {
                seconds.insert((process, thread), stat.seconds);
            }
        }
    }
    seconds
}

/// The entries of a folder that are named by a number.
fn numbers(folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// What `/proc/ID/stat` says of a process or a thread.
#[derive(Debug, PartialEq)]
struct Stat {
    name: String,
    parent: u32,
    seconds: f64,
}

impl Stat {
    fn of(file: &Path) -> Option<Self> {
        Self::read(&fs::read_to_string(file).ok()?)
    }

    fn read(text: &str) -> Option<Self> {
        // The name in brackets may hold spaces and brackets. After it come the state and the parent,
        // and as the 14th and 15th field of all the ticks spent in the program and in the system.
        let (before, after) = text.rsplit_once(')')?;
        let name = before.split_once('(')?.1.to_owned();
        let fields: Vec<&str> = after.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
        let seconds = (ticks(11)? + ticks(12)?) / TICKS_PER_S;
        Some(Self { name, parent: fields.get(1)?.parse().ok()?, seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parents_and_times_are_read() {
        let text = "7 (a (b) c) S 3 7 7 0 -1 4194304 1 0 0 0 250 50 0 0 20 0 2 0 100 1 1";
        let stat = Stat { name: "a (b) c".to_owned(), parent: 3, seconds: 3.0 };
        assert_eq!(Stat::read(text), Some(stat));
        assert_eq!(Stat::read("7 (a) S"), None);
    }
}
