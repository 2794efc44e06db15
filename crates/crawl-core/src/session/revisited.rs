//! Visits to pages fetched before: how a session lets them in among new ones.

use super::{Fetch, Next, Session};
use crate::ahead::look_at;
use crate::scores::Scores;
use crate::{Again, GroupId, Known, Ledger, Plan, Rules, Seen, UrlId, Visit, Web, rounded};
use crawl_world::{PageId, order};

impl Session {
    /// What decides about the next visit to a page, once there is a copy of it.
    pub(super) fn again_of(&self, url: UrlId) -> Option<&dyn Again> {
        self.again.get().map(|again| &**again).filter(|_| self.book.is_fetched(url))
    }

    /// True when hosts must be left alone at times, so that whoever schedules visits must know them.
    pub fn is_polite(rules: &Rules, web: &dyn Web) -> bool {
        crate::politeness::Politeness::new(rules, web).is_some()
    }

    /// What a URL stands in line with: the score of a new one, the urgency of a visit to one fetched
    /// before.
    pub fn priority(&self, url: UrlId) -> f64 {
        let score = self.score(url);
        self.again_of(url).map_or(score, |again| again.urgency(url, self.now_us, score))
    }

    /// What is known of the next visit to a page; nothing where none is visited again.
    pub fn visit_plan(&self, url: UrlId) -> Option<Plan> {
        self.again_of(url).map(|again| again.plan(url, self.now_us))
    }

    /// How long it is until a visit to a page fetched before is due, as things stand; 0 where it is.
    /// Nothing where none will be, or where such pages compete with new ones and no time decides.
    pub fn due_in_us(&self, url: UrlId) -> Option<u64> {
        let again = self.again_of(url).filter(|again| !again.competes())?;
        let due_us = again.plan(url, self.now_us).due_us?;
        Some(due_us.saturating_sub(self.now_us))
    }

    /// What became of the budget of visits; nothing where no page is visited again.
    pub fn ledger(&self) -> Option<Ledger> {
        self.again.get().map(|again| again.ledger())
    }

    /// How many pages are due to be visited again.
    pub fn n_due(&self) -> u32 {
        self.again.get().map_or(0, |again| again.n_due())
    }

    /// When sitemaps are to be read.
    pub fn next_told_us(&self) -> Option<u64> {
        self.again.get().and_then(|again| again.next_told_us())
    }

    /// Sitemaps were read: these pages have changed.
    pub fn told(&mut self, urls: &[UrlId], now_us: u64) {
        if let Some(again) = self.again.get_mut() {
            again.told(urls, now_us);
        }
    }

    /// A page that is due, where such pages have a budget of their own.
    pub(super) fn take_again(&mut self) -> Option<(UrlId, f64)> {
        let again = self.again.get_mut().filter(|again| !again.competes())?;
        again.take(self.now_us)
    }

    /// The page whose visit is next as things stand, where pages are visited again; for reading ahead.
    pub(crate) fn coming(&self) -> Option<PageId> {
        let [next, later] = self.again.get()?.coming();
        // Which page that is must be there before anything else can be asked for.
        look_at(later.map(|url| self.book.page(url)));
        next.map(|url| self.book.page(url))
    }

    /// Nothing can be fetched now.
    pub(super) fn wait(&self, held_until: Option<u64>) -> Next {
        let queue = self.batch.as_ref().map_or(&self.frontier, |batch| &batch.chosen);
        let again = self.again.get().map(|again| &**again);
        let also = |host| again.is_some_and(|again| again.waits_on(host));
        let resting = self.politeness.as_ref().and_then(|p| p.next_wake(queue, &also));
        let later = again.and_then(|again| again.wake(self.now_us));
        let competes = again.is_some_and(Again::competes);
        let has_new = competes || !queue.is_empty() || !self.frontier.is_empty();
        let wakes = [resting, later, held_until.filter(|_| has_new)];
        let wake = wakes.into_iter().flatten().min();
        let wake = wake.filter(|us| !again.is_some_and(|again| again.is_over(*us)));
        match (wake, self.in_flight.is_empty()) {
            (None, true) => Next::Done,
            (wake, _) => Next::Wait(wake),
        }
    }

    /// Tells what a visit found. Errors and redirects are no copies, and nobody comes back for them.
    pub(super) fn tell_again(
        &mut self,
        web: &dyn Web,
        url: UrlId,
        is_first: bool,
        status: u16,
        seen: Seen,
    ) {
        let Some(again) = self.again.get_mut() else { return };
        if is_first && (seen.is_gone || !(200..300).contains(&status)) {
            return;
        }
        let known = Known::new(web, &self.book, self.aids.truth.as_deref());
        again.visited(&Visit { url, now_us: self.now_us, is_first, seen }, &known);
    }

    /// Takes in a page fetched before as it was found now, with the links that it shows for the first
    /// time.
    pub(super) fn look_again(&mut self, web: &dyn Web, url: UrlId) {
        let known_before = self.book.n_discovered();
        let new = match web.has_births() {
            true => self.book.look(web, url, self.now_us),
            false => 0..0,
        };
        let is_new = !new.is_empty();
        let known = Known::new(web, &self.book, self.aids.truth.as_deref());
        self.frontier.make_room(known.n_discovered());
        let (step, page) = (self.n_steps, self.book.page(url));
        let mut scores =
            Scores { frontier: &mut self.frontier, watch: &mut self.watch, step, by: url };
        self.strategy.revisited(url, new, &known, &mut scores);
        if is_new {
            self.admit_links(web, Fetch { url, page }, known_before);
        }
    }

    /// Where new and old pages compete, puts the best of the old among the waiting for the choice of
    /// a round; says which, with the scores they really have.
    pub(super) fn let_in_rivals(
        &mut self,
        web: &dyn Web,
        size: usize,
        per_site: u32,
    ) -> Vec<(UrlId, f64)> {
        let Some(again) = self.again.get().map(|again| &**again).filter(|again| again.competes())
        else {
            return Vec::new();
        };
        let rivals = again.rivals(self.now_us, &|url| self.score(url));
        // As the frontier compares them: ranks equal on paper tie, and go to the earlier discovery.
        let rivals = order::arranged(rivals, |(url, _)| url.0.into());
        let rivals = order::arranged(rivals, |(_, rank)| order::falling(rounded(*rank)));
        // No more than can be chosen: of a site as many as a round may hold.
        let mut of_site: Vec<u32> = Vec::new();
        let mut chosen = Vec::new();
        for (url, rank) in rivals {
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

    /// Takes them out again.
    pub(super) fn let_out_rivals(&mut self, rivals: Vec<(UrlId, f64)>) {
        for (url, score) in rivals {
            self.frontier.remove(url);
            self.frontier.set(url, score);
        }
    }

    /// The pages that are due, soonest first.
    pub(super) fn due(&self, n: usize) -> Vec<UrlId> {
        let n_due = self.n_due() as usize;
        self.again.get().map_or_else(Vec::new, |again| again.upcoming(n.min(n_due)))
    }

    /// Fills a list of what comes next with pages that are not due yet.
    pub(super) fn add_later(&self, upcoming: &mut Vec<UrlId>, n: usize) {
        let Some(again) = self.again.get().filter(|_| upcoming.len() < n) else { return };
        let left = n - upcoming.len();
        let n_due = again.n_due() as usize;
        upcoming.extend(again.upcoming(n_due + left).into_iter().skip(n_due));
    }
}
