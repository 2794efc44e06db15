//! A progress bar on standard error for work that takes more than a second.

use crawl_catalogue::quoted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Delay before the bar appears.
const DELAY: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// Progress of one task; dropping it removes the bar.
pub struct Progress {
    bar: ProgressBar,
    /// Thread that shows the bar after `DELAY`; dropping the sender ends it.
    timer: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Progress of a task of unknown length.
    pub fn spinner(what: impl Into<String>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {msg} {elapsed}"));
        Self::start(bar, what.into())
    }

    /// Progress of a task with `parts` parts.
    pub fn bar(what: impl Into<String>, parts: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(parts), ProgressDrawTarget::hidden());
        bar.set_style(style("{msg} {wide_bar} {percent:>3} % {eta:>4}"));
        Self::start(bar, what.into())
    }

    fn start(bar: ProgressBar, what: String) -> Self {
        bar.set_message(quoted(&what).into_owned());
        let timer = io::stderr().is_terminal().then(|| {
            let (sender, receiver) = mpsc::channel();
            let bar = bar.clone();
            let wait = move || {
                if receiver.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            };
            (sender, thread::spawn(wait))
        });
        Self { bar, timer }
    }

    /// Sets the number of finished parts.
    pub fn set(&self, done: impl Into<u64>) -> ControlFlow<()> {
        self.bar.set_position(done.into());
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.timer.take() {
            drop(sender);
            // If the thread panicked there is only no bar.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
