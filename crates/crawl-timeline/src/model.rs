//! What the timeline knows and how it changes: no browser in here, so all of it is tested natively.
//!
//! The app tells ([`Model::told`]), the reader points and presses ([`crate::pointer`]); what the app
//! should then do is taken by [`Model::take_wishes`], what must be drawn anew by
//! [`Model::take_changed`].

use crate::clock::Span;
use crate::curve::{Curve, Range};
use crate::held::{Held, HeldMarks, HeldRows, Next, Sight};
use crate::layout::{Layout, Wanted};
use crate::names::Hosts;
use crate::pointer::Pointers;
use crawl_protocol::timeline::{
    Answered, Ask, Packed, PageRow, RowGroup, RowOrder, Scene, Told, Visit, Wish,
};
use crawl_protocol::visible;

/// Rows that are looked at for headings; more never fit.
const LOOKED_AT: u32 = 96;
/// Rows asked for before it is known how many fit.
const FIRST_ROWS: u32 = 8;
/// Where the play-head is put when it plays out of sight.
const TURNED_TO: f64 = 0.08;

/// The play-head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// Its second.
    pub at_s: f64,
    /// The step of each lane there.
    pub steps: Vec<u32>,
    /// Whether it plays.
    pub is_playing: bool,
}

/// What must be drawn anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Rows, curve and axis.
    pub rows: bool,
    /// The play-head and what lies over the rows.
    pub head: bool,
    /// The controls, and what is said of the whole.
    pub controls: bool,
}

impl Changed {
    /// Everything.
    pub const ALL: Self = Self { rows: true, head: true, controls: true };
}

/// Why there is nothing to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// No lane visits pages again.
    Never,
    /// The runs have not begun.
    NotStarted,
    /// No page has been fetched by the play-head's step.
    NoRows,
    /// The rows are on their way.
    Loading,
}

/// What the timeline knows.
#[derive(Default)]
pub struct Model {
    /// What is shown.
    pub scene: Scene,
    /// The play-head.
    pub head: Head,
    /// The curve of each lane.
    pub curves: Vec<Curve>,
    /// From where to where they go.
    pub range: Range,
    /// The time in sight.
    pub span: Span,
    /// The reader has not zoomed: all of the run stays in sight while it grows.
    pub(crate) fits: bool,
    /// The first row in sight.
    pub first: u32,
    /// The row that keys are about.
    pub focus: Option<u32>,
    /// The rows.
    pub rows: HeldRows,
    /// What happened, a lane each.
    pub marks: Vec<HeldMarks>,
    /// What URLs have in common.
    pub hosts: Hosts,
    /// The row of the page that is alone.
    alone: Option<PageRow>,
    pub(crate) size: (f64, f64),
    pub(crate) pointers: Pointers,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) changed: Changed,
}

impl Model {
    /// One that has been told nothing.
    pub fn new() -> Self {
        Self { fits: true, span: Span::whole(0.0), ..Self::default() }
    }

    /// What the app should do, each told once.
    pub fn take_wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// What must be drawn anew, each told once.
    pub fn take_changed(&mut self) -> Changed {
        std::mem::take(&mut self.changed)
    }

    /// Everything must be drawn anew: the size or the colours are others.
    pub fn resized(&mut self, size: (f64, f64)) {
        self.size = size;
        // What was under the pointer is elsewhere now.
        self.pointers.at = None;
        self.changed = Changed::ALL;
        self.scroll_to(self.first);
    }

    /// The app says something.
    pub fn told(&mut self, told: Told) {
        match told {
            Told::Scene(scene) => self.set_scene(scene),
            Told::Head { at_s, steps, is_playing } => {
                let was = std::mem::replace(&mut self.head, Head { at_s, steps, is_playing });
                self.changed.head = true;
                self.changed.controls |= was.is_playing != is_playing;
                let left = was.at_s <= self.span.to_s && at_s > self.span.to_s;
                if is_playing && left {
                    let share = (at_s - self.span.from_s) / self.span.length_s() - TURNED_TO;
                    self.show(self.span.moved(share, self.scene.end_s));
                }
            }
        }
    }

