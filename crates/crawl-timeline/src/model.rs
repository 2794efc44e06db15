//! State of the timeline. Browser-free, so it is tested natively.
//!
//! Input: messages of the app ([`Model::receive`]), pointer and keys ([`crate::pointer`]). Output:
//! requests to the app ([`Model::take_requests`]) and what to redraw ([`Model::take_changed`]).

use crate::cache::{CachedMarks, MarkCache, Next, RowCache, Viewport};
use crate::clock::Span;
use crate::curve::{Curve, Range};
use crate::layout::{Layout, Wanted};
use crate::names::Hosts;
use crate::pointer::Pointers;
use crawl_protocol::timeline::{
    Answered, Ask, Message, Packed, PageRow, Request, RowGroup, RowOrder, Scene, Visit,
};
use crawl_protocol::visible;

/// Rows examined for group headings; more never fit.
const LOOKED_AT: u32 = 96;
/// Rows requested before the layout is known.
const FIRST_ROWS: u32 = 8;
/// Position of the play-head, as a share of the width, after it played out of view.
const TURNED_TO: f64 = 0.08;

/// The play-head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// Position in seconds.
    pub at_s: f64,
    /// Step of each lane.
    pub steps: Vec<u32>,
    /// Whether it plays.
    pub is_playing: bool,
}

/// What must be redrawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Rows, curve and axis.
    pub rows: bool,
    /// The play-head and the overlay.
    pub head: bool,
    /// The controls and the summary.
    pub controls: bool,
}

impl Changed {
    /// Everything.
    pub const ALL: Self = Self { rows: true, head: true, controls: true };
}

/// Why the timeline is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// No lane has a revisit policy.
    Never,
    /// The runs have not started.
    NotStarted,
    /// No page has been fetched by the play-head's step.
    NoRows,
    /// The rows are loading.
    Loading,
}

/// State of the timeline.
#[derive(Default)]
pub struct Model {
    /// Lanes, order and grouping.
    pub scene: Scene,
    /// The play-head.
    pub head: Head,
    /// The curve of each lane.
    pub curves: Vec<Curve>,
    /// Value range of the curves.
    pub range: Range,
    /// Visible time span.
    pub span: Span,
    /// Whether the whole run stays visible while it grows; false after zooming.
    pub(crate) fits: bool,
    /// First visible row.
    pub first: u32,
    /// The focused row.
    pub focus: Option<u32>,
    /// The rows.
    pub rows: RowCache,
    /// Marks of each lane.
    pub marks: Vec<MarkCache>,
    /// Shared part of the URLs, for short names.
    pub hosts: Hosts,
    /// The row of the only page shown.
    alone: Option<PageRow>,
    pub(crate) size: (f64, f64),
    pub(crate) pointers: Pointers,
    pub(crate) requests: Vec<Request>,
    pub(crate) changed: Changed,
}

impl Model {
    /// An empty timeline.
    pub fn new() -> Self {
        Self { fits: true, span: Span::whole(0.0), ..Self::default() }
    }

    /// Takes the pending requests to the app.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Takes what must be redrawn.
    pub fn take_changed(&mut self) -> Changed {
        std::mem::take(&mut self.changed)
    }

    /// Sets the size and redraws everything, also after a change of colours.
    pub fn resized(&mut self, size: (f64, f64)) {
        self.size = size;
        // The element under the pointer may have moved.
        self.pointers.at = None;
        self.changed = Changed::ALL;
        self.scroll_to(self.first);
    }

