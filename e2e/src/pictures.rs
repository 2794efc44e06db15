//! The pictures of the README: a screenshot and an animation of a first visit.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use serde_json::{Value, json};

use crate::scene::{Setup, played};
use crate::{Media, Tab, shots};

/// What a first visit runs, before its first step.
const FIRST_VISIT: &str =
    "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=400&at=0";
/// The step of the screenshot.
const STILL: u32 = 100;
/// Width and height of the page.
const WINDOW: (u32, u32) = (1280, 800);
/// Size of the animation relative to the page.
const SCALE: f64 = 0.65;
/// Most bytes of the animation.
const MAX_ANIMATION: u64 = 600_000;
/// Quality of the screenshot, in percent.
const QUALITY: u32 = 82;
/// Hundredths of a second that a frame is shown, and the last one.
const DELAY: u16 = 35;
const LAST_DELAY: u16 = 300;

/// The steps of the animation: dense at first, where strategies differ most.
fn steps() -> impl Iterator<Item = u32> {
    (0..40).step_by(5).chain((40..=200).step_by(20))
}

/// An image as rows of RGBA pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Image {
    width: usize,
    pixels: Vec<[u8; 4]>,
}

/// Takes both pictures into a folder.
///
/// # Errors
/// The app is not built, there is no browser, or a file cannot be written.
pub fn take(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let setup = Setup { window: WINDOW, ..Setup::default() };
    played("pictures", &setup, async |scene| {
        let tab = &scene.tab;
        tab.resize(WINDOW.0, WINDOW.1).await?;
        tab.prefer(Media { dark: false, reduced_motion: true }).await?;
        tab.open(FIRST_VISIT).await?;
        shots::drawn(tab).await?;
        let mut images = Vec::new();
        let mut now = 0;
        for step in steps() {
            for _ in now..step {
                tab.key("ArrowRight").await?;
            }
            now = step;
            tab.wait_for_step(step.into()).await?;
            tab.wait_until_settled().await?;
            images.push(capture(tab).await?);
            if step == STILL {
                let file = folder.join("playground.webp");
                let wanted = json!({ "format": "webp", "quality": QUALITY });
                write(&file, &screenshot(tab, wanted).await?)?;
            }
        }
        let file = folder.join("first-visit.gif");
        animate(&images, &file)?;
        let size = fs::metadata(&file)?.len();
        println!("{}, {size} bytes", file.display());
        ensure!(size <= MAX_ANIMATION, "the animation has {size} bytes, more than {MAX_ANIMATION}");
        Ok(())
    })
}

async fn screenshot(tab: &Tab, wanted: Value) -> Result<Vec<u8>> {
    let taken = tab.developer_tools("Page.captureScreenshot", wanted).await?;
    Ok(STANDARD.decode(taken["data"].as_str().context("no picture came")?)?)
}

fn write(file: &PathBuf, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}, {} bytes", file.display(), bytes.len());
    Ok(())
}

/// The page, scaled down and decoded by the browser.
async fn capture(tab: &Tab) -> Result<Image> {
    let (width, height) = WINDOW;
    let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": SCALE });
    let png = screenshot(tab, json!({ "format": "png", "clip": clip })).await?;
    let decode = format!(
        "await (async () => {{
            const bytes = Uint8Array.from(atob('{}'), (c) => c.charCodeAt(0));
            const image = await createImageBitmap(new Blob([bytes], {{ type: 'image/png' }}));
            const copy = new OffscreenCanvas(image.width, image.height).getContext('2d');
            copy.drawImage(image, 0, 0);
            const {{ data }} = copy.getImageData(0, 0, image.width, image.height);
            let text = '';
            for (let at = 0; at < data.length; at += 32768) {{
                text += String.fromCharCode(...data.subarray(at, at + 32768));
            }}
            return [image.width, btoa(text)];
        }})()",
        STANDARD.encode(png)
    );
    let (width, pixels): (usize, String) = serde_json::from_value(tab.eval(&decode).await?)?;
    let pixels = STANDARD.decode(pixels)?;
    let (pixels, rest) = pixels.as_chunks::<4>();
    ensure!(rest.is_empty() && pixels.len() % width == 0, "half a pixel came");
    Ok(Image { width, pixels: pixels.to_vec() })
}

