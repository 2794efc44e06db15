//! Pictures, read as the browser reads them.

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::Tab;

/// What a picture is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Painted {
    /// In pixels.
    pub width: u64,
    /// In pixels.
    pub height: u64,
    /// Different ones.
    pub colours: u64,
}

impl Tab {
    /// Reads a PNG file.
    pub async fn painted(&self, png: &[u8]) -> Result<Painted> {
        let read = format!(
            "await (async () => {{
                const bytes = Uint8Array.from(atob('{}'), (c) => c.charCodeAt(0));
                const image = await createImageBitmap(new Blob([bytes], {{ type: 'image/png' }}));
                const copy = new OffscreenCanvas(image.width, image.height).getContext('2d');
                copy.drawImage(image, 0, 0);
                const {{ data }} = copy.getImageData(0, 0, image.width, image.height);
                return [image.width, image.height, new Set(new Uint32Array(data.buffer)).size];
            }})()",
            STANDARD.encode(png)
        );
        let (width, height, colours) = serde_json::from_value(self.eval(&read).await?)?;
        Ok(Painted { width, height, colours })
    }

    /// Waits until something is drawn on the first lane's stage, names of pages left out.
    pub async fn wait_until_drawn(&self) -> Result<()> {
        self.wait_until("the stage is drawn", async || {
            let names = "document.querySelector('.stage-labels')?.style";
            self.eval(&format!("{names}?.setProperty('visibility', 'hidden')")).await?;
            let (x, y, width, height) = self.place(".stage").await?;
            let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
            let wanted = json!({ "format": "png", "clip": clip });
            let taken = self.developer_tools("Page.captureScreenshot", wanted).await?;
            let png = STANDARD.decode(taken["data"].as_str().context("no picture came")?)?;
            self.eval(&format!("{names}?.removeProperty('visibility')")).await?;
            Ok(self.painted(&png).await?.colours > 8)
        })
        .await
    }
}
