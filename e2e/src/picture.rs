//! Statistics of images, decoded by the browser.

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::Tab;

/// Statistics of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Painted {
    /// Width in pixels.
    pub width: u64,
    /// Height in pixels.
    pub height: u64,
    /// Number of distinct colours.
    pub colours: u64,
}

impl Tab {
    /// Decodes a PNG file.
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

    /// Waits until the first lane's stage shows something, ignoring labels.
    pub async fn wait_until_drawn(&self) -> Result<()> {
        self.wait_until("the stage is drawn", async || {
            let names = "document.querySelector('.stage-labels')?.style";
            self.eval(&format!("{names}?.setProperty('visibility', 'hidden')")).await?;
            let (x, y, width, height) = self.place(".stage").await?;
            let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
            let wanted = json!({ "format": "png", "clip": clip });
            let taken = self.developer_tools("Page.captureScreenshot", wanted).await?;
            let png = STANDARD
                .decode(taken["data"].as_str().context("the browser returned no screenshot")?)?;
            self.eval(&format!("{names}?.removeProperty('visibility')")).await?;
            Ok(self.painted(&png).await?.colours > 8)
        })
        .await
    }
}
