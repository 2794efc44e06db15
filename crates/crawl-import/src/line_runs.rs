//! The line number of each item, in compressed form.

/// Line numbers of items. Mostly one item per line, so only the starts of runs are stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineRuns {
    runs: Vec<(u32, u64)>,
    len: u32,
}

impl LineRuns {
    /// Sets the line of the next item.
    pub(crate) fn push(&mut self, line: u64) {
        let expected = self.runs.last().map(|(item, start)| start + u64::from(self.len - item));
        if expected != Some(line) {
            self.runs.push((self.len, line));
        }
        self.len += 1;
    }

    /// The line of an item; 0 if it was never pushed.
    pub(crate) fn line(&self, item: u32) -> u64 {
        let after = self.runs.partition_point(|(first, _)| *first <= item);
        match after.checked_sub(1) {
            Some(run) if item < self.len => {
                let (first, line) = self.runs[run];
                line + u64::from(item - first)
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_item_has_the_line_it_was_given(lines in prop::collection::vec(1_u64..40, 0..60)) {
            let mut runs = LineRuns::default();
            lines.iter().for_each(|line| runs.push(*line));
            for (item, line) in lines.iter().enumerate() {
                prop_assert_eq!(runs.line(item as u32), *line);
            }
            prop_assert_eq!(runs.line(lines.len() as u32), 0);
        }
    }

    #[test]
    fn consecutive_lines_are_one_run() {
        let mut runs = LineRuns::default();
        (5..1005).for_each(|line| runs.push(line));
        assert_eq!(runs.runs.len(), 1);
    }
}
