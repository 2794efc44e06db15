//! The overlay: play-head, due times, hover marks.

use super::curve::y_of;
use super::rows::{band, bracket_height};
use super::{Brush, crisp};
use crate::layout::{Layout, TITLE};
use crate::model::Model;
use crate::pointer::Hit;
use crawl_text::fill;
use crawl_text::number::{duration_text, moment_text, percent_text};
use crawl_text::timeline::text;

/// Minimum width of a bracket, in pixels.
const LEAST_BRACKET: f64 = 5.0;

/// Draws the overlay.
pub fn paint(model: &Model, layout: &Layout, brush: &Brush) {
    let scale = layout.scale;
    let head = scale.x(model.head.at_s);
    // Dim the time after the play-head.
    if head < scale.right() {
        let x = (head.max(scale.left), scale.right() + 6.0);
        let first = layout.rows.first().map_or(0.0, |row| row.band.top);
        for block in &layout.blocks {
            brush.rect(x, (block.top + TITLE + first, block.bottom()), &brush.colours.veil);
        }
    }
    let is_seen = head >= scale.left - 1.0 && head <= scale.right() + 1.0;
    if is_seen {
        line(layout, brush, crisp(head));
    }
    for lane in 0..layout.blocks.len() {
        reading(model, layout, brush, lane);
        due(model, layout, brush, lane);
    }
    row_marks(model, layout, brush);
    rings(model, layout, brush);
    if is_seen {
        dots(model, layout, brush, crisp(head));
    }
    let covered = if is_seen { handle(model, layout, brush, crisp(head)) } else { (0.0, 0.0) };
    numbers(layout, brush, covered);
}

/// Draws the play-head; on narrow screens it skips the lane titles.
fn line(layout: &Layout, brush: &Brush, x: f64) {
    let mut top = layout.curve.top;
    brush.to.begin_path();
    for block in layout.blocks.iter().filter(|_| layout.is_narrow) {
        let first = layout.rows.first().map_or(0.0, |row| row.band.top);
        brush.to.move_to(x, top);
        brush.to.line_to(x, block.top);
        top = block.top + TITLE + first;
    }
    brush.to.move_to(x, top);
    brush.to.line_to(x, layout.all_blocks().bottom());
    brush.stroke(&brush.colours.ink, 1.5);
}

/// Draws the axis labels that the play-head's label does not cover.
fn numbers(layout: &Layout, brush: &Brush, covered: (f64, f64)) {
    brush.font(400, 11.0);
    for (at_s, name) in layout.scale.ticks() {
        let x = layout.scale.x(at_s);
        let half = brush.width(&name) / 2.0 + 4.0;
        if x + half < covered.0 || x - half > covered.1 {
            brush.text(&name, x, layout.axis.top + 15.0, &brush.colours.muted, "center");
        }
    }
}

/// Metric value at the play-head, with its name if there is room.
pub fn reading_text(model: &Model, layout: &Layout, value: f64) -> String {
    let value = percent_text(value);
    if layout.is_narrow {
        return value;
    }
    let name = model.scene.curve.to_lowercase();
    fill(text().reading, &[("name", &name), ("value", &value)])
}

/// Draws the metric value in a lane's heading.
fn reading(model: &Model, layout: &Layout, brush: &Brush, at: usize) {
    let y = layout.blocks[at].top + TITLE / 2.0 + 1.0;
    let Some(value) = model.curves.get(at).and_then(|curve| curve.at(model.head.at_s)) else {
        return;
    };
    brush.font(400, 12.0);
    let words = reading_text(model, layout, value);
    brush.text(&words, layout.scale.right(), y, &brush.colours.muted, "right");
}

