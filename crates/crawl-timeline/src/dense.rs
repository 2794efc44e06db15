//! Dense rows: pages with too many visits to draw each.
//!
//! A lane sends a share of fresh time per interval instead of single visits. A page that is dense
//! in one lane is drawn as shares in all lanes, so that its rows are comparable.

use crate::cache::CachedMarks;
use crate::model::Model;
use std::borrow::Cow;

/// Number of intervals.
const N_SHARES: usize = 240;

/// Rows of a lane that the note displaces, at most.
const ROWS_OF_WORDS: u32 = 2;

/// What the visible rows omit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Nothing.
    Nothing,
    /// Some missed changes.
    Changes,
    /// Visits and changes of some rows.
    Marks,
}

impl Model {
    /// Whether a page is dense in any lane.
    pub fn is_dense(&self, page: u32) -> bool {
        self.marks.iter().filter_map(|lane| lane.get(page)).any(CachedMarks::is_dense)
    }

    /// The marks to draw of a page in a lane.
    pub fn drawn(&self, lane: usize, page: u32) -> Option<Cow<'_, CachedMarks>> {
        let held = self.held(lane, page)?;
        let is_alike = held.is_dense() || !self.is_dense(page);
        Some(if is_alike { Cow::Borrowed(held) } else { Cow::Owned(held.as_shares()) })
    }

    /// What the visible rows omit.
    ///
    /// The note displaces rows. While it is shown (`is_said`) those still count, to avoid flicker.
    pub fn left_out(&self, is_said: bool) -> LeftOut {
        let rows = self.layout().rows;
        let end = rows.last().map_or(0, |row| row.index + 1);
        let beyond = if is_said { end..end + ROWS_OF_WORDS } else { 0..0 };
        let indices: Vec<u32> = rows.iter().map(|row| row.index).chain(beyond).collect();
        let pages = || indices.iter().filter_map(|at| self.row(*at)).map(|row| row.page);
        let is_thinned = |page: u32| {
            let mut lanes = self.marks.iter().filter_map(|lane| lane.get(page));
            lanes.any(|held| held.marks.is_thinned)
        };
        if pages().any(|page| self.is_dense(page)) {
            LeftOut::Marks
        } else if pages().any(is_thinned) {
            LeftOut::Changes
        } else {
            LeftOut::Nothing
        }
    }
}

impl CachedMarks {
    /// Whether it has shares instead of single visits.
    pub fn is_dense(&self) -> bool {
        !self.marks.shares.is_empty()
    }

    /// Mean seconds between visits; `None` without visits.
    pub fn between_visits_s(&self) -> Option<f64> {
        let from_s = self.marks.copied_s?.max(self.span.from_s);
        let length_s = self.known_until_s.min(self.span.to_s) - from_s;
        (length_s > 0.0 && self.marks.n_visits > 0)
            .then(|| length_s / f64::from(self.marks.n_visits))
    }

    /// The same marks as shares.
    fn as_shares(&self) -> Self {
        let mut held = self.clone();
        held.marks.shares = self.shares();
        held.marks.visits.clear();
        held.marks.changes.clear();
        held.marks.stale.clear();
        held
    }

    fn shares(&self) -> Vec<f32> {
        let part_s = (self.span.length_s() / N_SHARES as f64).max(f64::MIN_POSITIVE);
        let until_s = self.known_until_s.min(self.span.to_s);
        let sums = |pieces: &mut dyn Iterator<Item = (f64, f64)>| {
            let mut sums = [0.0; N_SHARES];
            for (from_s, to_s) in pieces {
                let place = |at_s: f64| (at_s.min(until_s) - self.span.from_s).max(0.0) / part_s;
                let (mut at, to) = (place(from_s), place(to_s));
                while at < to {
                    let next = (libm::floor(at) + 1.0).min(to);
                    if let Some(sum) = sums.get_mut(at as usize) {
                        *sum += next - at;
                    }
                    at = next;
                }
            }
            sums
        };
        let copied = sums(&mut self.marks.copied_s.map(|from_s| (from_s, until_s)).into_iter());
        let stale = sums(&mut self.marks.stale.iter().copied());
        let share = |(copied, stale): (&f64, &f64)| {
            if *copied > 1e-9 { (1.0 - stale / copied).clamp(0.0, 1.0) as f32 } else { -1.0 }
        };
        copied.iter().zip(&stale).map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Span;
    use crawl_protocol::timeline::PageMarks;

    #[test]
    fn stale_time_becomes_shares() {
        let stale = vec![(30.0, 45.0), (60.0, 80.0)];
        let marks = PageMarks { copied_s: Some(12.0), stale, n_visits: 4, ..PageMarks::default() };
        let span = Span { from_s: 0.0, to_s: 240.0 };
        let held = CachedMarks { span, known_until_s: 100.0, step: 1, marks };
        let shares = held.as_shares().marks.shares;
        assert_eq!(shares.len(), N_SHARES);
        let at = |second: usize| shares[second];
        assert_eq!((at(0), at(11), at(100), at(239)), (-1.0, -1.0, -1.0, -1.0), "no copy");
        assert_eq!((at(12), at(29), at(45), at(99)), (1.0, 1.0, 1.0, 1.0));
        assert_eq!((at(30), at(44), at(79)), (0.0, 0.0, 0.0));
        assert_eq!(held.between_visits_s(), Some(22.0));
    }
}
