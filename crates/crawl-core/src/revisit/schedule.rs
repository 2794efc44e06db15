//! Keeps pages waiting until their next visit is due, within the budget.

use super::memory::Memory;
use super::pace::{HOUR_US, Pace};
use super::rules::LEAST_COST;
use super::slot::{Slot, Standing};
use super::{At, Policy, PolicyGiven, RevisitRules, Sees};
use crate::again::{Again, Ledger, Plan, Visit};
use crate::ahead::look_at;
use crate::queue::Queue;
use crate::{Explanation, Frontier, GroupId, Known, UrlId};
use crawl_world::HostId;

mod explained;

/// Before all that is due by the clock.
const TOLD: f64 = 1e15;
/// How much later than wanted is late, as a share of the time wanted.
const LATE: f64 = 0.1;

/// A policy's schedule.
#[derive(Clone)]
pub struct Schedule {
    policy: Box<dyn Policy>,
    rules: RevisitRules,
    given: PolicyGiven,
    memory: Memory,
    pace: Pace,
    pages: Vec<UrlId>,
    slots: Vec<Slot>,
    /// Those that wait until they are due, by when on the budget's clock: hours are never negative, so
    /// that their bits are in order. Items that are not as their slots say are of the past; the first
    /// is not one of them.
    later: Queue,
    /// How many items may be of the past.
    n_past: usize,
    /// Those that are due, in groups by host where hosts must be left alone.
    ready: Frontier,
    is_polite: bool,
    next_told_us: Option<u64>,
    /// Before this no new page is started.
    next_start_us: f64,
    ledger: Ledger,
    n_planned: usize,
    n_since_plan: usize,
    /// How many pages were ever copied.
    n_copied: usize,
    /// Of the pages, those that are gone; they are left out when plans are made anew.
    n_gone: usize,
}

impl Schedule {
    /// An empty one. `is_polite` where hosts must be left alone at times.
    pub fn new(
        policy: Box<dyn Policy>,
        rules: RevisitRules,
        given: PolicyGiven,
        is_polite: bool,
    ) -> Self {
        let memory = Memory::new(policy.estimates(), rules.sees == Sees::LastModified);
        let is_stationary = policy.is_stationary();
        let budget = if policy.competes() { rules.visits + rules.new } else { rules.visits };
        Self {
            pace: Pace::new(rules.visits, policy.fills()),
            policy,
            rules,
            given,
            memory,
            pages: Vec::new(),
            slots: Vec::new(),
            later: Queue::default(),
            n_past: 0,
            ready: Frontier::default(),
            is_polite,
            next_told_us: rules.sitemap_us,
            next_start_us: 0.0,
            ledger: Ledger { budget, is_stationary, ..Ledger::default() },
            n_planned: 0,
            n_since_plan: 0,
            n_copied: 0,
            n_gone: 0,
        }
    }

    /// When the first that waits is due.
    #[inline]
    fn first_due_h(&self) -> Option<f64> {
        self.later.first().map(|(due, _)| f64::from_bits(due))
    }

    /// Takes out the first that waits.
    fn take_first(&mut self) {
        self.later.pop();
        self.drop_past();
    }

    /// Whether a page waits as its item says.
    #[inline]
    fn waits_as(&self, (due, id): &(u64, u32)) -> bool {
        self.slots[*id as usize].waits_until() == Some(*due)
    }

    /// Leaves out what is of the past.
    fn drop_past(&mut self) {
        while self.n_past > 0 && self.later.first().is_some_and(|item| !self.waits_as(&item)) {
            self.later.pop();
            self.n_past -= 1;
        }
    }

    /// Puts those that are due where they can be taken.
    fn ripen(&mut self) {
        if let Some(due_h) = self.first_due_h().filter(|_| self.ready.is_empty()) {
            self.pace.skip_to(due_h);
        }
        while let Some((due, id)) = self.later.first() {
            if f64::from_bits(due) > self.pace.at_h() {
                break;
            }
            let slot = &mut self.slots[id as usize];
            slot.standing = Standing::Due;
            let group = slot.host.checked_sub(1).map(GroupId);
            self.take_first();
            self.ready.push(UrlId(id), -f64::from_bits(due), group);
        }
    }

