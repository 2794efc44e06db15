//! What the lanes have told so far, and what to ask them next.
//!
//! Of each lane one answer is awaited at a time; by when it comes the next question has changed, and
//! only the newest is asked. A little more than is in sight is asked for, so that a small move asks
//! nothing.

use crate::clock::Span;
use crawl_protocol::Task;
use crawl_protocol::timeline::{
    Marks, MarksOf, PageMarks, PageRow, RowGroup, RowOrder, Rows, RowsOf,
};
use std::collections::BTreeMap;

/// Milliseconds between two questions about the same rows at a later step while it plays.
const ROWS_PLAYING_MS: f64 = 700.0;
/// And about the same marks.
const MARKS_PLAYING_MS: f64 = 350.0;
/// And of both while the play-head rests or is moved by hand.
const RESTING_MS: f64 = 90.0;
/// Most rows and pages that are remembered; enough to go back a little.
const MOST_HELD: usize = 2000;
/// Most rows in one question.
const MOST_ASKED: u32 = 240;
/// How much more time than is in sight is asked for, on each side.
pub const MARGIN: f64 = 0.5;
/// Parts of a time that is this many times what would be asked for are too coarse.
const COARSE: f64 = 1.8;

/// What to do about a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Next<T> {
    /// Nothing to ask.
    Nothing,
    /// Not before this moment, in milliseconds.
    At(f64),
    /// Now.
    Ask(T),
}

impl<T> Next<T> {
    /// Once enough time has passed since the last question.
    fn after(asked_ms: f64, pause_ms: f64, now_ms: f64, ask: impl FnOnce() -> T) -> Self {
        if now_ms >= asked_ms + pause_ms { Self::Ask(ask()) } else { Self::At(asked_ms + pause_ms) }
    }
}

/// The question under way, if there is one; each has a number of its own.
#[derive(Debug, Default)]
struct Waiting {
    task: u32,
    is_under_way: bool,
    asked_ms: f64,
}

impl Waiting {
    fn awaits(&self, task: Task) -> bool {
        self.is_under_way && Task(self.task) == task
    }

    /// Numbers a question that is to be asked now.
    fn ask<T>(&mut self, next: Next<T>, now_ms: f64) -> Next<(Task, T)> {
        match next {
            Next::Nothing => Next::Nothing,
            Next::At(at) => Next::At(at),
            Next::Ask(of) => {
                self.task += 1;
                (self.is_under_way, self.asked_ms) = (true, now_ms);
                Next::Ask((Task(self.task), of))
            }
        }
    }

    /// Nothing is awaited any more. Numbers go on, so that late answers are known as such.
    fn forget(&mut self) -> Self {
        Self { task: self.task, ..Self::default() }
    }
}

/// The rows, as far as they were asked for.
#[derive(Debug, Default)]
pub struct HeldRows {
    rows: BTreeMap<u32, (u32, PageRow)>,
    n_rows: u32,
    arranged: (RowOrder, RowGroup),
    /// Whether what is held is arranged as is wanted now.
    is_current: bool,
    /// Whether any answer has come.
    pub is_told: bool,
    /// The step of the last answer.
    told_step: u32,
    waiting: Waiting,
}

impl HeldRows {
    /// How many rows there are in all.
    pub fn n_rows(&self) -> u32 {
        self.n_rows
    }

    /// A row, if it is there.
    pub fn get(&self, index: u32) -> Option<&PageRow> {
        self.rows.get(&index).map(|(_, row)| row)
    }

    /// The row of a page, if it is there.
    pub fn of_page(&self, page: u32) -> Option<&PageRow> {
        self.rows.values().map(|(_, row)| row).find(|row| row.page == page)
    }

    /// Another arrangement is wanted. What is held stays in sight until the new rows are there.
    pub fn arrange(&mut self, arranged: (RowOrder, RowGroup)) {
        if self.arranged == arranged {
            return;
        }
        self.arranged = arranged;
        (self.is_current, self.waiting.is_under_way) = (false, false);
    }

    /// Another run: nothing of this holds.
    pub fn forget(&mut self) {
        let waiting = self.waiting.forget();
        *self = Self { arranged: self.arranged, waiting, ..Self::default() };
    }

    /// True for the question under way.
    pub fn awaits(&self, task: Task) -> bool {
        self.waiting.awaits(task)
    }

    /// The last question will not be answered.
    pub fn refused(&mut self) {
        self.waiting.is_under_way = false;
    }

    /// Rows came; says whether they were wanted.
    pub fn told(&mut self, rows: Rows) -> bool {
        self.waiting.is_under_way = false;
        if (rows.of.order, rows.of.group) != self.arranged {
            return false;
        }
        if !self.is_current || self.rows.len() + rows.rows.len() > MOST_HELD {
            self.rows.clear();
        }
        (self.is_current, self.is_told) = (true, true);
        (self.n_rows, self.told_step) = (rows.n_rows, rows.of.step);
        let from = rows.of.first;
        self.rows.extend((from..).zip(rows.rows.into_iter().map(|row| (rows.of.step, row))));
        self.rows.retain(|index, _| *index < rows.n_rows);
        true
    }

