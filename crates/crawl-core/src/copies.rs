//! Local copies of pages and when they become stale.
//!
//! A copy is fresh while it equals the live page; its age is the time since the first change it
//! misses. When a copy is made, the page's next change is drawn at once and kept until a visit
//! comes after it. So a visit costs at most one draw, copies become stale at the exact time, and
//! means over time are exact: freshness is constant between two events and age grows linearly.

use crate::prefetch::touch;
use crate::queue::Queue;
use crate::revisit::{RevisitRules, Sees};
use crate::samples::{MOST_GROUPS, Samples};
use crate::scheduler::{LivePages, VisitFindings};
use crawl_world::{ChangeProcess, Changes, PageId, World};
use std::sync::Arc;

const HOUR_US: f64 = 3.6e9;
const NEVER: u64 = u64::MAX;
/// Above this expected number, changes between two visits are estimated from the rate, not counted.
const MOST_COUNTED: f64 = 10_000.0;
/// Random stream of boilerplate changes.
const BOILERPLATE: u64 = 0x0b01_1e47;

/// A group of pages that is measured together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Name in metrics.
    pub name: &'static str,
    /// Weight of each page, by page; 0 excludes it. `None`: all pages have weight 1.
    pub weights: Option<Vec<f64>>,
}

/// All measured groups.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    names: Vec<&'static str>,
    rows: Vec<PageWeights>,
}

/// Weights of one page in all groups, stored together because they are always read together.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct PageWeights([f64; MOST_GROUPS]);

impl Groups {
    /// Groups over `n_pages` pages. At most eight are measured; the rest is ignored.
    pub fn new(n_pages: u32, groups: &[Group]) -> Self {
        let groups = &groups[..groups.len().min(MOST_GROUPS)];
        let mut rows = vec![PageWeights([0.0; MOST_GROUPS]); n_pages as usize];
        for (at, group) in groups.iter().enumerate() {
            match &group.weights {
                None => rows.iter_mut().for_each(|row| row.0[at] = 1.0),
                Some(weights) => {
                    rows.iter_mut().zip(weights).for_each(|(row, weight)| row.0[at] = *weight);
                }
            }
        }
        Self { names: groups.iter().map(|group| group.name).collect(), rows }
    }
}

/// The local copies of a crawl.
#[derive(Clone)]
pub struct Copies {
    seed: u64,
    rules: RevisitRules,
    copies: Vec<CopyState>,
    /// Times at which copies become stale. Entries that differ from their copy's time are outdated.
    pending: Queue,
    groups: Arc<Groups>,
    tallies: Tallies,
    now_us: u64,
    n_copies: u32,
    n_visits: u32,
    n_wasted: u32,
    n_missed: u64,
    n_seen: u64,
    samples: Samples,
    /// Stale pages that no sitemap has announced yet; kept only if sitemaps are read.
    unannounced: Vec<PageId>,
}

#[derive(Clone, Copy)]
struct CopyState {
    visited_us: u64,
    /// Time of the first change after the visit.
    stale_us: u64,
    has_copy: bool,
    is_stale: bool,
}

/// Weighted sums of all groups; times in hours. Stored as arrays for SIMD.
#[derive(Clone, Copy, Debug, Default)]
struct Tallies {
    all: [f64; MOST_GROUPS],
    stale: [f64; MOST_GROUPS],
    /// Σ weight · (time at which it became stale), over stale copies.
    stale_since: [f64; MOST_GROUPS],
    /// Integrals over time of freshness and age, and the duration during which copies existed.
    fresh_h: [f64; MOST_GROUPS],
    age_h: [f64; MOST_GROUPS],
    hours: [f64; MOST_GROUPS],
}

impl Tallies {
    /// Undefined if there are no copies.
    #[inline]
    fn freshness(&self, at: usize) -> f64 {
        1.0 - self.stale[at].max(0.0) / self.all[at]
    }

