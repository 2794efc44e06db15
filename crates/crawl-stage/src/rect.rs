//! Rectangles, in CSS pixels or layout units.

/// A rectangle: top left corner, width and height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Rect {
    /// The square of all layouts: −1 … 1 on both axes.
    pub const WORLD: Self = Self { x: -1.0, y: -1.0, width: 2.0, height: 2.0 };

    /// A rectangle.
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// The centre.
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Bottom edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Whether it contains a point.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        x >= self.x && x <= self.right() && y >= self.y && y <= self.bottom()
    }

    /// Whether it contains another rectangle.
    pub fn holds(&self, other: &Self) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// Whether two rectangles share more than an edge.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// The bounding box of points (x, y, x, y, …); `None` if there are none.
    pub fn around(points: &[f32]) -> Option<Self> {
        let mut low = (f32::INFINITY, f32::INFINITY);
        let mut high = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        for &[x, y] in points.as_chunks().0 {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let (x, y) = (f64::from(low.0), f64::from(low.1));
        let (width, height) = (f64::from(high.0) - x, f64::from(high.1) - y);
        (width >= 0.0 && height >= 0.0).then_some(Self { x, y, width, height })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_holds_all_points() {
        assert_eq!(Rect::around(&[]), None);
        assert_eq!(Rect::around(&[0.5, 0.25]), Some(Rect::new(0.5, 0.25, 0.0, 0.0)));
        let rect = Rect::around(&[0.0, 1.0, -1.0, 0.5, 0.5, -0.5]).expect("there are points");
        assert_eq!(rect, Rect::new(-1.0, -0.5, 1.5, 1.5));
        assert!(rect.contains(0.5, -0.5) && !rect.contains(0.6, 0.0));
        assert_eq!(rect.centre(), (-0.25, 0.25));
    }

    #[test]
    fn rectangles_that_share_an_edge_do_not_overlap() {
        let a = Rect::new(0.0, 0.0, 2.0, 2.0);
        assert!(!a.overlaps(&Rect::new(2.0, 0.0, 2.0, 2.0)));
        assert!(a.overlaps(&Rect::new(1.9, 1.9, 2.0, 2.0)));
        assert!(
            a.holds(&Rect::new(0.5, 0.5, 1.5, 1.5)) && !a.holds(&Rect::new(1.0, 1.0, 1.5, 0.5))
        );
    }
}
