//! Draws the model into two canvases: static parts, and an overlay that moves with the play-head.

mod colours;
mod curve;
mod over;
mod rows;

pub use colours::Colours;

use crate::layout::Layout;
use crate::model::Model;
use std::cell::Cell;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasPattern, CanvasRenderingContext2d, Document, HtmlCanvasElement};

/// Gap between the left column and the axis, in pixels.
const NAME_GAP: f64 = 10.0;
/// Left edge of the left column, in pixels.
const NAME_LEFT: f64 = 12.0;
/// Text scale if one page is shown alone.
const ALONE: f64 = 1.2;

/// A 2D context with colours and helpers.
pub struct Brush {
    /// The context.
    pub to: CanvasRenderingContext2d,
    /// The colours.
    pub colours: Colours,
    hatch: Option<CanvasPattern>,
    /// Current text scale.
    grown: Cell<f64>,
}

impl Brush {
    /// A brush for a canvas; `None` without a 2D context.
    pub fn new(canvas: &HtmlCanvasElement, colours: Colours, document: &Document) -> Option<Self> {
        let to = context(canvas)?;
        let hatch = hatch(&to, &colours, document);
        Some(Self { to, colours, hatch, grown: Cell::new(1.0) })
    }

    /// Clears the canvas and sets CSS pixels as units.
    fn begin(&self, model: &Model, ratio: f64) {
        let (width, height) = model.size;
        let is_large = model.scene.alone.is_some() && !model.layout().is_narrow;
        self.grown.set(if is_large { ALONE } else { 1.0 });
        // Fails only for an invalid matrix.
        let _ = self.to.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
        self.to.clear_rect(0.0, 0.0, width, height);
        self.to.set_text_baseline("middle");
    }

    fn font(&self, weight: u32, size: f64) {
        let size = size * self.grown.get();
        self.to.set_font(&format!("{weight} {size}px {}", self.colours.font));
    }

    fn width(&self, text: &str) -> f64 {
        self.to.measure_text(text).map_or(0.0, |measured| measured.width())
    }

    /// Draws a text at a position, aligned to it.
    fn text(&self, text: &str, x: f64, y: f64, colour: &str, align: &str) {
        self.to.set_fill_style_str(colour);
        self.to.set_text_align(align);
        let _ = self.to.fill_text(text, x, y);
    }

    /// Draws a text with an outline of the background.
    fn text_over(&self, text: &str, x: f64, y: f64, colour: &str) {
        self.to.set_stroke_style_str(&self.colours.surface);
        self.to.set_line_width(4.0);
        self.to.set_text_align("left");
        let _ = self.to.stroke_text(text, x, y);
        self.text(text, x, y, colour, "left");
    }

    fn fill(&self, colour: &str) {
        self.to.set_fill_style_str(colour);
        self.to.fill();
    }

    fn stroke(&self, colour: &str, width: f64) {
        self.to.set_stroke_style_str(colour);
        self.to.set_line_width(width);
        self.to.stroke();
    }

    fn rect(&self, x: (f64, f64), y: (f64, f64), colour: &str) {
        self.to.set_fill_style_str(colour);
        self.to.fill_rect(x.0, y.0, x.1 - x.0, y.1 - y.0);
    }

    /// Fills the current path with the hatching for stale.
    fn fill_hatched(&self) {
        self.fill(&self.colours.stale);
        if let Some(hatch) = &self.hatch {
            self.to.set_fill_style_canvas_pattern(hatch);
            self.to.fill();
        }
    }

    fn dash(&self, on_off: &[f64]) {
        let list: js_sys::Array = on_off.iter().map(|n| JsValue::from(*n)).collect();
        // Fails only for an invalid list.
        let _ = self.to.set_line_dash(&list);
    }

    /// Clips to a rectangle until `unclip`.
    fn clip(&self, x: (f64, f64), y: (f64, f64)) {
        self.to.save();
        self.to.begin_path();
        self.to.rect(x.0, y.0, x.1 - x.0, y.1 - y.0);
        self.to.clip();
    }

    fn unclip(&self) {
        self.to.restore();
    }