    /// What to ask to show `n` rows from `first` as they are at a step.
    pub fn next(
        &mut self,
        (first, n): (u32, u32),
        step: u32,
        is_playing: bool,
        now_ms: f64,
    ) -> Next<(Task, RowsOf)> {
        if self.waiting.is_under_way {
            return Next::Nothing;
        }
        let last = (first + n).min(if self.is_told { self.n_rows } else { u32::MAX });
        let of = |index: u32| self.rows.get(&index).map(|(step, _)| *step);
        let is_missing = !self.is_current || (first..last).any(|index| of(index).is_none());
        // Where nothing was there at an earlier step, there may be now.
        let is_old = (first..last).any(|index| of(index) != Some(step))
            || (last <= first && self.told_step != step);
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
        let next = Next::after(self.waiting.asked_ms, pause_ms, now_ms, || RowsOf {
            step,
            order,
            group,
            first: from,
            n,
        });
        self.waiting.ask(next, now_ms)
    }
}

/// What a page's marks are: which time they tell of, and as it stood when.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The time they tell of.
    pub span: Span,
    /// How far the run had come.
    pub known_until_s: f64,
    /// The step of estimates and due times.
    pub step: u32,
    /// What happened.
    pub marks: PageMarks,
}

/// What a lane has told of pages.
#[derive(Debug, Default)]
pub struct HeldMarks {
    pages: BTreeMap<u32, Held>,
    waiting: Waiting,
}

/// What is in sight of a lane.
#[derive(Clone, Debug)]
pub struct Sight<'a> {
    /// Its pages.
    pub pages: &'a [u32],
    /// Those near them, which come along.
    pub near: &'a [u32],
    /// The time.
    pub span: Span,
    /// Until when all runs go.
    pub end_s: f64,
    /// Until when this one has come.
    pub until_s: f64,
    /// The step of the play-head.
    pub step: u32,
    /// Whether it plays.
    pub is_playing: bool,
}

impl HeldMarks {
    /// The marks of a page, if they are there.
    pub fn get(&self, page: u32) -> Option<&Held> {
        self.pages.get(&page)
    }

    /// Another run: nothing of this holds.
    pub fn forget(&mut self) {
        *self = Self { waiting: self.waiting.forget(), ..Self::default() };
    }

    /// True for the question under way.
    pub fn awaits(&self, task: Task) -> bool {
        self.waiting.awaits(task)
    }

    /// The last question will not be answered.
    pub fn refused(&mut self) {
        self.waiting.is_under_way = false;
    }

    /// Marks came.
    pub fn told(&mut self, marks: Marks) {
        self.waiting.is_under_way = false;
        if self.pages.len() + marks.pages.len() > MOST_HELD {
            self.pages.clear();
        }
        let span = Span { from_s: marks.from_s, to_s: marks.to_s };
        let (known_until_s, step) = (marks.known_until_s, marks.step);
        let held = |page: PageMarks| (page.page, Held { span, known_until_s, step, marks: page });
        self.pages.extend(marks.pages.into_iter().map(held));
    }

    /// What to ask to show what is in sight.
    pub fn next(&mut self, sight: &Sight<'_>, now_ms: f64) -> Next<(Task, MarksOf)> {
        if self.waiting.is_under_way || sight.pages.is_empty() {
            return Next::Nothing;
        }
        let asked = sight.span.wider(MARGIN, sight.end_s.max(sight.span.to_s));
        let is_coarse = |held: &Held| {
            let is_part = held.marks.is_thinned || !held.marks.shares.is_empty();
            is_part && held.span.length_s() > COARSE * asked.length_s()
        };
        let is_missing = sight.pages.iter().any(|page| {
            let held = self.pages.get(page);
            held.is_none_or(|held| !held.span.covers(&sight.span) || is_coarse(held))
        });
        let is_old = sight.pages.iter().filter_map(|page| self.pages.get(page)).any(|held| {
            let has_come = held.known_until_s < sight.until_s.min(sight.span.to_s);
            held.step != sight.step || has_come
        });
        if !is_missing && !is_old {
            return Next::Nothing;
        }
        let pause_ms = match (is_missing, sight.is_playing) {
            (true, _) => 0.0,
            (false, true) => MARKS_PLAYING_MS,
            (false, false) => RESTING_MS,
        };
        let next = Next::after(self.waiting.asked_ms, pause_ms, now_ms, || MarksOf {
            step: sight.step,
            // What is near is only needed when one gets there; while it plays, one does not.
            pages: if is_missing { sight.near.to_vec() } else { sight.pages.to_vec() },
            from_s: asked.from_s,
            to_s: asked.to_s,
            curve_until_s: -1.0,
        });
        self.waiting.ask(next, now_ms)
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
        let mut held = HeldRows::default();
        let of = asked(held.next((0, 10), 5, false, 0.0));
        assert_eq!((of.first, of.n, of.step), (0, 30, 5));
        // Scrolled on meanwhile: nothing is asked until the answer is there, then only the newest.
        assert_eq!(held.next((50, 10), 5, false, 10.0), Next::Nothing);
        assert!(held.told(answer(of, 100_000)));
        let of = asked(held.next((99_000, 10), 5, false, 20.0));
        assert_eq!((of.first, of.n), (98_990, 30));
        assert!(held.told(answer(of, 100_000)));
        assert_eq!(held.get(99_005).map(|row| row.page), Some(99_005));
        assert_eq!(held.next((99_010, 10), 5, false, 30.0), Next::Nothing, "they came along");
        assert_eq!(held.n_rows(), 100_000);
    }

