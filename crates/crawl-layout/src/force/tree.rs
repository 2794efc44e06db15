//! Barnes–Hut approximation of the repulsion between all nodes, O(n log n) (Barnes & Hut 1986).
//!
//! Points are sorted along a Z-order curve; cells of the quadtree are ranges of the sorted list.
//! Cells are stored in depth-first order, each with the index of the cell after its subtree.

/// Opening angle: a cell is treated as one point if width / distance is below this.
const OPENING: f32 = 0.9;
/// Maximum number of points in a leaf.
const MAX_LEAF: usize = 6;
/// Bits per axis of the curve: the maximum depth of the tree.
const BITS: u32 = 16;

#[derive(Clone, Copy, Debug)]
struct Cell {
    x: f32,
    y: f32,
    mass: f32,
    /// Squared distance from which the cell is treated as one point.
    far: f32,
    /// Index of the cell after this subtree.
    next: u32,
    /// The points of a leaf.
    points: (u32, u32),
}

/// A quadtree of points with masses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    cells: Vec<Cell>,
    keys: Vec<u64>,
    points: Vec<[f32; 3]>,
}

impl Tree {
    /// Rebuilds the tree from points and masses.
    pub(crate) fn build(&mut self, positions: &[[f32; 2]], masses: &[f32]) {
        let mut low = [f32::INFINITY; 2];
        let mut high = [f32::NEG_INFINITY; 2];
        for p in positions {
            for axis in 0..2 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        }
        let width = (high[0] - low[0]).max(high[1] - low[1]).max(f32::MIN_POSITIVE);
        let scale = ((1_u32 << BITS) - 1) as f32 / width;
        let key = |p: &[f32; 2]| {
            let [x, y] = [0, 1].map(|axis| spread(((p[axis] - low[axis]) * scale) as u32));
            u64::from(x | y << 1)
        };
        self.keys.clear();
        self.keys.extend(positions.iter().enumerate().map(|(i, p)| key(p) << 32 | i as u64));
        self.keys.sort_unstable();
        self.points.clear();
        self.points.extend(self.keys.iter().map(|key| {
            let node = *key as u32 as usize;
            [positions[node][0], positions[node][1], masses[node]]
        }));
        self.cells.clear();
        if !self.keys.is_empty() {
            self.divide(0, self.keys.len(), BITS, width);
        }
    }

    /// The node at an index of the sorted list, in which neighbours are mostly close in space.
    pub(crate) fn node(&self, place: usize) -> usize {
        self.keys[place] as u32 as usize
    }

    /// Repulsion of the point at an index of the sorted list: Σ mass / distance, away from each.
    ///
    /// `softness` bounds the force between close points.
    pub(crate) fn push(&self, place: usize, softness: f32) -> [f32; 2] {
        let [x, y, _] = self.points[place];
        let (mut sum_x, mut sum_y) = (0.0_f32, 0.0_f32);
        let mut add = |dx: f32, dy: f32, squared: f32, mass: f32| {
            let strength = mass / (squared + softness);
            sum_x += dx * strength;
            sum_y += dy * strength;
        };
        let mut at = 0;
        while let Some(cell) = self.cells.get(at) {
            let (dx, dy) = (x - cell.x, y - cell.y);
            let squared = dx * dx + dy * dy;
            let (from, to) = cell.points;
            if squared > cell.far {
                add(dx, dy, squared, cell.mass);
                at = cell.next as usize;
            } else if from < to {
                for [px, py, mass] in &self.points[from as usize..to as usize] {
                    let (dx, dy) = (x - px, y - py);
                    add(dx, dy, dx * dx + dy * dy, *mass);
                }
                at = cell.next as usize;
            } else {
                at += 1;
            }
        }
        [sum_x, sum_y]
    }

    /// Adds the cell of a range of the sorted list and its subtree; returns mass and moments.
    fn divide(&mut self, from: usize, to: usize, bits: u32, width: f32) -> [f32; 3] {
        let at = self.cells.len();
        let far = (width / OPENING) * (width / OPENING);
        let points = (from as u32, to as u32);
        self.cells.push(Cell { x: 0.0, y: 0.0, mass: 0.0, far, next: 0, points });
        let mut sums = [0.0_f32; 3];
        if to - from <= MAX_LEAF || bits == 0 {
            for [x, y, mass] in &self.points[from..to] {
                let point = [x * mass, y * mass, *mass];
                sums = [0, 1, 2].map(|i| sums[i] + point[i]);
            }
        } else {
            self.cells[at].points = (0, 0);
            let shift = 32 + 2 * (bits - 1);
            let mut start = from;
            for quarter in 0..4 {
                let in_quarter = |key: &u64| key >> shift & 3 <= quarter;
                let end = start + self.keys[start..to].partition_point(in_quarter);
                if start < end {
                    let part = self.divide(start, end, bits - 1, width / 2.0);
                    sums = [0, 1, 2].map(|i| sums[i] + part[i]);
                }
                start = end;
            }
        }
        let next = self.cells.len() as u32;
        let cell = &mut self.cells[at];
        let [x, y, mass] = sums;
        (cell.x, cell.y, cell.mass, cell.next) = (x / mass, y / mass, mass, next);
        sums
    }
}

/// Interleaves the bits of a number with zeros.
fn spread(number: u32) -> u32 {
    let mut n = number & 0xffff;
    n = (n | n << 8) & 0x00ff_00ff;
    n = (n | n << 4) & 0x0f0f_0f0f;
    n = (n | n << 2) & 0x3333_3333;
    (n | n << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_world::Rng;

    #[test]
    fn is_close_to_the_sum_over_all_pairs() {
        let mut rng = Rng::new(5, "points");
        let mut unit = || (rng.bits() >> 40) as f32 / (1 << 24) as f32;
        let points: Vec<[f32; 2]> = (0..3000).map(|_| [unit() * 9.0, unit() * 4.0]).collect();
        let masses: Vec<f32> = (0..3000).map(|_| 0.5 + unit()).collect();
        let mut tree = Tree::default();
        tree.build(&points, &masses);
        let (mut errors, mut sizes) = (0.0, 0.0);
        for place in (0..points.len()).step_by(37) {
            let [x, y] = points[tree.node(place)];
            let mut exact = [0.0_f32; 2];
            for (p, mass) in points.iter().zip(&masses) {
                let (dx, dy) = (x - p[0], y - p[1]);
                let strength = mass / (dx * dx + dy * dy + 0.01);
                exact = [exact[0] + dx * strength, exact[1] + dy * strength];
            }
            let fast = tree.push(place, 0.01);
            errors += (fast[0] - exact[0]).abs() + (fast[1] - exact[1]).abs();
            sizes += exact[0].abs() + exact[1].abs();
        }
        assert!(errors < 0.02 * sizes, "{errors} of {sizes}");
    }

    #[test]
    fn coinciding_points_are_handled() {
        let mut tree = Tree::default();
        tree.build(&[[1.0, 1.0]; 100], &[1.0; 100]);
        assert_eq!(tree.push(3, 0.01), [0.0, 0.0]);
        tree.build(&[], &[]);
    }
}
