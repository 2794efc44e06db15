//! The rows: fresh and stale bands, changes as ticks, visits as marks.

use super::over::reading_text;
use super::{Brush, NAME_GAP, NAME_LEFT};
use crate::cache::CachedMarks;
use crate::facts::{facts, line, lines};
use crate::layout::{Band, LINE, Layout, TITLE};
use crate::model::Model;
use crate::names::{fit, fit_url};
use crawl_protocol::timeline::{PageMarks, VisitFound};
use crawl_text::fill;
use crawl_text::timeline::text;
use std::borrow::Cow;

/// Maximum radius of a visit's mark, in pixels.
const MARK: f64 = 4.6;
/// The same for a page shown alone.
const MARK_ALONE: f64 = 9.0;
/// Minimum distance of missed changes, in pixels.
const MISSED_APART: f64 = 3.5;

/// The band of a row, with room for a bracket below it.
pub fn band(row: Band, is_alone: bool) -> Band {
    let (share, most) = if is_alone { (0.46, 64.0) } else { (0.56, 24.0) };
    let height = (row.height * share).min(most);
    let below = bracket_height(row) + 2.0;
    Band { top: row.top + (row.height - height - below) / 2.0, height }
}

/// Height of a bracket.
pub fn bracket_height(row: Band) -> f64 {
    (row.height * 0.16).clamp(3.0, 12.0)
}

/// Draws all blocks.
pub fn paint(model: &Model, layout: &Layout, brush: &Brush) {
    for lane in 0..layout.blocks.len() {
        title(model, layout, brush, lane);
        names(model, layout, brush, lane);
        let (left, right) = (layout.scale.left, layout.scale.right());
        let block = layout.blocks[lane];
        brush.clip((left - 6.0, right + 6.0), (block.top, block.bottom() + 4.0));
        let pages: Vec<Page<'_>> = pages(model, layout, lane).collect();
        let is_failed = !model.scene.lanes[lane].error.is_empty();
        bands(&pages, layout, brush, is_failed);
        changes(&pages, layout, brush);
        visits(&pages, model, layout, brush, lane);
        brush.unclip();
    }
}

fn title(model: &Model, layout: &Layout, brush: &Brush, at: usize) {
    let (lane, block) = (&model.scene.lanes[at], layout.blocks[at]);
    let y = block.top + TITLE / 2.0 + 1.0;
    let colour = brush.colours.lane(lane.mark);
    brush.to.begin_path();
    brush.shape(lane.mark, NAME_LEFT + 5.0, y, 4.6);
    brush.fill(colour);
    brush.font(600, 13.0);
    let x = NAME_LEFT + 16.0;
    // The name gets the width that the other parts leave.
    brush.font(400, 12.0);
    let reading = brush.width(&reading_text(model, layout, 0.0));
    let oracle = if lane.is_oracle { brush.width(text().oracle) + 10.0 } else { 0.0 };
    let room = layout.scale.right() - x - reading - oracle - 14.0;
    brush.font(600, 13.0);
    let name = fit(&lane.title, room, |text| brush.width(text));
    brush.text(&name, x, y, colour, "left");
    let width = brush.width(&name);
    brush.font(400, 12.0);
    if !lane.error.is_empty() {
        let words = fill(text().failed, &[("error", &lane.error)]);
        let room = layout.scale.right() - layout.scale.left;
        let words = fit(&words, room, |text| brush.width(text));
        let row = layout.rows.first().map(|place| band(layout.row(at, place), false));
        let y = row.map_or(y + TITLE, |row| row.top + row.height / 2.0);
        brush.text(&words, layout.scale.left + 8.0, y, &brush.colours.muted, "left");
    } else if lane.is_oracle {
        brush.text(text().oracle, x + width + 10.0, y, &brush.colours.muted, "left");
    }
}

