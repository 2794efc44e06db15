//! Copies and how they go stale: the truth that measures look at, and that visits see a part of.
//!
//! A copy is fresh while it equals the live page; its age is the time since the first change it lacks.
//! When a copy is made, the page's next change is drawn at once; it stays the next one until a visit
//! comes after it. So every visit costs at most one draw, every copy goes stale at its very moment, and
//! the means over time are exact: freshness is constant between two events and age grows evenly.

use crate::again::{Life, Seen};
use crate::ahead::look_at;
use crate::queue::Queue;
use crate::revisit::{RevisitRules, Sees};
use crate::samples::{MOST_GROUPS, Samples};
use crawl_world::{ChangeProcess, Changes, PageId, World};
use std::sync::Arc;

const HOUR_US: f64 = 3.6e9;
const NEVER: u64 = u64::MAX;
/// More changes than this between two visits are not counted one by one but taken from the rate.
const MOST_COUNTED: f64 = 10_000.0;
/// What the stream of boilerplate's changes is for.
const BOILERPLATE: u64 = 0x0b01_1e47;

/// Pages that are measured together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// What it is called in measures.
    pub name: &'static str,
    /// What each page counts for, by page; 0 for those that do not belong to it. Nothing where all
    /// count the same.
    pub weights: Option<Vec<f64>>,
}

/// All groups that are measured.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    names: Vec<&'static str>,
    rows: Vec<Row>,
}

/// What a page counts for in every group: together, since whenever a copy goes stale all are needed
/// and memory is what that costs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([f64; MOST_GROUPS]);

