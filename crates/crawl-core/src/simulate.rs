//! A session over a stored world and a simulated clock.

use crate::only::Only;
use crate::{Copies, Fetch, Life, Next, Seen, Session, UrlId};
use crawl_world::{PageId, World};

/// A simulated crawl; a clone of it is a checkpoint.
#[derive(Clone)]
pub struct Simulator {
    session: Session,
    now_us: u64,
    flights: Vec<Flight>,
    /// Which fetchers are busy; those beyond are not.
    is_busy: Vec<bool>,
    n_started: u64,
    busy_us: u64,
    /// How pages change, where they are visited again.
    life: Only<Box<dyn Life>>,
}

#[derive(Clone, Copy)]
struct Flight {
    done_us: u64,
    /// Of flights that end together, the one started first ends first.
    number: u64,
    started_us: u64,
    fetcher: u32,
    fetch: Fetch,
}

/// One completed fetch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its number, counted from one.
    pub number: u32,
    /// What was fetched.
    pub url: UrlId,
    /// Its page.
    pub page: PageId,
    /// The score it was chosen with.
    pub score: f64,
    /// What the host answered.
    pub status: u16,
    /// How many URLs were known before its links were seen.
    pub known_before: u32,
    /// When it was complete.
    pub at_us: u64,
    /// When it was begun.
    pub started_us: u64,
    /// Which of the fetchers it kept busy, counted from zero: the first that was free.
    pub fetcher: u32,
    /// What kind of visit it was.
    pub visit: VisitKind,
}

/// What a visit was, and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VisitKind {
    /// The first to its page.
    #[default]
    First,
    /// The page had changed.
    Changed,
    /// It had not: the visit was wasted.
    Same,
}

impl Simulator {
    /// A crawl about to start, at time zero.
    pub fn new(session: Session) -> Self {
        let (flights, is_busy) = (Vec::new(), Vec::new());
        Self {
            session,
            now_us: 0,
            flights,
            is_busy,
            n_started: 0,
            busy_us: 0,
            life: Only::new(None),
        }
    }

    /// The same, over pages that change while they are crawled.
    #[must_use]
    pub fn living(mut self, life: Box<dyn Life>) -> Self {
        self.life = Only::new(Some(life));
        self
    }

    /// Runs until one more fetch is complete; nothing when the crawl is over.
    pub fn step(&mut self, world: &World) -> Option<Step> {
        loop {
            self.read_sitemaps();
            let mut wake = None;
            while self.flights.len() < self.session.rules().fetchers as usize {
                match self.session.next(world, self.now_us) {
                    Next::Fetch(fetch) => self.take_off(world, fetch),
                    Next::Wait(until) => {
                        wake = until;
                        break;
                    }
                    Next::Done => break,
                }
            }
            let first = self.flights.iter().enumerate().min_by_key(|(_, f)| (f.done_us, f.number));
            match (first.map(|(at, f)| (at, f.done_us)), wake) {
                (Some((at, done_us)), wake) if wake.is_none_or(|wake| done_us <= wake) => {
                    let flight = self.flights.swap_remove(at);
                    return self.land(world, flight);
                }
                (_, Some(wake)) => self.now_us = wake.max(self.now_us),
                (_, None) => return None,
            }
        }
    }

    /// Where pages tell of themselves that they changed, passes it on when it is time.
    fn read_sitemaps(&mut self) {
        let Some(life) = self.life.get_mut() else { return };
        if self.session.next_told_us().is_none_or(|at| at > self.now_us) {
            return;
        }
        let pages = life.changed(self.now_us);
        let book = self.session.book();
        let urls: Vec<UrlId> = pages.into_iter().filter_map(|page| book.url_of(page)).collect();
        self.session.told(&urls, self.now_us);
    }

    /// Lets the copies go stale until a moment after the last step: for measures at a crawl's end.
    pub fn age_until(&mut self, end_us: u64) {
        if let Some(life) = self.life.get_mut() {
            life.advance(end_us);
            self.now_us = self.now_us.max(end_us);
        }
    }

    /// The copies, where pages are visited again.
    pub fn copies(&self) -> Option<&Copies> {
        self.life.get().map(|life| life.copies())
    }

    /// The crawl.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The crawl, to watch a URL in it.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The time, in microseconds since the start.
    pub fn now_us(&self) -> u64 {
        self.now_us
    }

    /// Share of the fetchers' time so far in which they had nothing to do.
    pub fn idle_share(&self) -> f64 {
        let under_way: u64 =
            self.flights.iter().map(|f| self.now_us.saturating_sub(f.started_us)).sum();
        let available = self.now_us as f64 * f64::from(self.session.rules().fetchers);
        if available == 0.0 {
            return 0.0;
        }
        1.0 - (self.busy_us + under_way) as f64 / available
    }

    /// Bytes of memory a clone takes.
    pub fn bytes(&self) -> usize {
        let life = self.life.get().map_or(0, |life| life.bytes());
        self.session.bytes() + self.flights.capacity() * size_of::<Flight>() + life
    }

    fn take_off(&mut self, world: &World, fetch: Fetch) {
        let rules = self.session.rules();
        let is_cheap = self.life.get().is_some_and(|l| l.is_cheap(fetch.page, self.now_us));
        let bytes = world.bytes(fetch.page).filter(|_| !is_cheap);
        let takes_us = rules.fetch_us(world.latency_ms(fetch.page), bytes);
        let fetcher = self.is_busy.iter().position(|is_busy| !is_busy);
        let fetcher = fetcher.unwrap_or(self.is_busy.len());
        self.is_busy.resize(self.is_busy.len().max(fetcher + 1), false);
        self.is_busy[fetcher] = true;
        self.flights.push(Flight {
            done_us: self.now_us + takes_us,
            number: self.n_started,
            started_us: self.now_us,
            fetcher: fetcher as u32,
            fetch,
        });
        self.n_started += 1;
        if let Some(life) = self.life.get()
            && let Some(page) = self.session.coming()
        {
            life.look_at(world, page);
        }
    }

    fn land(&mut self, world: &World, flight: Flight) -> Option<Step> {
        let Fetch { url, page } = flight.fetch;
        self.now_us = flight.done_us;
        self.busy_us += flight.done_us - flight.started_us;
        self.is_busy[flight.fetcher as usize] = false;
        let known_before = self.session.book().n_discovered();
        let is_first = !self.session.book().is_fetched(url);
        let mut status = world.status(page);
        let mut seen = Seen::default();
        // Only what is a page can be copied.
        if let Some(life) = self.life.get_mut().filter(|_| (200..300).contains(&status)) {
            seen = life.visit(world, page, self.now_us);
            status = if seen.is_gone { 404 } else { status };
        }
        let visit = match (is_first, seen.changed) {
            (true, _) => VisitKind::First,
            (false, true) => VisitKind::Changed,
            (false, false) => VisitKind::Same,
        };
        let now_us = self.now_us;
        let score = self.session.completed_seeing(world, flight.fetch, status, now_us, seen)?;
        let number = self.session.n_steps();
        let Flight { started_us, fetcher, .. } = flight;
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
