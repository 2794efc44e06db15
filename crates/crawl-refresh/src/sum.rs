//! Compensated summation (Neumaier): the rounding errors are summed separately.

/// A compensated sum.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, term: f64) {
        let next = self.total + term;
        self.lost += if self.total.abs() >= term.abs() {
            (self.total - next) + term
        } else {
            (term - next) + self.total
        };
        self.total = next;
    }

    pub(crate) fn get(self) -> f64 {
        let whole = self.total + self.lost;
        if whole.is_nan() { self.total } else { whole }
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terms_survive_large_ones() {
        assert_eq!([1.0, 1e100, 1.0, -1e100].into_iter().collect::<Sum>().get(), 2.0);
        assert_eq!([f64::INFINITY, 1.0].into_iter().collect::<Sum>().get(), f64::INFINITY);
    }
}