    /// A lane answers; what was not asked last is left out.
    pub fn answered(&mut self, lane: usize, answered: Answered) {
        let Some(marks) = self.marks.get_mut(lane) else { return };
        match answered {
            Answered::Rows(mut rows) if self.rows.awaits(rows.task) => {
                // Both come from outside and are only shown.
                for row in &mut rows.rows {
                    row.url = visible(&row.url).into_owned();
                    row.group = visible(&row.group).into_owned();
                }
                rows.rows.iter().for_each(|row| self.hosts.see(&row.url));
                if self.rows.told(rows) {
                    self.scroll_to(self.first);
                    self.changed = Changed::ALL;
                }
            }
            Answered::Marks(mut told) if marks.awaits(told.task) => {
                if let Some(curve) = told.curve.take() {
                    let until_s = told.known_until_s;
                    self.curves.resize_with(self.scene.lanes.len().max(lane + 1), Curve::default);
                    self.curves[lane] = Curve::of(&curve, until_s);
                    self.range = Range::of(&self.curves);
                }
                marks.told(told);
                self.changed = Changed { controls: !self.head.is_playing, ..Changed::ALL };
            }
            Answered::Failed { task, .. } if lane == 0 && self.rows.awaits(task) => {
                self.rows.refused();
            }
            Answered::Failed { task, .. } if marks.awaits(task) => marks.refused(),
            _ => {}
        }
    }

    fn ask_lane(&mut self, lane: usize, ask: &Ask) {
        if let Ok(packed) = Packed::pack(ask) {
            self.wishes.push(Wish::Ask(lane as u32, packed));
        }
    }

    fn set_scene(&mut self, scene: Scene) {
        let run = |scene: &Scene, lane: usize| scene.lanes.get(lane).map(|lane| lane.run);
        self.marks.resize_with(scene.lanes.len(), HeldMarks::default);
        for (lane, held) in self.marks.iter_mut().enumerate() {
            if run(&scene, lane) != run(&self.scene, lane) {
                held.forget();
                if let Some(curve) = self.curves.get_mut(lane) {
                    *curve = Curve::default();
                }
            }
        }
        if run(&scene, 0) != run(&self.scene, 0) {
            self.rows.forget();
        }
        if (scene.order, scene.group) != (self.scene.order, self.scene.group) {
            (self.first, self.focus) = (0, None);
        }
        self.rows.arrange((scene.order, scene.group));
        self.alone = match scene.alone {
            None => None,
            Some(page) => {
                let kept = self.alone.take().filter(|row| row.page == page);
                kept.or_else(|| self.rows.of_page(page).cloned())
            }
        };
        let end_s = scene.end_s;
        self.scene = scene;
        self.span = if self.fits { Span::whole(end_s) } else { self.span.moved(0.0, end_s) };
        self.changed = Changed::ALL;
    }

    /// Shows another time.
    pub(crate) fn show(&mut self, span: Span) {
        if span != self.span {
            self.span = span;
            self.changed = Changed::ALL;
        }
    }

    /// Nearer or farther, about the middle or the play-head where it is in sight.
    pub fn zoom(&mut self, factor: f64) {
        let at = (self.head.at_s - self.span.from_s) / self.span.length_s();
        let share = if (0.0..=1.0).contains(&at) { at } else { 0.5 };
        self.zoom_at(factor, share);
    }

    pub(crate) fn zoom_at(&mut self, factor: f64, share: f64) {
        let span = self.span.zoomed(factor, share, self.scene.end_s);
        self.fits = span == Span::whole(self.scene.end_s);
        self.show(span);
    }

    pub(crate) fn pan(&mut self, share: f64) {
        self.show(self.span.moved(share, self.scene.end_s));
    }

    /// All of the run.
    pub fn fit(&mut self) {
        self.fits = true;
        self.show(Span::whole(self.scene.end_s));
    }

    /// Another row is the first in sight.
    pub fn scroll_to(&mut self, first: u32) {
        // Where all rows fit, the first stays the first.
        let first = match self.layout_from(0) {
            layout if layout.scrolls => first.min(layout.last_first),
            _ => 0,
        };
        if first != self.first {
            self.first = first;
            self.changed = Changed::ALL;
        }
    }

    /// Another order or grouping is wanted.
    pub fn arrange(&mut self, order: RowOrder, group: RowGroup) {
        self.wishes.push(Wish::Order(order, group));
    }

    /// One page alone, or all again.
    pub fn toggle_alone(&mut self) {
        let page = if self.scene.alone.is_some() { None } else { self.page_meant() };
        if page.is_some() || self.scene.alone.is_some() {
            self.wishes.push(Wish::Alone(page));
        }
    }

