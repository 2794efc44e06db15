//! The metric's curves above the rows.

use super::{Brush, NAME_GAP, NAME_LEFT, crisp};
use crate::curve::{Line, Range};
use crate::layout::Layout;
use crate::model::Model;
use crate::names::fit;
use crawl_text::number::short_percent_text;
use crawl_text::timeline::text;

/// Height of a grid line with its label, in pixels.
const LINE: f64 = 17.0;

/// y coordinate of a value.
pub fn y_of(layout: &Layout, range: Range, value: f64) -> f64 {
    layout.curve.bottom() - range.share(value) * (layout.curve.height - 8.0)
}

/// Draws the curves.
pub fn paint(model: &Model, layout: &Layout, brush: &Brush) {
    let colours = &brush.colours;
    let range = model.range;
    let left = layout.scale.left;
    brush.font(400, 11.0);
    let most = (layout.curve.height / LINE) as usize;
    for value in range.lines(most) {
        let y = crisp(y_of(layout, range, value));
        brush.to.begin_path();
        brush.to.move_to(left, y);
        brush.to.line_to(layout.scale.right(), y);
        brush.stroke(&colours.line, 1.0);
        brush.text(&short_percent_text(value), left - NAME_GAP, y, &colours.muted, "right");
    }
    let first = brush.width(&short_percent_text(range.high));
    brush.font(600, 12.0);
    let name = &model.scene.curve;
    // The name is beside the values if there is room, else above them.
    let (y, room) = if layout.is_narrow {
        (layout.curve.top - 8.0, layout.size.0 - 2.0 * NAME_LEFT)
    } else {
        let room = left - NAME_GAP - NAME_LEFT;
        // Below the first value if both would overlap.
        let is_below = brush.width(name) > room - first - 6.0;
        (layout.curve.top + if is_below { 8.0 + LINE } else { 8.0 }, room)
    };
    let name = fit(name, room, |text| brush.width(text));
    brush.text(&name, NAME_LEFT, y, &colours.text, "left");
    not_yet(model, layout, brush);
    brush.clip((left - 1.0, layout.scale.right() + 1.0), (0.0, layout.axis.top));
    for (curve, lane) in model.curves.iter().zip(&model.scene.lanes) {
        let colour = colours.lane(lane.mark);
        if line(layout, brush, range, &curve.expected) {
            brush.dash(&[5.0, 4.0]);
            brush.stroke(colour, 1.2);
            brush.dash(&[]);
        }
        if line(layout, brush, range, &curve.simulated) {
            brush.stroke(colour, 1.8);
        }
    }
    brush.unclip();
}

/// Marks the time that has not been computed yet.
fn not_yet(model: &Model, layout: &Layout, brush: &Brush) {
    let scale = layout.scale;
    let until_s = model.scene.lanes.iter().map(|lane| lane.until_s).fold(f64::MAX, f64::min);
    let x = scale.x(until_s).max(scale.left);
    if model.scene.is_complete || x >= scale.right() {
        return;
    }
    brush.rect((x, scale.right()), (layout.curve.top, layout.axis.top), &brush.colours.hover);
    let words = text().not_yet;
    brush.font(400, 11.0);
    if brush.width(words) + 16.0 < scale.right() - x {
        let y = layout.curve.top + 10.0;
        brush.text(words, x + 8.0, y, &brush.colours.muted, "left");
    }
}

/// Makes the path of a line: in every pixel its first, least, greatest and last value, which is all
/// the eye can see.
fn line(layout: &Layout, brush: &Brush, range: Range, line: &Line) -> bool {
    let Line { at_s, values } = line;
    let scale = layout.scale;
    let n = at_s.len().min(values.len());
    let first = at_s[..n].partition_point(|s| *s < scale.span.from_s).saturating_sub(1);
    let last = (at_s[..n].partition_point(|s| *s <= scale.span.to_s) + 1).min(n);
    if first >= last {
        return false;
    }
    brush.to.begin_path();
    let mut at = first;
    while at < last {
        let pixel = libm::floor(scale.x(at_s[at]));
        let mut end = at + 1;
        let (mut low, mut high) = (values[at], values[at]);
        while end < last && libm::floor(scale.x(at_s[end])) == pixel {
            (low, high) = (low.min(values[end]), high.max(values[end]));
            end += 1;
        }
        let x = scale.x(at_s[at]);
        brush.to.line_to(x, y_of(layout, range, values[at]));
        if end > at + 1 {
            brush.to.line_to(x, y_of(layout, range, low));
            brush.to.line_to(x, y_of(layout, range, high));
            brush.to.line_to(x, y_of(layout, range, values[end - 1]));
        }
        at = end;
    }
    true
}