    /// Takes the one page that is due, where it is the only one and may be visited: it need not stand in
    /// line with others.
    fn only_due(&mut self) -> Option<UrlId> {
        if self.is_polite || !self.pace.may_spend() || !self.ready.is_empty() {
            return None;
        }
        let (due, id) = self.later.first()?;
        self.pace.skip_to(f64::from_bits(due));
        let now = self.pace.at_h().to_bits();
        if due > now || self.later.may_have_second_by(now) {
            return None;
        }
        self.slots[id as usize].standing = Standing::Due;
        self.take_first();
        Some(UrlId(id))
    }

    /// Plans for all pages where the policy wants that: as they double in number, or were all visited
    /// once more on average.
    fn plan_if_due(&mut self, known: &Known<'_>) {
        let n = self.pages.len() - self.n_gone;
        let enough = if n > self.n_planned { n / 4 } else { n };
        if n < (2 * self.n_planned).max(1) && self.n_since_plan < enough.max(1) {
            return;
        }
        (self.n_planned, self.n_since_plan, self.n_gone) = (n, 0, 0);
        let Self { policy, pace, pages, memory, given, slots, later, ready, .. } = self;
        pages.retain(|url| slots[url.index()].standing != Standing::Gone);
        let at = At { now_h: pace.at_h(), budget: pace.budget(), pages, memory, known, given };
        let is_new = policy.plan(&at);
        self.ledger.plan += u32::from(is_new);
        // Summed anew in any case, since what came and went one by one leaves its rounding behind.
        let mut wanted = 0.0;
        for url in &*pages {
            let slot = &mut slots[url.index()];
            if is_new && matches!(slot.standing, Standing::Waits | Standing::Due) {
                let wanted = policy.wanted(*url, &at);
                slot.set(wanted, *url, policy.fills() && memory.n_visits(*url) == 1);
                ready.remove(*url);
            }
            wanted += slot.per_h;
        }
        pace.want_all(wanted);
        if is_new {
            self.n_past = 0;
            let slots = pages.iter().map(|url| (*url, &slots[url.index()]));
            later.replace(slots.filter_map(|(url, slot)| Some((slot.waits_until()?, url.0))));
        }
    }

    /// A page wants its visits otherwise than before. Where hardly any are left, what is left may be
    /// rounding, and is summed anew.
    fn want(&mut self, before: f64, after: f64) {
        let all = self.pace.wanted();
        self.pace.want(before, after);
        if self.pace.wanted() < 1e-6 * all {
            let each = self.pages.iter().map(|url| self.slots[url.index()].per_h);
            self.pace.want_all(each.sum());
        }
    }

    /// Asks the policy when a page just visited is wanted again.
    fn put_off(&mut self, visit: &Visit, since_h: f64, known: &Known<'_>) {
        let Self { policy, pace, pages, memory, given, .. } = self;
        let at = At { now_h: since_h, budget: pace.budget(), pages, memory, known, given };
        let wanted = policy.wanted(visit.url, &at);
        let is_first = visit.is_first && policy.fills();
        let slot = &mut self.slots[visit.url.index()];
        let before = slot.per_h;
        slot.since_h = since_h;
        slot.set(wanted, visit.url, is_first);
        let (due_h, after) = (slot.due_h(), slot.per_h);
        self.want(before, after);
        if due_h.is_finite() && !self.policy.competes() {
            self.later.push((due_h.to_bits(), visit.url.0));
        }
    }

    /// VRank = QRank · RVRank (document A). Where QRank is not above 0, as breadth-first's is, a product
    /// would put the stalest last, and leave a page of 0 where it is; 1 − (1 − QRank) ÷ RVRank also
    /// rises with both and is QRank at RVRank = 1, as for new pages (ours).
    fn joined(quality: f64, staleness: f64) -> f64 {
        if quality > 0.0 { quality * staleness } else { 1.0 - (1.0 - quality) / staleness }
    }

    /// RVRank: time since the last visit ÷ estimated period.
    fn staleness(&self, url: UrlId, now_us: u64) -> f64 {
        let last_us = self.memory.last_us(url).unwrap_or(now_us);
        let since_h = now_us.saturating_sub(last_us) as f64 / HOUR_US;
        since_h / self.slot(url).span_h
    }