    /// The page that keys and buttons mean: the one in focus, the one whose reasons are shown, or
    /// the first in sight.
    fn page_meant(&self) -> Option<u32> {
        let focused = self.focus.and_then(|index| self.rows.get(index)).map(|row| row.page);
        let chosen = self.scene.chosen.map(|(page, _)| page);
        focused.or(chosen).or_else(|| self.rows.get(self.first).map(|row| row.page))
    }

    /// Back to the stage.
    pub fn close(&mut self) {
        self.wishes.push(Wish::Close);
    }

    /// Why the last visit before the play-head happened, to the page that is meant.
    pub(crate) fn why_last(&mut self) {
        let lane = self.scene.chosen.map_or(0, |(_, lane)| lane);
        let page = self.scene.alone.or_else(|| self.page_meant());
        let Some((page, held)) =
            page.and_then(|page| Some((page, self.marks.get(lane as usize)?.get(page)?)))
        else {
            return;
        };
        let before = held.marks.visits.partition_point(|visit| visit.at_s <= self.head.at_s);
        if let Some(visit) = before.checked_sub(1).and_then(|at| held.marks.visits.get(at)) {
            let Visit { step, found, .. } = *visit;
            self.wishes.push(Wish::Why { lane, page, step, found });
        }
    }

    /// The visit whose reasons are shown: of the chosen page the first after the play-head. Lane, page
    /// and second.
    pub fn explained(&self) -> Option<(usize, u32, f64)> {
        let (page, lane) = self.scene.chosen?;
        let lane = lane as usize;
        let step = *self.head.steps.get(lane)?;
        let visits = &self.held(lane, page)?.marks.visits;
        let next = visits.get(visits.partition_point(|visit| visit.step <= step))?;
        Some((lane, page, next.at_s))
    }

    /// Whether pages may be visited again at all.
    pub fn has_budget(&self) -> bool {
        self.scene.lanes.iter().any(|lane| lane.visits_per_hour > 0.0)
    }

    /// A policy is wanted.
    pub fn choose_policy(&mut self) {
        self.wishes.push(Wish::Policy);
    }

    /// As many rows on as are in sight.
    pub(crate) fn turn_rows(&mut self, down: bool) {
        let n = (self.layout().rows.len() as u32).max(1);
        let to = if down { self.first + n } else { self.first.saturating_sub(n) };
        self.scroll_to(to);
        self.focus = Some(self.first);
        self.changed = Changed::ALL;
    }

    /// From row to row.
    pub(crate) fn step_rows(&mut self, down: bool) {
        let n_rows = self.rows.n_rows();
        if n_rows == 0 {
            return;
        }
        let from = self.focus.or(self.row_of_alone());
        let to = match (from, down) {
            (None, _) => self.first,
            (Some(at), true) => (at + 1).min(n_rows - 1),
            (Some(at), false) => at.saturating_sub(1),
        };
        self.focus = Some(to);
        self.changed = Changed::ALL;
        if self.scene.alone.is_some() {
            let page = self.rows.get(to).map(|row| row.page);
            if let Some(page) = page {
                self.wishes.push(Wish::Alone(Some(page)));
            }
            return;
        }
        let layout = self.layout();
        let last = layout.rows.last().map_or(to, |row| row.index);
        if to < self.first {
            self.scroll_to(to);
        } else if to > last {
            self.scroll_to(self.first + (to - last));
        }
    }

    fn row_of_alone(&self) -> Option<u32> {
        let page = self.scene.alone?;
        (0..self.rows.n_rows())
            .skip(self.first as usize)
            .take(LOOKED_AT as usize)
            .find(|index| self.rows.get(*index).is_some_and(|row| row.page == page))
    }

    /// The row at a place of the layout.
    pub fn row(&self, index: u32) -> Option<&PageRow> {
        if self.scene.alone.is_some() { self.alone.as_ref() } else { self.rows.get(index) }
    }

    /// What a lane has told of a page.
    pub fn held(&self, lane: usize, page: u32) -> Option<&Held> {
        self.marks.get(lane)?.get(page)
    }