/// Draws page names at the left and group headings.
fn names(model: &Model, layout: &Layout, brush: &Brush, lane: usize) {
    let room = layout.scale.left - NAME_GAP - NAME_LEFT;
    let is_alone = model.scene.alone.is_some();
    for place in &layout.rows {
        let row = layout.row(lane, place);
        let Some(page) = model.row(place.index) else { continue };
        if place.heading {
            brush.font(600, 11.0);
            let name = if page.group.is_empty() { "–" } else { &page.group };
            let name = fit(name, layout.scale.right() * 0.5, |text| brush.width(text));
            brush.text(&name, NAME_LEFT, row.top - 8.0, &brush.colours.muted, "left");
        }
        let wide = band(row, is_alone);
        let middle = wide.top + wide.height / 2.0;
        let url = model.hosts.short(&page.url);
        let facts_of = |in_full: bool| facts(model, lane, page.per_hour, in_full);
        let width = |text: &str| brush.width(text);
        if is_alone && layout.is_narrow {
            // Visit counts have their own line.
            brush.font(400, 12.0);
            let room = layout.scale.right() - NAME_LEFT;
            let facts = facts_of(true);
            let first = facts.len().min(1);
            let cut = |url: &str, room: f64| fit_url(url, room, width);
            let words = line(&url, &facts[..first], (room, 80.0), width, cut);
            brush.text(&words, NAME_LEFT, row.top - 9.0 - LINE, &brush.colours.text, "left");
            for words in lines(&facts[first..], (room, 1), width) {
                brush.text(&words, NAME_LEFT, row.top - 9.0, &brush.colours.muted, "left");
            }
            continue;
        }
        brush.font(400, if is_alone { 14.0 } else { 12.0 });
        let name = fit_url(&url, room, width);
        if is_alone {
            name_and_facts(layout, brush, row, (&name, facts_of));
        } else {
            let x = layout.scale.left - NAME_GAP;
            brush.text(&name, x, middle, &brush.colours.text, "right");
        }
    }
}

/// Draws facts below the page's name, which moves up in a low row.
fn name_and_facts(
    layout: &Layout,
    brush: &Brush,
    row: Band,
    (name, facts_of): (&str, impl Fn(bool) -> Vec<String>),
) {
    let x = layout.scale.left - NAME_GAP;
    let wide = band(row, true);
    let most = ((row.height - LINE) / LINE) as usize;
    brush.font(400, 11.0);
    let wrapped = |in_full: bool, most: usize| {
        lines(&facts_of(in_full), (x - NAME_LEFT, most), |text| brush.width(text))
    };
    let lines = wrapped(wrapped(true, usize::MAX).len() <= most, most);
    let height = LINE * lines.len() as f64;
    let y = (wide.top + wide.height / 2.0).min(row.bottom() - height - LINE / 2.0);
    for (at, words) in lines.iter().enumerate() {
        let y = y + 4.0 + LINE * (at + 1) as f64;
        brush.text(words, x, y, &brush.colours.muted, "right");
    }
    brush.font(400, 14.0);
    brush.text(name, x, y, &brush.colours.text, "right");
}

/// A visible page: its band and marks.
struct Page<'a> {
    band: Band,
    held: Option<Cow<'a, CachedMarks>>,
}

fn pages<'a>(model: &'a Model, layout: &'a Layout, lane: usize) -> impl Iterator<Item = Page<'a>> {
    let is_alone = model.scene.alone.is_some();
    layout.rows.iter().filter_map(move |place| {
        let page = model.row(place.index)?.page;
        let band = band(layout.row(lane, place), is_alone);
        Some(Page { band, held: model.drawn(lane, page) })
    })
}

/// Pages with cached marks.
fn cached<'a>(pages: &'a [Page<'_>]) -> impl Iterator<Item = (Band, &'a CachedMarks)> {
    pages.iter().filter_map(|page| Some((page.band, page.held.as_deref()?)))
}

