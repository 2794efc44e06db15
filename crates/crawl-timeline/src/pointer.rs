//! Pointer, wheel and keys.

use crate::layout::{BAR, Layout};
use crate::model::Model;
use crawl_protocol::timeline::{Changed as Change, Request, Visit};

/// A press that moves farther than this is a drag, in pixels.
const DRAG: f64 = 4.0;
/// Hit radius of a mark, in pixels.
const NEAR: f64 = 8.0;
/// Wheel pixels per row.
const WHEEL_ROW: f64 = 28.0;
/// Step of the pan keys, as a share of the visible time.
const PAN: f64 = 0.25;
/// Zoom factor of a key or button.
pub const ZOOM: f64 = 1.6;

/// The element under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub enum Hit {
    /// A visit to a page in a lane.
    Visit(usize, u32, Visit),
    /// A change of a page in a lane.
    Change(usize, u32, Change),
    /// A dense row: page and lane.
    Dense(usize, u32),
    /// The name of a page.
    Name(u32),
    /// Curve or axis, where the play-head is dragged.
    Time,
    /// The scroll bar.
    Bar,
    /// None of these.
    Nothing,
}

/// Action of the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Scroll rows.
    Scroll,
    /// Zoom in time.
    Zoom,
    /// Pan in time.
    Pan,
}

/// Pointers that are down, and the hovering one.
#[derive(Clone, Debug, Default)]
pub struct Pointers {
    down: Vec<Pointer>,
    pressed: Option<Hit>,
    is_drag: bool,
    scrolled: f64,
    /// Position of the pointer, if it is inside.
    pub at: Option<(f64, f64)>,
}

#[derive(Clone, Copy, Debug)]
struct Pointer {
    id: i32,
    at: (f64, f64),
    from: (f64, f64),
}

impl Model {
    /// The element at a position.
    pub fn hit(&self, x: f64, y: f64) -> Hit {
        let layout = self.layout();
        if y < layout.axis.bottom() {
            return if x >= layout.scale.left - NEAR { Hit::Time } else { Hit::Nothing };
        }
        if layout.scrolls && x > layout.size.0 - BAR {
            return Hit::Bar;
        }
        let Some((lane, place)) = layout.row_at(y) else { return Hit::Nothing };
        let Some(page) = self.row(place.index).map(|row| row.page) else { return Hit::Nothing };
        if x < layout.scale.left - NEAR {
            return Hit::Name(page);
        }
        let Some(held) = self.held(lane, page) else { return Hit::Nothing };
        if self.is_dense(page) {
            return Hit::Dense(lane, page);
        }
        let near = |at_s: f64| (layout.scale.x(at_s) - x).abs();
        let visit = held.marks.visits.iter().min_by(|a, b| near(a.at_s).total_cmp(&near(b.at_s)));
        if let Some(visit) = visit.filter(|visit| near(visit.at_s) <= NEAR) {
            return Hit::Visit(lane, page, *visit);
        }
        let change = held.marks.changes.iter().min_by(|a, b| near(a.at_s).total_cmp(&near(b.at_s)));
        match change.filter(|change| near(change.at_s) <= NEAR / 2.0) {
            Some(change) => Hit::Change(lane, page, *change),
            None => Hit::Nothing,
        }
    }

    /// A pointer goes down.
    pub fn pointer_down(&mut self, id: i32, at: (f64, f64)) {
        let hit = self.hit(at.0, at.1);
        self.pointers.down.push(Pointer { id, at, from: at });
        (self.pointers.is_drag, self.pointers.scrolled) = (false, 0.0);
        match hit {
            Hit::Time => self.seek(at.0),
            Hit::Bar => self.scroll_to(self.layout().first_at(at.1)),
            _ => {}
        }
        // A second finger starts a pinch.
        self.pointers.pressed = (self.pointers.down.len() == 1).then_some(hit);
    }