    fn slot(&self, url: UrlId) -> Slot {
        self.slots.get(url.index()).copied().unwrap_or_default()
    }

    fn count_late(&mut self, url: UrlId, now_us: u64) {
        let slot = self.slot(url);
        let Slot { span_h, standing, .. } = slot;
        let late_h = if self.policy.fills() {
            self.pace.at_h() - slot.due_h()
        } else {
            let last_us = self.memory.last_us(url).unwrap_or(now_us);
            now_us.saturating_sub(last_us) as f64 / HOUR_US - span_h
        };
        let is_late = standing == Standing::Due && late_h > LATE * span_h;
        self.ledger.n_late += u32::from(is_late);
    }
}

impl Again for Schedule {
    fn is_over(&self, now_us: u64) -> bool {
        now_us >= self.rules.end_us
    }

    fn competes(&self) -> bool {
        self.policy.competes()
    }

    fn take(&mut self, now_us: u64) -> Option<(UrlId, f64)> {
        self.pace.advance(now_us);
        let url = match self.only_due() {
            Some(url) => url,
            None => {
                self.ripen();
                if !self.pace.may_spend() {
                    return None;
                }
                self.ready.pop()?
            }
        };
        self.count_late(url, now_us);
        let urgency = self.urgency(url, now_us, 0.0);
        self.pace.spend();
        self.slots[url.index()].standing = Standing::UnderWay;
        Some((url, urgency))
    }

    fn coming(&self) -> [Option<UrlId>; 2] {
        let coming = self.later.first_two().map(|item| item.map(|(_, id)| UrlId(id)));
        if let Some(url) = coming[0] {
            self.memory.look_behind(url);
        }
        if let Some(url) = coming[1].or(coming[0]) {
            look_at(self.slots.get(url.index()).map(|slot| slot.since_h));
            self.memory.look_at(url);
            self.policy.look_at(url);
        }
        coming
    }

    fn wake(&self, now_us: u64) -> Option<u64> {
        let waits = if !self.pace.may_spend() && !self.ready.is_empty() {
            self.pace.when_affordable()
        } else {
            let soonest = self.first_due_h();
            // Those that are due already wait for their hosts, and no clock helps them.
            let full =
                soonest.filter(|_| self.ready.is_empty()).and_then(|_| self.pace.when_full());
            let due = soonest.and_then(|due_h| self.pace.when(due_h));
            due.into_iter().chain(full).min()
        };
        let next = waits.into_iter().chain(self.next_told_us()).min();
        // A moment that is not over yet may round to now.
        next.map(|us| us.max(now_us + 1)).filter(|us| *us < self.rules.end_us)
    }

    fn holds_new(&self, now_us: u64) -> Option<u64> {
        let until = self.next_start_us.ceil() as u64;
        (until > now_us).then_some(until)
    }

    fn started(&mut self, now_us: u64) {
        let per_h = if self.competes() { self.ledger.budget } else { self.rules.new };
        if per_h > 0.0 {
            self.next_start_us = self.next_start_us.max(now_us as f64) + HOUR_US / per_h;
        }
    }

    fn visited(&mut self, visit: &Visit, known: &Known<'_>) {
        let at = visit.url.index();
        if at >= self.slots.len() {
            self.slots.resize(at + 1, Slot::default());
        }
        self.pace.advance(visit.now_us);
        self.memory.record(visit, known);
        // What the visit saves lets the clock run ahead, for this page as for all others.
        let since_h = self.pace.at_h();
        if visit.is_first {
            self.pages.push(visit.url);
            self.n_copied += 1;
            self.pace.set_pages(self.n_copied);
            let host = known.host(visit.url).filter(|_| self.is_polite);
            self.slots[at].host = host.map_or(0, |host| host.0 + 1);
        } else {
            self.ledger.n_visits += 1;
            let cost = if visit.seen.changed { 1.0 } else { self.rules.not_modified };
            let cost = cost.clamp(LEAST_COST, 1.0);
            self.ledger.spent += cost;
            self.pace.give_back(1.0 - cost);
            self.n_since_plan += 1;
        }
        if visit.seen.is_gone {
            let before = self.slots[at].per_h;
            self.slots[at] = Slot { standing: Standing::Gone, ..Slot::default() };
            self.want(before, 0.0);
            self.policy.gone(visit.url);
            self.n_gone += 1;
            self.ledger.n_gone += 1;
            self.plan_if_due(known);
            return;
        }
        self.put_off(visit, since_h, known);
        self.plan_if_due(known);
    }

