//! Cache of rows and marks, and the requests that fill it.
//!
//! Each lane has at most one request pending. A request covers more than the viewport, so that a
//! small move needs no new request.

use crate::clock::Span;
use crawl_protocol::Task;
use crawl_protocol::timeline::{
    Marks, MarksOf, PageMarks, PageRow, RowGroup, RowOrder, Rows, RowsOf,
};
use std::collections::BTreeMap;

/// Minimum milliseconds between requests that refresh visible rows while playing.
const ROWS_PLAYING_MS: f64 = 700.0;
/// The same for marks.
const MARKS_PLAYING_MS: f64 = 350.0;
/// The same for both while paused.
const RESTING_MS: f64 = 90.0;
/// Maximum number of cached rows and of cached pages.
const MOST_HELD: usize = 2000;
/// Maximum number of rows per request.
const MOST_ASKED: u32 = 240;
/// Extra time requested on each side, as a share of the visible time.
pub const MARGIN: f64 = 0.5;
/// Thinned marks of a span this many times longer than needed are requested again.
const COARSE: f64 = 1.8;

/// When to send the next request.
#[derive(Clone, Debug, PartialEq)]
pub enum Next<T> {
    /// No request is needed.
    Nothing,
    /// At this time, in milliseconds.
    At(f64),
    /// Now, with this request.
    Ask(T),
}

impl<T> Next<T> {
    /// `ask` now if `pause_ms` have passed since the last request, else later.
    fn after(asked_ms: f64, pause_ms: f64, now_ms: f64, ask: impl FnOnce() -> T) -> Self {
        if now_ms >= asked_ms + pause_ms { Self::Ask(ask()) } else { Self::At(asked_ms + pause_ms) }
    }
}

/// State of the last request.
#[derive(Debug, Default)]
struct PendingRequest {
    task: u32,
    is_pending: bool,
    asked_ms: f64,
}

impl PendingRequest {
    fn awaits(&self, task: Task) -> bool {
        self.is_pending && Task(self.task) == task
    }

    /// Numbers a request that is sent now.
    fn ask<T>(&mut self, next: Next<T>, now_ms: f64) -> Next<(Task, T)> {
        match next {
            Next::Nothing => Next::Nothing,
            Next::At(at) => Next::At(at),
            Next::Ask(of) => {
                self.task += 1;
                (self.is_pending, self.asked_ms) = (true, now_ms);
                Next::Ask((Task(self.task), of))
            }
        }
    }

    /// Awaits nothing. Numbers continue, so that late answers are recognised.
    fn clear(&mut self) -> Self {
        Self { task: self.task, ..Self::default() }
    }
}

/// Cache of rows by index.
#[derive(Debug, Default)]
pub struct RowCache {
    rows: BTreeMap<u32, (u32, PageRow)>,
    n_rows: u32,
    arranged: (RowOrder, RowGroup),
    /// Whether the cached rows have the current order and grouping.
    is_current: bool,
    /// Whether any answer has arrived.
    pub is_loaded: bool,
    /// The step of the last answer.
    loaded_step: u32,
    pending: PendingRequest,
}

impl RowCache {
    /// Total number of rows.
    pub fn n_rows(&self) -> u32 {
        self.n_rows
    }

    /// A row, if cached.
    pub fn get(&self, index: u32) -> Option<&PageRow> {
        self.rows.get(&index).map(|(_, row)| row)
    }

    /// The row of a page, if cached.
    pub fn of_page(&self, page: u32) -> Option<&PageRow> {
        self.rows.values().map(|(_, row)| row).find(|row| row.page == page)
    }

    /// Sets order and grouping. Old rows stay visible until new ones arrive.
    pub fn arrange(&mut self, arranged: (RowOrder, RowGroup)) {
        if self.arranged == arranged {
            return;
        }
        self.arranged = arranged;
        (self.is_current, self.pending.is_pending) = (false, false);
    }

    /// Clears the cache, for another run.
    pub fn clear(&mut self) {
        let pending = self.pending.clear();
        *self = Self { arranged: self.arranged, pending, ..Self::default() };
    }

    /// True for the pending request.
    pub fn awaits(&self, task: Task) -> bool {
        self.pending.awaits(task)
    }