    /// Undefined if there are no copies.
    #[inline]
    fn age(&self, at: usize, now_h: f64) -> f64 {
        (self.stale[at] * now_h - self.stale_since[at]).max(0.0) / self.all[at]
    }

    /// The group's statistics at `now_h`, if nothing happened since `then_h`.
    #[inline]
    fn stats(&self, at: usize, then_h: f64, now_h: f64) -> Option<CopyStats> {
        if self.all[at] <= 0.0 {
            return None;
        }
        let (freshness, age_h) = (self.freshness(at), self.age(at, now_h));
        let since_h = now_h - then_h;
        let hours = self.hours[at] + since_h;
        let age_since_h = if since_h > 0.0 { self.age(at, then_h + since_h / 2.0) } else { 0.0 };
        let mean = |sum: f64, now: f64| if hours > 0.0 { sum / hours } else { now };
        Some(CopyStats {
            freshness,
            age_h,
            mean_freshness: mean(self.fresh_h[at] + freshness * since_h, freshness),
            mean_age_h: mean(self.age_h[at] + age_since_h * since_h, age_h),
        })
    }

    /// Resets the weights when no copy is left, to drop rounding errors.
    fn clear(&mut self) {
        let none = [0.0; MOST_GROUPS];
        (self.all, self.stale, self.stale_since) = (none, none, none);
    }

    /// Advances time, without events in between.
    #[inline]
    fn pass(&mut self, from_h: f64, to_h: f64) {
        let middle_h = (from_h + to_h) / 2.0;
        let hours = to_h - from_h;
        for at in 0..MOST_GROUPS {
            let (freshness, age) = (self.freshness(at), self.age(at, middle_h));
            let there = self.all[at] > 0.0;
            self.fresh_h[at] += if there { freshness * hours } else { 0.0 };
            self.age_h[at] += if there { age * hours } else { 0.0 };
            self.hours[at] += if there { hours } else { 0.0 };
        }
    }
}

/// Freshness and age of a group at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CopyStats {
    /// Weighted share of copies that are fresh.
    pub freshness: f64,
    /// Weighted mean age, in hours.
    pub age_h: f64,
    /// Mean of freshness over the time during which copies existed.
    pub mean_freshness: f64,
    /// Mean of age over the same time, in hours.
    pub mean_age_h: f64,
}

impl Copies {
    /// No copies yet. `seed` is the run's random seed; it determines when pages change.
    pub fn new(n_pages: u32, seed: u64, rules: RevisitRules, groups: Arc<Groups>) -> Self {
        let none = CopyState { visited_us: 0, stale_us: NEVER, has_copy: false, is_stale: false };
        Self {
            seed,
            rules,
            copies: vec![none; n_pages as usize],
            pending: Queue::default(),
            tallies: Tallies::default(),
            groups,
            now_us: 0,
            n_copies: 0,
            n_visits: 0,
            n_wasted: 0,
            n_missed: 0,
            n_seen: 0,
            samples: Samples::until(rules.end_us),
            unannounced: Vec::new(),
        }
    }

