//! The camera: which part of the layout is visible, and at what scale.
//!
//! A point (x, y) of the layout is drawn at the lane's centre + scale · (x − camera.x, y −
//! camera.y), in CSS pixels, y pointing down. The scale is the same for both axes. All lanes share
//! the camera; since the scale is in pixels, lanes of different sizes show the same graph,
//! cropped differently.

use crate::Rect;
use std::f64::consts::LN_2;

/// A view of the layout: centre and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// x of the layout point at the lane's centre.
    pub x: f64,
    /// y of the layout point at the lane's centre.
    pub y: f64,
    /// CSS pixels per unit of the layout.
    pub scale: f64,
}

/// CameraLimits of panning and zooming.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraLimits {
    bounds: Rect,
    min_scale: f64,
    max_scale: f64,
}

impl CameraLimits {
    /// CameraLimits for a layout within `bounds`, with neighbours `spacing` apart, in a lane of this
    /// size.
    ///
    /// Minimum scale: the layout takes half the lane. Maximum scale: neighbours are 80 pixels
    /// apart. The centre stays within the layout.
    pub fn new(bounds: Rect, spacing: f64, width: f64, height: f64) -> Self {
        let fit = Camera::fit(bounds, width, height, 0.0).scale;
        let spacing = if spacing > 0.0 { spacing } else { 1.0 };
        let max_scale = (80.0 / spacing).clamp(fit * 4.0, fit * 2000.0);
        Self { bounds, min_scale: fit / 2.0, max_scale }
    }
}

impl Camera {
    /// Shows all of `bounds` in a lane of this size, with `padding` pixels on each side.
    pub fn fit(bounds: Rect, width: f64, height: f64, padding: f64) -> Self {
        let (x, y) = bounds.centre();
        let room = |size: f64| (size - 2.0 * padding).max(size / 2.0).max(1.0);
        // A minimum width avoids an infinite scale for a single point.
        let scale_x = room(width) / bounds.width.max(1e-3);
        let scale_y = room(height) / bounds.height.max(1e-3);
        Self { x, y, scale: scale_x.min(scale_y) }
    }

    /// Converts layout coordinates to canvas coordinates in a lane.
    pub fn to_screen(&self, lane: Rect, x: f64, y: f64) -> (f64, f64) {
        let (middle_x, middle_y) = lane.centre();
        (middle_x + (x - self.x) * self.scale, middle_y + (y - self.y) * self.scale)
    }

    /// Converts canvas coordinates in a lane to layout coordinates.
    pub fn to_world(&self, lane: Rect, x: f64, y: f64) -> (f64, f64) {
        let (middle_x, middle_y) = lane.centre();
        (self.x + (x - middle_x) / self.scale, self.y + (y - middle_y) / self.scale)
    }

    /// Moves the view by (dx, dy) pixels.
    #[must_use]
    pub fn pan(self, dx: f64, dy: f64, limits: &CameraLimits) -> Self {
        Self { x: self.x - dx / self.scale, y: self.y - dy / self.scale, ..self }.clamped(limits)
    }

    /// Zooms by `factor`, keeping the point drawn at (x, y) in place.
    #[must_use]
    pub fn zoom_about(
        self,
        lane: Rect,
        x: f64,
        y: f64,
        factor: f64,
        limits: &CameraLimits,
    ) -> Self {
        let (fixed_x, fixed_y) = self.to_world(lane, x, y);
        let scale = (self.scale * factor).clamp(limits.min_scale, limits.max_scale);
        let shrunk = self.scale / scale;
        let camera = Self {
            x: fixed_x + (self.x - fixed_x) * shrunk,
            y: fixed_y + (self.y - fixed_y) * shrunk,
            scale,
        };
        camera.clamped(limits)
    }

    /// Centres a point, at the same scale.
    #[must_use]
    pub fn centred_on(self, x: f64, y: f64, limits: &CameraLimits) -> Self {
        Self { x, y, ..self }.clamped(limits)
    }

    /// The same view in a lane of another size.
    #[must_use]
    pub fn resized(self, before: (f64, f64), after: (f64, f64)) -> Self {
        let factor = after.0.min(after.1) / before.0.min(before.1);
        let is_usable = factor.is_finite() && factor > 0.0;
        Self { scale: if is_usable { self.scale * factor } else { self.scale }, ..self }
    }

    /// Clamps the camera to the limits.
    #[must_use]
    pub fn clamped(self, limits: &CameraLimits) -> Self {
        let Rect { x, y, .. } = limits.bounds;
        Self {
            x: self.x.clamp(x, limits.bounds.right()),
            y: self.y.clamp(y, limits.bounds.bottom()),
            scale: self.scale.clamp(limits.min_scale, limits.max_scale),
        }
    }

