//! Schedule of revisits: pages wait until due, within the budget.

use super::budget_clock::{BudgetClock, HOUR_US};
use super::memory::Memory;
use super::rules::LEAST_COST;
use super::slot::{Slot, SlotState};
use super::{Policy, PolicyContext, PolicyView, RevisitRules, Sees};
use crate::prefetch::touch;
use crate::queue::Queue;
use crate::scheduler::{Ledger, Plan, RevisitScheduler, Visit};
use crate::{Explanation, Frontier, GroupId, Known, UrlId};
use crawl_world::HostId;

mod explained;

/// Priority of pages announced by a sitemap: above all that are due by the clock.
const ANNOUNCED: f64 = 1e15;
/// Delay from which a visit counts as late, as a share of its interval.
const LATE: f64 = 0.1;

/// The schedule of a revisit policy.
#[derive(Clone)]
pub struct Schedule {
    policy: Box<dyn Policy>,
    rules: RevisitRules,
    context: PolicyContext,
    memory: Memory,
    clock: BudgetClock,
    pages: Vec<UrlId>,
    slots: Vec<Slot>,
    /// Waiting pages by due time on the budget clock. Times are never negative, so their bits sort
    /// like the numbers. Items that differ from their slots are outdated; the first item never is.
    waiting: Queue,
    /// Upper bound of the number of outdated items.
    n_outdated: usize,
    /// Pages that are due, grouped by host if politeness applies.
    ready: Frontier,
    is_polite: bool,
    next_sitemap_us: Option<u64>,
    /// Time before which no new page is started.
    next_start_us: f64,
    ledger: Ledger,
    n_planned: usize,
    n_since_plan: usize,
    /// Number of pages that were ever copied.
    n_copied: usize,
    /// Number of `pages` that are gone; they are removed at the next plan.
    n_gone: usize,
}

impl Schedule {
    /// An empty schedule. `is_polite`: hosts may be resting.
    pub fn new(
        policy: Box<dyn Policy>,
        rules: RevisitRules,
        context: PolicyContext,
        is_polite: bool,
    ) -> Self {
        let memory = Memory::new(policy.estimates(), rules.sees == Sees::LastModified);
        let is_stationary = policy.is_stationary();
        let budget = if policy.competes() { rules.visits + rules.new } else { rules.visits };
        Self {
            clock: BudgetClock::new(rules.visits, policy.fills()),
            policy,
            rules,
            context,
            memory,
            pages: Vec::new(),
            slots: Vec::new(),
            waiting: Queue::default(),
            n_outdated: 0,
            ready: Frontier::default(),
            is_polite,
            next_sitemap_us: rules.sitemap_us,
            next_start_us: 0.0,
            ledger: Ledger { budget, is_stationary, ..Ledger::default() },
            n_planned: 0,
            n_since_plan: 0,
            n_copied: 0,
            n_gone: 0,
        }
    }

    /// Due time of the first waiting page.
    #[inline]
    fn first_due_h(&self) -> Option<f64> {
        self.waiting.first().map(|(due, _)| f64::from_bits(due))
    }

    /// Removes the first waiting page.
    fn take_first(&mut self) {
        self.waiting.pop();
        self.drop_outdated();
    }

    /// True if the item matches its slot.
    #[inline]
    fn waits_as(&self, (due, id): &(u64, u32)) -> bool {
        self.slots[*id as usize].waits_until() == Some(*due)
    }

    /// Removes outdated items from the front.
    fn drop_outdated(&mut self) {
        while self.n_outdated > 0 && self.waiting.first().is_some_and(|item| !self.waits_as(&item))
        {
            self.waiting.pop();
            self.n_outdated -= 1;
        }
    }

    /// Moves pages that are due from `waiting` to `ready`.
    fn move_due(&mut self) {
        if let Some(due_h) = self.first_due_h().filter(|_| self.ready.is_empty()) {
            self.clock.skip_to(due_h);
        }
        while let Some((due, id)) = self.waiting.first() {
            if f64::from_bits(due) > self.clock.at_h() {
                break;
            }
            let slot = &mut self.slots[id as usize];
            slot.state = SlotState::Due;
            let group = slot.host.checked_sub(1).map(GroupId);
            self.take_first();
            self.ready.push(UrlId(id), -f64::from_bits(due), group);
        }
    }

    /// Takes the only page that is due, without the detour through `ready`.
    fn only_due(&mut self) -> Option<UrlId> {
        if self.is_polite || !self.clock.may_spend() || !self.ready.is_empty() {
            return None;
        }
        let (due, id) = self.waiting.first()?;
        self.clock.skip_to(f64::from_bits(due));
        let now = self.clock.at_h().to_bits();
        if due > now || self.waiting.may_have_second_by(now) {
            return None;
        }
        self.slots[id as usize].state = SlotState::Due;
        self.take_first();
        Some(UrlId(id))
    }