    /// A pointer moves, pressed or not.
    pub fn pointer_moved(&mut self, id: i32, at: (f64, f64)) {
        self.pointers.at = Some(at);
        self.changed.head = true;
        let Some(which) = self.pointers.down.iter().position(|pointer| pointer.id == id) else {
            return;
        };
        let before = self.pointers.down[which].at;
        if let [a, b] = self.pointers.down[..] {
            let other = if which == 0 { b.at } else { a.at };
            self.pointers.down[which].at = at;
            return self.pinch(before, at, other);
        }
        let Pointer { from, .. } = self.pointers.down[which];
        self.pointers.is_drag |= (at.0 - from.0).abs().max((at.1 - from.1).abs()) > DRAG;
        self.pointers.down[which].at = at;
        match self.pointers.pressed {
            Some(Hit::Time) => self.seek(at.0),
            Some(Hit::Bar) => self.scroll_to(self.layout().first_at(at.1)),
            Some(_) if self.pointers.is_drag => {
                let layout = self.layout();
                self.pan((before.0 - at.0) / layout.scale.width);
                self.scroll_by(before.1 - at.1, &layout);
            }
            _ => {}
        }
    }

    /// A pointer is released; a click if it did not move.
    pub fn pointer_up(&mut self, id: i32) {
        self.pointers.down.retain(|pointer| pointer.id != id);
        if self.pointers.is_drag || !self.pointers.down.is_empty() {
            self.pointers.pressed = None;
            return;
        }
        match self.pointers.pressed.take() {
            Some(Hit::Visit(lane, page, visit)) => {
                let Visit { step, found, .. } = visit;
                self.requests.push(Request::Why { lane: lane as u32, page, step, found });
                // The inspector replaces the tooltip.
                self.pointer_left();
            }
            Some(Hit::Name(page)) => {
                let is_alone = self.scene.alone.is_some();
                self.requests.push(Request::Alone((!is_alone).then_some(page)));
            }
            _ => {}
        }
    }

    /// The pointer left.
    pub fn pointer_left(&mut self) {
        self.pointers.at = None;
        self.changed.head = true;
    }

    /// Position and element under the hovering pointer; `None` while dragging.
    pub fn hovered(&self) -> Option<((f64, f64), Hit)> {
        let at = self.pointers.at.filter(|_| self.pointers.down.is_empty())?;
        Some((at, self.hit(at.0, at.1)))
    }

    fn seek(&mut self, x: f64) {
        let at_s = self.layout().scale.at_s(x).clamp(0.0, self.scene.end_s);
        // Keep only the last seek of a frame.
        self.requests.retain(|request| !matches!(request, Request::Seek(_)));
        self.requests.push(Request::Seek(at_s));
    }

    fn pinch(&mut self, before: (f64, f64), now: (f64, f64), other: (f64, f64)) {
        let apart = |a: (f64, f64)| (a.0 - other.0).abs().max(16.0);
        let scale = self.layout().scale;
        self.zoom_at(apart(now) / apart(before), scale.share((now.0 + other.0) / 2.0));
        self.pan((before.0 - now.0) / 2.0 / scale.width);
    }

    /// Scrolls whole rows; the rest is added to the next scroll.
    fn scroll_by(&mut self, pixels: f64, layout: &Layout) {
        let row = layout.rows.first().map_or(WHEEL_ROW, |row| row.band.height);
        self.pointers.scrolled += pixels / row;
        let rows = libm::trunc(self.pointers.scrolled);
        self.pointers.scrolled -= rows;
        let first = (f64::from(self.first) + rows).max(0.0) as u32;
        self.scroll_to(first);
    }

    /// Handles the wheel: pixels turned, and x coordinate.
    pub fn wheel(&mut self, turn: Turn, pixels: f64, x: f64) {
        let layout = self.layout();
        match turn {
            Turn::Zoom => {
                let factor = libm::exp(-pixels.clamp(-300.0, 300.0) * 0.0022);
                self.zoom_at(factor, layout.scale.share(x));
            }
            Turn::Pan => self.pan(pixels / layout.scale.width),
            Turn::Scroll => self.scroll_by(pixels, &layout),
        }
    }

    /// Handles a key; returns whether the timeline uses it.
    pub fn key(&mut self, key: &str, shift: bool) -> bool {
        match key {
            "ArrowUp" | "ArrowDown" if shift => self.turn_rows(key == "ArrowDown"),
            "ArrowLeft" if shift => self.pan(-PAN),
            "ArrowRight" if shift => self.pan(PAN),
            "ArrowUp" | "ArrowDown" => self.step_rows(key == "ArrowDown"),
            "+" | "=" => self.zoom(ZOOM),
            "-" | "−" => self.zoom(1.0 / ZOOM),
            "0" => self.fit(),
            "Enter" => self.why_last(),
            _ => return false,
        }
        true
    }
}
