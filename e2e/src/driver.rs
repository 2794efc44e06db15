//! Starts and stops chromedriver and its Chromium.
//!
//! The driver runs under a shell that waits for the end of its standard input, a pipe from this
//! program. When this program ends, for any reason, the pipe closes and the shell stops the driver.
//! Driver and browser are connected by a pipe too, so the browser ends with the driver.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time;

use crate::scene::Setup;
use crate::tools::Tools;

/// Long timeouts, because test machines are busy.
const STARTS_WITHIN: Duration = Duration::from_secs(180);
const ENDS_WITHIN: Duration = Duration::from_secs(60);

const GUARD: &str =
    r#"exec 3<&0; "$0" "$@" 3<&- </dev/null & cat <&3 >/dev/null; kill $!; wait $!"#;

/// WebGL2 without a graphics card; no network requests and no prompts.
const FLAGS: [&str; 17] = [
    "--headless=new",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--lang=en-GB",
    "--remote-debugging-pipe",
];

/// A running driver.
pub struct Driver {
    guard: Child,
    /// Folder for files of driver and browser; removed on drop.
    _folder: TempDir,
    /// The WebDriver session.
    pub client: Client,
}

impl Driver {
    /// Starts a driver and a browser with a scenario's setup.
    pub async fn start(tools: &Tools, setup: &Setup) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("crawl-e2e-").tempdir()?;
        let mut guard = Command::new("sh")
            .args(["-c", GUARD])
            .arg(&tools.driver)
            .arg("--port=0")
            .env("TMPDIR", folder.path())
            .env("HOME", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start the shell that runs chromedriver")?;
        let port = time::timeout(STARTS_WITHIN, port_of(&mut guard))
            .await
            .context("chromedriver did not start in time")??;
        let wanted = FLAGS.iter().chain(setup.flags);
        let mut flags: Vec<String> = wanted.map(|flag| (*flag).to_owned()).collect();
        let (width, height) = setup.window;
        flags.push(format!("--window-size={width},{height}"));
        let mut capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": { "binary": tools.browser, "args": flags },
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": 180_000, "pageLoad": 180_000 },
        });
        if let Some(categories) = setup.traced {
            capabilities["goog:loggingPrefs"]["performance"] = "ALL".into();
            capabilities["goog:chromeOptions"]["perfLoggingPrefs"] = json!({
                "enableNetwork": false, "enablePage": false, "traceCategories": categories,
            });
        }
        let capabilities: Capabilities = serde_json::from_value(capabilities)?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let address = format!("http://127.0.0.1:{port}");
        let client = time::timeout(STARTS_WITHIN, builder.connect(&address))
            .await
            .context("Chromium did not start in time")?
            .context("cannot start Chromium")?;
        Ok(Self { guard, _folder: folder, client })
    }

    /// Stops browser and driver, and waits for their end.
    pub async fn end(mut self) -> Result<()> {
        let closed = time::timeout(ENDS_WITHIN, self.client.close()).await;
        // The shell stops the driver when its input ends.
        drop(self.guard.stdin.take());
        let ended = time::timeout(ENDS_WITHIN, self.guard.wait()).await;
        ended.context("chromedriver did not end in time")??;
        closed.context("Chromium did not end in time")?.context("Chromium had ended before")
    }
}

/// Reads the driver's output up to its port number.
async fn port_of(guard: &mut Child) -> Result<u16> {
    let stdout = guard.stdout.take().context("chromedriver has no output")?;
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            // The rest of the output must be read, or the driver would block.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return port.trim_end_matches('.').parse().context("chromedriver named no port");
        }
    }
    bail!("chromedriver ended before it had started")
}
