//! What the pointer does on the stage: pan, pinch, hover, click.

use web_sys::{HtmlElement, PointerEvent, WheelEvent};

/// Pixels a pointer may move and still click.
const SLOP: f64 = 4.0;

/// Something the pointer, the wheel or a tool did.
#[derive(Clone, Debug, PartialEq)]
pub enum Gesture {
    /// A button or finger went down in a lane.
    Down {
        /// Where.
        lane: usize,
        /// Which pointer.
        id: i32,
        /// From the lane's left.
        x: f64,
        /// From the lane's top.
        y: f64,
    },
    /// A pointer moved in a lane.
    Moved {
        /// Where.
        lane: usize,
        /// Which pointer.
        id: i32,
        /// From the lane's left.
        x: f64,
        /// From the lane's top.
        y: f64,
    },
    /// A button or finger was lifted.
    Up {
        /// Where.
        lane: usize,
        /// Which pointer.
        id: i32,
        /// From the lane's left.
        x: f64,
        /// From the lane's top.
        y: f64,
    },
    /// A pointer left the lane.
    Left {
        /// Which pointer.
        id: i32,
    },
    /// The wheel turned.
    Wheel {
        /// Where.
        lane: usize,
        /// From the lane's left.
        x: f64,
        /// From the lane's top.
        y: f64,
        /// How much larger everything becomes.
        factor: f64,
    },
    /// The lanes scrolled under the canvas.
    Scrolled,
    /// Zooms about the middle.
    Zoom(f64),
    /// Shows everything.
    Fit,
}

impl Gesture {
    /// A button or finger went down: it is followed until it is lifted, wherever it goes.
    pub fn down(lane: usize, event: &PointerEvent, element: &HtmlElement) -> Self {
        // Some browsers refuse for pointers that are gone already; then it is simply not followed.
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

/// What a movement means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meant {
    /// Nothing yet.
    Nothing,
    /// The pointer is only over something.
    Hover,
    /// The picture follows the pointer.
    Pan(f64, f64),
    /// Two fingers: the picture follows their middle and grows with their distance.
    Pinch {
        /// Their middle.
        x: f64,
        /// Their middle.
        y: f64,
        /// How much larger everything becomes.
        factor: f64,
        /// How far their middle moved.
        dx: f64,
        /// How far their middle moved.
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
        // The second finger makes it a pinch, never a click.
        if self.down.len() > 1 {
            self.down.iter_mut().for_each(|pointer| pointer.has_moved = true);
        }
    }

    /// A pointer moved.
    pub fn moved(&mut self, id: i32, x: f64, y: f64) -> Meant {
        let Some(at) = self.down.iter().position(|pointer| pointer.id == id) else {
            return if self.down.is_empty() { Meant::Hover } else { Meant::Nothing };
        };
        let before = self.down[at];
        let pointer = &mut self.down[at];
        (pointer.x, pointer.y) = (x, y);
        pointer.has_moved |= distance(before.from, (x, y)) > SLOP;
        if !pointer.has_moved {
            return Meant::Nothing;
        }
        let Some(other) = self.down.iter().find(|pointer| pointer.id != id).copied() else {
            return Meant::Pan(x - before.x, y - before.y);
        };
        let old = distance((before.x, before.y), (other.x, other.y)).max(1.0);
        let new = distance((x, y), (other.x, other.y)).max(1.0);
        Meant::Pinch {
            x: (x + other.x) / 2.0,
            y: (y + other.y) / 2.0,
            factor: new / old,
            dx: (x - before.x) / 2.0,
            dy: (y - before.y) / 2.0,
        }
    }

    /// A pointer was lifted; true when that was a click.
    pub fn up(&mut self, id: i32) -> bool {
        let pointer = self.down.iter().find(|pointer| pointer.id == id).copied();
        self.forget(id);
        pointer.is_some_and(|pointer| !pointer.has_moved)
    }

    /// A pointer is gone.
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
        assert_eq!(pointers.moved(1, 0.0, 0.0), Meant::Hover);
        pointers.down(1, 10.0, 10.0);
        assert_eq!(pointers.moved(1, 12.0, 10.0), Meant::Nothing);
        assert!(pointers.up(1));
        pointers.down(1, 10.0, 10.0);
        assert_eq!(pointers.moved(1, 20.0, 10.0), Meant::Pan(10.0, 0.0));
        assert_eq!(pointers.moved(1, 11.0, 10.0), Meant::Pan(-9.0, 0.0));
        assert!(!pointers.up(1));
        assert!(!pointers.up(1), "lifted once");
    }

    #[test]
    fn two_fingers_pinch() {
        let mut pointers = Pointers::default();
        pointers.down(1, 0.0, 0.0);
        pointers.down(2, 100.0, 0.0);
        let meant = pointers.moved(2, 200.0, 0.0);
        assert_eq!(meant, Meant::Pinch { x: 100.0, y: 0.0, factor: 2.0, dx: 50.0, dy: 0.0 });
        assert!(!pointers.up(2));
        assert!(!pointers.up(1), "the other finger does not click");
    }
}
