//! A measure over a run, thinned as it grows.

/// Most points kept; beyond, every second is dropped.
const MAX_POINTS: usize = 4096;

/// Values at steps, evenly spaced, and the last one whatever its step. Memory does not grow with the
/// run, so a million steps can be charted.
#[derive(Clone, Debug)]
pub struct Series {
    spacing: u32,
    points: Vec<(u32, f64)>,
    last: Option<(u32, f64)>,
}

impl Default for Series {
    fn default() -> Self {
        Self { spacing: 1, points: Vec::new(), last: None }
    }
}

impl Series {
    /// Whether the value at a step is kept for longer than until the next.
    #[inline]
    pub fn keeps(&self, step: u32) -> bool {
        // A power of two, so that no division is needed.
        step & (self.spacing - 1) == 0
    }

    /// Adds the value at the next step. Steps that are not kept may be left out.
    #[inline]
    pub fn push(&mut self, step: u32, value: Option<f64>) {
        let Some(value) = value.filter(|v| v.is_finite()) else {
            return;
        };
        self.last = Some((step, value));
        if self.keeps(step) {
            self.keep(step, value);
        }
    }

    fn keep(&mut self, step: u32, value: f64) {
        self.points.push((step, value));
        if self.points.len() > MAX_POINTS {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.points.retain(|(step, _)| step.is_multiple_of(spacing));
        }
    }

    /// Another value at the last step.
    pub fn replace_last(&mut self, step: u32, value: Option<f64>) {
        let Some(value) = value.filter(|v| v.is_finite()) else { return };
        self.last = Some((step, value));
        if let Some(point) = self.points.last_mut().filter(|(at, _)| *at == step) {
            point.1 = value;
        }
    }

    /// The points kept, in order.
    pub fn points(&self) -> impl Iterator<Item = (u32, f64)> {
        let beyond = self.last.filter(|last| self.points.last() != Some(last));
        self.points.iter().copied().chain(beyond)
    }

    /// The value at the last step that had one.
    pub fn last(&self) -> Option<f64> {
        self.last.map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_small_and_keeps_the_last() {
        let mut series = Series::default();
        (1..=100_001).for_each(|step| series.push(step, Some(f64::from(step))));
        let points: Vec<_> = series.points().collect();
        assert!(points.len() <= MAX_POINTS + 1, "{}", points.len());
        assert!(points.is_sorted_by_key(|p| p.0));
        assert!(points.iter().all(|p| f64::from(p.0) == p.1));
        assert_eq!(points.last(), Some(&(100_001, 100_001.0)));
        assert_eq!(series.last(), Some(100_001.0));
    }
}