    /// One animation step towards another camera, after `elapsed_ms`.
    ///
    /// Exponential easing with a half-life of 60 ms; ends when less than 0.01 pixel is left. With
    /// reduced motion the target is reached at once. The scale moves on a logarithmic axis and the
    /// centre with its inverse, so that a fixed point of both cameras stays fixed during the
    /// animation.
    #[must_use]
    pub fn towards(self, target: Self, elapsed_ms: f64, reduced_motion: bool) -> Self {
        let ratio = target.scale / self.scale;
        let left_px = (target.x - self.x).abs().max((target.y - self.y).abs()) * target.scale;
        let has_arrived = left_px < 0.01 && (ratio - 1.0).abs() < 1e-4;
        if reduced_motion || has_arrived || !ratio.is_finite() || ratio <= 0.0 {
            return target;
        }
        let done = 1.0 - libm::exp(-elapsed_ms.max(0.0) / 60.0 * LN_2);
        let scale = self.scale * libm::exp(done * libm::log(ratio));
        let share = if (ratio - 1.0).abs() < 1e-6 {
            done
        } else {
            (1.0 / self.scale - 1.0 / scale) / (1.0 / self.scale - 1.0 / target.scale)
        };
        Self {
            x: self.x + (target.x - self.x) * share,
            y: self.y + (target.y - self.y) * share,
            scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: Rect = Rect::new(100.0, 50.0, 400.0, 300.0);

    fn near(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6
    }

    #[test]
    fn fit_shows_everything_and_keeps_the_aspect() {
        let camera = Camera::fit(Rect::new(-1.0, -0.5, 2.0, 1.0), 400.0, 300.0, 10.0);
        assert_eq!(camera.scale, 190.0);
        assert!(near(camera.to_screen(LANE, 0.0, 0.0), LANE.centre()));
        assert!(near(camera.to_screen(LANE, -1.0, -0.5), (110.0, 105.0)));
        let point = Camera::fit(Rect::default(), 400.0, 300.0, 10.0);
        assert!(point.scale.is_finite());
        assert!(Camera::fit(Rect::WORLD, 0.0, 0.0, 10.0).scale > 0.0);
    }

    #[test]
    fn panning_moves_what_is_drawn_by_as_many_pixels() {
        let limits = CameraLimits::new(Rect::WORLD, 0.01, LANE.width, LANE.height);
        let camera = Camera::fit(Rect::WORLD, LANE.width, LANE.height, 0.0);
        let (x, y) = camera.to_screen(LANE, 0.2, 0.1);
        assert!(near(camera.pan(7.0, -3.0, &limits).to_screen(LANE, 0.2, 0.1), (x + 7.0, y - 3.0)));
        let far = camera.pan(1e9, 1e9, &limits);
        assert_eq!((far.x, far.y), (-1.0, -1.0));
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer_and_the_limits() {
        let limits = CameraLimits::new(Rect::WORLD, 0.01, LANE.width, LANE.height);
        let camera = Camera::fit(Rect::WORLD, LANE.width, LANE.height, 0.0);
        let at = (250.0, 140.0);
        let under = camera.to_world(LANE, at.0, at.1);
        let near_by = camera.zoom_about(LANE, at.0, at.1, 3.0, &limits);
        assert!(near(near_by.to_world(LANE, at.0, at.1), under));
        assert_eq!(near_by.scale, camera.scale * 3.0);
        let out = camera.zoom_about(LANE, at.0, at.1, 1e-9, &limits);
        assert_eq!(out.scale, camera.scale / 2.0);
        assert_eq!(camera.zoom_about(LANE, at.0, at.1, 1e9, &limits).scale, 8000.0);
    }

    #[test]
    fn on_its_way_a_camera_keeps_the_fixed_point_and_arrives() {
        let limits = CameraLimits::new(Rect::WORLD, 0.01, LANE.width, LANE.height);
        let mut camera = Camera::fit(Rect::WORLD, LANE.width, LANE.height, 0.0);
        let at = (250.0, 140.0);
        let under = camera.to_world(LANE, at.0, at.1);
        let target = camera.zoom_about(LANE, at.0, at.1, 5.0, &limits);
        assert_eq!(camera.towards(target, 16.0, true), target);
        let mut n_frames = 0;
        while camera != target {
            let next = camera.towards(target, 16.0, false);
            assert!(next.scale > camera.scale && next.scale <= target.scale);
            camera = next;
            assert!(near(camera.to_world(LANE, at.0, at.1), under));
            n_frames += 1;
            assert!(n_frames < 120, "a second and a half is enough");
        }
        let aside = Camera { x: camera.x + 0.1, ..camera };
        assert!((camera.towards(aside, 60.0, false).x - camera.x - 0.05).abs() < 1e-9);
    }

    #[test]
    fn resizing_keeps_what_is_seen() {
        let camera = Camera { x: 0.1, y: 0.2, scale: 100.0 };
        assert_eq!(camera.resized((400.0, 300.0), (800.0, 600.0)).scale, 200.0);
        assert_eq!(camera.resized((400.0, 0.0), (800.0, 600.0)), camera);
    }
}