    /// The share of the time in sight in which a lane's copy of a page was fresh.
    pub fn fresh_share(&self, held: &Held) -> Option<f64> {
        let shares: Vec<f64> =
            held.marks.shares.iter().filter(|s| **s >= 0.0).map(|s| f64::from(*s)).collect();
        if !shares.is_empty() {
            return Some(shares.iter().sum::<f64>() / shares.len() as f64);
        }
        let from_s = held.marks.copied_s?.max(self.span.from_s).max(held.span.from_s);
        let to_s = held.known_until_s.min(self.span.to_s).min(held.span.to_s);
        let stale = held.marks.stale.iter();
        let stale: f64 = stale.map(|(from, to)| (to.min(to_s) - from.max(from_s)).max(0.0)).sum();
        (to_s > from_s).then(|| 1.0 - stale / (to_s - from_s))
    }

    /// Where things are.
    pub fn layout(&self) -> Layout {
        self.layout_from(self.first)
    }

    fn layout_from(&self, first: u32) -> Layout {
        let is_grouped = self.scene.group != RowGroup::None;
        let n_rows = self.rows.n_rows();
        let last = (first + LOOKED_AT).min(n_rows);
        let group = |index: u32| self.rows.get(index).map(|row| row.group.as_str());
        // The first in sight always says which group it belongs to.
        let begins = |index: u32| {
            is_grouped && (index == first || index.checked_sub(1).and_then(group) != group(index))
        };
        let begins: Vec<bool> = (first..last).map(begins).collect();
        Layout::of(&Wanted {
            size: self.size,
            n_lanes: self.scene.lanes.len(),
            n_rows,
            first,
            is_alone: self.scene.alone.is_some(),
            is_grouped,
            span: self.span,
            begins: &begins,
        })
    }

    /// Why there is nothing to see, if so.
    pub fn empty(&self) -> Option<Empty> {
        let lanes = &self.scene.lanes;
        if !lanes.iter().any(|lane| lane.revisits) {
            Some(Empty::Never)
        } else if self.scene.end_s <= 0.0 && lanes.iter().all(|lane| lane.error.is_empty()) {
            Some(Empty::NotStarted)
        } else if self.row(self.first).is_some() {
            None
        } else if self.rows.is_told && self.rows.n_rows() == 0 {
            Some(Empty::NoRows)
        } else {
            Some(Empty::Loading)
        }
    }

    /// Asks for what is missing; says when to come again, in milliseconds, if for nothing else.
    pub fn ask(&mut self, now_ms: f64) -> Option<f64> {
        if matches!(self.empty(), Some(Empty::Never | Empty::NotStarted)) {
            return None;
        }
        let layout = self.layout();
        let (mut again, mut asks) = (None, Vec::new());
        let mut later = |at: f64| again = Some(again.map_or(at, |so_far: f64| so_far.min(at)));
        let step = |lane: usize, head: &Head| head.steps.get(lane).copied().unwrap_or(0);
        let is_playing = self.head.is_playing;
        if self.scene.alone.is_none() {
            let n = (layout.rows.len() as u32).max(FIRST_ROWS);
            match self.rows.next((self.first, n), step(0, &self.head), is_playing, now_ms) {
                Next::Ask((task, of)) => asks.push((0, Ask::Rows { task, of })),
                Next::At(at) => later(at),
                Next::Nothing => {}
            }
        }
        let in_sight = |places: &mut dyn Iterator<Item = u32>| -> Vec<u32> {
            places.filter_map(|index| self.row(index)).map(|row| row.page).collect()
        };
        let pages = in_sight(&mut layout.rows.iter().map(|row| row.index));
        let near = if self.scene.alone.is_some() {
            pages.clone()
        } else {
            let n = layout.rows.len() as u32;
            in_sight(&mut (self.first.saturating_sub(n)..self.first + 2 * n))
        };
        let (span, end_s) = (self.span, self.scene.end_s);
        for (at, lane) in self.scene.lanes.iter().enumerate() {
            if !lane.error.is_empty() || lane.until_s <= 0.0 {
                continue;
            }
            let sight = Sight {
                pages: &pages,
                near: &near,
                span,
                end_s,
                until_s: lane.until_s,
                step: step(at, &self.head),
                is_playing,
            };
            match self.marks[at].next(&sight, now_ms) {
                Next::Ask((task, mut of)) => {
                    of.curve_until_s = self.curves.get(at).map_or(-1.0, |curve| curve.until_s);
                    asks.push((at, Ask::Marks { task, of }));
                }
                Next::At(at) => later(at),
                Next::Nothing => {}
            }
        }
        asks.iter().for_each(|(lane, ask)| self.ask_lane(*lane, ask));
        again
    }
}
