//! A browser tab.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fantoccini::elements::Element;
use fantoccini::wd::WindowHandle;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use tokio::time::{self, Instant};
use url::Url;

use crate::console::{ChromeCommand, Message};
use crate::tools;

/// Default timeout; long, because test machines are busy.
const PATIENCE: Duration = Duration::from_secs(120);
const BETWEEN_LOOKS: Duration = Duration::from_millis(30);

/// A browser tab.
#[derive(Clone, Debug)]
pub struct Tab {
    pub(crate) client: Client,
    /// The app's address, the base of relative paths.
    home: Url,
    patience: Duration,
}

/// User preferences of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Media {
    /// Dark colour scheme.
    pub dark: bool,
    /// Reduced motion.
    pub reduced_motion: bool,
}

impl Tab {
    pub(crate) fn new(client: Client, home: Url) -> Self {
        Self { client, home, patience: PATIENCE }
    }

    /// The same tab with another timeout, for slow operations.
    pub fn patient(&self, patience: Duration) -> Self {
        Self { patience, ..self.clone() }
    }

    /// Opens the app, or a part of it: `#v=1&…`, `?embed=1#…`.
    ///
    /// A new fragment on the same page is followed like a link.
    pub async fn open(&self, path: &str) -> Result<()> {
        let address = self.home.join(path)?;
        Ok(self.client.goto(address.as_str()).await?)
    }

    /// Reloads the page.
    pub async fn reload(&self) -> Result<()> {
        Ok(self.client.refresh().await?)
    }

    /// The current address.
    pub async fn address(&self) -> Result<Url> {
        Ok(self.client.current_url().await?)
    }

    /// Goes back in the history.
    pub async fn back(&self) -> Result<()> {
        Ok(self.client.back().await?)
    }

    /// Goes forward in the history.
    pub async fn forward(&self) -> Result<()> {
        Ok(self.client.forward().await?)
    }

    /// Waits for an element.
    pub async fn wait_for(&self, css: &str) -> Result<Element> {
        let wait = self.client.wait().at_most(self.patience).every(BETWEEN_LOOKS);
        let found = wait.for_element(Locator::Css(css)).await;
        found.with_context(|| format!("`{css}` did not appear"))
    }

    /// Waits until an element is gone.
    pub async fn wait_until_gone(&self, css: &str) -> Result<()> {
        self.wait_until(&format!("{css} is gone"), async || Ok(self.count(css).await? == 0)).await
    }

    /// Waits until an element contains a text.
    pub async fn wait_for_text(&self, css: &str, text: &str) -> Result<()> {
        let what = format!("`{css}` says `{text}`");
        self.wait_until(&what, async || {
            let script = "const e = document.querySelector(arguments[0]); return e?.textContent";
            let said = self.client.execute(script, vec![css.into()]).await?;
            Ok(said.as_str().is_some_and(|said| said.contains(text)))
        })
        .await
    }

    /// Waits until a JavaScript expression is true.
    pub async fn wait_for_true(&self, expression: &str) -> Result<()> {
        self.wait_until(expression, async || Ok(self.eval(expression).await? == true)).await
    }

    /// Waits until a condition holds; `what` describes it in messages.
    pub async fn wait_until(
        &self,
        what: &str,
        is_so: impl AsyncFn() -> Result<bool>,
    ) -> Result<()> {
        let end = Instant::now() + self.patience;
        while !is_so().await.with_context(|| format!("while waiting until {what}"))? {
            if Instant::now() > end {
                bail!("timeout after {} s waiting until {what}", self.patience.as_secs());
            }
            time::sleep(BETWEEN_LOOKS).await;
        }
        Ok(())
    }

    /// Number of elements that match.
    pub async fn count(&self, css: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(css)).await?.len())
    }

    /// Waits for an element and returns its visible text.
    pub async fn text(&self, css: &str) -> Result<String> {
        Ok(self.wait_for(css).await?.text().await?)
    }

    /// The texts of all elements that match.
    pub async fn texts(&self, css: &str) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        for element in self.client.find_all(Locator::Css(css)).await? {
            texts.push(element.text().await?);
        }
        Ok(texts)
    }

    /// Waits for an element and returns an attribute.
    pub async fn attribute(&self, css: &str, name: &str) -> Result<Option<String>> {
        Ok(self.wait_for(css).await?.attr(name).await?)
    }

    /// Evaluates a JavaScript expression, awaited, as JSON.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        let script = format!("return (async () => ({expression}))()");
        let value = self.client.execute(&script, Vec::new()).await;
        value.with_context(|| format!("in `{expression}`"))
    }

    /// Sends a command of the DevTools protocol.
    pub async fn developer_tools(&self, name: &str, parameters: Value) -> Result<Value> {
        let command = ChromeCommand::developer_tools(name, parameters);
        self.client.issue_cmd(command).await.with_context(|| name.to_owned())
    }

    /// Resizes the page, in CSS pixels.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.developer_tools("Emulation.setDeviceMetricsOverride", size).await?;
        Ok(())
    }

    /// Emulates user preferences.
    pub async fn prefer(&self, media: Media) -> Result<()> {
        let scheme = if media.dark { "dark" } else { "light" };
        let motion = if media.reduced_motion { "reduce" } else { "no-preference" };
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]});
        self.developer_tools("Emulation.setEmulatedMedia", features).await?;
        Ok(())
    }

    /// Takes the new console messages.
    pub async fn console(&self) -> Result<Vec<Message>> {
        let log = self
            .client
            .issue_cmd(ChromeCommand::log("browser"))
            .await
            .context("the console's log")?;
        Ok(Message::all(&log))
    }

    /// Fails if the console has warnings or errors.
    pub async fn console_is_quiet(&self) -> Result<()> {
        let bad: Vec<String> =
            self.console().await?.iter().filter(|m| m.is_bad()).map(Message::to_string).collect();
        if !bad.is_empty() {
            bail!("the console has warnings or errors:\n{}", bad.join("\n"));
        }
        Ok(())
    }

    /// Saves a screenshot as `target/screenshots/<name>.png`.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf> {
        let taken =
            self.developer_tools("Page.captureScreenshot", json!({ "format": "png" })).await?;
        let data = taken["data"].as_str().context("the browser returned no screenshot")?;
        let file = tools::screenshots().join(format!("{name}.png"));
        let parent = file.parent().context("a folder")?;
        std::fs::create_dir_all(parent)
            .with_context(|| format!("cannot make {}", parent.display()))?;
        std::fs::write(&file, STANDARD.decode(data)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// Opens another tab and switches to it.
    pub async fn new_tab(&self) -> Result<WindowHandle> {
        let handle = self.client.new_window(true).await?.handle;
        self.client.switch_to_window(handle.clone()).await?;
        Ok(handle)
    }

    /// This tab's handle.
    pub async fn handle(&self) -> Result<WindowHandle> {
        Ok(self.client.window().await?)
    }

    /// Switches to another tab.
    pub async fn switch_to(&self, handle: &WindowHandle) -> Result<()> {
        Ok(self.client.switch_to_window(handle.clone()).await?)
    }

    /// Closes this tab and switches to another.
    pub async fn close_and_switch_to(&self, handle: &WindowHandle) -> Result<()> {
        self.client.close_window().await?;
        self.switch_to(handle).await
    }
}
