//! The crawl as it stands after a step.

use super::running::Running;
use crawl_core::{UrlId, rounded};
use crawl_protocol::Task;
use crawl_protocol::lane::{Best, Frame, Learning, Range, Row};
use crawl_world::PageId;

/// What every page has, and no crawler knows.
const TRUE_RANK: &str = "true-pagerank";

/// From where to where values go, on the scale that shows them best.
fn range(values: &[f64]) -> Option<Range> {
    let high = values.iter().copied().max_by(f64::total_cmp)?;
    let least = values.iter().copied().min_by(f64::total_cmp)?;
    let above = values.iter().copied().filter(|value| *value > 0.0).min_by(f64::total_cmp);
    // Cash and ranks go over many sizes, where all but a few would look alike.
    match above {
        Some(low) if least >= 0.0 && high > 30.0 * low => Some(Range { low, high, is_log: true }),
        _ => Some(Range { low: least, high, is_log: false }),
    }
}

/// Where a value stands in a range, 0 to 1.
fn place(range: Range, value: f64) -> f64 {
    let scale = |value: f64| if range.is_log { libm::log(value) } else { value };
    let (low, high) = (scale(range.low), scale(range.high));
    if high > low { (scale(value.max(range.low)) - low) / (high - low) } else { 0.5 }
}

fn learning(learning: crawl_core::strategy::Learning) -> Learning {
    let crawl_core::strategy::Learning { number, step, n_results, next_at } = learning;
    Learning { number, step, n_results, next_at }
}

impl Running {
    /// The crawl after a step, at a moment before the next, with so many of the next URLs.
    pub(super) fn frame(&mut self, task: Task, step: u32, at_s: f64, rows: usize) -> Frame {
        let step = self.seek(step);
        let now_us = self.moment(at_s);
        let session = self.session();
        let world = &*self.run.world;
        let upcoming = session.upcoming(world, rows.max(1));
        let next = upcoming.iter().take(rows).map(|url| self.row(*url, now_us)).collect();
        let seconds = now_us as f64 / 1e6;
        let frame = Frame {
            task,
            step,
            seconds,
            n_waiting: self.n_waiting(),
            n_known: session.book().n_discovered(),
            in_flight: session.in_flight().map(|url| self.page(url).0).collect(),
            next,
            best: None,
            keeps: self.keeps(),
            value: String::new(),
            range: None,
            learning: session.learning().map(learning),
        };
        let taken = upcoming.first().map(|url| self.page(*url));
        let best = self.best_waiting(step).zip(taken).map(|((url, place), taken)| {
            let rank = |page: PageId| self.run.truth.rank(page);
            let regret = (rank(self.page(url)) - rank(taken)).max(0.0);
            Best { row: self.row(url, now_us), place, regret }
        });
        Frame { best, ..frame }
    }

    /// What can be shown of the pages, by name.
    fn keeps(&self) -> Vec<String> {
        let names = self.session().keeps().into_iter().chain([TRUE_RANK]);
        names.chain(self.visit_values().iter().copied()).map(str::to_owned).collect()
    }

    /// A moment in microseconds; the present step's where that is later.
    pub(super) fn moment(&self, at_s: f64) -> u64 {
        self.run.lanes[0].travel().now().now_us().max((at_s.max(0.0) * 1e6) as u64)
    }

    /// Values of that name at the present step and moment: their range, their pages, and where each one
    /// stands within the range.
    pub(super) fn values(&self, name: &str, at_s: f64) -> Option<(Range, Vec<u32>, Vec<f32>)> {
        let now_us = self.moment(at_s);
        let (session, world) = (self.session(), &*self.run.world);
        if !self.keeps().iter().any(|kept| kept == name) {
            return None;
        }
        let value = |url: UrlId| match name {
            TRUE_RANK => Some(self.run.truth.rank(self.page(url))),
            _ if self.visit_values().contains(&name) => self.visit_value(name, url, now_us),
            _ => session.kept(world, name, url),
        };
        let urls = (0..session.book().n_discovered()).map(UrlId);
        let (mut pages, mut values) = (Vec::new(), Vec::new());
        for (url, value) in urls.filter_map(|url| Some((url, value(url)?))) {
            pages.push(self.page(url).0);
            values.push(value);
        }
        let range = range(&values).map(|range| self.shared_range(name).unwrap_or(range))?;
        let places = values.iter().map(|value| place(range, *value) as f32).collect();
        Some((range, pages, places))
    }

    /// A URL as it is shown.
    pub(super) fn row(&self, url: UrlId, now_us: u64) -> Row {
        let page = self.page(url);
        let score = self.session().priority(url);
        let due_us = self.session().visit_plan(url).and_then(|plan| plan.due_us);
        let due_s = due_us.filter(|due_us| *due_us > now_us).map(|due_us| due_us as f64 / 1e6);
        let held = self.session().is_held(url) || due_s.is_some();
        Row { page: page.0, url: self.run.world.url(page).into_owned(), score, held, due_s }
    }

    /// How many URLs wait, those of a chosen batch and those due for a visit included.
    pub(super) fn n_waiting(&self) -> u32 {
        let n = self.session().frontier().len() + self.chosen().len();
        n as u32 + self.session().n_due()
    }

    /// The URLs of the present batch that are not yet started, in order.
    fn chosen(&self) -> Vec<UrlId> {
        let session = self.session();
        let batch = session.rules().batch as usize;
        if batch <= 1 {
            return Vec::new();
        }
        let upcoming = session.upcoming(&*self.run.world, batch);
        upcoming.into_iter().take_while(|url| !session.frontier().contains(*url)).collect()
    }

    /// A URL's place among those that wait, from 1.
    pub(super) fn place(&self, url: UrlId) -> Option<u32> {
        let session = self.session();
        let chosen = self.chosen();
        if let Some(at) = chosen.iter().position(|other| *other == url) {
            return Some(at as u32 + 1);
        }
        let frontier = session.frontier();
        if !frontier.contains(url) {
            return None;
        }
        let key = rounded(frontier.score(url));
        let is_before = |other: &UrlId| {
            let other_key = rounded(frontier.score(*other));
            other_key > key || other_key == key && *other < url
        };
        let n_before = frontier.waiting().filter(is_before).count();
        Some((chosen.len() + n_before) as u32 + 1)
    }

    /// The waiting page of the highest true rank, and its place.
    fn best_waiting(&mut self, step: u32) -> Option<(UrlId, u32)> {
        if self.by_rank.is_empty() {
            self.by_rank = self.run.truth.sorted(self.run.reach.pages());
        }
        // Pages once fetched stay fetched, so that those need not be looked at again.
        let start = if step >= self.fetched_ahead.0 { self.fetched_ahead.1 } else { 0 };
        let known = self.session().known(&*self.run.world);
        let book = self.session().book();
        let fetched =
            |page: &PageId| book.url_of(*page).is_some_and(|url| known.fetch_number(url).is_some());
        let ahead = self.by_rank[start..].iter().take_while(|page| fetched(page)).count();
        let from = start + ahead;
        let chosen = self.chosen();
        let waits = |page: &PageId| {
            let url = book.url_of(*page)?;
            (self.session().frontier().contains(url) || chosen.contains(&url)).then_some(url)
        };
        let best = self.by_rank[from..].iter().find_map(waits);
        self.fetched_ahead = (step, from);
        best.and_then(|url| Some((url, self.place(url)?)))
    }
}