    #[test]
    fn a_later_step_is_asked_about_after_a_while() {
        let mut held = HeldRows::default();
        let of = asked(held.next((0, 4), 1, true, 1000.0));
        held.told(answer(of, 4));
        assert_eq!(held.next((0, 4), 2, true, 1100.0), Next::At(1000.0 + ROWS_PLAYING_MS));
        let later = RowsOf { step: 2, n: 12, ..of };
        assert_eq!(held.next((0, 4), 2, false, 1100.0), Next::Ask((Task(2), later)));
        assert!(held.awaits(Task(2)) && !held.awaits(Task(1)));
        // Before anything was fetched there are no rows; later there may be.
        let mut held = HeldRows::default();
        let of = asked(held.next((0, 4), 0, false, 0.0));
        held.told(answer(of, 0));
        assert_eq!(held.next((0, 4), 0, false, 500.0), Next::Nothing);
        assert_eq!(asked(held.next((0, 4), 1, false, 500.0)), RowsOf { step: 1, ..of });
    }

    #[test]
    fn rows_in_another_order_replace_all_when_they_are_there() {
        let mut held = HeldRows::default();
        let of = asked(held.next((0, 4), 1, false, 0.0));
        held.arrange((RowOrder::Importance, RowGroup::Host));
        assert!(!held.told(answer(of, 9)), "an answer to the old question");
        let of = asked(held.next((0, 4), 1, false, 1.0));
        assert_eq!((of.order, of.group), (RowOrder::Importance, RowGroup::Host));
        assert!(held.told(answer(of, 9)));
        held.arrange((RowOrder::Rate, RowGroup::None));
        assert!(held.get(3).is_some(), "still in sight");
        held.forget();
        assert!(held.get(3).is_none() && !held.is_told);
    }

    fn sight(pages: &[u32], from_s: f64, to_s: f64) -> Sight<'_> {
        let span = Span { from_s, to_s };
        Sight {
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
        let mut held = HeldMarks::default();
        let of = asked(held.next(&sight(&[1, 2], 400.0, 600.0), 0.0));
        assert_eq!((of.from_s, of.to_s), (300.0, 700.0));
        assert_eq!(held.next(&sight(&[9], 0.0, 10.0), 1.0), Next::Nothing, "one at a time");
        held.told(marks(&of, 1000.0, 0));
        assert_eq!(held.next(&sight(&[1, 2], 450.0, 690.0), 2.0), Next::Nothing);
        assert_eq!(asked(held.next(&sight(&[1, 3], 450.0, 690.0), 3.0)).pages, [1, 3]);
        held.refused();
        assert_eq!(asked(held.next(&sight(&[1, 2], 450.0, 710.0), 4.0)).to_s, 840.0);
    }

    #[test]
    fn coarse_parts_are_asked_for_again_from_near_and_steps_after_a_while() {
        let mut held = HeldMarks::default();
        let of = asked(held.next(&sight(&[1], 0.0, 1000.0), 0.0));
        held.told(marks(&of, 1000.0, 200));
        assert_eq!(held.next(&sight(&[1], 100.0, 700.0), 1.0), Next::Nothing);
        let of = asked(held.next(&sight(&[1], 400.0, 500.0), 2.0));
        assert_eq!((of.from_s, of.to_s), (350.0, 550.0));
        held.told(marks(&of, 1000.0, 200));
        let later = Sight { step: 2, is_playing: true, ..sight(&[1], 400.0, 500.0) };
        assert_eq!(held.next(&later, 3.0), Next::At(2.0 + MARKS_PLAYING_MS));
        assert_eq!(asked(held.next(&later, 2.0 + MARKS_PLAYING_MS)).step, 2);
    }

    #[test]
    fn a_run_that_has_come_further_is_asked_again() {
        let mut held = HeldMarks::default();
        let of = asked(held.next(&sight(&[1], 0.0, 1000.0), 0.0));
        held.told(marks(&of, 500.0, 0));
        let so_far = Sight { until_s: 500.0, ..sight(&[1], 0.0, 1000.0) };
        assert_eq!(held.next(&so_far, 200.0), Next::Nothing);
        assert!(matches!(held.next(&sight(&[1], 0.0, 1000.0), 200.0), Next::Ask(_)));
    }
}
