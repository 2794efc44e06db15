//! Tasks of the main thread, from Chromium's tracing.
//!
//! Every task has its CPU time, which excludes other programs on the machine and waiting for the
//! graphics process.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::Tab;
use crate::console::ChromeCommand;

/// Traced categories: tasks, and marks that identify the page's thread.
pub const TASKS: &str = "toplevel,blink.user_timing";

/// Prefix of the page's marks, which identify its thread; the browser has pages of its own.
const MARK: &str = "crawl-e2e: ";
/// The event around each task.
const TASK: &str = "ThreadControllerImpl::RunTask";

/// A task of the main thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Start time, with an arbitrary origin.
    pub start_ms: f64,
    /// CPU time.
    pub cpu_ms: f64,
    /// Elapsed time.
    pub wall_ms: f64,
    /// Where in the browser the task was posted.
    pub posted_by: String,
    /// The part of the scenario; empty before the first.
    pub part: String,
}

impl Task {
    /// The tasks of the marked page in a trace log.
    ///
    /// If Chromium reports no CPU time for a task, the elapsed time is used, an upper bound.
    fn all(log: &Value) -> Result<Vec<Self>> {
        let events: Vec<Value> = log.as_array().into_iter().flatten().filter_map(event).collect();
        let place = |event: &Value| (event["pid"].as_i64(), event["tid"].as_i64());
        let mark = |event: &Value| {
            let part = event["name"].as_str()?.strip_prefix(MARK)?.to_owned();
            Some((event["ts"].as_f64()?, part, place(event)))
        };
        let mut marks: Vec<_> = events.iter().filter_map(mark).collect();
        marks.sort_by(|a, b| a.0.total_cmp(&b.0));
        let main = marks.first().context("the trace does not contain the page's thread")?.2;
        let part_at = |ts: f64| {
            let before = marks.partition_point(|mark| mark.0 <= ts).checked_sub(1);
            before.map_or_else(String::new, |at| marks[at].1.clone())
        };
        // The task that runs when tracing ends has only a start.
        let is_task =
            |event: &&Value| event["name"] == TASK && event["ph"] == "X" && place(event) == main;
        let ms = |event: &Value, key: &str| event[key].as_f64().map(|us| us / 1e3);
        let task = |event: &Value| {
            Some(Self {
                start_ms: ms(event, "ts")?,
                cpu_ms: ms(event, "tdur").or_else(|| ms(event, "dur"))?,
                wall_ms: ms(event, "dur")?,
                part: part_at(event["ts"].as_f64()?),
                posted_by: event["args"]["src_func"].as_str().unwrap_or_default().to_owned(),
            })
        };
        let tasks: Option<Vec<Self>> = events.iter().filter(is_task).map(task).collect();
        let tasks = tasks.context("a traced task has no duration")?;
        if tasks.is_empty() {
            bail!("the trace contains no task");
        }
        Ok(tasks)
    }
}

/// The trace event in a log line.
fn event(line: &Value) -> Option<Value> {
    let mut line: Value = serde_json::from_str(line["message"].as_str()?).ok()?;
    let message = &mut line["message"];
    (message["method"] == "Tracing.dataCollected").then(|| message["params"].take())
}

impl Tab {
    /// Starts another part of the scenario, for [`Tab::tasks`].
    pub async fn begin_part(&self, name: &str) -> Result<()> {
        let mark = format!("{MARK}{name}");
        self.eval(&format!("void performance.mark({mark:?})")).await.map(drop)
    }

    /// The tasks of the main thread so far; call it once, at the end.
    ///
    /// [`TASKS`] must be traced, and a part started.
    pub async fn tasks(&self) -> Result<Vec<Task>> {
        let log = ChromeCommand::log("performance");
        Task::all(&self.client.issue_cmd(log).await.context("the traced events")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn log(events: &[Value]) -> Value {
        let line = |event: &Value| {
            let message = json!({ "method": "Tracing.dataCollected", "params": event });
            json!({ "message": json!({ "message": message }).to_string() })
        };
        events.iter().map(line).collect()
    }

    fn task(tid: i64, cpu_us: Option<f64>) -> Value {
        json!({ "name": TASK, "ph": "X", "pid": 7, "tid": tid, "ts": 3e3, "dur": 9e3, "tdur": cpu_us })
    }

    #[test]
    fn tasks_of_the_main_thread_are_found() {
        let mark =
            |ts: f64| json!({ "name": format!("{MARK}from {ts}"), "pid": 7, "tid": 1, "ts": ts });
        let (name, later) = (mark(2e3), mark(4e3));
        let tasks = Task::all(&log(&[task(1, Some(2e3)), task(2, Some(5e3)), later, name.clone()]));
        let tasks = tasks.expect("is readable");
        assert_eq!(tasks.len(), 1, "another thread's task does not count");
        assert_eq!((tasks[0].cpu_ms, tasks[0].wall_ms), (2.0, 9.0));
        assert_eq!(tasks[0].part, "from 2000");
        let untold = Task::all(&log(&[task(1, None), name.clone()])).expect("is readable");
        assert_eq!(untold[0].cpu_ms, 9.0, "the time it took, where no other is told");
        assert!(Task::all(&log(&[task(1, Some(1.0))])).is_err(), "no main thread");
        assert!(Task::all(&log(&[name])).is_err(), "no task");
    }
}
