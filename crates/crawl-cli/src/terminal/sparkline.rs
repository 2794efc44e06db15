//! A curve in one line of text.

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws points (step, value) sorted by step, on axes from 0 to `most`.
///
/// The line is blank after the last point, so that curves of different lengths align.
pub fn sparkline(points: &[(u32, f64)], most: (u32, f64), width: usize) -> String {
    let (most_steps, most_value) = most;
    let Some((last, _)) = points.last() else {
        return String::new();
    };
    let mut line = String::new();
    for cell in 0..width as u64 {
        let edge = |i: u64| i * u64::from(most_steps) / width as u64;
        if edge(cell) >= u64::from(*last) {
            break;
        }
        let upto = points.partition_point(|(step, _)| u64::from(*step) <= edge(cell + 1));
        let value = upto.checked_sub(1).map_or(0.0, |i| points[i].1);
        let share = if most_value > 0.0 { value / most_value } else { 0.0 };
        let height = (share.clamp(0.0, 1.0) * (BLOCKS.len() - 1) as f64).round();
        line.push(BLOCKS[height as usize]);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_line_rises_and_a_short_one_ends() {
        let rising: Vec<_> = (1..=80).map(|i| (i, f64::from(i))).collect();
        assert_eq!(sparkline(&rising, (80, 80.0), 8), "▂▃▄▅▅▆▇█");
        assert_eq!(sparkline(&rising[..40], (80, 80.0), 8), "▂▃▄▅");
        assert_eq!(sparkline(&rising[..1], (80, 80.0), 8), "▁");
        assert_eq!(sparkline(&[], (80, 80.0), 8), "");
        assert_eq!(sparkline(&[(1, 0.0)], (1, 0.0), 3), "▁▁▁");
    }
}
