//! Typical distance between neighbouring nodes.

/// Maximum number of sampled nodes.
const SAMPLE: usize = 4000;

/// Half the typical distance from a node to its nearest neighbour: the maximum dot radius.
///
/// Samples at most 4,000 nodes.
pub fn spacing(positions: &[f32]) -> f32 {
    let n = positions.len() / 2;
    if n < 2 {
        return 1.0;
    }
    let point = |node: usize| [positions[2 * node], positions[2 * node + 1]];
    // A grid with about one node per cell.
    let side = ((n as f32).sqrt() as usize).clamp(1, 2048);
    let cell = |p: [f32; 2]| p.map(|at| (((at + 1.0) / 2.0 * side as f32) as usize).min(side - 1));
    let index = |[x, y]: [usize; 2]| y * side + x;
    let mut starts = vec![0_u32; side * side + 1];
    (0..n).for_each(|node| starts[index(cell(point(node))) + 1] += 1);
    (0..side * side).for_each(|i| starts[i + 1] += starts[i]);
    let mut next = starts.clone();
    let mut nodes = vec![0_u32; n];
    for node in 0..n {
        let at = &mut next[index(cell(point(node)))];
        nodes[*at as usize] = node as u32;
        *at += 1;
    }
    let nearest = |node: usize| {
        let [x, y] = point(node);
        let [cx, cy] = cell([x, y]);
        let mut best = f32::INFINITY;
        for ring in 1..side.max(2) {
            let (left, right) = (cx.saturating_sub(ring), (cx + ring).min(side - 1));
            for row in cy.saturating_sub(ring)..=(cy + ring).min(side - 1) {
                let range = starts[index([left, row])]..starts[index([right, row]) + 1];
                for other in &nodes[range.start as usize..range.end as usize] {
                    let [ox, oy] = point(*other as usize);
                    if *other as usize != node {
                        best = best.min((ox - x) * (ox - x) + (oy - y) * (oy - y));
                    }
                }
            }
            if best.is_finite() || ring > 6 {
                break;
            }
        }
        best.sqrt()
    };
    let mut distances: Vec<f32> = (0..n).step_by(n.div_ceil(SAMPLE)).map(nearest).collect();
    let middle = distances.len() / 2;
    let usual = crawl_world::order::nth(&mut distances, middle);
    let far_apart = 2.0 / side as f32;
    if usual.is_finite() { usual / 2.0 } else { far_apart }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_half_the_distance_of_a_lattice() {
        let at = |i: u32| i as f32 / 50.0 - 0.99;
        let points: Vec<f32> =
            (0..100).flat_map(|x| (0..100).flat_map(move |y| [at(x), at(y)])).collect();
        assert!((spacing(&points) - 0.01).abs() < 1e-4, "{}", spacing(&points));
        assert!(spacing(&[0.0, 0.0]) > 0.0);
        assert_eq!(spacing(&[0.0; 4]), 0.0);
    }
}
