//! Outlines of hosts: the convex hull of their nodes, expanded by a margin with round corners.
//!
//! The hull is computed with Andrew's monotone chain, O(n log n).

/// A point of the layout.
pub type Point = (f64, f64);

/// Number of points of a full circle; see [`turned`].
const FULL_TURN: usize = 16;

/// The convex hull of points, counter-clockwise if y points up, without collinear points.
///
/// Sorts `points`.
pub fn convex_hull(points: &mut Vec<Point>) -> Vec<Point> {
    points.retain(|p| p.0.is_finite() && p.1.is_finite());
    sort(points);
    points.dedup();
    if points.len() < 3 {
        return points.clone();
    }
    let mut hull: Vec<Point> = Vec::new();
    let mut chain = |ordered: &mut dyn Iterator<Item = &Point>| {
        let start = hull.len();
        for &point in ordered {
            while hull.len() >= start + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        // The last point starts the other chain.
        hull.pop();
    };
    chain(&mut points.iter());
    chain(&mut points.iter().rev());
    hull
}

/// Positive where a → b → c turns left.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// Sorts pairs lexicographically.
pub fn sort(pairs: &mut [Point]) {
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
}

/// Expands a hull by `margin`, with round corners.
pub fn widened(hull: &[Point], margin: f64) -> Vec<Point> {
    let n = hull.len();
    let mut outline = Vec::new();
    for (i, &(x, y)) in hull.iter().enumerate() {
        let mut push = |(dx, dy): Point| outline.push((x + margin * dx, y + margin * dy));
        let mut direction = (1.0, 0.0);
        if n == 1 {
            for _ in 0..FULL_TURN {
                push(direction);
                direction = turned(direction);
            }
            continue;
        }
        direction = outward(hull[(i + n - 1) % n], (x, y));
        let last = outward((x, y), hull[(i + 1) % n]);
        push(direction);
        // No corner turns by more than half a circle.
        for _ in 0..FULL_TURN / 2 {
            direction = turned(direction);
            if direction.0 * last.1 - direction.1 * last.0 <= 1e-9 {
                break;
            }
            push(direction);
        }
        push(last);
    }
    outline
}

/// Rotates a direction left by a sixteenth of a full turn.
fn turned((x, y): Point) -> Point {
    const COS: f64 = 0.923_879_532_511_286_7;
    const SIN: f64 = 0.382_683_432_365_089_8;
    (COS * x - SIN * y, SIN * x + COS * y)
}

/// The outward unit normal of the edge a → b.
fn outward(a: Point, b: Point) -> Point {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = libm::hypot(dx, dy);
    (dy / length, -dx / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_hulls() {
        assert!(convex_hull(&mut vec![]).is_empty());
        assert!(widened(&[], 1.0).is_empty());
        assert_eq!(convex_hull(&mut vec![(1.0, 2.0), (1.0, 2.0), (f64::NAN, 0.0)]), [(1.0, 2.0)]);
        let line = convex_hull(&mut vec![(0.0, 0.0), (2.0, 2.0), (1.0, 1.0)]);
        assert_eq!(line, [(0.0, 0.0), (2.0, 2.0)]);
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let mut points = [&square[..], &[(0.5, 0.5), (0.5, 0.0)]].concat();
        assert_eq!(convex_hull(&mut points), square);
    }

    #[test]
    fn widened_outlines_stand_at_their_margin() {
        for hull in [
            vec![(0.2, 0.3)],
            vec![(0.0, 0.0), (1.0, 0.0)],
            vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
        ] {
            let outline = widened(&hull, 0.1);
            assert!(outline.len() >= 8);
            for p in &outline {
                let nearest =
                    hull.iter().map(|h| (p.0 - h.0).hypot(p.1 - h.1)).fold(f64::INFINITY, f64::min);
                assert!((nearest - 0.1).abs() < 1e-9, "{p:?} is {nearest} away");
            }
            for i in 0..outline.len() {
                let at = |k: usize| outline[(i + k) % outline.len()];
                assert!(turn(at(0), at(1), at(2)) > -1e-9, "turns inwards at {:?}", at(1));
            }
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            /// An edge belongs to the hull if no point is to its right.
            #[test]
            fn hulls_hold_all_points_and_only_corners(
                points in proptest::collection::vec((-20i32..20, -20i32..20), 0..60)
            ) {
                let points: Vec<Point> =
                    points.iter().map(|p| (f64::from(p.0), f64::from(p.1))).collect();
                let hull = convex_hull(&mut points.clone());
                for corner in &hull {
                    prop_assert!(points.contains(corner));
                }
                if hull.len() > 2 {
                    for i in 0..hull.len() {
                        let at = |k: usize| hull[(i + k) % hull.len()];
                        prop_assert!(turn(at(0), at(1), at(2)) > 0.0);
                        for &point in &points {
                            prop_assert!(turn(at(0), at(1), point) >= 0.0);
                        }
                    }
                } else if let [a, b] = hull[..] {
                    for &point in &points {
                        prop_assert_eq!(turn(a, b, point), 0.0);
                    }
                }
            }
        }
    }
}
