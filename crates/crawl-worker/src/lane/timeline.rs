//! Visits in time: which pages there are copies of, and what happened to some of them.

use super::running::Running;
use crawl_catalogue::ParamValue;
use crawl_core::metric::true_rate;
use crawl_core::{Copies, UrlId, VisitKind};
use crawl_protocol::Task;
use crawl_protocol::lane::Range;
use crawl_protocol::timeline::{
    Changed, Freshness, Marks, MarksOf, PageMarks, PageRow, RowGroup, RowOrder, Rows, RowsOf,
    Visit, VisitFound,
};
use crawl_world::{Changes, PageId, World, order};
use std::collections::BTreeMap;

/// Most rows told at once.
const MAX_ROWS: u32 = 500;
/// Most visits of a page told one by one, and most changes before only some are told.
const MAX_MARKS: usize = 300;
/// Into how many parts the time is cut where there are more visits.
const N_SHARES: usize = 240;
/// And where there are more changes; each then tells one that no visit could see.
const N_PARTS: u64 = 600;

/// Steps by page, as far as they were looked through, and the order of rows that was asked for last.
#[derive(Default)]
pub(super) struct Visits {
    n_indexed: usize,
    of_page: Vec<Vec<u32>>,
    sorted: Option<Sorted>,
}

struct Sorted {
    order: RowOrder,
    group: RowGroup,
    /// Rows by staleness hold for this step only, others for as many pages and copies of them.
    step: u32,
    n_held: (usize, u32),
    rows: Vec<(PageId, u32)>,
    groups: Vec<String>,
}