    /// Drops the pending request, which failed.
    pub fn fail(&mut self) {
        self.pending.is_pending = false;
    }

    /// Stores rows; false if their order or grouping is outdated.
    pub fn insert(&mut self, rows: Rows) -> bool {
        self.pending.is_pending = false;
        if (rows.of.order, rows.of.group) != self.arranged {
            return false;
        }
        if !self.is_current || self.rows.len() + rows.rows.len() > MOST_HELD {
            self.rows.clear();
        }
        (self.is_current, self.is_loaded) = (true, true);
        (self.n_rows, self.loaded_step) = (rows.n_rows, rows.of.step);
        let from = rows.of.first;
        self.rows.extend((from..).zip(rows.rows.into_iter().map(|row| (rows.of.step, row))));
        self.rows.retain(|index, _| *index < rows.n_rows);
        true
    }

    /// The next request needed to show `n` rows from `first` at a step.
    pub fn next(
        &mut self,
        (first, n): (u32, u32),
        step: u32,
        is_playing: bool,
        now_ms: f64,
    ) -> Next<(Task, RowsOf)> {
        if self.pending.is_pending {
            return Next::Nothing;
        }
        let last = (first + n).min(if self.is_loaded { self.n_rows } else { u32::MAX });
        let of = |index: u32| self.rows.get(&index).map(|(step, _)| *step);
        let is_missing = !self.is_current || (first..last).any(|index| of(index).is_none());
        // Without rows at an earlier step, there may be some now.
        let is_old = (first..last).any(|index| of(index) != Some(step))
            || (last <= first && self.loaded_step != step);
        if !is_missing && !is_old {
            return Next::Nothing;
        }
        let pause_ms = match (is_missing, is_playing) {
            (true, _) => 0.0,
            (false, true) => ROWS_PLAYING_MS,
            (false, false) => RESTING_MS,
        };
        let (order, group) = self.arranged;
        let from = first.saturating_sub(n);
        let n = (3 * n).clamp(1, MOST_ASKED);
        let next = Next::after(self.pending.asked_ms, pause_ms, now_ms, || RowsOf {
            step,
            order,
            group,
            first: from,
            n,
        });
        self.pending.ask(next, now_ms)
    }
}

/// Cached marks of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedMarks {
    /// The time span they cover.
    pub span: Span,
    /// Progress of the run when they were sent, in seconds.
    pub known_until_s: f64,
    /// Step of the estimates and due times.
    pub step: u32,
    /// Visits, changes and stale times.
    pub marks: PageMarks,
}

/// Cache of a lane's marks by page.
#[derive(Debug, Default)]
pub struct MarkCache {
    pages: BTreeMap<u32, CachedMarks>,
    pending: PendingRequest,
}

/// The visible part of a lane.
#[derive(Clone, Debug)]
pub struct Viewport<'a> {
    /// Visible pages.
    pub pages: &'a [u32],
    /// Pages near them, requested along.
    pub near: &'a [u32],
    /// Visible time span.
    pub span: Span,
    /// End of the longest run, in seconds.
    pub end_s: f64,
    /// Progress of this lane's run, in seconds.
    pub until_s: f64,
    /// Step of the play-head.
    pub step: u32,
    /// Whether it plays.
    pub is_playing: bool,
}

impl MarkCache {
    /// The marks of a page, if cached.
    pub fn get(&self, page: u32) -> Option<&CachedMarks> {
        self.pages.get(&page)
    }

    /// Clears the cache, for another run.
    pub fn clear(&mut self) {
        *self = Self { pending: self.pending.clear(), ..Self::default() };
    }

    /// True for the pending request.
    pub fn awaits(&self, task: Task) -> bool {
        self.pending.awaits(task)
    }

    /// Drops the pending request, which failed.
    pub fn fail(&mut self) {
        self.pending.is_pending = false;
    }

    /// Stores marks.
    pub fn insert(&mut self, marks: Marks) {
        self.pending.is_pending = false;
        if self.pages.len() + marks.pages.len() > MOST_HELD {
            self.pages.clear();
        }
        let span = Span { from_s: marks.from_s, to_s: marks.to_s };
        let (known_until_s, step) = (marks.known_until_s, marks.step);
        let held =
            |page: PageMarks| (page.page, CachedMarks { span, known_until_s, step, marks: page });
        self.pages.extend(marks.pages.into_iter().map(held));
    }