fn bands(pages: &[Page<'_>], layout: &Layout, brush: &Brush, is_failed: bool) {
    let scale = layout.scale;
    let (left, right) = (scale.left, scale.right());
    let within = |at_s: f64| scale.x(at_s).clamp(left, right);
    let to = &brush.to;
    // Without a copy or before data arrives: a line, so that the eye can follow the row.
    to.begin_path();
    for Page { band, .. } in pages.iter().filter(|_| !is_failed) {
        let y = super::crisp(band.top + band.height / 2.0);
        to.move_to(left, y);
        to.line_to(right, y);
    }
    brush.dash(&[2.0, 4.0]);
    brush.stroke(&brush.colours.faint, 1.0);
    brush.dash(&[]);
    to.begin_path();
    for (band, held) in cached(pages).filter(|(_, held)| !held.is_dense()) {
        let Some(copied_s) = held.marks.copied_s else { continue };
        let from = within(copied_s.max(held.span.from_s));
        let until = within(held.known_until_s.min(held.span.to_s));
        if from < until {
            to.rect(from, band.top, until - from, band.height);
        }
    }
    brush.fill(&brush.colours.fresh);
    // Fresh first, then stale over it: hatched, full height.
    to.begin_path();
    for (band, held) in cached(pages) {
        for (from_s, to_s) in &held.marks.stale {
            let (from, until) = (within(*from_s), within(*to_s));
            if from < until {
                to.rect(from, band.top, (until - from).max(1.0), band.height);
            }
        }
        shares_ground(brush, &band, held, &within);
    }
    brush.fill_hatched();
    to.begin_path();
    for (band, held) in cached(pages) {
        shares(brush, &band, held, &within);
    }
    brush.fill(&brush.colours.fresh);
}

/// Adds the known intervals of a dense row to the path, as stale background.
fn shares_ground(brush: &Brush, band: &Band, held: &CachedMarks, within: &impl Fn(f64) -> f64) {
    for (from, until, _) in parts(held, within) {
        brush.to.rect(from, band.top, until - from, band.height);
    }
}

/// Adds bars as high as the fresh share of each interval.
fn shares(brush: &Brush, band: &Band, held: &CachedMarks, within: &impl Fn(f64) -> f64) {
    for (from, until, share) in parts(held, within) {
        let height = band.height * share;
        brush.to.rect(from, band.bottom() - height, until - from, height);
    }
}

/// Visible intervals of a dense row: start, end, share.
fn parts(
    held: &CachedMarks,
    within: &impl Fn(f64) -> f64,
) -> impl Iterator<Item = (f64, f64, f64)> {
    let shares = &held.marks.shares;
    let length_s = held.span.length_s() / shares.len().max(1) as f64;
    shares.iter().enumerate().filter(|(_, share)| **share >= 0.0).filter_map(move |(at, share)| {
        let from_s = held.span.from_s + at as f64 * length_s;
        let (from, until) = (within(from_s), within(from_s + length_s));
        (until > from).then_some((from, until, f64::from(*share).min(1.0)))
    })
}

fn changes(pages: &[Page<'_>], layout: &Layout, brush: &Brush) {
    let scale = layout.scale;
    let path = |is_missed: bool, over: f64| {
        // Adjacent dashes would look like horizontal lines.
        let apart = if is_missed { MISSED_APART } else { 0.0 };
        brush.to.begin_path();
        for (band, held) in cached(pages) {
            let mut last = f64::MIN;
            for change in held.marks.changes.iter().filter(|c| c.is_missed == is_missed) {
                let x = scale.x(change.at_s);
                if scale.left <= x && x <= scale.right() && x - last >= apart {
                    last = x;
                    brush.to.move_to(x, band.top - over);
                    brush.to.line_to(x, band.bottom() + over);
                }
            }
        }
    };
    path(true, 0.0);
    brush.dash(&[1.6, 2.2]);
    brush.stroke(&brush.colours.muted, 1.2);
    brush.dash(&[]);
    path(false, 2.5);
    brush.stroke(&brush.colours.ink, 1.6);
}

fn visits(pages: &[Page<'_>], model: &Model, layout: &Layout, brush: &Brush, lane: usize) {
    let mark = model.scene.lanes[lane].mark;
    let colour = brush.colours.lane(mark).to_owned();
    let is_alone = model.scene.alone.is_some();
    let path = |found: Option<VisitFound>, share: f64| {
        brush.to.begin_path();
        for (band, held) in cached(pages) {
            let r = radius(&held.marks, layout, band, is_alone) * share;
            let some = held.marks.visits.iter().filter(|v| found.is_none_or(|f| v.found == f));
            for visit in some {
                let x = layout.scale.x(visit.at_s);
                if layout.scale.left - 1.0 <= x && x <= layout.scale.right() + 1.0 {
                    brush.shape(mark, x, band.top + band.height / 2.0, r);
                }
            }
        }
    };
    // An outline of the background separates marks from bands and ticks.
    path(None, 1.0);
    let least = cached(pages).map(|(band, held)| radius(&held.marks, layout, band, is_alone));
    let rim = least.fold(MARK, f64::min).min(4.0);
    brush.stroke(&brush.colours.surface, rim);
    path(Some(VisitFound::Changed), 1.0);
    brush.fill(&colour);
    for found in [VisitFound::Same, VisitFound::First] {
        path(Some(found), 0.9);
        brush.fill(&brush.colours.surface);
        brush.stroke(&colour, 1.8);
    }
    path(Some(VisitFound::First), 0.4);
    brush.fill(&colour);
}

/// Radius of the marks; smaller if there are many.
fn radius(marks: &PageMarks, layout: &Layout, band: Band, is_alone: bool) -> f64 {
    let most = if is_alone { MARK_ALONE } else { MARK };
    let most = most.min(band.height * 0.46);
    let scale = layout.scale;
    let seen = |at_s: f64| (scale.span.from_s..=scale.span.to_s).contains(&at_s);
    let n = marks.visits.iter().filter(|visit| seen(visit.at_s)).count();
    (scale.width / n.max(1) as f64 / 3.0).clamp(most * 0.4, most)
}
