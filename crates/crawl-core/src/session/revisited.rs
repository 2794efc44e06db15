//! Revisits in a session: scheduling, and competition with new pages.

use super::{Fetch, Next, Session};
use crate::prefetch::touch;
use crate::scores::Scores;
use crate::{
    GroupId, Known, Ledger, Plan, RevisitScheduler, Rules, UrlId, Visit, VisitFindings, Web,
    rounded,
};
use crawl_world::{PageId, order};

impl Session {
    /// The scheduler, if the page was fetched before.
    pub(super) fn scheduler_of(&self, url: UrlId) -> Option<&dyn RevisitScheduler> {
        self.scheduler.as_deref().filter(|_| self.book.is_fetched(url))
    }

    /// True if hosts may be resting, so that the scheduler must know about hosts.
    pub fn is_polite(rules: &Rules, web: &dyn Web) -> bool {
        crate::politeness::Politeness::new(rules, web).is_some()
    }

    /// Priority of a URL: the score of a new one, the urgency of a revisit.
    pub fn priority(&self, url: UrlId) -> f64 {
        let score = self.score(url);
        self.scheduler_of(url).map_or(score, |scheduler| scheduler.urgency(url, self.now_us, score))
    }

    /// The plan for a page's next visit; `None` without revisits.
    pub fn visit_plan(&self, url: UrlId) -> Option<Plan> {
        self.scheduler_of(url).map(|scheduler| scheduler.plan(url, self.now_us))
    }

    /// Microseconds until a page's next visit is due; 0 if it is due now. `None` if no visit is
    /// planned, or if revisits compete with new pages, so that no time is set.
    pub fn due_in_us(&self, url: UrlId) -> Option<u64> {
        let scheduler = self.scheduler_of(url).filter(|scheduler| !scheduler.competes())?;
        let due_us = scheduler.plan(url, self.now_us).due_us?;
        Some(due_us.saturating_sub(self.now_us))
    }

    /// How the visit budget was spent; `None` without revisits.
    pub fn ledger(&self) -> Option<Ledger> {
        self.scheduler.as_ref().map(|scheduler| scheduler.ledger())
    }

    /// Number of pages that are due for a revisit.
    pub fn n_due(&self) -> u32 {
        self.scheduler.as_ref().map_or(0, |scheduler| scheduler.n_due())
    }

    /// Time of the next sitemap read.
    pub fn next_sitemap_us(&self) -> Option<u64> {
        self.scheduler.as_ref().and_then(|scheduler| scheduler.next_sitemap_us())
    }

    /// Reports a sitemap read: these pages changed.
    pub fn sitemap_read(&mut self, urls: &[UrlId], now_us: u64) {
        if let Some(scheduler) = self.scheduler.as_mut() {
            scheduler.sitemap_read(urls, now_us);
        }
    }

    /// Takes a page that is due, if revisits have their own budget.
    pub(super) fn take_due(&mut self) -> Option<(UrlId, f64)> {
        let scheduler = self.scheduler.as_mut().filter(|scheduler| !scheduler.competes())?;
        scheduler.take(self.now_us)
    }

    /// The page whose visit is next, for prefetching.
    pub(crate) fn coming(&self) -> Option<PageId> {
        let [next, later] = self.scheduler.as_ref()?.coming();
        // Its page number must be in the cache before anything else can be prefetched.
        touch(later.map(|url| self.book.page(url)));
        next.map(|url| self.book.page(url))
    }

    /// Result of [`Session::next`] if nothing can be fetched now.
    pub(super) fn wait(&self, held_until: Option<u64>) -> Next {
        let queue = self.batch.as_ref().map_or(&self.frontier, |batch| &batch.chosen);
        let scheduler = self.scheduler.as_deref();
        let also = |host| scheduler.is_some_and(|scheduler| scheduler.waits_on(host));
        let resting = self.politeness.as_ref().and_then(|p| p.next_wake(queue, &also));
        let later = scheduler.and_then(|scheduler| scheduler.wake(self.now_us));
        let competes = scheduler.is_some_and(RevisitScheduler::competes);
        let has_new = competes || !queue.is_empty() || !self.frontier.is_empty();
        let wakes = [resting, later, held_until.filter(|_| has_new)];
        let wake = wakes.into_iter().flatten().min();
        let wake = wake.filter(|us| !scheduler.is_some_and(|scheduler| scheduler.is_over(*us)));
        match (wake, self.in_flight.is_empty()) {
            (None, true) => Next::Done,
            (wake, _) => Next::Wait(wake),
        }
    }