    /// Plans all pages again if the policy wants: when their number has doubled, or after as many
    /// visits as there are pages.
    fn plan_if_due(&mut self, known: &Known<'_>) {
        let n = self.pages.len() - self.n_gone;
        let enough = if n > self.n_planned { n / 4 } else { n };
        if n < (2 * self.n_planned).max(1) && self.n_since_plan < enough.max(1) {
            return;
        }
        (self.n_planned, self.n_since_plan, self.n_gone) = (n, 0, 0);
        let Self { policy, clock, pages, memory, context, slots, waiting, ready, .. } = self;
        pages.retain(|url| slots[url.index()].state != SlotState::Gone);
        let at = PolicyView {
            now_h: clock.at_h(),
            budget: clock.budget(),
            pages,
            memory,
            known,
            context,
        };
        let is_new = policy.plan(&at);
        self.ledger.plan += u32::from(is_new);
        // Sum up again in any case, to drop the rounding errors of incremental updates.
        let mut wanted = 0.0;
        for url in &*pages {
            let slot = &mut slots[url.index()];
            if is_new && matches!(slot.state, SlotState::Waits | SlotState::Due) {
                let wanted = policy.wanted(*url, &at);
                slot.set(wanted, *url, policy.fills() && memory.n_visits(*url) == 1);
                ready.remove(*url);
            }
            wanted += slot.per_h;
        }
        clock.want_all(wanted);
        if is_new {
            self.n_outdated = 0;
            let slots = pages.iter().map(|url| (*url, &slots[url.index()]));
            waiting.replace(slots.filter_map(|(url, slot)| Some((slot.waits_until()?, url.0))));
        }
    }

    /// Changes the visit rate of one page. If the sum drops close to 0, it is recomputed, since the
    /// rest may be rounding errors.
    fn want(&mut self, before: f64, after: f64) {
        let all = self.clock.wanted();
        self.clock.want(before, after);
        if self.clock.wanted() < 1e-6 * all {
            let each = self.pages.iter().map(|url| self.slots[url.index()].per_h);
            self.clock.want_all(each.sum());
        }
    }

    /// Asks the policy for the next visit to a page just visited.
    fn schedule_next(&mut self, visit: &Visit, since_h: f64, known: &Known<'_>) {
        let Self { policy, clock, pages, memory, context, .. } = self;
        let at =
            PolicyView { now_h: since_h, budget: clock.budget(), pages, memory, known, context };
        let wanted = policy.wanted(visit.url, &at);
        let is_first = visit.is_first && policy.fills();
        let slot = &mut self.slots[visit.url.index()];
        let before = slot.per_h;
        slot.since_h = since_h;
        slot.set(wanted, visit.url, is_first);
        let (due_h, after) = (slot.due_h(), slot.per_h);
        self.want(before, after);
        if due_h.is_finite() && !self.policy.competes() {
            self.waiting.push((due_h.to_bits(), visit.url.0));
        }
    }

    /// VRank = QRank · RVRank (Lebedeva 2013). If QRank is not above 0, as for breadth-first, the
    /// product would rank the stalest page last. 1 − (1 − QRank) ÷ RVRank also rises with both and
    /// equals QRank at RVRank = 1, as for new pages (not in the paper).
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
        let Slot { span_h, state, .. } = slot;
        let late_h = if self.policy.fills() {
            self.clock.at_h() - slot.due_h()
        } else {
            let last_us = self.memory.last_us(url).unwrap_or(now_us);
            now_us.saturating_sub(last_us) as f64 / HOUR_US - span_h
        };
        let is_late = state == SlotState::Due && late_h > LATE * span_h;
        self.ledger.n_late += u32::from(is_late);
    }
}

impl RevisitScheduler for Schedule {
    fn is_over(&self, now_us: u64) -> bool {
        now_us >= self.rules.end_us
    }

    fn competes(&self) -> bool {
        self.policy.competes()
    }

    fn take(&mut self, now_us: u64) -> Option<(UrlId, f64)> {
        self.clock.advance(now_us);
        let url = match self.only_due() {
            Some(url) => url,
            None => {
                self.move_due();
                if !self.clock.may_spend() {
                    return None;
                }
                self.ready.pop()?
            }
        };
        self.count_late(url, now_us);
        let urgency = self.urgency(url, now_us, 0.0);
        self.clock.spend();
        self.slots[url.index()].state = SlotState::UnderWay;
        Some((url, urgency))
    }

    fn coming(&self) -> [Option<UrlId>; 2] {
        let coming = self.waiting.first_two().map(|item| item.map(|(_, id)| UrlId(id)));
        if let Some(url) = coming[0] {
            self.memory.prefetch_history(url);
        }
        if let Some(url) = coming[1].or(coming[0]) {
            touch(self.slots.get(url.index()).map(|slot| slot.since_h));
            self.memory.prefetch(url);
            self.policy.prefetch(url);
        }
        coming
    }

