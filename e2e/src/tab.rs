//! One tab of the browser, as a person uses it.

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

/// How long to wait for what must come; generous, because machines that test are busy.
const PATIENCE: Duration = Duration::from_secs(120);
const BETWEEN_LOOKS: Duration = Duration::from_millis(30);

/// A tab.
#[derive(Clone, Debug)]
pub struct Tab {
    pub(crate) client: Client,
    /// The app's address, which paths are relative to.
    home: Url,
    patience: Duration,
}

/// What a person has told the system they prefer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Media {
    /// Dark colours.
    pub dark: bool,
    /// No motion.
    pub reduced_motion: bool,
}

impl Tab {
    pub(crate) fn new(client: Client, home: Url) -> Self {
        Self { client, home, patience: PATIENCE }
    }

    /// The same tab, waited for longer: for what takes long even where nothing else runs.
    pub fn patient(&self, patience: Duration) -> Self {
        Self { patience, ..self.clone() }
    }

    /// Opens the app, or a part of it: `#v=1&…`, `?embed=1#…`. A new fragment on the same page is
    /// followed as a link would be.
    pub async fn open(&self, path: &str) -> Result<()> {
        let address = self.home.join(path)?;
        Ok(self.client.goto(address.as_str()).await?)
    }

    /// Loads the page again.
    pub async fn reload(&self) -> Result<()> {
        Ok(self.client.refresh().await?)
    }

    /// The address shown.
    pub async fn address(&self) -> Result<Url> {
        Ok(self.client.current_url().await?)
    }

    /// One page back.
    pub async fn back(&self) -> Result<()> {
        Ok(self.client.back().await?)
    }

    /// One page forward.
    pub async fn forward(&self) -> Result<()> {
        Ok(self.client.forward().await?)
    }

    /// Waits for an element.
    pub async fn wait_for(&self, css: &str) -> Result<Element> {
        let wait = self.client.wait().at_most(self.patience).every(BETWEEN_LOOKS);
        let found = wait.for_element(Locator::Css(css)).await;
        found.with_context(|| format!("`{css}` did not come"))
    }

    /// Waits until an element is gone.
    pub async fn wait_until_gone(&self, css: &str) -> Result<()> {
        self.wait_until(&format!("{css} is gone"), async || Ok(self.count(css).await? == 0)).await
    }

    /// Waits until an element's text holds something.
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

    /// Waits until something is so; `what` says it in words.
    pub async fn wait_until(
        &self,
        what: &str,
        is_so: impl AsyncFn() -> Result<bool>,
    ) -> Result<()> {
        let end = Instant::now() + self.patience;
        while !is_so().await.with_context(|| format!("while waiting until {what}"))? {
            if Instant::now() > end {
                bail!("waited {} s in vain until {what}", self.patience.as_secs());
            }
            time::sleep(BETWEEN_LOOKS).await;
        }
        Ok(())
    }

    /// How many elements there are.
    pub async fn count(&self, css: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(css)).await?.len())
    }

    /// The text of an element as it is seen, once it is there.
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

    /// An attribute of an element, once it is there.
    pub async fn attribute(&self, css: &str, name: &str) -> Result<Option<String>> {
        Ok(self.wait_for(css).await?.attr(name).await?)
    }

    /// The value of a JavaScript expression, awaited, as JSON.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        let script = format!("return (async () => ({expression}))()");
        let value = self.client.execute(&script, Vec::new()).await;
        value.with_context(|| format!("in `{expression}`"))
    }

    /// A command of Chromium's developer tools.
    pub async fn developer_tools(&self, name: &str, parameters: Value) -> Result<Value> {
        let command = ChromeCommand::developer_tools(name, parameters);
        self.client.issue_cmd(command).await.with_context(|| name.to_owned())
    }

    /// Makes the page so large, in CSS pixels.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.developer_tools("Emulation.setDeviceMetricsOverride", size).await?;
        Ok(())
    }

    /// Pretends that a person has told the system what they prefer.
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

    /// Takes what the console said since the last time.
    pub async fn console(&self) -> Result<Vec<Message>> {
        let log = self
            .client
            .issue_cmd(ChromeCommand::log("browser"))
            .await
            .context("the console's log")?;
        Ok(Message::all(&log))
    }

    /// Fails if the console said anything more than information.
    pub async fn console_is_quiet(&self) -> Result<()> {
        let bad: Vec<String> =
            self.console().await?.iter().filter(|m| m.is_bad()).map(Message::to_string).collect();
        if !bad.is_empty() {
            bail!("the console is not quiet:\n{}", bad.join("\n"));
        }
        Ok(())
    }

    /// Saves what is seen as `target/screenshots/<name>.png`.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf> {
        let taken =
            self.developer_tools("Page.captureScreenshot", json!({ "format": "png" })).await?;
        let data = taken["data"].as_str().context("no picture came")?;
        let file = tools::screenshots().join(format!("{name}.png"));
        let parent = file.parent().context("a folder")?;
        std::fs::create_dir_all(parent)
            .with_context(|| format!("cannot make {}", parent.display()))?;
        std::fs::write(&file, STANDARD.decode(data)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// Opens another tab and goes to it.
    pub async fn new_tab(&self) -> Result<WindowHandle> {
        let handle = self.client.new_window(true).await?.handle;
        self.client.switch_to_window(handle.clone()).await?;
        Ok(handle)
    }

    /// This tab's handle.
    pub async fn handle(&self) -> Result<WindowHandle> {
        Ok(self.client.window().await?)
    }

    /// Goes to another tab.
    pub async fn switch_to(&self, handle: &WindowHandle) -> Result<()> {
        Ok(self.client.switch_to_window(handle.clone()).await?)
    }

    /// Closes this tab and goes to another.
    pub async fn close_and_switch_to(&self, handle: &WindowHandle) -> Result<()> {
        self.client.close_window().await?;
        self.switch_to(handle).await
    }
}
