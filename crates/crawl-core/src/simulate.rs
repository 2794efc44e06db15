//! Simulated crawl of a stored world, with a simulated clock.

use crate::{Copies, Fetch, LivePages, Next, Session, UrlId, VisitFindings};
use crawl_world::{PageId, World};

/// A simulated crawl. A clone is a checkpoint.
#[derive(Clone)]
pub struct Simulator {
    session: Session,
    now_us: u64,
    pending: Vec<PendingFetch>,
    /// Busy flags of the fetchers; fetchers beyond the end are idle.
    is_busy: Vec<bool>,
    n_started: u64,
    busy_us: u64,
    /// How pages change, if pages are revisited.
    live_pages: Option<Box<dyn LivePages>>,
}

#[derive(Clone, Copy)]
struct PendingFetch {
    done_us: u64,
    /// Start number: of fetches that end at the same time, the one started first ends first.
    number: u64,
    started_us: u64,
    fetcher: u32,
    fetch: Fetch,
}

/// One completed fetch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Number of the step, from 1.
    pub number: u32,
    /// The fetched URL.
    pub url: UrlId,
    /// Its page.
    pub page: PageId,
    /// The score it was chosen with.
    pub score: f64,
    /// HTTP status of the response.
    pub status: u16,
    /// Number of URLs known before its links were seen.
    pub known_before: u32,
    /// Completion time, in microseconds.
    pub at_us: u64,
    /// Start time, in microseconds.
    pub started_us: u64,
    /// Fetcher number, from 0: the first that was idle.
    pub fetcher: u32,
    /// Kind of visit.
    pub visit: VisitKind,
}

/// Kind of a visit and what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VisitKind {
    /// First visit to the page.
    #[default]
    First,
    /// Revisit that found a change.
    Changed,
    /// Revisit that found no change: wasted.
    Same,
}

impl Simulator {
    /// A crawl before its first step, at time 0.
    pub fn new(session: Session) -> Self {
        let (pending, is_busy) = (Vec::new(), Vec::new());
        Self { session, now_us: 0, pending, is_busy, n_started: 0, busy_us: 0, live_pages: None }
    }

    /// Adds pages that change during the crawl.
    #[must_use]
    pub fn with_live_pages(mut self, live_pages: Box<dyn LivePages>) -> Self {
        self.live_pages = Some(live_pages);
        self
    }

    /// Runs until the next fetch completes; `None` if the crawl is over.
    pub fn step(&mut self, world: &World) -> Option<Step> {
        loop {
            self.read_sitemaps();
            let mut wake = None;
            while self.pending.len() < self.session.rules().fetchers as usize {
                match self.session.next(world, self.now_us) {
                    Next::Fetch(fetch) => self.start_fetch(world, fetch),
                    Next::Wait(until) => {
                        wake = until;
                        break;
                    }
                    Next::Done => break,
                }
            }
            let first = self.pending.iter().enumerate().min_by_key(|(_, f)| (f.done_us, f.number));
            match (first.map(|(at, f)| (at, f.done_us)), wake) {
                (Some((at, done_us)), wake) if wake.is_none_or(|wake| done_us <= wake) => {
                    let done = self.pending.swap_remove(at);
                    return self.complete_fetch(world, done);
                }
                (_, Some(wake)) => self.now_us = wake.max(self.now_us),
                (_, None) => return None,
            }
        }
    }

    /// Reports changed pages to the session when a sitemap is due.
    fn read_sitemaps(&mut self) {
        let Some(live_pages) = self.live_pages.as_mut() else { return };
        if self.session.next_sitemap_us().is_none_or(|at| at > self.now_us) {
            return;
        }
        let pages = live_pages.changed(self.now_us);
        let book = self.session.book();
        let urls: Vec<UrlId> = pages.into_iter().filter_map(|page| book.url_of(page)).collect();
        self.session.sitemap_read(&urls, self.now_us);
    }

    /// Advances time beyond the last step, so that copies age: for metrics at the end of a crawl.
    pub fn age_until(&mut self, end_us: u64) {
        if let Some(live_pages) = self.live_pages.as_mut() {
            live_pages.advance(end_us);
            self.now_us = self.now_us.max(end_us);
        }
    }

    /// The local copies, if pages are revisited.
    pub fn copies(&self) -> Option<&Copies> {
        self.live_pages.as_ref().map(|live_pages| live_pages.copies())
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, to watch a URL in it.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Time since the start, in microseconds.
    pub fn now_us(&self) -> u64 {
        self.now_us
    }

    /// Share of the fetchers' time that was idle.
    pub fn idle_share(&self) -> f64 {
        let under_way: u64 =
            self.pending.iter().map(|f| self.now_us.saturating_sub(f.started_us)).sum();
        let available = self.now_us as f64 * f64::from(self.session.rules().fetchers);
        if available == 0.0 {
            return 0.0;
        }
        1.0 - (self.busy_us + under_way) as f64 / available
    }

    /// Memory of a clone, in bytes.
    pub fn bytes(&self) -> usize {
        let live_pages = self.live_pages.as_ref().map_or(0, |live_pages| live_pages.bytes());
        self.session.bytes() + self.pending.capacity() * size_of::<PendingFetch>() + live_pages
    }

    fn start_fetch(&mut self, world: &World, fetch: Fetch) {
        let rules = self.session.rules();
        let is_cheap =
            self.live_pages.as_ref().is_some_and(|l| l.is_cheap(fetch.page, self.now_us));
        let bytes = world.bytes(fetch.page).filter(|_| !is_cheap);
        let takes_us = rules.fetch_us(world.latency_ms(fetch.page), bytes);
        let fetcher = self.is_busy.iter().position(|is_busy| !is_busy);
        let fetcher = fetcher.unwrap_or(self.is_busy.len());
        self.is_busy.resize(self.is_busy.len().max(fetcher + 1), false);
        self.is_busy[fetcher] = true;
        self.pending.push(PendingFetch {
            done_us: self.now_us + takes_us,
            number: self.n_started,
            started_us: self.now_us,
            fetcher: fetcher as u32,
            fetch,
        });
        self.n_started += 1;
        if let Some(live_pages) = self.live_pages.as_ref()
            && let Some(page) = self.session.coming()
        {
            live_pages.prefetch(world, page);
        }
    }

    fn complete_fetch(&mut self, world: &World, done: PendingFetch) -> Option<Step> {
        let Fetch { url, page } = done.fetch;
        self.now_us = done.done_us;
        self.busy_us += done.done_us - done.started_us;
        self.is_busy[done.fetcher as usize] = false;
        let known_before = self.session.book().n_discovered();
        let is_first = !self.session.book().is_fetched(url);
        let mut status = world.status(page);
        let mut seen = VisitFindings::default();
        // Only successful responses are copied.
        if let Some(live_pages) = self.live_pages.as_mut().filter(|_| (200..300).contains(&status))
        {
            seen = live_pages.visit(world, page, self.now_us);
            status = if seen.is_gone { 404 } else { status };
        }
        let visit = match (is_first, seen.changed) {
            (true, _) => VisitKind::First,
            (false, true) => VisitKind::Changed,
            (false, false) => VisitKind::Same,
        };
        let now_us = self.now_us;
        let score =
            self.session.completed_with_findings(world, done.fetch, status, now_us, seen)?;
        let number = self.session.n_steps();
        let PendingFetch { started_us, fetcher, .. } = done;
        let at_us = self.now_us;
        let step = Step {
            number,
            url,
            page,
            score,
            status,
            known_before,
            at_us,
            started_us,
            fetcher,
            visit,
        };
        Some(step)
    }
}
