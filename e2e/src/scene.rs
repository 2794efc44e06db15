//! Runs a scenario: serves the app, starts a browser, and always cleans up.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use futures_util::FutureExt;
use tokio::time;

use crate::driver::Driver;
use crate::tools::{self, Tools};
use crate::{App, Tab};

/// Timeout for reading the console and taking a screenshot.
const AFTERWARDS: Duration = Duration::from_secs(120);

/// Configuration of a scenario.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The path the app is served under.
    pub base: &'static str,
    /// Window width and height.
    pub window: (u32, u32),
    /// Timeout of the scenario.
    pub within: Duration,
    /// The folder to serve; default: the built app.
    pub folder: Option<PathBuf>,
    /// Additional browser flags.
    pub flags: &'static [&'static str],
    /// Categories to trace, separated by commas.
    pub traced: Option<&'static str>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            base: "/",
            window: (1440, 900),
            within: Duration::from_secs(1200),
            folder: None,
            flags: &[],
            traced: None,
        }
    }
}

/// The app and the browser of a scenario.
pub struct Scene {
    /// The app's server.
    pub app: App,
    /// A tab with an empty page.
    pub tab: Tab,
    folder: PathBuf,
}

impl Scene {
    /// The folder of the built app.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Runs a scenario; panics if it fails.
pub fn scenario(name: &str, setup: Setup, play: impl AsyncFnOnce(&mut Scene) -> Result<()>) {
    match played(name, &setup, play) {
        Ok(()) => {}
        Err(error) => panic!("{name}: {error:#}"),
    }
}

/// Runs a scenario; returns its error.
pub(crate) fn played(
    name: &str,
    setup: &Setup,
    play: impl AsyncFnOnce(&mut Scene) -> Result<()>,
) -> Result<()> {
    let tools = match Tools::find(setup.folder.as_deref()) {
        Ok(tools) => tools,
        Err(missing) if tools::is_required() => bail!("missing: {missing}"),
        Err(missing) => {
            println!("skipped: {name}: {missing} not present");
            return Ok(());
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let app = App::start(&tools.app, setup.base).await?;
        let driver = Driver::start(&tools, setup).await?;
        let tab = Tab::new(driver.client.clone(), app.address().clone());
        let mut scene = Scene { app, tab: tab.clone(), folder: tools.app };
        // A panic must not leave a browser running.
        let play = AssertUnwindSafe(play(&mut scene)).catch_unwind();
        let mut outcome = match time::timeout(setup.within, play).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => Err(error_message(&*panic)),
            Err(_) => Err(anyhow!("not finished within {} s", setup.within.as_secs())),
        };
        let after = async {
            if outcome.is_err() {
                let file = tab.screenshot(&format!("failed/{}", name.replace(' ', "-"))).await;
                let file =
                    file.map_or_else(|e| format!("{e:#}"), |file| file.display().to_string());
                let console = tab.console().await.unwrap_or_default();
                let lines: Vec<String> = console.iter().map(ToString::to_string).collect();
                println!("{name}: as it failed: {file}\nconsole:\n{}", lines.join("\n"));
                Ok(())
            } else {
                tab.console_is_quiet().await
            }
        };
        let after = time::timeout(AFTERWARDS, after).await;
        let after = after.context("the browser does not answer").and_then(|quiet| quiet);
        outcome = outcome.and(after);
        let ended = driver.end().await;
        outcome.and(ended)
    })
}

fn error_message(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    anyhow!("{}", text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic"))
}
