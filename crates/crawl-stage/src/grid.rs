//! A spatial grid for nearest-node queries, with about two nodes per cell.

use crate::Rect;

/// Nodes sorted into square cells.
#[derive(Debug, Default)]
pub struct Grid {
    origin: (f64, f64),
    cell: f64,
    n_columns: usize,
    n_rows: usize,
    /// Start of each cell's nodes, plus the end of the last.
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Grid {
    /// Builds a grid of nodes (x, y, x, y, …) within `bounds`.
    pub fn new(points: &[f32], bounds: Rect) -> Self {
        let mut grid = Self::default();
        grid.fill(points, bounds);
        grid
    }

    /// Rebuilds the grid, reusing its memory.
    pub fn fill(&mut self, points: &[f32], bounds: Rect) {
        let points = points.as_chunks().0;
        let n_cells = (points.len() as f64 / 2.0).clamp(1.0, 1e6);
        let (width, height) = (bounds.width.max(1e-9), bounds.height.max(1e-9));
        self.origin = (bounds.x, bounds.y);
        // Bounds the number of cells per axis, for thin layouts.
        self.cell = (width * height / n_cells).sqrt().max(width.max(height) / n_cells.min(4096.0));
        self.n_columns = (width / self.cell) as usize + 1;
        self.n_rows = (height / self.cell) as usize + 1;
        self.starts.clear();
        self.starts.resize(self.n_columns * self.n_rows + 1, 0);
        for point in points {
            let cell = self.cell_of(point);
            self.starts[cell + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.nodes.clear();
        self.nodes.resize(points.len(), 0);
        for (node, point) in points.iter().enumerate() {
            let cell = self.cell_of(point);
            let start = &mut self.starts[cell];
            self.nodes[*start as usize] = node as u32;
            *start += 1;
        }
        // Each start has advanced to its cell's end, which is the next cell's start.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    fn cell_of(&self, point: &[f32; 2]) -> usize {
        let column = axis(f64::from(point[0]) - self.origin.0, self.cell, self.n_columns);
        let row = axis(f64::from(point[1]) - self.origin.1, self.cell, self.n_rows);
        row * self.n_columns + column
    }

    /// The node nearest to (x, y), the first of equals.
    ///
    /// Considers nodes within `reach` and within their own reach, which is at most `reach`.
    /// `points` must be those of the last [`Grid::fill`].
    pub fn nearest(
        &self,
        points: &[f32],
        (x, y): (f64, f64),
        reach: f64,
        reach_of: impl Fn(u32) -> f64,
    ) -> Option<u32> {
        if self.nodes.is_empty() || !(x.is_finite() && y.is_finite() && reach >= 0.0) {
            return None;
        }
        let points = points.as_chunks::<2>().0;
        let range = |from: f64, n_cells: usize| {
            axis(from - reach, self.cell, n_cells)..=axis(from + reach, self.cell, n_cells)
        };
        let mut best: Option<(f64, u32)> = None;
        for row in range(y - self.origin.1, self.n_rows) {
            for column in range(x - self.origin.0, self.n_columns) {
                let cell = row * self.n_columns + column;
                let nodes = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                for &node in &self.nodes[nodes] {
                    let Some(&[px, py]) = points.get(node as usize) else { continue };
                    let distance = (f64::from(px) - x).hypot(f64::from(py) - y);
                    let is_nearer = best.is_none_or(|best| (distance, node) < best);
                    if is_nearer && distance <= reach && distance <= reach_of(node) {
                        best = Some((distance, node));
                    }
                }
            }
        }
        best.map(|(_, node)| node)
    }
}

/// The cell index along one axis, clamped to the grid.
fn axis(distance: f64, cell: f64, n_cells: usize) -> usize {
    ((distance / cell).max(0.0) as usize).min(n_cells - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_grid_has_no_nearest_node() {
        assert_eq!(Grid::default().nearest(&[], (0.0, 0.0), 1.0, |_| 1.0), None);
        let grid = Grid::new(&[], Rect::WORLD);
        assert_eq!(grid.nearest(&[], (0.0, 0.0), 1.0, |_| 1.0), None);
        let points = [0.5, 0.5];
        let grid = Grid::new(&points, Rect::new(0.5, 0.5, 0.0, 0.0));
        assert_eq!(grid.nearest(&points, (0.4, 0.5), 0.2, |_| 0.2), Some(0));
        assert_eq!(grid.nearest(&points, (0.4, 0.5), 0.2, |_| 0.05), None);
        assert_eq!(grid.nearest(&points, (f64::NAN, 0.5), 0.2, |_| 1.0), None);
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn the_grid_agrees_with_a_linear_search(
                points in proptest::collection::vec(-1.0f32..1.0, 0..300),
                squeeze in prop_oneof![Just(1.0f32), Just(0.001), Just(0.0)],
                x in -1.2f64..1.2, y in -1.2f64..1.2, reach in 0.0f64..0.6,
            ) {
                let points: Vec<f32> = points.as_chunks::<2>().0.iter()
                    .flat_map(|&[x, y]| [x, y * squeeze]).collect();
                let bounds = Rect::around(&points).unwrap_or(Rect::WORLD);
                let grid = Grid::new(&points, bounds);
                let reach_of = |node: u32| if node.is_multiple_of(3) { reach } else { reach / 2.0 };
                let slow = points.as_chunks::<2>().0.iter().enumerate()
                    .map(|(i, p)| ((f64::from(p[0]) - x).hypot(f64::from(p[1]) - y), i as u32))
                    .filter(|&(distance, i)| distance <= reach_of(i))
                    .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
                    .map(|(_, i)| i);
                prop_assert_eq!(grid.nearest(&points, (x, y), reach, reach_of), slow);
            }
        }
    }
}
