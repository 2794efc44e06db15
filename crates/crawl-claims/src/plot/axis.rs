//! Scale and tick marks of an axis.

/// Approximate number of parts of an axis.
const N_PARTS: f64 = 6.0;

/// An axis of a picture.
pub(super) struct Axis {
    from: f64,
    to: f64,
    is_log: bool,
    /// Distance of two ticks.
    step: f64,
    /// Start and end in the picture.
    place: [f64; 2],
}

impl Axis {
    /// An axis for values `from`…`to` at picture coordinates `place`.
    pub(super) fn new(from: f64, to: f64, is_log: bool, place: [f64; 2]) -> Self {
        // An axis has a positive length, and a logarithmic one no zero.
        let is_log = is_log && from > 0.0;
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, is_log, step: round_step(to - from), place }
    }

    /// An axis extended to round numbers.
    pub(super) fn around(from: f64, to: f64, place: [f64; 2]) -> Self {
        let step = round_step(to - from);
        // Tolerates rounding errors next to a round number.
        let (from, to) = ((from / step + 1e-9).floor(), (to / step - 1e-9).ceil());
        Self { step, ..Self::new(from * step, to * step, false, place) }
    }

    /// Picture coordinate of a value, clamped to the axis.
    pub(super) fn of(&self, value: f64) -> f64 {
        let value = value.clamp(self.from, self.to);
        let part = if self.is_log {
            libm::log(value / self.from) / libm::log(self.to / self.from)
        } else {
            (value - self.from) / (self.to - self.from)
        };
        let [start, end] = self.place;
        start + part * (end - start)
    }

    /// Whether a value is within the axis.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// Tick values and their number of decimals.
    pub(super) fn ticks(&self) -> (Vec<f64>, usize) {
        if self.is_log {
            let low = libm::log10(self.from).floor() as i32;
            let high = libm::log10(self.to).ceil() as i32;
            let ticks = (low..=high).flat_map(|power| {
                [1.0, 2.0, 5.0].map(|first| first * libm::exp10(f64::from(power)))
            });
            let ends = (self.from * (1.0 - 1e-9), self.to * (1.0 + 1e-9));
            let ticks: Vec<f64> = ticks.filter(|at| (ends.0..=ends.1).contains(at)).collect();
            // Within a decade there may be none.
            if ticks.len() > 1 {
                return (ticks, decimals(self.from));
            }
        }
        let step = self.step;
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        ((first..=last).map(|i| i as f64 * step).collect(), decimals(step))
    }
}

/// Number of decimals that distinguish multiples of `step`.
fn decimals(step: f64) -> usize {
    (-libm::log10(step) - 1e-9).ceil().clamp(0.0, 9.0) as usize
}

/// 1, 2 or 5 times a power of ten that divides a range into about [`N_PARTS`].
fn round_step(range: f64) -> f64 {
    let wanted = range.max(1e-9) / N_PARTS;
    let power = libm::exp10(libm::log10(wanted).floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= wanted * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let ticks = |from, to, is_log| Axis::new(from, to, is_log, [0.0, 100.0]).ticks();
        assert_eq!(ticks(0.0, 4.0, false), (vec![0.0, 1.0, 2.0, 3.0, 4.0], 0));
        assert_eq!(ticks(1.0, 400.0, false).0, [100.0, 200.0, 300.0, 400.0]);
        let (fine, decimals) = ticks(0.0, 0.3, false);
        assert_eq!((fine.len(), decimals), (7, 2));
        assert_eq!(ticks(0.04, 4.0, true).0, [0.05, 0.1, 0.2, 0.5, 1.0, 2.0]);
        // A range of zero length or a logarithm of 0 still gives an axis.
        for (from, to) in [(0.0, 0.0), (7.0, 7.0), (0.0, 1.0)] {
            let axis = Axis::new(from, to, true, [0.0, 100.0]);
            assert!(axis.of(from).is_finite() && !axis.ticks().0.is_empty());
        }
    }

    #[test]
    fn an_axis_around_values_ends_at_round_numbers() {
        for (values, ends) in [((0.0, 0.35), (0.0, 0.4)), ((-9.7, 0.0), (-10.0, 0.0))] {
            let axis = Axis::around(values.0, values.1, [0.0, 1.0]);
            assert!((axis.from - ends.0).abs() < 1e-12 && (axis.to - ends.1).abs() < 1e-12);
            assert!(axis.holds(values.0) && axis.holds(values.1));
            let ticks = axis.ticks().0;
            assert_eq!((ticks[0], ticks[ticks.len() - 1]), (axis.from, axis.to));
        }
    }

    #[test]
    fn a_decade_is_as_long_as_the_next() {
        let axis = Axis::new(0.01, 1.0, true, [10.0, 30.0]);
        for (value, at) in [(0.01, 10.0), (0.1, 20.0), (1.0, 30.0), (9.0, 30.0)] {
            assert!((axis.of(value) - at).abs() < 1e-9, "{value}");
        }
    }
}