    /// Reports a visit to the scheduler. Errors and redirects are not copied and not revisited.
    pub(super) fn report_visit(
        &mut self,
        web: &dyn Web,
        url: UrlId,
        is_first: bool,
        status: u16,
        seen: VisitFindings,
    ) {
        let Some(scheduler) = self.scheduler.as_mut() else { return };
        if is_first && (seen.is_gone || !(200..300).contains(&status)) {
            return;
        }
        let known = Known::new(web, &self.book, self.inputs.truth.as_deref());
        scheduler.visited(&Visit { url, now_us: self.now_us, is_first, seen }, &known);
    }

    /// Processes a revisit, with the links that the page shows for the first time.
    pub(super) fn reread(&mut self, web: &dyn Web, url: UrlId) {
        let known_before = self.book.n_discovered();
        let new = match web.has_births() {
            true => self.book.look(web, url, self.now_us),
            false => 0..0,
        };
        let is_new = !new.is_empty();
        let known = Known::new(web, &self.book, self.inputs.truth.as_deref());
        self.frontier.make_room(known.n_discovered());
        let (step, page) = (self.n_steps, self.book.page(url));
        let mut scores =
            Scores { frontier: &mut self.frontier, watch: &mut self.watch, step, by: url };
        self.strategy.revisited(url, new, &known, &mut scores);
        if is_new {
            self.admit_links(web, Fetch { url, page }, known_before);
        }
    }

    /// If revisits and new pages compete, adds the best revisits to the frontier while a batch is
    /// chosen. Returns them with their own scores.
    pub(super) fn add_revisits(
        &mut self,
        web: &dyn Web,
        size: usize,
        per_site: u32,
    ) -> Vec<(UrlId, f64)> {
        let Some(scheduler) = self.scheduler.as_deref().filter(|scheduler| scheduler.competes())
        else {
            return Vec::new();
        };
        let revisits = scheduler.candidates(self.now_us, &|url| self.score(url));
        // As in the frontier: ranks equal after rounding tie, and go to the earlier discovery.
        let revisits = order::arranged(revisits, |(url, _)| url.0.into());
        let revisits = order::arranged(revisits, |(_, rank)| order::falling(rounded(*rank)));
        // No more than can be chosen: per site, at most as many as a batch may hold.
        let mut of_site: Vec<u32> = Vec::new();
        let mut chosen = Vec::new();
        for (url, rank) in revisits {
            if chosen.len() == size {
                break;
            }
            let site = self.site(web, url);
            if let Some(site) = site.filter(|_| per_site < u32::MAX) {
                if site >= of_site.len() {
                    of_site.resize(site + 1, 0);
                }
                of_site[site] += 1;
                if of_site[site] > per_site {
                    continue;
                }
            }
            let group = site.filter(|_| self.rules.batch_per_site.is_some());
            chosen.push((url, self.score(url)));
            self.frontier.push(url, rank, group.map(|site| GroupId(site as u32)));
        }
        chosen
    }

    /// Removes the revisits again and restores their scores.
    pub(super) fn remove_revisits(&mut self, revisits: Vec<(UrlId, f64)>) {
        for (url, score) in revisits {
            self.frontier.remove(url);
            self.frontier.set(url, score);
        }
    }

    /// The pages that are due, soonest first.
    pub(super) fn due(&self, n: usize) -> Vec<UrlId> {
        let n_due = self.n_due() as usize;
        self.scheduler.as_ref().map_or_else(Vec::new, |scheduler| scheduler.upcoming(n.min(n_due)))
    }

    /// Fills the list of upcoming URLs with pages that are not due yet.
    pub(super) fn add_later(&self, upcoming: &mut Vec<UrlId>, n: usize) {
        let Some(scheduler) = self.scheduler.as_ref().filter(|_| upcoming.len() < n) else {
            return;
        };
        let left = n - upcoming.len();
        let n_due = scheduler.n_due() as usize;
        upcoming.extend(scheduler.upcoming(n_due + left).into_iter().skip(n_due));
    }
}
