//! Copies and how they go stale: the truth that measures look at, and that visits see a part of.
//!
//! A copy is fresh while it equals the live page; its age is the time since the first change it lacks.
//! When a copy is made, the page's next change is drawn at once; it stays the next one until a visit
//! comes after it. So every visit costs at most one draw, every copy goes stale at its very moment, and
//! the means over time are exact: freshness is constant between two events and age grows evenly.

use crate::again::{Life, Seen};
use crate::revisit::{RevisitRules, Sees};
use crawl_world::{ChangeProcess, Changes, PageId, World};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

const HOUR_US: f64 = 3.6e9;
const NEVER: u64 = u64::MAX;
/// More changes than this between two visits are not counted one by one but taken from the rate.
const MOST_COUNTED: f64 = 10_000.0;
/// Into how many parts a crawl's hours are cut for its curve.
const N_SAMPLES: u64 = 1000;
/// What the stream of boilerplate's changes is for.
const BOILERPLATE: u64 = 0x0b01_1e47;

/// Pages that are measured together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// What it is called in measures.
    pub name: &'static str,
    /// What each page counts for, by page; 0 for those that do not belong to it. Nothing where all
    /// count the same.
    pub weights: Option<Arc<Vec<f64>>>,
}

/// The copies of a crawl.
#[derive(Clone)]
pub struct Copies {
    seed: u64,
    rules: RevisitRules,
    copies: Vec<Copied>,
    /// When copies will go stale; an entry that is not its copy's is of the past.
    pending: BinaryHeap<Reverse<(u64, u32)>>,
    groups: Arc<Vec<Group>>,
    tallies: Vec<Tally>,
    now_us: u64,
    n_copies: u32,
    n_visits: u32,
    n_wasted: u32,
    n_missed: u64,
    n_seen: u64,
    /// Freshness at equal distances of time, for a curve.
    samples: Vec<f32>,
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

/// The sums of a group, in hours.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    all: f64,
    stale: f64,
    /// Σ w·(when it went stale), over stale copies.
    stale_since: f64,
    /// Σ over time of freshness and of age, and for how long there were copies.
    fresh_h: f64,
    age_h: f64,
    hours: f64,
}

impl Tally {
    fn freshness(&self) -> Option<f64> {
        (self.all > 0.0).then(|| 1.0 - self.stale.max(0.0) / self.all)
    }

    fn age(&self, now_h: f64) -> Option<f64> {
        let sum = (self.stale * now_h - self.stale_since).max(0.0);
        (self.all > 0.0).then(|| sum / self.all)
    }

    /// There is no copy: nothing but rounding is left of the weights.
    fn clear(&mut self) {
        (self.all, self.stale, self.stale_since) = (0.0, 0.0, 0.0);
    }

    /// Lets time pass.
    fn pass(&mut self, from_h: f64, to_h: f64) {
        let middle_h = (from_h + to_h) / 2.0;
        if let (Some(freshness), Some(age)) = (self.freshness(), self.age(middle_h)) {
            let hours = to_h - from_h;
            self.fresh_h += freshness * hours;
            self.age_h += age * hours;
            self.hours += hours;
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
    pub fn new(n_pages: u32, seed: u64, rules: RevisitRules, groups: Arc<Vec<Group>>) -> Self {
        let none = Copied { visited_us: 0, stale_us: NEVER, has_copy: false, is_stale: false };
        Self {
            seed,
            rules,
            copies: vec![none; n_pages as usize],
            pending: BinaryHeap::new(),
            tallies: vec![Tally::default(); groups.len()],
            groups,
            now_us: 0,
            n_copies: 0,
            n_visits: 0,
            n_wasted: 0,
            n_missed: 0,
            n_seen: 0,
            samples: Vec::new(),
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
        let stale = self.tallies.first().map_or(0.0, |all| all.stale);
        self.n_copies - stale.round() as u32
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
        let copy = &self.copies[page.index()];
        (copy.has_copy && copy.is_stale).then_some(copy.stale_us)
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
    pub fn standing(&self, group: &str) -> Option<Standing> {
        let at = self.groups.iter().position(|known| known.name == group)?;
        let tally = &self.tallies[at];
        let (freshness, age_h) = (tally.freshness()?, tally.age(hours(self.now_us))?);
        let mean = |sum: f64, now: f64| if tally.hours > 0.0 { sum / tally.hours } else { now };
        Some(Standing {
            freshness,
            age_h,
            mean_freshness: mean(tally.fresh_h, freshness),
            mean_age_h: mean(tally.age_h, age_h),
        })
    }

    /// Freshness so far at equal distances of time, the first as long after the start; below 0 before
    /// there is a copy.
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }

    /// Microseconds between two of them.
    pub fn sample_us(&self) -> u64 {
        (self.rules.end_us / N_SAMPLES).max(1)
    }

    /// Lets time pass until then and no farther.
    fn pass_to(&mut self, now_us: u64) {
        if now_us > self.now_us {
            // What is between two events is as it was after the first.
            while (self.samples.len() as u64 + 1) * self.sample_us() <= now_us {
                let freshness = self.tallies.first().and_then(Tally::freshness);
                self.samples.push(freshness.map_or(-1.0, |freshness| freshness as f32));
            }
            let (from_h, to_h) = (hours(self.now_us), hours(now_us));
            self.tallies.iter_mut().for_each(|tally| tally.pass(from_h, to_h));
            self.now_us = now_us;
        }
    }

    /// Changes what groups sum up, for a page: its weight in all and in what is stale.
    fn count(&mut self, page: PageId, all: f64, stale: f64, stale_us: u64) {
        let since_h = if stale == 0.0 { 0.0 } else { hours(stale_us) };
        for (tally, group) in self.tallies.iter_mut().zip(self.groups.iter()) {
            let weight = group.weights.as_ref().map_or(1.0, |weights| weights[page.index()]);
            tally.all += all * weight;
            tally.stale += stale * weight;
            tally.stale_since += stale * weight * since_h;
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
                    self.tallies.iter_mut().for_each(Tally::clear);
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
                self.pending.push(Reverse((next_us, page.0)));
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

    fn advance(&mut self, now_us: u64) {
        while let Some(&Reverse((stale_us, page))) = self.pending.peek() {
            if stale_us > now_us {
                break;
            }
            self.pending.pop();
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
            + self.pending.len() * size_of::<Reverse<(u64, u32)>>()
            + (self.untold.capacity() + self.samples.capacity()) * 4
    }
}