    fn wake(&self, now_us: u64) -> Option<u64> {
        let waits = if !self.clock.may_spend() && !self.ready.is_empty() {
            self.clock.when_affordable()
        } else {
            let soonest = self.first_due_h();
            // Pages that are due already wait for their hosts; the clock does not matter to them.
            let full =
                soonest.filter(|_| self.ready.is_empty()).and_then(|_| self.clock.when_full());
            let due = soonest.and_then(|due_h| self.clock.when(due_h));
            due.into_iter().chain(full).min()
        };
        let next = waits.into_iter().chain(self.next_sitemap_us()).min();
        // A time in the future may round to now.
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
        self.clock.advance(visit.now_us);
        self.memory.record(visit, known);
        // The refund of this visit advances the clock, for this page as for all others.
        let since_h = self.clock.at_h();
        if visit.is_first {
            self.pages.push(visit.url);
            self.n_copied += 1;
            self.clock.set_pages(self.n_copied);
            let host = known.host(visit.url).filter(|_| self.is_polite);
            self.slots[at].host = host.map_or(0, |host| host.0 + 1);
        } else {
            self.ledger.n_visits += 1;
            let cost = if visit.seen.changed { 1.0 } else { self.rules.not_modified };
            let cost = cost.clamp(LEAST_COST, 1.0);
            self.ledger.spent += cost;
            self.clock.give_back(1.0 - cost);
            self.n_since_plan += 1;
        }
        if visit.seen.is_gone {
            let before = self.slots[at].per_h;
            self.slots[at] = Slot { state: SlotState::Gone, ..Slot::default() };
            self.want(before, 0.0);
            self.policy.gone(visit.url);
            self.n_gone += 1;
            self.ledger.n_gone += 1;
            self.plan_if_due(known);
            return;
        }
        self.schedule_next(visit, since_h, known);
        self.plan_if_due(known);
    }

    fn sitemap_read(&mut self, urls: &[UrlId], now_us: u64) {
        self.clock.advance(now_us);
        self.next_sitemap_us = self.rules.sitemap_us.map(|every| now_us + every);
        self.ledger.n_sitemaps += 1;
        self.ledger.spent += 1.0;
        self.clock.spend();
        for url in urls {
            let Some(slot) = self.slots.get_mut(url.index()) else { continue };
            if !matches!(slot.state, SlotState::Waits | SlotState::Due) {
                continue;
            }
            self.n_outdated += usize::from(slot.waits_until().is_some());
            slot.state = SlotState::Announced;
            let group = slot.host.checked_sub(1).map(GroupId);
            self.ready.remove(*url);
            self.ready.push(*url, ANNOUNCED, group);
        }
        self.drop_outdated();
    }

    fn next_sitemap_us(&self) -> Option<u64> {
        let at_us = self.next_sitemap_us.filter(|_| !self.competes())?;
        // A read costs a visit, and waits until the budget allows one.
        let affordable_us = self.clock.when_affordable()?;
        Some(if self.clock.may_spend() { at_us } else { at_us.max(affordable_us) })
    }

    fn rest(&mut self, host: HostId, rests: bool) {
        let group = GroupId(host.0);
        if rests { self.ready.close(group) } else { self.ready.open(group) }
    }

    fn waits_on(&self, host: HostId) -> bool {
        self.ready.has_group(GroupId(host.0))
    }

    fn candidates(&self, now_us: u64, score: &dyn Fn(UrlId) -> f64) -> Vec<(UrlId, f64)> {
        let may = |url: &&UrlId| self.slots[url.index()].state == SlotState::Waits;
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
        (self.clock.at(now_us) - since_h) / span_h
    }

    fn explain(&self, url: UrlId, now_us: u64, score: f64, known: &Known<'_>) -> Explanation {
        self.explained(url, now_us, score, known)
    }

    fn upcoming(&self, n: usize) -> Vec<UrlId> {
        let mut next = self.ready.top(n);
        let left = n.saturating_sub(next.len());
        next.extend(
            self.waiting.top(left, |item| self.waits_as(item)).into_iter().map(|(_, id)| UrlId(id)),
        );
        next
    }

    fn n_due(&self) -> u32 {
        self.ready.len() as u32
    }

    fn plan(&self, url: UrlId, now_us: u64) -> Plan {
        let slot = self.slot(url);
        let due_us = match slot.state {
            SlotState::Due | SlotState::Announced => Some(now_us),
            SlotState::Waits if self.competes() => {
                let span_us = (slot.span_h * HOUR_US).min(9e18) as u64;
                self.memory.last_us(url).map(|last_us| last_us.saturating_add(span_us))
            }
            SlotState::Waits if slot.span_h.is_finite() => self.clock.when(slot.due_h()),
            _ => None,
        };
        let has_rate =
            !self.competes() && !matches!(slot.state, SlotState::Gone | SlotState::Unknown);
        let speed = self.clock.long_run_speed();
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

    fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.pages.capacity() * 4
            + self.waiting.bytes()
            + self.ready.bytes()
            + self.memory.bytes()
            + self.policy.bytes()
    }
}
