//! Files downloaded from the page.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use crate::Tab;

impl Tab {
    /// Sets the download folder.
    pub async fn download_to(&self, folder: &Path) -> Result<()> {
        let behaviour = json!({ "behavior": "allow", "downloadPath": folder });
        self.developer_tools("Browser.setDownloadBehavior", behaviour).await?;
        Ok(())
    }

    /// Waits for a download, removes the file from the folder and returns its bytes.
    pub async fn downloaded(&self, folder: &Path, name: &str) -> Result<Vec<u8>> {
        let file: PathBuf = folder.join(name);
        // The browser may reserve the name before it renames the finished download.
        let is_there =
            async || Ok(is_finished(folder)? && file.metadata().is_ok_and(|f| f.len() > 0));
        self.wait_until(&format!("{name} is downloaded"), is_there).await?;
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {name}"))?;
        std::fs::remove_file(&file)?;
        Ok(bytes)
    }

    /// Presses a button of the export dialog and returns the downloaded bytes.
    pub async fn export(&self, folder: &Path, button: &str, name: &str) -> Result<Vec<u8>> {
        self.press("Export").await?;
        self.wait_for("dialog .exports").await?;
        self.press(button).await?;
        let bytes = self.downloaded(folder, name).await?;
        self.key("Escape").await?;
        self.wait_until_gone("dialog").await?;
        Ok(bytes)
    }
    /// The stage as SVG.
    pub async fn shown_stage(&self, folder: &Path) -> Result<String> {
        self.wait_until_settled().await?;
        self.wait_for(".lanes[aria-busy=false]").await?;
        Ok(String::from_utf8(self.export(folder, "Stage as SVG", "stage.svg").await?)?)
    }
}

/// Whether no download into a folder is in progress.
fn is_finished(folder: &Path) -> Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        if entry?.path().extension().is_some_and(|extension| extension == "crdownload") {
            return Ok(false);
        }
    }
    Ok(true)
}