    fn told(&mut self, urls: &[UrlId], now_us: u64) {
        self.pace.advance(now_us);
        self.next_told_us = self.rules.sitemap_us.map(|every| now_us + every);
        self.ledger.n_told += 1;
        self.ledger.spent += 1.0;
        self.pace.spend();
        for url in urls {
            let Some(slot) = self.slots.get_mut(url.index()) else { continue };
            if !matches!(slot.standing, Standing::Waits | Standing::Due) {
                continue;
            }
            self.n_past += usize::from(slot.waits_until().is_some());
            slot.standing = Standing::Told;
            let group = slot.host.checked_sub(1).map(GroupId);
            self.ready.remove(*url);
            self.ready.push(*url, TOLD, group);
        }
        self.drop_past();
    }

    fn next_told_us(&self) -> Option<u64> {
        let at_us = self.next_told_us.filter(|_| !self.competes())?;
        // A reading costs a visit, and waits until there is one to spend.
        let affordable_us = self.pace.when_affordable()?;
        Some(if self.pace.may_spend() { at_us } else { at_us.max(affordable_us) })
    }

    fn rest(&mut self, host: HostId, rests: bool) {
        let group = GroupId(host.0);
        if rests { self.ready.close(group) } else { self.ready.open(group) }
    }

    fn waits_on(&self, host: HostId) -> bool {
        self.ready.has_group(GroupId(host.0))
    }

    fn rivals(&self, now_us: u64, score: &dyn Fn(UrlId) -> f64) -> Vec<(UrlId, f64)> {
        let may = |url: &&UrlId| self.slots[url.index()].standing == Standing::Waits;
        let rank = |url: &UrlId| (*url, Self::joined(score(*url), self.staleness(*url, now_us)));
        self.pages.iter().filter(may).map(rank).collect()
    }

    fn urgency(&self, url: UrlId, now_us: u64, score: f64) -> f64 {
        let Slot { since_h, span_h, .. } = self.slot(url);
        if !span_h.is_finite() {
            return 0.0;
        }
        if self.competes() {
            return Self::joined(score, self.staleness(url, now_us));
        }
        (self.pace.at(now_us) - since_h) / span_h
    }

    fn explain(&self, url: UrlId, now_us: u64, score: f64, known: &Known<'_>) -> Explanation {
        self.explained(url, now_us, score, known)
    }

    fn upcoming(&self, n: usize) -> Vec<UrlId> {
        let mut next = self.ready.top(n);
        let left = n.saturating_sub(next.len());
        next.extend(
            self.later.top(left, |item| self.waits_as(item)).into_iter().map(|(_, id)| UrlId(id)),
        );
        next
    }

    fn n_due(&self) -> u32 {
        self.ready.len() as u32
    }

    fn plan(&self, url: UrlId, now_us: u64) -> Plan {
        let slot = self.slot(url);
        let due_us = match slot.standing {
            Standing::Due | Standing::Told => Some(now_us),
            Standing::Waits if self.competes() => {
                let span_us = (slot.span_h * HOUR_US).min(9e18) as u64;
                self.memory.last_us(url).map(|last_us| last_us.saturating_add(span_us))
            }
            Standing::Waits if slot.span_h.is_finite() => self.pace.when(slot.due_h()),
            _ => None,
        };
        let has_rate =
            !self.competes() && !matches!(slot.standing, Standing::Gone | Standing::Unknown);
        let speed = self.pace.long_run_speed();
        Plan {
            estimate: self.memory.rate(url),
            last_us: self.memory.last_us(url),
            due_us,
            per_hour: has_rate.then_some(slot.per_h * speed),
            apart_per_hour: slot.apart_per_h * speed,
        }
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }

    fn boxed(&self) -> Box<dyn Again> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.pages.capacity() * 4
            + self.later.bytes()
            + self.ready.bytes()
            + self.memory.bytes()
            + self.policy.bytes()
    }
}
