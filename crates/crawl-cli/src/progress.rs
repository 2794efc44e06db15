//! A bar on the standard error for work that takes longer than a second.

use crawl_catalogue::quoted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long work may take before it is shown.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// A piece of work under way; it is over when this is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// Wakes the bar up when it is time, and ends with the work.
    alarm: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Work of unknown length.
    pub fn spinner(what: impl Into<String>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {msg} {elapsed}"));
        Self::start(bar, what.into())
    }

    /// Work of so many parts.
    pub fn bar(what: impl Into<String>, parts: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(parts), ProgressDrawTarget::hidden());
        bar.set_style(style("{msg} {wide_bar} {percent:>3} % {eta:>4}"));
        Self::start(bar, what.into())
    }

    fn start(bar: ProgressBar, what: String) -> Self {
        bar.set_message(quoted(&what).into_owned());
        let alarm = io::stderr().is_terminal().then(|| {
            let (sender, receiver) = mpsc::channel();
            let bar = bar.clone();
            let wait = move || {
                if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            };
            (sender, thread::spawn(wait))
        });
        Self { bar, alarm }
    }

    /// How many parts are done.
    pub fn set(&self, done: impl Into<u64>) -> ControlFlow<()> {
        self.bar.set_position(done.into());
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, waiting)) = self.alarm.take() {
            drop(sender);
            // It only waits; were it to fail, there would just be no bar.
            let _ = waiting.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