/// Draws estimates at the play-head: a bracket for the change period, an arrow for the due time.
fn due(model: &Model, layout: &Layout, brush: &Brush, lane: usize) {
    let scale = layout.scale;
    let colour = brush.colours.lane(model.scene.lanes[lane].mark).to_owned();
    let is_alone = model.scene.alone.is_some();
    let block = layout.blocks[lane];
    brush.clip((scale.left, scale.right() + 1.0), (block.top, block.bottom() + 8.0));
    let (mut labels, mut arrows) = (Vec::new(), Vec::new());
    brush.to.begin_path();
    for place in &layout.rows {
        let row = layout.row(lane, place);
        let held = model.row(place.index).and_then(|page| model.held(lane, page.page));
        let Some(marks) = held.map(|held| &held.marks) else { continue };
        let top = band(row, is_alone).bottom() + 2.5;
        let bottom = top + bracket_height(row);
        arrows.extend(marks.due_s.map(|due_s| (scale.x(due_s), top, bottom)));
        let estimate = marks.estimate.filter(|rate| *rate > 0.0);
        let Some((from_s, estimate)) = marks.last_s.zip(estimate) else { continue };
        let (from, until) = (scale.x(from_s), scale.x(from_s + 3600.0 / estimate));
        // Too small to recognise.
        if until - from < LEAST_BRACKET {
            continue;
        }
        brush.to.move_to(from, top);
        brush.to.line_to(from, bottom);
        brush.to.line_to(until, bottom);
        brush.to.line_to(until, top);
        if is_alone {
            let period = duration_text(3600.0 / estimate);
            let words = fill(text().every, &[("period", &period)]);
            brush.font(400, 12.0);
            let width = brush.width(&words);
            let x = from.clamp(scale.left + 2.0, (scale.right() - width).max(scale.left));
            labels.push((words, x, bottom + 11.0));
        }
    }
    brush.stroke(&colour, 1.6);
    brush.to.begin_path();
    for (x, top, bottom) in arrows {
        let half = (bottom - top).max(4.0) * 0.6;
        brush.to.move_to(x, top - 2.0);
        brush.to.line_to(x + half, bottom);
        brush.to.line_to(x - half, bottom);
        brush.to.close_path();
    }
    brush.fill(&colour);
    for (words, x, y) in labels {
        brush.text_over(&words, x, y, &brush.colours.text);
    }
    brush.unclip();
}

/// Marks the focused row and the explained row.
fn row_marks(model: &Model, layout: &Layout, brush: &Brush) {
    if model.scene.alone.is_some() {
        return;
    }
    for (lane, place) in
        (0..layout.blocks.len()).flat_map(|lane| layout.rows.iter().map(move |row| (lane, row)))
    {
        let row = layout.row(lane, place);
        let page = model.row(place.index).map(|row| row.page);
        let is_chosen = page.is_some_and(|page| model.scene.chosen == Some((page, lane as u32)));
        let is_focus = model.focus == Some(place.index);
        if is_chosen || is_focus {
            let colour = if is_focus { &brush.colours.focus } else { &brush.colours.ink };
            let x = layout.scale.left;
            let wide = band(row, false);
            brush.rect((x - 5.0, x - 2.5), (wide.top - 1.0, wide.bottom() + 1.0), colour);
        }
    }
}

/// Draws rings around the hovered visit and the explained visit.
fn rings(model: &Model, layout: &Layout, brush: &Brush) {
    let hovered = match model.hovered() {
        Some((_, Hit::Visit(lane, page, visit))) => Some((lane, page, visit.at_s)),
        Some((_, Hit::Change(lane, page, change))) => Some((lane, page, change.at_s)),
        _ => None,
    };
    for about in hovered.into_iter().chain(model.explained()) {
        ring(model, layout, brush, about);
    }
}

fn ring(model: &Model, layout: &Layout, brush: &Brush, (lane, page, at_s): (usize, u32, f64)) {
    let place = layout.rows.iter().find(|row| model.row(row.index).is_some_and(|r| r.page == page));
    let Some(place) = place else { return };
    let wide = band(layout.row(lane, place), model.scene.alone.is_some());
    let (x, y) = (layout.scale.x(at_s), wide.top + wide.height / 2.0);
    brush.to.begin_path();
    let _ = brush.to.arc(x, y, wide.height * 0.5 + 3.0, 0.0, std::f64::consts::TAU);
    brush.stroke(&brush.colours.ink, 1.5);
}

/// Draws dots where the play-head crosses the curves.
fn dots(model: &Model, layout: &Layout, brush: &Brush, x: f64) {
    for (curve, lane) in model.curves.iter().zip(&model.scene.lanes) {
        let Some(value) = curve.at(model.head.at_s) else { continue };
        brush.to.begin_path();
        brush.shape(lane.mark, x, y_of(layout, model.range, value), 3.8);
        brush.stroke(&brush.colours.surface, 3.0);
        brush.fill(brush.colours.lane(lane.mark));
    }
}

/// Draws the play-head's time label, which can be dragged; returns its x range.
fn handle(model: &Model, layout: &Layout, brush: &Brush, x: f64) -> (f64, f64) {
    brush.font(600, 11.0);
    let words = moment_text(model.head.at_s);
    let width = brush.width(&words) + 12.0;
    let from = (x - width / 2.0).clamp(2.0, (layout.size.0 - width - 2.0).max(2.0));
    brush.to.begin_path();
    brush.round_box(from, layout.axis.top + 5.0, (width, 20.0), 4.0);
    brush.fill(&brush.colours.ink);
    let y = layout.axis.top + 15.5;
    brush.text(&words, from + width / 2.0, y, &brush.colours.surface, "center");
    (from, from + width)
}