    /// Handles a message of the app.
    pub fn receive(&mut self, message: Message) {
        match message {
            Message::Scene(scene) => self.set_scene(scene),
            Message::Head { at_s, steps, is_playing } => {
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

    /// Handles an answer of a lane; ignores answers to old requests.
    pub fn receive_answer(&mut self, lane: usize, answer: Answered) {
        let Some(marks) = self.marks.get_mut(lane) else { return };
        match answer {
            Answered::Rows(mut rows) if self.rows.awaits(rows.task) => {
                // Escape hidden characters: both are only displayed.
                for row in &mut rows.rows {
                    row.url = visible(&row.url).into_owned();
                    row.group = visible(&row.group).into_owned();
                }
                rows.rows.iter().for_each(|row| self.hosts.see(&row.url));
                if self.rows.insert(rows) {
                    self.scroll_to(self.first);
                    self.changed = Changed::ALL;
                }
            }
            Answered::Marks(mut answer) if marks.awaits(answer.task) => {
                if let Some(curve) = answer.curve.take() {
                    let until_s = answer.known_until_s;
                    self.curves.resize_with(self.scene.lanes.len().max(lane + 1), Curve::default);
                    self.curves[lane] = Curve::of(&curve, until_s);
                    self.range = Range::of(&self.curves);
                }
                marks.insert(answer);
                self.changed = Changed { controls: !self.head.is_playing, ..Changed::ALL };
            }
            Answered::Failed { task, .. } if lane == 0 && self.rows.awaits(task) => {
                self.rows.fail();
            }
            Answered::Failed { task, .. } if marks.awaits(task) => marks.fail(),
            _ => {}
        }
    }

    fn ask_lane(&mut self, lane: usize, ask: &Ask) {
        if let Ok(packed) = Packed::pack(ask) {
            self.requests.push(Request::Ask(lane as u32, packed));
        }
    }

    fn set_scene(&mut self, scene: Scene) {
        let run = |scene: &Scene, lane: usize| scene.lanes.get(lane).map(|lane| lane.run);
        self.marks.resize_with(scene.lanes.len(), MarkCache::default);
        for (lane, held) in self.marks.iter_mut().enumerate() {
            if run(&scene, lane) != run(&self.scene, lane) {
                held.clear();
                if let Some(curve) = self.curves.get_mut(lane) {
                    *curve = Curve::default();
                }
            }
        }
        if run(&scene, 0) != run(&self.scene, 0) {
            self.rows.clear();
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

    /// Sets the visible time span.
    pub(crate) fn show(&mut self, span: Span) {
        if span != self.span {
            self.span = span;
            self.changed = Changed::ALL;
        }
    }

    /// Zooms about the play-head if it is visible, else about the middle.
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

    /// Shows the whole run.
    pub fn fit(&mut self) {
        self.fits = true;
        self.show(Span::whole(self.scene.end_s));
    }

    /// Sets the first visible row.
    pub fn scroll_to(&mut self, first: u32) {
        // If all rows fit, do not scroll.
        let first = match self.layout_from(0) {
            layout if layout.scrolls => first.min(layout.last_first),
            _ => 0,
        };
        if first != self.first {
            self.first = first;
            self.changed = Changed::ALL;
        }
    }

    /// Requests another order or grouping.
    pub fn arrange(&mut self, order: RowOrder, group: RowGroup) {
        self.requests.push(Request::Order(order, group));
    }

    /// Shows one page, or all pages again.
    pub fn toggle_alone(&mut self) {
        let page = if self.scene.alone.is_some() { None } else { self.page_meant() };
        if page.is_some() || self.scene.alone.is_some() {
            self.requests.push(Request::Alone(page));
        }
    }

    /// The page that keys and buttons act on: focused, else explained, else first visible.
    fn page_meant(&self) -> Option<u32> {
        let focused = self.focus.and_then(|index| self.rows.get(index)).map(|row| row.page);
        let chosen = self.scene.chosen.map(|(page, _)| page);
        focused.or(chosen).or_else(|| self.rows.get(self.first).map(|row| row.page))
    }

    /// Requests to close the timeline.
    pub fn close(&mut self) {
        self.requests.push(Request::Close);
    }

    /// Requests the explanation of the last visit before the play-head.
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
            self.requests.push(Request::Why { lane, page, step, found });
        }
    }

    /// Lane, page and time of the explained visit: the chosen page's first after the play-head.
    pub fn explained(&self) -> Option<(usize, u32, f64)> {
        let (page, lane) = self.scene.chosen?;
        let lane = lane as usize;
        let step = *self.head.steps.get(lane)?;
        let visits = &self.held(lane, page)?.marks.visits;
        let next = visits.get(visits.partition_point(|visit| visit.step <= step))?;
        Some((lane, page, next.at_s))
    }

    /// Whether any lane has a visit budget above 0.
    pub fn has_budget(&self) -> bool {
        self.scene.lanes.iter().any(|lane| lane.visits_per_hour > 0.0)
    }

    /// Requests the policy dialog.
    pub fn choose_policy(&mut self) {
        self.requests.push(Request::Policy);
    }

    /// Scrolls by one screen of rows.
    pub(crate) fn turn_rows(&mut self, down: bool) {
        let n = (self.layout().rows.len() as u32).max(1);
        let to = if down { self.first + n } else { self.first.saturating_sub(n) };
        self.scroll_to(to);
        self.focus = Some(self.first);
        self.changed = Changed::ALL;
    }

    /// Moves the focus by one row.
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
                self.requests.push(Request::Alone(Some(page)));
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

    /// The row at an index of the layout.
    pub fn row(&self, index: u32) -> Option<&PageRow> {
        if self.scene.alone.is_some() { self.alone.as_ref() } else { self.rows.get(index) }
    }

    /// Cached marks of a page in a lane.
    pub fn held(&self, lane: usize, page: u32) -> Option<&CachedMarks> {
        self.marks.get(lane)?.get(page)
    }

    /// Share of the visible time in which the copy was fresh.
    pub fn fresh_share(&self, held: &CachedMarks) -> Option<f64> {
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

    /// The current layout.
    pub fn layout(&self) -> Layout {
        self.layout_from(self.first)
    }

    fn layout_from(&self, first: u32) -> Layout {
        let is_grouped = self.scene.group != RowGroup::None;
        let n_rows = self.rows.n_rows();
        let last = (first + LOOKED_AT).min(n_rows);
        let group = |index: u32| self.rows.get(index).map(|row| row.group.as_str());
        // The first visible row always has a heading.
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

    /// Why the timeline is empty, if it is.
    pub fn empty(&self) -> Option<Empty> {
        let lanes = &self.scene.lanes;
        if !lanes.iter().any(|lane| lane.revisits) {
            Some(Empty::Never)
        } else if self.scene.end_s <= 0.0 && lanes.iter().all(|lane| lane.error.is_empty()) {
            Some(Empty::NotStarted)
        } else if self.row(self.first).is_some() {
            None
        } else if self.rows.is_loaded && self.rows.n_rows() == 0 {
            Some(Empty::NoRows)
        } else {
            Some(Empty::Loading)
        }
    }

    /// Requests missing data; returns when to call again, in milliseconds.
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
        let pages_of = |places: &mut dyn Iterator<Item = u32>| -> Vec<u32> {
            places.filter_map(|index| self.row(index)).map(|row| row.page).collect()
        };
        let pages = pages_of(&mut layout.rows.iter().map(|row| row.index));
        let near = if self.scene.alone.is_some() {
            pages.clone()
        } else {
            let n = layout.rows.len() as u32;
            pages_of(&mut (self.first.saturating_sub(n)..self.first + 2 * n))
        };
        let (span, end_s) = (self.span, self.scene.end_s);
        for (at, lane) in self.scene.lanes.iter().enumerate() {
            if !lane.error.is_empty() || lane.until_s <= 0.0 {
                continue;
            }
            let viewport = Viewport {
                pages: &pages,
                near: &near,
                span,
                end_s,
                until_s: lane.until_s,
                step: step(at, &self.head),
                is_playing,
            };
            match self.marks[at].next(&viewport, now_ms) {
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