impl Running {
    /// The names of what visits tell of pages, for colours.
    pub(super) fn visit_values(&self) -> &'static [&'static str] {
        match self.copies() {
            Some(_) => &["staleness", "change-rate", "estimated-rate", "visits-an-hour"],
            None => &[],
        }
    }

    /// What visits tell of a page by that name, at a moment not before the present step and before the
    /// next.
    pub(super) fn visit_value(&self, name: &str, url: UrlId, now_us: u64) -> Option<f64> {
        let copies = self.copies()?;
        let page = Some(self.page(url)).filter(|page| copies.has(*page))?;
        let plan = || self.session().visit_plan(url);
        match name {
            // Hours; 0 while it is fresh.
            "staleness" => {
                let since_us = copies.stale_by(page, now_us).unwrap_or(now_us);
                Some(now_us.saturating_sub(since_us) as f64 / 3.6e9)
            }
            "change-rate" => Some(true_rate(&self.run.world, page)),
            "estimated-rate" => plan()?.estimate,
            "visits-an-hour" => plan()?.per_hour,
            _ => None,
        }
    }

    /// From where to where values go that are compared between lanes: staleness up to the hours in
    /// which the budget visits every page once.
    pub(super) fn shared_range(&self, name: &str) -> Option<Range> {
        let rules = &self.run.experiment.rules;
        let Some(ParamValue::Number(visits)) = rules.get("visits") else { return None };
        let round_h = f64::from(self.run.world.n_pages()) / visits;
        let is_shared = name == "staleness" && round_h.is_finite();
        is_shared.then_some(Range { low: 0.0, high: round_h, is_log: false })
    }

    fn copies(&self) -> Option<&Copies> {
        self.run.lanes[0].travel().now().copies()
    }

    /// Some of the rows.
    pub(super) fn rows(&mut self, task: Task, of: RowsOf) -> Rows {
        let step = self.seek(of.step);
        let of = RowsOf { step, ..of };
        let n_copies = self.copies().map_or(0, Copies::n_copies);
        let n_held = (self.session().book().order().len(), n_copies);
        let holds = |sorted: &Sorted| {
            let is_same = sorted.order == of.order && sorted.group == of.group;
            let is_now = of.order != RowOrder::Staleness || sorted.step == step;
            is_same && is_now && sorted.n_held == n_held
        };
        if !self.visits.sorted.as_ref().is_some_and(holds) {
            self.visits.sorted = Some(self.sorted(of, n_held));
        }
        let Some(sorted) = &self.visits.sorted else { return Rows::default() };
        let shown = sorted.rows.iter().skip(of.first as usize).take(of.n.min(MAX_ROWS) as usize);
        let world = &*self.run.world;
        let rows = shown.map(|(page, group)| PageRow {
            page: page.0,
            url: world.url(*page).into_owned(),
            group: sorted.groups.get(*group as usize).cloned().unwrap_or_default(),
            per_hour: world.change_process(*page).per_hour(),
            importance: self.run.truth.rank(*page),
        });
        Rows { task, of, n_rows: sorted.rows.len() as u32, rows: rows.collect() }
    }

    fn sorted(&self, of: RowsOf, n_held: (usize, u32)) -> Sorted {
        let world = &*self.run.world;
        let session = self.session();
        let copies = self.copies();
        let pages = session.book().order().iter().map(|url| self.page(*url));
        let pages: Vec<PageId> = pages.filter(|p| copies.is_some_and(|c| c.has(*p))).collect();
        let key = |page: PageId| match of.order {
            RowOrder::Rate => true_rate(world, page),
            RowOrder::Importance => self.run.truth.rank(page),
            RowOrder::Staleness => copies
                .and_then(|copies| copies.stale_since_us(page))
                .map_or(f64::NEG_INFINITY, |since_us| -(since_us as f64)),
            RowOrder::Fetched => 0.0,
        };
        let names: Vec<String> =
            pages.iter().map(|page| group_of(world, *page, of.group)).collect();
        let keys: Vec<f64> = pages.iter().map(|page| key(*page)).collect();
        let mut groups = names.clone();
        groups.sort_unstable();
        groups.dedup();
        let place = |name: &String| groups.binary_search(name).unwrap_or(0);
        // Groups stand in the order of their first rows, and where those are alike by name.
        let mut first = vec![f64::NEG_INFINITY; groups.len()];
        for (name, key) in names.iter().zip(&keys) {
            let first = &mut first[place(name)];
            *first = first.max(*key);
        }
        let by_first = order::by_key(groups.len(), |group| order::falling(first[group]));
        let mut rank = vec![0_u32; groups.len()];
        (0..).zip(&by_first).for_each(|(place, group)| rank[*group as usize] = place);
        let mut rows: Vec<(u32, f64, usize)> =
            (0..pages.len()).map(|at| (rank[place(&names[at])], keys[at], at)).collect();
        rows.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let groups = by_first.iter().map(|group| groups[*group as usize].clone()).collect();
        let rows = rows.into_iter().map(|(group, _, at)| (pages[at], group)).collect();
        let RowsOf { order, group, step, .. } = of;
        Sorted { order, group, step, n_held, rows, groups }
    }

    /// What happened to some pages.
    pub(super) fn marks(&mut self, task: Task, of: &MarksOf) -> Marks {
        let curve = self.curve(of.curve_until_s);
        let step = self.seek(of.step);
        self.index_visits();
        let trace = self.run.lanes[0].travel().trace();
        let from_us = (of.from_s.max(0.0) * 1e6) as u64;
        let until_us = trace.at_us.last().copied().unwrap_or(0);
        let until_us = if self.is_over() { until_us.max(self.end_us()) } else { until_us };
        let to_us = (of.to_s.max(0.0) * 1e6) as u64;
        let known = of.pages.iter().filter(|page| **page < self.run.world.n_pages());
        let pages = known.take(MAX_ROWS as usize);
        let span = Span { from_us, to_us: to_us.max(from_us), until_us };
        let pages = pages.map(|page| self.page_marks(PageId(*page), span)).collect();
        let (from_s, to_s) = (from_us as f64 / 1e6, span.to_us as f64 / 1e6);
        Marks { task, step, from_s, to_s, known_until_s: until_us as f64 / 1e6, pages, curve }
    }

    /// Freshness over time, where the run has come farther than that.
    fn curve(&mut self, held_until_s: f64) -> Option<Freshness> {
        self.resume();
        let lane = &self.run.lanes[0];
        let trace = lane.travel().trace();
        let (every_us, samples) = lane.freshness_in_time()?;
        let known_us = samples.len() as u64 * every_us;
        if known_us as f64 / 1e6 <= held_until_s {
            return None;
        }
        // The last that was expected by each moment.
        let mut steps = lane.measure("expected-freshness")?.points().peekable();
        let mut last = -1.0;
        let expected: Vec<f32> = (1..=samples.len() as u64)
            .map(|n| {
                let by_us = n * every_us;
                let time = |step: u32| trace.at_us.get(step as usize - 1).copied().unwrap_or(0);
                while let Some((_, value)) = steps.next_if(|(step, _)| time(*step) <= by_us) {
                    last = value as f32;
                }
                last
            })
            .collect();
        let has_any = expected.iter().any(|value| *value >= 0.0);
        Some(Freshness {
            every_s: every_us as f64 / 1e6,
            values: samples,
            expected: if has_any { expected } else { Vec::new() },
        })
    }

    /// Until when copies age after the last visit.
    fn end_us(&self) -> u64 {
        self.run.lanes[0].end_us().unwrap_or(0)
    }

    /// Looks through the steps that came since.
    fn index_visits(&mut self) {
        let trace = self.run.lanes[0].travel().trace();
        let visits = &mut self.visits;
        visits.of_page.resize(self.run.world.n_pages() as usize, Vec::new());
        for (at, page) in trace.pages.iter().enumerate().skip(visits.n_indexed) {
            visits.of_page[page.index()].push(at as u32);
        }
        visits.n_indexed = trace.pages.len();
    }

    fn page_marks(&self, page: PageId, span: Span) -> PageMarks {
        let trace = self.run.lanes[0].travel().trace();
        let steps = &self.visits.of_page[page.index()];
        let time = |at: &u32| trace.at_us[*at as usize];
        let found = |at: u32| trace.visits.get(at as usize).copied().unwrap_or_default();
        let mut marks = PageMarks { page: page.0, ..PageMarks::default() };
        let plan = self.session().book().url_of(page).and_then(|u| self.session().visit_plan(u));
        if let Some(plan) = plan {
            marks.estimate = plan.estimate;
            marks.last_s = plan.last_us.map(|us| us as f64 / 1e6);
            marks.due_s = plan.due_us.map(|us| us as f64 / 1e6);
        }
        let world = &*self.run.world;
        let gone_us = world.gone_s(page).map_or(u64::MAX, |s| (s * 1e6) as u64);
        // Errors and what is gone already are fetched, but there is nothing to copy.
        let is_copied = |at: &u64| (200..300).contains(&world.status(page)) && *at < gone_us;
        let first = steps.first().map(time).filter(is_copied);
        let (Some(first), Some(copies)) = (first, self.copies()) else {
            return marks;
        };
        marks.copied_s = Some(first as f64 / 1e6);
        let changes = PageChanges { changes: copies.changes(world, page), gone_us };
        let start = steps.partition_point(|at| time(at) < span.from_us);
        let end = steps.partition_point(|at| time(at) <= span.to_us);
        let inside = &steps[start..end.max(start)];
        marks.n_visits = inside.len() as u32;
        let wasted = inside.iter().filter(|at| found(**at) == VisitKind::Same);
        marks.n_wasted = wasted.count() as u32;
        // The visit before, at which the state of the beginning was made.
        let times: Vec<u64> =
            steps[start.saturating_sub(1)..end.max(start)].iter().map(time).collect();
        let shown_from = span.from_us.max(world.born_us(page));
        let is_within = |at: &u64| *at <= span.end_us() && *at < gone_us;
        let within = changes.changes.from(shown_from).take_while(is_within);
        let within: Vec<u64> = within.take(MAX_MARKS + 1).collect();
        if inside.len() > MAX_MARKS {
            marks.shares = shares(&times, changes, span);
            return marks;
        }
        marks.visits = inside
            .iter()
            .map(|at| Visit {
                at_s: time(at) as f64 / 1e6,
                step: at + 1,
                found: match found(*at) {
                    VisitKind::First => VisitFound::First,
                    VisitKind::Changed => VisitFound::Changed,
                    VisitKind::Same => VisitFound::Same,
                },
            })
            .collect();
        for gap in gaps(&times, changes, span) {
            if let Some((from, to)) = gap.stale_within(span) {
                marks.stale.push((from as f64 / 1e6, to as f64 / 1e6));
            }
        }
        if within.len() > MAX_MARKS {
            marks.is_thinned = true;
            marks.changes = some_changes(&times, changes, shown_from, span);
            return marks;
        }
        let is_missed = |at: u64| {
            let before = times.iter().rev().find(|visit| **visit < at);
            before.is_none_or(|visit| changes.next_after(*visit).is_some_and(|c| c < at))
        };
        let changed = |at: &u64| Changed { at_s: *at as f64 / 1e6, is_missed: is_missed(*at) };
        marks.changes = within.iter().map(changed).collect();
        marks
    }
}

