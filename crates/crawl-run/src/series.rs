//! Values of a metric over a run, thinned as it grows.

/// Maximum number of points; beyond, every second one is dropped.
const MAX_POINTS: usize = 4096;

/// Values at evenly spaced steps, and the last one. Memory is bounded, so a million steps can be
/// charted.
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
    /// True if the value at this step is stored permanently.
    #[inline]
    pub fn keeps(&self, step: u32) -> bool {
        // The spacing is a power of two, so no division is needed.
        step & (self.spacing - 1) == 0
    }

    /// Adds the value at the next step. Steps that are not stored may be skipped.
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

    /// Replaces the value at the last step.
    pub fn replace_last(&mut self, step: u32, value: Option<f64>) {
        let Some(value) = value.filter(|v| v.is_finite()) else { return };
        self.last = Some((step, value));
        if let Some(point) = self.points.last_mut().filter(|(at, _)| *at == step) {
            point.1 = value;
        }
    }

    /// The stored points, in order.
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