impl Groups {
    /// Of so many pages. There are no more than eight; others are not measured.
    pub fn new(n_pages: u32, groups: &[Group]) -> Self {
        let groups = &groups[..groups.len().min(MOST_GROUPS)];
        let mut rows = vec![Row([0.0; MOST_GROUPS]); n_pages as usize];
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

/// The copies of a crawl.
#[derive(Clone)]
pub struct Copies {
    seed: u64,
    rules: RevisitRules,
    copies: Vec<Copied>,
    /// When copies will go stale; an entry that is not its copy's is of the past.
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
    /// Pages that went stale and were not told of; kept only where somebody asks.
    untold: Vec<PageId>,
}

#[derive(Clone, Copy)]
struct Copied {
    visited_us: u64,
    /// The first change after that.
    stale_us: u64,
    has_copy: bool,
    is_stale: bool,
}

/// The sums of all groups, in hours; side by side, so that a processor works on several at once.
#[derive(Clone, Copy, Debug, Default)]
struct Tallies {
    all: [f64; MOST_GROUPS],
    stale: [f64; MOST_GROUPS],
    /// Σ w·(when it went stale), over stale copies.
    stale_since: [f64; MOST_GROUPS],
    /// Σ over time of freshness and of age, and for how long there were copies.
    fresh_h: [f64; MOST_GROUPS],
    age_h: [f64; MOST_GROUPS],
    hours: [f64; MOST_GROUPS],
}

impl Tallies {
    /// Means nothing where there are no copies.
    #[inline]
    fn freshness(&self, at: usize) -> f64 {
        1.0 - self.stale[at].max(0.0) / self.all[at]
    }

    /// The same.
    #[inline]
    fn age(&self, at: usize, now_h: f64) -> f64 {
        (self.stale[at] * now_h - self.stale_since[at]).max(0.0) / self.all[at]
    }

    /// A group's numbers at a moment, where nothing has happened since another.
    #[inline]
    fn standing(&self, at: usize, then_h: f64, now_h: f64) -> Option<Standing> {
        if self.all[at] <= 0.0 {
            return None;
        }
        let (freshness, age_h) = (self.freshness(at), self.age(at, now_h));
        let since_h = now_h - then_h;
        let hours = self.hours[at] + since_h;
        let age_since_h = if since_h > 0.0 { self.age(at, then_h + since_h / 2.0) } else { 0.0 };
        let mean = |sum: f64, now: f64| if hours > 0.0 { sum / hours } else { now };
        Some(Standing {
            freshness,
            age_h,
            mean_freshness: mean(self.fresh_h[at] + freshness * since_h, freshness),
            mean_age_h: mean(self.age_h[at] + age_since_h * since_h, age_h),
        })
    }

    /// There is no copy: nothing but rounding is left of the weights.
    fn clear(&mut self) {
        let none = [0.0; MOST_GROUPS];
        (self.all, self.stale, self.stale_since) = (none, none, none);
    }

    /// Lets time pass.
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

/// A group's numbers at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Share of the copies that are fresh, by weight.
    pub freshness: f64,
    /// Their mean age, in hours.
    pub age_h: f64,
    /// The mean of freshness over all time there were copies.
    pub mean_freshness: f64,
    /// The mean of age over that time, in hours.
    pub mean_age_h: f64,
}

impl Copies {
    /// Of no page yet; the seed of all chance in the run decides when pages change.
    pub fn new(n_pages: u32, seed: u64, rules: RevisitRules, groups: Arc<Groups>) -> Self {
        let none = Copied { visited_us: 0, stale_us: NEVER, has_copy: false, is_stale: false };
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
            untold: Vec::new(),
        }
    }

    /// When a page changes in this run.
    pub fn changes<'w>(&self, world: &'w World, page: PageId) -> Changes<'w> {
        Changes::new(world, page, self.seed)
    }

    /// How many copies there are.
    pub fn n_copies(&self) -> u32 {
        self.n_copies
    }

    /// How many of them are fresh.
    pub fn n_fresh(&self) -> u32 {
        self.n_copies - self.tallies.stale[0].round() as u32
    }

    /// Visits to pages there were copies of.
    pub fn n_visits(&self) -> u32 {
        self.n_visits
    }

    /// Of them, those that found the content as it was.
    pub fn n_wasted(&self) -> u32 {
        self.n_wasted
    }

    /// Changes that no visit could see, because another came before it; and those that one could.
    pub fn n_missed(&self) -> (u64, u64) {
        (self.n_missed, self.n_seen)
    }

    /// When the copy of a page went stale; nothing for a fresh one, or none.
    pub fn stale_since_us(&self, page: PageId) -> Option<u64> {
        self.stale_by(page, self.now_us)
    }

    /// The same at a later moment before which nothing is visited.
    pub fn stale_by(&self, page: PageId, now_us: u64) -> Option<u64> {
        let copy = &self.copies[page.index()];
        (copy.has_copy && copy.stale_us <= now_us).then_some(copy.stale_us)
    }

    /// Whether there is a copy of a page.
    pub fn has(&self, page: PageId) -> bool {
        self.copies[page.index()].has_copy
    }

    /// The time up to which all is known.
    pub fn now_us(&self) -> u64 {
        self.now_us
    }

    /// The numbers of a group; nothing where it has no copies.
    #[inline]
    pub fn standing(&self, group: &str) -> Option<Standing> {
        self.tallies.standing(self.place(group)?, hours(self.now_us), hours(self.now_us))
    }

    /// A group's place among the groups.
    pub fn place(&self, group: &str) -> Option<usize> {
        self.groups.names.iter().position(|name| *name == group)
    }

    /// How all groups stood at equal distances of time.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    #[inline]
    fn look_at_copy(&self, page: PageId) {
        look_at(self.copies.get(page.index()).map(|copy| copy.stale_us));
        look_at(self.groups.rows.get(page.index()).map(|row| row.0[0]));
    }

    /// Lets time pass until then and no farther.
    #[inline]
    fn pass_to(&mut self, now_us: u64) {
        if now_us > self.now_us {
            // What is between two events is as it was after the first.
            while self.samples.next_us() <= now_us {
                let (then_h, now_h) = (hours(self.now_us), hours(self.samples.next_us()));
                self.samples.push(|group| self.tallies.standing(group, then_h, now_h));
            }
            self.tallies.pass(hours(self.now_us), hours(now_us));
            self.now_us = now_us;
        }
    }

    /// Changes what groups sum up, for a page: its weight in all and in what is stale.
    #[inline]
    fn count(&mut self, page: PageId, all: f64, stale: f64, stale_us: u64) {
        let since_h = if stale == 0.0 { 0.0 } else { hours(stale_us) };
        let Row(weights) = &self.groups.rows[page.index()];
        let tallies = &mut self.tallies;
        for (at, weight) in weights.iter().enumerate() {
            tallies.all[at] += all * weight;
            tallies.stale[at] += stale * weight;
            tallies.stale_since[at] += stale * weight * since_h;
        }
    }

    /// A visit saw that a page changed: how many changes that were. A page that is gone saw none since,
    /// and that it went is what the visit saw.
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

    /// Whether boilerplate changed.
    fn told_changed(&self, page: PageId, from_us: u64, now_us: u64) -> bool {
        let process = ChangeProcess::Poisson { per_hour: self.rules.boilerplate };
        Changes::of(process, page, self.seed ^ BOILERPLATE).changed_between(from_us, now_us)
    }
}