/// A time asked for, and until when anything is known.
#[derive(Clone, Copy)]
struct Span {
    from_us: u64,
    to_us: u64,
    until_us: u64,
}

impl Span {
    fn end_us(self) -> u64 {
        self.to_us.min(self.until_us)
    }
}

/// When a page changes: the last time by going.
#[derive(Clone, Copy)]
struct PageChanges<'w> {
    changes: Changes<'w>,
    gone_us: u64,
}

impl PageChanges<'_> {
    fn next_after(self, at_us: u64) -> Option<u64> {
        let next_us = self.changes.next_change_after(at_us).unwrap_or(u64::MAX).min(self.gone_us);
        (next_us < u64::MAX).then_some(next_us)
    }
}

/// The time from a visit to the next, and when within it the page changed first.
struct Gap {
    from_us: u64,
    changed_us: Option<u64>,
    to_us: u64,
}

impl Gap {
    fn stale_within(&self, span: Span) -> Option<(u64, u64)> {
        let from = self.changed_us?.max(span.from_us);
        let to = self.to_us.min(span.end_us());
        (from < to).then_some((from, to))
    }
}

fn gaps<'a>(
    times: &'a [u64],
    changes: PageChanges<'a>,
    span: Span,
) -> impl Iterator<Item = Gap> + 'a {
    let ends = times.iter().skip(1).copied().chain([span.end_us()]);
    // A visit that finds the page gone leaves no copy.
    let copied = times.iter().zip(ends).filter(move |(from_us, _)| **from_us < changes.gone_us);
    copied.map(move |(from_us, to_us)| {
        let changed_us = changes.next_after(*from_us).filter(|at| *at < to_us);
        Gap { from_us: *from_us, changed_us, to_us }
    })
}

