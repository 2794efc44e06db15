//! The parameters of a frame.

use crate::{Camera, Rect};

/// Maximum number of lanes.
pub const MAX_LANES: usize = 4;

/// Everything a frame depends on, except the data.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Width and height of the canvas in CSS pixels.
    pub size: (f64, f64),
    /// Device pixels per CSS pixel.
    pub pixel_ratio: f64,
    /// The visible part of the layout, equal in all lanes.
    pub camera: Camera,
    /// The lanes, at most [`MAX_LANES`].
    pub lanes: &'a [LaneView<'a>],
    /// Whether to outline hosts.
    pub hulls: bool,
    /// Current time, for animations.
    pub time_ms: f64,
    /// Whether to disable animations.
    pub reduced_motion: bool,
}

/// The parameters of one lane in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneView<'a> {
    /// Its rectangle, in CSS pixels of the canvas.
    pub rect: Rect,
    /// The step shown; fractional while the run plays.
    pub step: f64,
    /// The selected node, whose links are highlighted.
    pub selected: Option<u32>,
    /// The node under the pointer.
    pub hovered: Option<u32>,
    /// Pages being fetched.
    pub in_flight: &'a [u32],
    /// Whether the lane is dimmed.
    pub muted: bool,
}

impl LaneView<'_> {
    /// The last completed step.
    pub fn whole_step(&self) -> u32 {
        self.step.max(0.0) as u32
    }
}

/// Statistics of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    /// False while the WebGL context is lost.
    pub is_drawn: bool,
    /// Whether the base was redrawn.
    pub is_base_redrawn: bool,
    /// Links drawn in the base; fewer than all while the camera moves.
    pub n_edges: usize,
    /// Nodes drawn in all lanes.
    pub n_nodes: usize,
    /// Lines drawn in all lanes.
    pub n_lines: usize,
    /// Whether another frame is needed without changes: a pulse is animated, or only a sample of
    /// the links was drawn.
    pub wants_another: bool,
}

/// A lane's rectangle in device pixels, from the bottom left corner as in WebGL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeviceRect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl DeviceRect {
    pub fn new(rect: Rect, pixel_ratio: f64, canvas_height: i32) -> Self {
        let px = |value: f64| (value * pixel_ratio).round() as i32;
        let (left, top) = (px(rect.x), px(rect.y));
        let (right, bottom) = (px(rect.right()), px(rect.bottom()));
        Self {
            x: left,
            y: canvas_height.saturating_sub(bottom),
            width: right.saturating_sub(left).max(0),
            height: bottom.saturating_sub(top).max(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_that_touch_touch_in_device_pixels() {
        let upper = DeviceRect::new(Rect::new(0.0, 0.0, 10.0, 10.3), 1.5, 30);
        let lower = DeviceRect::new(Rect::new(0.0, 10.3, 10.0, 9.7), 1.5, 30);
        assert_eq!((upper.y, upper.height, upper.width), (15, 15, 15));
        assert_eq!(lower.y + lower.height, upper.y);
        assert_eq!(lower.y, 0);
    }

    #[test]
    fn invalid_steps_are_clamped() {
        for (step, whole) in [(-1.0, 0), (f64::NAN, 0), (2.7, 2), (1e30, u32::MAX)] {
            assert_eq!(LaneView { step, ..LaneView::default() }.whole_step(), whole);
        }
    }
}
