//! Page changes, and the results of visits.

use super::{Crawl, Done, Flight, Found, HOUR, State, Url, View};
use crate::reference::Rule;
use crawl_core::revisit::Sees;
use crawl_world::{ChangeProcess, Changes, PageId};

impl Crawl<'_> {
    fn gone_us(&self, page: PageId) -> u64 {
        self.world.gone_s(page).map_or(u64::MAX, |at| (at * 1e6) as u64)
    }

    fn is_shown(&self, page: PageId, to: PageId) -> bool {
        let born_us = self.world.born_s(to).map_or(0, |at| (at * 1e6) as u64);
        self.gone_us(page) > self.now_us && born_us <= self.now_us
    }

    pub(super) fn is_stale(&self, url: usize, since_us: u64) -> bool {
        let page = self.urls[url].page;
        let changes = Changes::new(self.world, page, self.seed);
        changes.changed_between(since_us, self.now_us) || self.gone_us(page) <= self.now_us
    }

    pub(super) fn is_framed_anew(&self, page: PageId, since_us: u64) -> bool {
        let frame = ChangeProcess::Poisson { per_hour: self.again.boilerplate };
        let changes = Changes::of(frame, page, self.seed ^ 0x0b01_1e47);
        changes.changed_between(since_us, self.now_us)
    }

    pub(super) fn read_sitemaps(&mut self) {
        self.turn_clock();
        self.tokens -= 1.0;
        self.told_us = self.again.sitemap_us.map(|every| self.now_us + every);
        for i in 0..self.urls.len() {
            let Url { page, last_us: Some(last_us), state, .. } = self.urls[i] else { continue };
            let first = Changes::new(self.world, page, self.seed).next_change_after(last_us);
            let stale_us = first.unwrap_or(u64::MAX).min(self.gone_us(page));
            let is_news = stale_us <= self.now_us
                && self.last_told_us.is_none_or(|last_told_us| stale_us > last_told_us);
            if is_news && matches!(state, State::Waits | State::Due) {
                self.urls[i].state = State::Told;
            }
        }
        self.last_told_us = Some(self.now_us);
    }

    // --- results of visits

    pub(super) fn land(&mut self, flight: &Flight) -> Done {
        let Flight { url, started_us, done_us, score, is_first } = *flight;
        self.now_us = done_us;
        let page = self.urls[url].page;
        // A gone page shows no links; others show links to pages that exist by now.
        let links = self.world.links(page).iter();
        let n_shown = links.filter(|to| self.is_shown(page, **to)).count();
        let n_before = std::mem::replace(&mut self.urls[url].n_shown, n_shown);
        self.urls[url].n_shown = n_shown.max(n_before);
        for target in self.world.links(page).iter().take(n_shown).skip(n_before) {
            self.discover(*target);
            let to = self.urls.iter_mut().find(|url| url.page == *target);
            let counts = f64::from(u8::from(self.counts_links));
            to.expect("it was discovered").score += counts;
        }
        if let Some(host) = self.urls[url].host.filter(|_| self.is_polite()) {
            self.resting.retain(|(rests, _)| *rests != host);
            self.resting.push((host, done_us + self.rules.delay_us));
        }
        let is_page = (200..300).contains(&self.world.status(page));
        if is_page && !(is_first && self.gone_us(page) <= done_us) {
            self.visited(url, is_first);
        }
        Done { page, started_us, at_us: done_us, score }
    }

    fn visited(&mut self, url: usize, is_first: bool) {
        self.turn_clock();
        let since_h = self.at_h;
        let page = self.urls[url].page;
        let is_gone = self.gone_us(page) <= self.now_us;
        if is_first {
            let before = self.most();
            self.urls[url].last_us = Some(self.now_us);
            self.copied.push(url);
            self.tokens += (self.most() - before) / 2.0;
        } else {
            let last_us = self.urls[url].last_us.expect("it was visited");
            let is_other = self.is_stale(url, last_us);
            let sees_frame = self.again.sees == Sees::Anything && !is_gone;
            let changed = is_other || sees_frame && self.is_framed_anew(page, last_us);
            let hours = |us: u64| us as f64 / HOUR;
            let changes = Changes::new(self.world, page, self.seed);
            let modified = changes.last_change_by(self.now_us).filter(|_| !is_gone);
            let ago = modified.map_or(u64::MAX, |at| self.now_us - at);
            let found = Found {
                interval_h: hours(self.now_us - last_us),
                changed,
                since_h: (self.again.sees == Sees::LastModified).then_some(hours(ago)),
            };
            self.urls[url].last_us = Some(self.now_us);
            if found.interval_h > 0.0 {
                self.urls[url].found.push(found);
                let rate = self.rule.estimate(url, &self.view(since_h));
                self.urls[url].rate = rate.or(self.urls[url].rate);
            }
            let cost = if changed { 1.0 } else { self.again.not_modified };
            self.tokens = (self.tokens + 1.0 - cost).min(self.most());
            if self.rule.fills() && self.wanted() > 0.0 {
                self.at_h += (1.0 - cost) / self.wanted();
            }
            self.n_visits_since += 1;
        }
        if is_gone {
            (self.urls[url].state, self.urls[url].per_h) = (State::Gone, 0.0);
        } else {
            self.urls[url].since_h = since_h;
            self.ask(url, since_h, is_first);
        }
        self.plan();
    }

    fn view(&self, now_h: f64) -> View<'_> {
        let Self { urls, copied, world, .. } = self;
        View { urls, copied, budget: self.again.visits, now_h, world }
    }

    /// Asks the policy for the next visit to a page.
    fn ask(&mut self, url: usize, now_h: f64, is_first: bool) {
        let mut rule = std::mem::replace(&mut self.rule, Rule::Never);
        let wanted = rule.wanted(url, &self.view(now_h));
        let (in_h, per_h, spreads) = wanted.unwrap_or((f64::INFINITY, 0.0, false));
        let part = (url as f64 + 1.0) * 0.618_033_988_749_894_9;
        let part = if is_first && spreads && rule.fills() { part - part.floor() } else { 1.0 };
        self.rule = rule;
        let asked = &mut self.urls[url];
        (asked.span_h, asked.per_h, asked.state) = (in_h * part, per_h, State::Waits);
    }

    /// Recomputes the plan when the number of pages doubled, or after one visit per page on
    /// average.
    fn plan(&mut self) {
        let there = |url: &usize| self.urls[*url].state != State::Gone;
        let n = self.copied.iter().filter(|url| there(url)).count();
        let enough = if n > self.n_planned { n / 4 } else { n }.max(1);
        if n < (2 * self.n_planned).max(1) && self.n_visits_since < enough {
            return;
        }
        (self.n_planned, self.n_visits_since) = (n, 0);
        self.copied = self.copied.iter().copied().filter(there).collect();
        let mut rule = std::mem::replace(&mut self.rule, Rule::Never);
        let is_new = rule.plan(&self.view(self.at_h));
        self.rule = rule;
        for url in self.copied.clone() {
            if is_new && matches!(self.urls[url].state, State::Waits | State::Due) {
                self.ask(url, self.at_h, self.urls[url].found.is_empty());
            }
        }
    }
}