/// Where there are too many: all changes that a visit could see, and one of the others in each part of
/// the time.
fn some_changes(
    times: &[u64],
    changes: PageChanges<'_>,
    shown_from: u64,
    span: Span,
) -> Vec<Changed> {
    let is_within = |at: &u64| *at <= span.end_us() && *at < changes.gone_us;
    let seen = gaps(times, changes, span).filter_map(|gap| gap.changed_us);
    let seen = seen.filter(|at| *at >= shown_from && is_within(at));
    let mut told: BTreeMap<u64, bool> = seen.map(|at| (at, false)).collect();
    let part_us = ((span.to_us - span.from_us) / N_PARTS).max(1);
    let mut from_us = shown_from;
    while let Some(at) = changes.changes.from(from_us).next().filter(is_within) {
        told.entry(at).or_insert(true);
        from_us = span.from_us + ((at - span.from_us) / part_us + 1) * part_us;
    }
    told.into_iter().map(|(at, is_missed)| Changed { at_s: at as f64 / 1e6, is_missed }).collect()
}

/// The share of each part of the time in which the copy was fresh.
fn shares(times: &[u64], changes: PageChanges<'_>, span: Span) -> Vec<f32> {
    let part_us = ((span.to_us - span.from_us) as f64 / N_SHARES as f64).max(1.0);
    let (mut copied, mut stale) = (vec![0.0_f64; N_SHARES], vec![0.0_f64; N_SHARES]);
    let add = |sums: &mut Vec<f64>, from: u64, to: u64| {
        let place = |us: u64| us.saturating_sub(span.from_us) as f64 / part_us;
        let (from, to) = (place(from.max(span.from_us)), place(to.min(span.end_us())));
        let mut at = from;
        while at < to {
            let next = (at.floor() + 1.0).min(to);
            if let Some(sum) = sums.get_mut(at as usize) {
                *sum += next - at;
            }
            at = next;
        }
    };
    for gap in gaps(times, changes, span) {
        add(&mut copied, gap.from_us, gap.to_us);
        if let Some((from, to)) = gap.stale_within(span) {
            add(&mut stale, from, to);
        }
    }
    let share = |(copied, stale): (&f64, &f64)| {
        if *copied > 1e-9 { (1.0 - stale / copied).clamp(0.0, 1.0) as f32 } else { -1.0 }
    };
    copied.iter().zip(&stale).map(share).collect()
}

/// What a page is put together with others by.
fn group_of(world: &World, page: PageId, group: RowGroup) -> String {
    match group {
        RowGroup::None => String::new(),
        RowGroup::Host => {
            world.host_of(page).map(|h| world.host(h).name.clone()).unwrap_or_default()
        }
        RowGroup::Class => {
            let label = world.topics(page).next().map(str::to_owned);
            label.unwrap_or_else(|| world.change_process(page).name().to_owned())
        }
    }
}