    /// Adds a rounded rectangle to the path.
    fn round_box(&self, x: f64, y: f64, (width, height): (f64, f64), r: f64) {
        let (to, right, bottom) = (&self.to, x + width, y + height);
        to.move_to(x + r, y);
        for (corner, end) in [
            ((right, y), (right, bottom)),
            ((right, bottom), (x, bottom)),
            ((x, bottom), (x, y)),
            ((x, y), (right, y)),
        ] {
            // Fails only for a negative radius.
            let _ = to.arc_to(corner.0, corner.1, end.0, end.1, r);
        }
        to.close_path();
    }

    /// Adds a lane's shape to the path; shapes distinguish lanes without colour.
    fn shape(&self, mark: u8, x: f64, y: f64, r: f64) {
        let to = &self.to;
        match mark {
            0 => {
                to.move_to(x + r, y);
                let _ = to.arc(x, y, r, 0.0, std::f64::consts::TAU);
            }
            1 => to.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8),
            2 => {
                to.move_to(x, y - r * 1.1);
                to.line_to(x + r * 1.1, y + r * 0.9);
                to.line_to(x - r * 1.1, y + r * 0.9);
                to.close_path();
            }
            _ => {
                to.move_to(x, y - r * 1.2);
                to.line_to(x + r * 1.2, y);
                to.line_to(x, y + r * 1.2);
                to.line_to(x - r * 1.2, y);
                to.close_path();
            }
        }
    }
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// Hatching that distinguishes stale from fresh without colour.
fn hatch(
    to: &CanvasRenderingContext2d,
    colours: &Colours,
    document: &Document,
) -> Option<CanvasPattern> {
    let tile: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    tile.set_width(8);
    tile.set_height(8);
    let lines = context(&tile)?;
    lines.set_stroke_style_str(&colours.stale_line);
    lines.set_line_width(1.3);
    lines.begin_path();
    for x in [0.0, 8.0] {
        lines.move_to(x - 6.0, 10.0);
        lines.line_to(x + 6.0, -2.0);
    }
    lines.stroke();
    to.create_pattern_with_html_canvas_element(&tile, "repeat").ok()?
}

/// Draws the static parts: grid, curve, rows, scroll bar.
pub fn rows(model: &Model, brush: &Brush, ratio: f64) {
    let layout = model.layout();
    brush.begin(model, ratio);
    if model.scene.lanes.is_empty() {
        return;
    }
    grid(brush, &layout);
    curve::paint(model, &layout, brush);
    rows::paint(model, &layout, brush);
    if let Some(thumb) = layout.thumb(model.first, model.rows.n_rows()) {
        let x = layout.size.0 - 9.0;
        brush.to.begin_path();
        brush.round_box(x, thumb.top, (5.0, thumb.height), 2.5);
        brush.fill(&brush.colours.faint);
    }
}

/// Draws the overlay: play-head, hover marks.
pub fn over(model: &Model, brush: &Brush, ratio: f64) {
    let layout = model.layout();
    brush.begin(model, ratio);
    if !model.scene.lanes.is_empty() {
        over::paint(model, &layout, brush);
    }
}

/// Draws a vertical line at each tick.
fn grid(brush: &Brush, layout: &Layout) {
    let Layout { scale, axis, .. } = layout;
    let colours = &brush.colours;
    let ticks = scale.ticks();
    brush.to.begin_path();
    for (at_s, _) in &ticks {
        let x = crisp(scale.x(*at_s));
        brush.to.move_to(x, layout.curve.top);
        brush.to.line_to(x, axis.top + 5.0);
        brush.to.move_to(x, axis.bottom());
        brush.to.line_to(x, layout.all_blocks().bottom());
    }
    brush.stroke(&colours.line, 1.0);
    brush.to.begin_path();
    brush.to.move_to(scale.left, crisp(axis.top));
    brush.to.line_to(scale.right(), crisp(axis.top));
    brush.stroke(&colours.faint, 1.0);
}

/// Centre of a pixel, where a line of one pixel is sharp.
fn crisp(x: f64) -> f64 {
    libm::floor(x) + 0.5
}