/// Writes images as an endless GIF; a frame holds only the pixels that changed.
fn animate(images: &[Image], file: &Path) -> Result<()> {
    let first = images.first().context("no frames")?;
    let size = |n: usize| u16::try_from(n).context("the page is too large for a GIF");
    let (width, height) = (size(first.width)?, size(first.pixels.len() / first.width)?);
    let out = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
    let mut encoder = Encoder::new(BufWriter::new(out), width, height, &[])?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Option<&Image> = None;
    for (number, image) in images.iter().enumerate() {
        let (top, changed) = before.map_or_else(|| (0, image.clone()), |old| change(old, image));
        let rows = changed.pixels.len() / changed.width;
        let mut pixels: Vec<u8> = changed.pixels.as_flattened().to_vec();
        let mut frame = Frame::from_rgba_speed(width, size(rows)?, &mut pixels, 5);
        frame.top = size(top)?;
        frame.dispose = DisposalMethod::Keep;
        frame.delay = if number + 1 == images.len() { LAST_DELAY } else { DELAY };
        frame.buffer = Cow::Owned(frame.buffer.into_owned());
        encoder.write_frame(&frame)?;
        before = Some(image);
    }
    Ok(())
}

/// The rows from the first to the last that changed, with a transparent pixel for each that did not,
/// and the number of rows above them.
fn change(old: &Image, new: &Image) -> (usize, Image) {
    let width = new.width;
    let rows = || old.pixels.chunks(width).zip(new.pixels.chunks(width));
    let differs = |(old, new): (&[[u8; 4]], &[[u8; 4]])| old != new;
    let first = rows().position(differs).unwrap_or(0);
    let last = rows().map(differs).rposition(|differs| differs).unwrap_or(first);
    let range = first * width..(last + 1) * width;
    let both = old.pixels[range.clone()].iter().zip(&new.pixels[range]);
    let pixels = both.map(|(old, new)| if old == new { [0; 4] } else { *new }).collect();
    (first, Image { width, pixels })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: [u8; 4] = [0, 0, 0, 255];
    const WHITE: [u8; 4] = [255; 4];

    fn image(pixels: &[[u8; 4]]) -> Image {
        Image { width: 2, pixels: pixels.to_vec() }
    }

    #[test]
    fn the_screenshot_is_one_of_the_steps() {
        assert!(steps().any(|step| step == STILL) && steps().is_sorted());
    }

    #[test]
    fn frames_hold_what_changed() {
        let old = image(&[BLACK, BLACK, BLACK, BLACK, BLACK, BLACK]);
        let new = image(&[BLACK, BLACK, BLACK, WHITE, BLACK, BLACK]);
        assert_eq!(change(&old, &new), (1, image(&[[0; 4], WHITE])));
        assert_eq!(change(&old, &old), (0, image(&[[0; 4], [0; 4]])));
    }

    #[test]
    fn an_animation_can_be_read_again() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("a.gif");
        animate(&[image(&[BLACK, WHITE]), image(&[BLACK, BLACK])], &file)?;
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(file)?)?;
        let frame = decoder.read_next_frame()?.context("a first frame")?;
        assert_eq!(frame.buffer.as_ref(), [BLACK, WHITE].as_flattened());
        let frame = decoder.read_next_frame()?.context("a second frame")?;
        assert_eq!(frame.buffer.as_ref(), [[0; 4], BLACK].as_flattened());
        assert_eq!(frame.delay, LAST_DELAY);
        Ok(())
    }
}