    /// The change times of a page in this run.
    pub fn changes<'w>(&self, world: &'w World, page: PageId) -> Changes<'w> {
        Changes::new(world, page, self.seed)
    }

    /// Number of copies.
    pub fn n_copies(&self) -> u32 {
        self.n_copies
    }

    /// Number of fresh copies.
    pub fn n_fresh(&self) -> u32 {
        self.n_copies - self.tallies.stale[0].round() as u32
    }

    /// Number of visits to pages that had a copy.
    pub fn n_visits(&self) -> u32 {
        self.n_visits
    }

    /// Number of those visits that found no change.
    pub fn n_wasted(&self) -> u32 {
        self.n_wasted
    }

    /// Changes that no visit saw because another change followed first, and changes that were seen.
    pub fn n_missed(&self) -> (u64, u64) {
        (self.n_missed, self.n_seen)
    }

    /// Time at which a page's copy became stale; `None` if it is fresh or missing.
    pub fn stale_since_us(&self, page: PageId) -> Option<u64> {
        self.stale_by(page, self.now_us)
    }

    /// The same at a later time, if no visit happens before it.
    pub fn stale_by(&self, page: PageId, now_us: u64) -> Option<u64> {
        let copy = &self.copies[page.index()];
        (copy.has_copy && copy.stale_us <= now_us).then_some(copy.stale_us)
    }

    /// True if there is a copy of the page.
    pub fn has(&self, page: PageId) -> bool {
        self.copies[page.index()].has_copy
    }

    /// Time up to which the state is computed.
    pub fn now_us(&self) -> u64 {
        self.now_us
    }

    /// Statistics of a group; `None` if it has no copies.
    #[inline]
    pub fn stats(&self, group: &str) -> Option<CopyStats> {
        self.tallies.stats(self.place(group)?, hours(self.now_us), hours(self.now_us))
    }

    /// Index of a group.
    pub fn place(&self, group: &str) -> Option<usize> {
        self.groups.names.iter().position(|name| *name == group)
    }

    /// Statistics of all groups, sampled at equal intervals.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    #[inline]
    fn prefetch_copy(&self, page: PageId) {
        touch(self.copies.get(page.index()).map(|copy| copy.stale_us));
        touch(self.groups.rows.get(page.index()).map(|row| row.0[0]));
    }

    /// Advances time to `now_us`, without events in between.
    #[inline]
    fn pass_to(&mut self, now_us: u64) {
        if now_us > self.now_us {
            // Between two events the state is that after the first.
            while self.samples.next_us() <= now_us {
                let (then_h, now_h) = (hours(self.now_us), hours(self.samples.next_us()));
                self.samples.push(|group| self.tallies.stats(group, then_h, now_h));
            }
            self.tallies.pass(hours(self.now_us), hours(now_us));
            self.now_us = now_us;
        }
    }

    /// Adds a page's weight times `all` and `stale` to the sums of its groups.
    #[inline]
    fn count(&mut self, page: PageId, all: f64, stale: f64, stale_us: u64) {
        let since_h = if stale == 0.0 { 0.0 } else { hours(stale_us) };
        let PageWeights(weights) = &self.groups.rows[page.index()];
        let tallies = &mut self.tallies;
        for (at, weight) in weights.iter().enumerate() {
            tallies.all[at] += all * weight;
            tallies.stale[at] += stale * weight;
            tallies.stale_since[at] += stale * weight * since_h;
        }
    }

    /// Counts the changes that a visit found. The removal of a page counts as the change that was
    /// seen.
    fn count_changes(&mut self, world: &World, page: PageId, from_us: u64, now_us: u64) {
        let gone_us = gone_us(world, page);
        let until_us = if gone_us <= now_us { gone_us.saturating_sub(1) } else { now_us };
        let span_h = (hours(until_us) - hours(from_us)).max(0.0);
        let expected = world.change_process(page).per_hour().map_or(0.0, |rate| rate * span_h);
        let n = if expected > MOST_COUNTED {
            expected as u64
        } else {
            self.changes(world, page).n_changes_between(from_us, until_us)
        };
        self.n_seen += 1;
        self.n_missed += if gone_us <= now_us { n } else { n.saturating_sub(1) };
    }

    /// True if boilerplate of the page changed in the interval.
    fn boilerplate_changed(&self, page: PageId, from_us: u64, now_us: u64) -> bool {
        let process = ChangeProcess::Poisson { per_hour: self.rules.boilerplate };
        Changes::of(process, page, self.seed ^ BOILERPLATE).changed_between(from_us, now_us)
    }
}

/// Time since which a page is gone.
fn gone_us(world: &World, page: PageId) -> u64 {
    world.gone_s(page).map_or(NEVER, |s| (s * 1e6) as u64)
}

fn hours(us: u64) -> f64 {
    us as f64 / HOUR_US
}