/// Since when a page is gone.
fn gone_us(world: &World, page: PageId) -> u64 {
    world.gone_s(page).map_or(NEVER, |s| (s * 1e6) as u64)
}

fn hours(us: u64) -> f64 {
    us as f64 / HOUR_US
}

impl Life for Copies {
    fn visit(&mut self, world: &World, page: PageId, now_us: u64) -> Seen {
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
            return Seen { changed: true, modified_us: None, is_gone: true };
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
            // Visits that began in time may be over only after the end.
            if next_us != NEVER {
                self.pending.push((next_us, page.0));
            }
        }
        let told = match self.rules.sees {
            Sees::Clean | Sees::LastModified => changed,
            Sees::Anything => {
                changed || before.has_copy && self.told_changed(page, before.visited_us, now_us)
            }
        };
        let tells_when = self.rules.sees == Sees::LastModified;
        // What was before its birth is no change of a page.
        let modified = || changes.last_change_by(now_us).max(Some(world.born_us(page)));
        let modified_us = if tells_when { modified().filter(|at| *at > 0) } else { None };
        Seen { changed: told, modified_us, is_gone: false }
    }

    fn is_cheap(&self, page: PageId, now_us: u64) -> bool {
        let copy = &self.copies[page.index()];
        let is_same = self.rules.not_modified < 1.0 && copy.has_copy && copy.stale_us > now_us;
        let is_other = || {
            self.rules.sees == Sees::Anything && self.told_changed(page, copy.visited_us, now_us)
        };
        is_same && !is_other()
    }

    fn look_at(&self, world: &World, page: PageId) {
        self.look_at_copy(page);
        look_at(Some(world.change_rate_per_hour(page)));
    }

    fn advance(&mut self, now_us: u64) {
        while let Some((stale_us, page)) = self.pending.first() {
            if stale_us > now_us {
                break;
            }
            self.pending.pop();
            if let Some((_, next)) = self.pending.first() {
                self.look_at_copy(PageId(next));
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
                self.untold.push(page);
            }
        }
        self.pass_to(now_us);
    }

    fn changed(&mut self, now_us: u64) -> Vec<PageId> {
        self.advance(now_us);
        let mut untold = std::mem::take(&mut self.untold);
        untold.retain(|page| self.copies[page.index()].is_stale);
        untold
    }

    fn copies(&self) -> &Copies {
        self
    }

    fn boxed(&self) -> Box<dyn Life> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.copies.capacity() * size_of::<Copied>()
            + self.pending.bytes()
            + self.untold.capacity() * 4
            + self.samples.bytes()
    }
}