    /// The next request needed to show the viewport.
    pub fn next(&mut self, viewport: &Viewport<'_>, now_ms: f64) -> Next<(Task, MarksOf)> {
        if self.pending.is_pending || viewport.pages.is_empty() {
            return Next::Nothing;
        }
        let asked = viewport.span.wider(MARGIN, viewport.end_s.max(viewport.span.to_s));
        let is_coarse = |held: &CachedMarks| {
            let is_part = held.marks.is_thinned || !held.marks.shares.is_empty();
            is_part && held.span.length_s() > COARSE * asked.length_s()
        };
        let is_missing = viewport.pages.iter().any(|page| {
            let held = self.pages.get(page);
            held.is_none_or(|held| !held.span.covers(&viewport.span) || is_coarse(held))
        });
        let is_old = viewport.pages.iter().filter_map(|page| self.pages.get(page)).any(|held| {
            let has_come = held.known_until_s < viewport.until_s.min(viewport.span.to_s);
            held.step != viewport.step || has_come
        });
        if !is_missing && !is_old {
            return Next::Nothing;
        }
        let pause_ms = match (is_missing, viewport.is_playing) {
            (true, _) => 0.0,
            (false, true) => MARKS_PLAYING_MS,
            (false, false) => RESTING_MS,
        };
        let next = Next::after(self.pending.asked_ms, pause_ms, now_ms, || MarksOf {
            step: viewport.step,
            // A refresh needs only the visible pages.
            pages: if is_missing { viewport.near.to_vec() } else { viewport.pages.to_vec() },
            from_s: asked.from_s,
            to_s: asked.to_s,
            curve_until_s: -1.0,
        });
        self.pending.ask(next, now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(page: u32) -> PageRow {
        let url = format!("http://a.example/{page}");
        PageRow { page, url, group: String::new(), per_hour: None, importance: 0.0 }
    }

    fn answer(of: RowsOf, n_rows: u32) -> Rows {
        let rows = (of.first..(of.first + of.n).min(n_rows)).map(row).collect();
        Rows { of, n_rows, rows, ..Rows::default() }
    }

    fn asked<T>(next: Next<(Task, T)>) -> T {
        match next {
            Next::Ask((_, asked)) => asked,
            Next::Nothing | Next::At(_) => panic!("nothing is asked"),
        }
    }

    #[test]
    fn rows_are_asked_for_one_question_at_a_time_and_more_than_are_in_sight() {
        let mut held = RowCache::default();
        let of = asked(held.next((0, 10), 5, false, 0.0));
        assert_eq!((of.first, of.n, of.step), (0, 30, 5));
        // Scrolled meanwhile: no request until the answer arrives, then only the newest.
        assert_eq!(held.next((50, 10), 5, false, 10.0), Next::Nothing);
        assert!(held.insert(answer(of, 100_000)));
        let of = asked(held.next((99_000, 10), 5, false, 20.0));
        assert_eq!((of.first, of.n), (98_990, 30));
        assert!(held.insert(answer(of, 100_000)));
        assert_eq!(held.get(99_005).map(|row| row.page), Some(99_005));
        assert_eq!(held.next((99_010, 10), 5, false, 30.0), Next::Nothing, "they came along");
        assert_eq!(held.n_rows(), 100_000);
    }

    #[test]
    fn a_later_step_is_asked_about_after_a_while() {
        let mut held = RowCache::default();
        let of = asked(held.next((0, 4), 1, true, 1000.0));
        held.insert(answer(of, 4));
        assert_eq!(held.next((0, 4), 2, true, 1100.0), Next::At(1000.0 + ROWS_PLAYING_MS));
        let later = RowsOf { step: 2, n: 12, ..of };
        assert_eq!(held.next((0, 4), 2, false, 1100.0), Next::Ask((Task(2), later)));
        assert!(held.awaits(Task(2)) && !held.awaits(Task(1)));
        // No rows before the first fetch; later there may be some.
        let mut held = RowCache::default();
        let of = asked(held.next((0, 4), 0, false, 0.0));
        held.insert(answer(of, 0));
        assert_eq!(held.next((0, 4), 0, false, 500.0), Next::Nothing);
        assert_eq!(asked(held.next((0, 4), 1, false, 500.0)), RowsOf { step: 1, ..of });
    }

    #[test]
    fn rows_in_another_order_replace_all_when_they_are_there() {
        let mut held = RowCache::default();
        let of = asked(held.next((0, 4), 1, false, 0.0));
        held.arrange((RowOrder::Importance, RowGroup::Host));
        assert!(!held.insert(answer(of, 9)), "an answer to the old question");
        let of = asked(held.next((0, 4), 1, false, 1.0));
        assert_eq!((of.order, of.group), (RowOrder::Importance, RowGroup::Host));
        assert!(held.insert(answer(of, 9)));
        held.arrange((RowOrder::Rate, RowGroup::None));
        assert!(held.get(3).is_some(), "still in sight");
        held.clear();
        assert!(held.get(3).is_none() && !held.is_loaded);
    }

    fn viewport(pages: &[u32], from_s: f64, to_s: f64) -> Viewport<'_> {
        let span = Span { from_s, to_s };
        Viewport {
            pages,
            near: pages,
            span,
            end_s: 1000.0,
            until_s: 1000.0,
            step: 1,
            is_playing: false,
        }
    }

    fn marks(of: &MarksOf, known_until_s: f64, n_shares: usize) -> Marks {
        let shares = vec![1.0; n_shares];
        let of_page =
            |page: &u32| PageMarks { page: *page, shares: shares.clone(), ..PageMarks::default() };
        Marks {
            step: of.step,
            from_s: of.from_s,
            to_s: of.to_s,
            known_until_s,
            pages: of.pages.iter().map(of_page).collect(),
            ..Marks::default()
        }
    }

    #[test]
    fn marks_are_asked_for_when_pages_or_hours_come_into_sight() {
        let mut held = MarkCache::default();
        let of = asked(held.next(&viewport(&[1, 2], 400.0, 600.0), 0.0));
        assert_eq!((of.from_s, of.to_s), (300.0, 700.0));
        assert_eq!(held.next(&viewport(&[9], 0.0, 10.0), 1.0), Next::Nothing, "one at a time");
        held.insert(marks(&of, 1000.0, 0));
        assert_eq!(held.next(&viewport(&[1, 2], 450.0, 690.0), 2.0), Next::Nothing);
        assert_eq!(asked(held.next(&viewport(&[1, 3], 450.0, 690.0), 3.0)).pages, [1, 3]);
        held.fail();
        assert_eq!(asked(held.next(&viewport(&[1, 2], 450.0, 710.0), 4.0)).to_s, 840.0);
    }

    #[test]
    fn coarse_parts_are_asked_for_again_from_near_and_steps_after_a_while() {
        let mut held = MarkCache::default();
        let of = asked(held.next(&viewport(&[1], 0.0, 1000.0), 0.0));
        held.insert(marks(&of, 1000.0, 200));
        assert_eq!(held.next(&viewport(&[1], 100.0, 700.0), 1.0), Next::Nothing);
        let of = asked(held.next(&viewport(&[1], 400.0, 500.0), 2.0));
        assert_eq!((of.from_s, of.to_s), (350.0, 550.0));
        held.insert(marks(&of, 1000.0, 200));
        let later = Viewport { step: 2, is_playing: true, ..viewport(&[1], 400.0, 500.0) };
        assert_eq!(held.next(&later, 3.0), Next::At(2.0 + MARKS_PLAYING_MS));
        assert_eq!(asked(held.next(&later, 2.0 + MARKS_PLAYING_MS)).step, 2);
    }

    #[test]
    fn a_run_that_has_come_further_is_asked_again() {
        let mut held = MarkCache::default();
        let of = asked(held.next(&viewport(&[1], 0.0, 1000.0), 0.0));
        held.insert(marks(&of, 500.0, 0));
        let so_far = Viewport { until_s: 500.0, ..viewport(&[1], 0.0, 1000.0) };
        assert_eq!(held.next(&so_far, 200.0), Next::Nothing);
        assert!(matches!(held.next(&viewport(&[1], 0.0, 1000.0), 200.0), Next::Ask(_)));
    }
}