impl LivePages for Copies {
    fn visit(&mut self, world: &World, page: PageId, now_us: u64) -> VisitFindings {
        self.advance(now_us);
        let before = self.copies[page.index()];
        let gone_us = gone_us(world, page);
        let changes = self.changes(world, page);
        let changed = before.has_copy && before.is_stale;
        if before.has_copy {
            self.n_visits += 1;
            self.n_wasted += u32::from(!changed);
            if changed {
                self.count(page, 0.0, -1.0, before.stale_us);
                self.count_changes(world, page, before.visited_us, now_us);
            }
        }
        if gone_us <= now_us {
            if before.has_copy {
                self.count(page, -1.0, 0.0, 0);
                self.n_copies -= 1;
                if self.n_copies == 0 {
                    self.tallies.clear();
                }
            }
            self.copies[page.index()].has_copy = false;
            return VisitFindings { changed: true, modified_us: None, is_gone: true };
        }
        if !before.has_copy {
            self.count(page, 1.0, 0.0, 0);
            self.n_copies += 1;
        }
        let copy = &mut self.copies[page.index()];
        (copy.visited_us, copy.has_copy, copy.is_stale) = (now_us, true, false);
        if !before.has_copy || changed {
            let next_us = changes.next_change_after(now_us).unwrap_or(NEVER).min(gone_us);
            copy.stale_us = next_us;
            // Also if it lies beyond the end: a visit that began in time may complete later.
            if next_us != NEVER {
                self.pending.push((next_us, page.0));
            }
        }
        let told = match self.rules.sees {
            Sees::Clean | Sees::LastModified => changed,
            Sees::Anything => {
                changed
                    || before.has_copy && self.boilerplate_changed(page, before.visited_us, now_us)
            }
        };
        let tells_when = self.rules.sees == Sees::LastModified;
        // Changes before the page's birth do not count.
        let modified = || changes.last_change_by(now_us).max(Some(world.born_us(page)));
        let modified_us = if tells_when { modified().filter(|at| *at > 0) } else { None };
        VisitFindings { changed: told, modified_us, is_gone: false }
    }

    fn is_cheap(&self, page: PageId, now_us: u64) -> bool {
        let copy = &self.copies[page.index()];
        let is_same = self.rules.not_modified < 1.0 && copy.has_copy && copy.stale_us > now_us;
        let is_other = || {
            self.rules.sees == Sees::Anything
                && self.boilerplate_changed(page, copy.visited_us, now_us)
        };
        is_same && !is_other()
    }

    fn prefetch(&self, world: &World, page: PageId) {
        self.prefetch_copy(page);
        touch(Some(world.change_rate_per_hour(page)));
    }

    fn advance(&mut self, now_us: u64) {
        while let Some((stale_us, page)) = self.pending.first() {
            if stale_us > now_us {
                break;
            }
            self.pending.pop();
            if let Some((_, next)) = self.pending.first() {
                self.prefetch_copy(PageId(next));
            }
            let page = PageId(page);
            let copy = self.copies[page.index()];
            if copy.stale_us != stale_us || copy.is_stale || !copy.has_copy {
                continue;
            }
            self.pass_to(stale_us);
            self.copies[page.index()].is_stale = true;
            self.count(page, 0.0, 1.0, stale_us);
            if self.rules.sitemap_us.is_some() {
                self.unannounced.push(page);
            }
        }
        self.pass_to(now_us);
    }

    fn changed(&mut self, now_us: u64) -> Vec<PageId> {
        self.advance(now_us);
        let mut unannounced = std::mem::take(&mut self.unannounced);
        unannounced.retain(|page| self.copies[page.index()].is_stale);
        unannounced
    }

    fn copies(&self) -> &Copies {
        self
    }

    fn bytes(&self) -> usize {
        self.copies.capacity() * size_of::<CopyState>()
            + self.pending.bytes()
            + self.unannounced.capacity() * 4
            + self.samples.bytes()
    }
}
