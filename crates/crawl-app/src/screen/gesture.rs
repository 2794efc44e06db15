//! Pointer gestures on the stage: pan, pinch, hover, click.

use web_sys::{HtmlElement, PointerEvent, WheelEvent};

/// Maximum movement of a click, in pixels.
const SLOP: f64 = 4.0;

/// A gesture of the pointer, the wheel or a tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Gesture {
    /// A button or finger went down in a lane.
    Down {
        /// The lane.
        lane: usize,
        /// Pointer id.
        id: i32,
        /// Pixels from the lane's left edge.
        x: f64,
        /// Pixels from the lane's top edge.
        y: f64,
    },
    /// A pointer moved in a lane.
    Moved {
        /// The lane.
        lane: usize,
        /// Pointer id.
        id: i32,
        /// Pixels from the lane's left edge.
        x: f64,
        /// Pixels from the lane's top edge.
        y: f64,
    },
    /// A button or finger was lifted.
    Up {
        /// The lane.
        lane: usize,
        /// Pointer id.
        id: i32,
        /// Pixels from the lane's left edge.
        x: f64,
        /// Pixels from the lane's top edge.
        y: f64,
    },
    /// A pointer left the lane.
    Left {
        /// Pointer id.
        id: i32,
    },
    /// The wheel turned.
    Wheel {
        /// The lane.
        lane: usize,
        /// Pixels from the lane's left edge.
        x: f64,
        /// Pixels from the lane's top edge.
        y: f64,
        /// Zoom factor.
        factor: f64,
    },
    /// The lanes scrolled under the canvas.
    Scrolled,
    /// Zoom about the centre.
    Zoom(f64),
    /// Fit the camera to the layout.
    Fit,
}

impl Gesture {
    /// A button or finger went down; captures the pointer.
    pub fn down(lane: usize, event: &PointerEvent, element: &HtmlElement) -> Self {
        // Capture fails for a pointer that is already gone.
        let _ = element.set_pointer_capture(event.pointer_id());
        let (x, y) = place(event, element);
        Self::Down { lane, id: event.pointer_id(), x, y }
    }

    /// A pointer moved.
    pub fn moved(lane: usize, event: &PointerEvent, element: &HtmlElement) -> Self {
        let (x, y) = place(event, element);
        Self::Moved { lane, id: event.pointer_id(), x, y }
    }

    /// A button or finger was lifted.
    pub fn up(lane: usize, event: &PointerEvent, element: &HtmlElement) -> Self {
        let (x, y) = place(event, element);
        Self::Up { lane, id: event.pointer_id(), x, y }
    }

    /// A pointer left.
    pub fn left(_: usize, event: &PointerEvent, _: &HtmlElement) -> Self {
        Self::Left { id: event.pointer_id() }
    }

    /// The wheel turned.
    pub fn wheel(lane: usize, event: &WheelEvent) -> Self {
        let lines = match event.delta_mode() {
            WheelEvent::DOM_DELTA_PIXEL => event.delta_y(),
            WheelEvent::DOM_DELTA_LINE => event.delta_y() * 20.0,
            _ => event.delta_y() * 400.0,
        };
        let factor = libm::exp(-lines.clamp(-400.0, 400.0) * 0.002);
        let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        Self::Wheel { lane, x, y, factor }
    }
}

fn place(event: &PointerEvent, element: &HtmlElement) -> (f64, f64) {
    let rect = element.get_bounding_client_rect();
    (f64::from(event.client_x()) - rect.x(), f64::from(event.client_y()) - rect.y())
}

/// Meaning of a movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Movement {
    /// Nothing yet.
    Nothing,
    /// The pointer hovers.
    Hover,
    /// Pan by dx, dy.
    Pan(f64, f64),
    /// Two fingers: pan with their centre, zoom with their distance.
    Pinch {
        /// x of their centre.
        x: f64,
        /// y of their centre.
        y: f64,
        /// Zoom factor.
        factor: f64,
        /// Movement of the centre in x.
        dx: f64,
        /// Movement of the centre in y.
        dy: f64,
    },
}

#[derive(Clone, Copy, Debug)]
struct Pointer {
    id: i32,
    x: f64,
    y: f64,
    from: (f64, f64),
    has_moved: bool,
}

/// The pointers that are down.
#[derive(Debug, Default)]
pub struct Pointers {
    down: Vec<Pointer>,
}

impl Pointers {
    /// A pointer went down.
    pub fn down(&mut self, id: i32, x: f64, y: f64) {
        self.forget(id);
        if self.down.len() < 2 {
            self.down.push(Pointer { id, x, y, from: (x, y), has_moved: false });
        }
        // A second finger makes it a pinch, not a click.
        if self.down.len() > 1 {
            self.down.iter_mut().for_each(|pointer| pointer.has_moved = true);
        }
    }

    /// A pointer moved.
    pub fn moved(&mut self, id: i32, x: f64, y: f64) -> Movement {
        let Some(at) = self.down.iter().position(|pointer| pointer.id == id) else {
            return if self.down.is_empty() { Movement::Hover } else { Movement::Nothing };
        };
        let before = self.down[at];
        let pointer = &mut self.down[at];
        (pointer.x, pointer.y) = (x, y);
        pointer.has_moved |= distance(before.from, (x, y)) > SLOP;
        if !pointer.has_moved {
            return Movement::Nothing;
        }
        let Some(other) = self.down.iter().find(|pointer| pointer.id != id).copied() else {
            return Movement::Pan(x - before.x, y - before.y);
        };
        let old = distance((before.x, before.y), (other.x, other.y)).max(1.0);
        let new = distance((x, y), (other.x, other.y)).max(1.0);
        Movement::Pinch {
            x: (x + other.x) / 2.0,
            y: (y + other.y) / 2.0,
            factor: new / old,
            dx: (x - before.x) / 2.0,
            dy: (y - before.y) / 2.0,
        }
    }

    /// A pointer was lifted; true for a click.
    pub fn up(&mut self, id: i32) -> bool {
        let pointer = self.down.iter().find(|pointer| pointer.id == id).copied();
        self.forget(id);
        pointer.is_some_and(|pointer| !pointer.has_moved)
    }

    /// Removes a pointer.
    pub fn forget(&mut self, id: i32) {
        self.down.retain(|pointer| pointer.id != id);
    }
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    libm::hypot(a.0 - b.0, a.1 - b.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_tremble_is_a_click_and_a_drag_is_not() {
        let mut pointers = Pointers::default();
        assert_eq!(pointers.moved(1, 0.0, 0.0), Movement::Hover);
        pointers.down(1, 10.0, 10.0);
        assert_eq!(pointers.moved(1, 12.0, 10.0), Movement::Nothing);
        assert!(pointers.up(1));
        pointers.down(1, 10.0, 10.0);
        assert_eq!(pointers.moved(1, 20.0, 10.0), Movement::Pan(10.0, 0.0));
        assert_eq!(pointers.moved(1, 11.0, 10.0), Movement::Pan(-9.0, 0.0));
        assert!(!pointers.up(1));
        assert!(!pointers.up(1), "lifted once");
    }

    #[test]
    fn two_fingers_pinch() {
        let mut pointers = Pointers::default();
        pointers.down(1, 0.0, 0.0);
        pointers.down(2, 100.0, 0.0);
        let meant = pointers.moved(2, 200.0, 0.0);
        assert_eq!(meant, Movement::Pinch { x: 100.0, y: 0.0, factor: 2.0, dx: 50.0, dy: 0.0 });
        assert!(!pointers.up(2));
        assert!(!pointers.up(1), "the other finger does not click");
    }
}
