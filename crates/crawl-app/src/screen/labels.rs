//! Labels and rings on a canvas over the stage.

use crawl_stage::{Rect, Theme};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Font size, in CSS pixels.
pub const PX: f64 = 11.0;

const FONT: &str =
    "500 11px system-ui, -apple-system, \"Segoe UI\", Roboto, \"DejaVu Sans\", sans-serif";

/// A circle that stands for a distance.
pub struct Ring {
    /// The lane it is drawn in.
    pub rect: Rect,
    /// Its centre.
    pub middle: (f64, f64),
    /// Its radius.
    pub radius: f64,
    /// Label: the distance.
    pub text: String,
}

/// Draws rings and labels. `place` gets a text-width function and returns label positions.
pub fn draw<'a>(
    canvas: &HtmlCanvasElement,
    pixel_ratio: f64,
    theme: &Theme,
    rings: &[Ring],
    place: impl FnOnce(&dyn Fn(&str) -> f64) -> Vec<(Rect, &'a str)>,
) {
    let context = canvas.get_context("2d").ok().flatten();
    let Some(context) = context.and_then(|c| c.dyn_into::<CanvasRenderingContext2d>().ok()) else {
        return;
    };
    // Errors only lose labels.
    let _ = context.set_transform(pixel_ratio, 0.0, 0.0, pixel_ratio, 0.0, 0.0);
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    context.clear_rect(0.0, 0.0, width, height);
    context.set_font(FONT);
    context.set_text_baseline("middle");
    context.set_text_align("center");
    context.set_line_join("round");
    context.set_line_width(3.5);
    context.set_stroke_style_str(&theme.background.css());
    context.set_fill_style_str(&theme.ink.css());
    rings.iter().for_each(|ring| draw_ring(&context, theme, ring));
    let width_of = |text: &str| context.measure_text(text).map_or(40.0, |m| m.width());
    for (rect, text) in place(&width_of) {
        let (x, y) = rect.centre();
        let _ = context.stroke_text(text, x, y);
        let _ = context.fill_text(text, x, y);
    }
}

fn draw_ring(context: &CanvasRenderingContext2d, theme: &Theme, ring: &Ring) {
    let Ring { rect, middle: (x, y), radius, text } = ring;
    context.save();
    context.begin_path();
    context.rect(rect.x, rect.y, rect.width, rect.height);
    context.clip();
    context.begin_path();
    let _ = context.arc(*x, *y, *radius, 0.0, std::f64::consts::TAU);
    context.set_line_width(1.0);
    context.set_global_alpha(0.55);
    context.set_stroke_style_str(&theme.muted.css());
    context.stroke();
    context.set_global_alpha(1.0);
    context.set_line_width(3.0);
    context.set_stroke_style_str(&theme.background.css());
    context.set_fill_style_str(&theme.muted.css());
    let _ = context.stroke_text(text, *x, *y - *radius);
    let _ = context.fill_text(text, *x, *y - *radius);
    context.restore();
}
