//! A simple revisit crawl as a reference: linear searches, sums recomputed on demand, nothing
//! cached.

mod visits;

use crate::reference::Rule;
use crawl_core::revisit::{RevisitRules, Sees};
use crawl_core::{Rules, rounded};
use crawl_world::{HostId, PageId, World};

const HOUR: f64 = 3.6e9;

/// A fetch, as reported by the real crawl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    pub page: PageId,
    pub started_us: u64,
    pub at_us: u64,
    pub score: f64,
}

/// The result of a visit.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub interval_h: f64,
    pub changed: bool,
    /// Hours since the last change, if the visit reveals it.
    pub since_h: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Waiting for its first fetch.
    New,
    /// Not waiting: chosen, in flight, refused, or not a page.
    Out,
    Waits,
    Due,
    Told,
    UnderWay,
    Gone,
}

/// A URL, indexed by discovery order.
#[derive(Clone, Debug)]
pub struct Url {
    pub page: PageId,
    pub host: Option<HostId>,
    site: Option<usize>,
    state: State,
    score: f64,
    /// Number of links shown so far.
    n_shown: usize,
    pub last_us: Option<u64>,
    pub found: Vec<Found>,
    pub rate: Option<f64>,
    since_h: f64,
    span_h: f64,
    per_h: f64,
}

impl Url {
    /// Whether there is a copy and the page was not found to be gone.
    pub fn is_there(&self) -> bool {
        self.last_us.is_some() && self.state != State::Gone
    }

    pub fn site(&self) -> usize {
        self.site.map_or(0, |site| site + 1)
    }
}

/// The data that a policy may use.
pub struct View<'a> {
    pub urls: &'a [Url],
    /// URLs with copies, in fetch order.
    pub copied: &'a [usize],
    pub budget: f64,
    pub now_h: f64,
    pub world: &'a World,
}

impl View<'_> {
    /// The mean of all estimates; `None` before the first observed change.
    pub fn mean(&self) -> Option<f64> {
        let rates: Vec<f64> = self.urls.iter().filter_map(|url| url.rate).collect();
        let sum: f64 = rates.iter().sum();
        (sum > 0.0).then(|| sum / rates.len() as f64)
    }
}

struct Flight {
    url: usize,
    started_us: u64,
    done_us: u64,
    score: f64,
    is_first: bool,
}

pub struct Crawl<'a> {
    world: &'a World,
    rules: &'a Rules,
    again: RevisitRules,
    seed: u64,
    counts_links: bool,
    rule: Rule,
    urls: Vec<Url>,
    copied: Vec<usize>,
    flights: Vec<Flight>,
    /// Hosts in their delay, and until when; hosts with a fetch in flight rest for ever.
    resting: Vec<(HostId, u64)>,
    round: Vec<(usize, f64)>,
    of_site: Vec<u32>,
    n_started: u32,
    now_us: u64,
    next_start_us: f64,
    told_us: Option<u64>,
    last_told_us: Option<u64>,
    // The budget clock.
    clock_us: u64,
    at_h: f64,
    tokens: f64,
    // State of the last plan.
    n_planned: usize,
    n_visits_since: usize,
}

impl<'a> Crawl<'a> {
    pub fn new(
        world: &'a World,
        seeds: &[PageId],
        rules: &'a Rules,
        again: RevisitRules,
        (seed, counts_links): (u64, bool),
        rule: Rule,
    ) -> Self {
        let mut crawl = Self {
            world,
            rules,
            again,
            seed,
            counts_links,
            rule,
            urls: Vec::new(),
            copied: Vec::new(),
            flights: Vec::new(),
            resting: Vec::new(),
            round: Vec::new(),
            of_site: vec![0; world.n_sites() as usize],
            n_started: 0,
            now_us: 0,
            next_start_us: 0.0,
            told_us: again.sitemap_us,
            last_told_us: None,
            clock_us: 0,
            at_h: 0.0,
            tokens: 5.0,
            n_planned: 0,
            n_visits_since: 0,
        };
        seeds.iter().for_each(|seed| crawl.discover(*seed));
        crawl
    }

    fn discover(&mut self, page: PageId) {
        if self.urls.iter().any(|url| url.page == page) {
            return;
        }
        let host = self.world.host_of(page);
        let score = if self.counts_links { 0.0 } else { 0.0 - self.urls.len() as f64 };
        self.urls.push(Url {
            page,
            host,
            site: host.map(|host| self.world.host(host).site.index()),
            state: State::New,
            score,
            n_shown: 0,
            last_us: None,
            found: Vec::new(),
            rate: None,
            since_h: 0.0,
            span_h: f64::INFINITY,
            per_h: 0.0,
        });
    }

    /// The next completed fetch.
    pub fn step(&mut self) -> Option<Done> {
        loop {
            if self.told_at().is_some_and(|at| at <= self.now_us) {
                self.read_sitemaps();
            }
            while self.start() {}
            let landing = self.flights.iter().map(|flight| flight.done_us).min();
            let next = self.next_moment();
            match (landing, next) {
                (Some(landing), next) if next.is_none_or(|next| landing <= next) => {
                    let at = self.flights.iter().position(|flight| flight.done_us == landing);
                    let flight = self.flights.remove(at.expect("one lands"));
                    return Some(self.land(&flight));
                }
                (_, Some(next)) => self.now_us = next,
                (_, None) => return None,
            }
        }
    }

    // --- budget clock

    fn wanted(&self) -> f64 {
        self.copied.iter().map(|url| self.urls[*url].per_h).sum()
    }

    fn speed(&self) -> f64 {
        match (self.rule.fills(), self.wanted()) {
            (true, 0.0) => 0.0,
            (true, wanted) => self.again.visits / wanted,
            (false, _) if self.again.visits > 0.0 => 1.0,
            _ => 0.0,
        }
    }

    fn most(&self) -> f64 {
        let n = self.urls.iter().filter(|url| url.last_us.is_some()).count();
        10.0 + 4.0 * libm::sqrt(n as f64)
    }

    fn has_token(&self) -> bool {
        self.again.visits > 0.0 && self.tokens > 1.0 - 1e-9
    }

    /// Hours until the next token.
    fn dry_h(&self) -> f64 {
        if self.has_token() { 0.0 } else { (1.0 - self.tokens) / self.again.visits }
    }

    fn turn_clock(&mut self) {
        let passed_h = (self.now_us - self.clock_us) as f64 / HOUR;
        self.at_h += self.speed() * (passed_h - self.dry_h()).max(0.0);
        self.tokens = (self.tokens + passed_h * self.again.visits).min(self.most());
        self.clock_us = self.now_us;
    }

    fn in_hours(&self, hours: f64) -> Option<u64> {
        let us = hours * HOUR;
        (us < 9e18).then(|| (self.clock_us + us.ceil() as u64).max(self.now_us + 1))
    }

    // --- timing rules

    fn is_over(&self) -> bool {
        let is_spent = self.rules.budget.is_some_and(|budget| self.n_started >= budget);
        self.now_us >= self.again.end_us || is_spent
    }

    fn is_polite(&self) -> bool {
        self.rules.fetchers > 1 || self.rules.delay_us > 0
    }

    fn is_free(&self, url: usize) -> bool {
        let host = self.urls[url].host;
        !self.resting.iter().any(|(rests, until)| Some(*rests) == host && *until > self.now_us)
    }

    fn holds_new(&self) -> bool {
        self.next_start_us.ceil() as u64 > self.now_us
    }

    fn told_at(&self) -> Option<u64> {
        let at = self.told_us.filter(|_| !self.rule.competes())?;
        let dry_us = (self.dry_h() * HOUR).ceil();
        (dry_us < 9e18).then(|| at.max(self.clock_us + dry_us as u64))
    }

    /// The next time to check for work; may be too early.
    fn next_moment(&self) -> Option<u64> {
        let mut moments: Vec<u64> = Vec::new();
        moments.extend(self.resting.iter().map(|(_, until)| *until).filter(|at| *at < u64::MAX));
        moments.extend(Some(self.next_start_us.ceil() as u64));
        moments.extend(self.told_at());
        moments.extend(self.in_hours(self.dry_h()).filter(|_| !self.has_token()));
        // If all pages compete, no page has a due time.
        let speed = if self.rule.competes() { 0.0 } else { self.speed() };
        for url in self.urls.iter().filter(|url| url.state == State::Waits) {
            let left_h = (url.since_h + url.span_h - self.at_h).max(0.0);
            if speed > 0.0 && left_h.is_finite() {
                moments.extend(self.in_hours(self.dry_h() + left_h / speed));
            }
        }
        let room = self.most() - self.tokens;
        let fills_up = self.rule.fills() && room > 1e-9 && self.again.visits > 0.0;
        moments.extend(self.in_hours(room / self.again.visits).filter(|_| fills_up));
        let ends = self.again.end_us;
        let is_to_come = |at: &u64| *at > self.now_us && *at < ends;
        let next = moments.into_iter().filter(is_to_come).min();
        next.filter(|_| !self.is_over() && self.flights.len() < self.rules.fetchers as usize)
    }

    // --- choosing

    fn start(&mut self) -> bool {
        if self.is_over() || self.flights.len() >= self.rules.fetchers as usize {
            return false;
        }
        let Some((url, score)) = self.due().or_else(|| self.new_one()) else { return false };
        let Url { page, host, last_us, .. } = self.urls[url];
        if let Some(host) = host.filter(|_| self.is_polite()) {
            self.resting.retain(|(rests, _)| *rests != host);
            self.resting.push((host, u64::MAX));
        }
        self.n_started += 1;
        let is_cheap = last_us.is_some_and(|last_us| {
            self.again.not_modified < 1.0
                && !self.is_stale(url, last_us)
                && !(self.again.sees == Sees::Anything && self.is_framed_anew(page, last_us))
        });
        let bytes = self.world.bytes(page).filter(|_| !is_cheap);
        let takes_us = self.rules.fetch_us(self.world.latency_ms(page), bytes);
        let (started_us, done_us) = (self.now_us, self.now_us + takes_us);
        let is_first = last_us.is_none();
        self.flights.push(Flight { url, started_us, done_us, score, is_first });
        true
    }

    /// A visit that is due, if visits have their own budget.
    fn due(&mut self) -> Option<(usize, f64)> {
        if self.rule.competes() {
            return None;
        }
        self.turn_clock();
        let is_ready = |url: &Url| matches!(url.state, State::Due | State::Told);
        let is_full = self.tokens >= self.most() - 1e-9;
        // Budget that cannot be saved is spent on the next page.
        if self.rule.fills() && is_full && !self.urls.iter().any(is_ready) {
            let waits = self.urls.iter().filter(|url| url.state == State::Waits);
            let soonest = waits.map(|url| url.since_h + url.span_h).fold(f64::INFINITY, f64::min);
            if soonest.is_finite() {
                self.at_h = self.at_h.max(soonest);
            }
        }
        let at_h = self.at_h;
        for url in &mut self.urls {
            if url.state == State::Waits && url.since_h + url.span_h <= at_h {
                url.state = State::Due;
            }
        }
        if !self.has_token() {
            return None;
        }
        let rank = |url: &usize| match self.urls[*url].state {
            State::Told => Some(f64::NEG_INFINITY),
            State::Due => Some(rounded(self.urls[*url].since_h + self.urls[*url].span_h)),
            _ => None,
        };
        let may = (0..self.urls.len()).filter(|url| rank(url).is_some() && self.is_free(*url));
        let url = may.min_by(|a, b| rank(a).partial_cmp(&rank(b)).expect("numbers"))?;
        let Url { since_h, span_h, .. } = self.urls[url];
        self.urls[url].state = State::UnderWay;
        self.tokens -= 1.0;
        let urgency = if span_h.is_finite() { (at_h - since_h) / span_h } else { 0.0 };
        Some((url, urgency))
    }

    /// The best new page; if all pages compete, the best of all.
    fn new_one(&mut self) -> Option<(usize, f64)> {
        if self.holds_new() {
            return None;
        }
        if self.rules.batch > 1 || self.rule.competes() {
            self.choose_round();
            let at = self.round.iter().position(|(url, _)| self.is_free(*url))?;
            let chosen = self.round.remove(at);
            self.count_start();
            return Some(chosen);
        }
        loop {
            let new = (0..self.urls.len()).filter(|url| self.urls[*url].state == State::New);
            let best = best_of(new.filter(|url| self.is_free(*url)), |url| self.urls[url].score)?;
            self.urls[best].state = State::Out;
            if self.takes_site(best) {
                self.count_start();
                return Some((best, self.urls[best].score));
            }
        }
    }

    fn count_start(&mut self) {
        let per_h =
            if self.rule.competes() { self.again.visits + self.again.new } else { self.again.new };
        if per_h > 0.0 {
            self.next_start_us = self.next_start_us.max(self.now_us as f64) + HOUR / per_h;
        }
    }

    /// Counts a page of its site; false if the site's limit is reached.
    fn takes_site(&mut self, url: usize) -> bool {
        let (Some(most), Some(site)) = (self.rules.pages_per_site, self.urls[url].site) else {
            return true;
        };
        let fits = self.of_site[site] < most;
        self.of_site[site] += u32::from(fits);
        fits
    }

    fn choose_round(&mut self) {
        if !self.round.is_empty() || !self.flights.is_empty() {
            return;
        }
        let left = self.rules.budget.map_or(u32::MAX, |budget| budget - self.n_started);
        let size = self.rules.batch.min(left) as usize;
        let mut of_site = vec![0; self.of_site.len()];
        while self.round.len() < size {
            let rank = |url: usize| match self.urls[url].state {
                State::New => self.urls[url].score,
                _ => self.joined(url),
            };
            let may = (0..self.urls.len()).filter(|url| {
                let old = self.rule.competes() && self.urls[*url].state == State::Waits;
                let is_full = self.urls[*url].site.is_some_and(|site| {
                    self.rules.batch_per_site.is_some_and(|most| of_site[site] >= most)
                });
                (self.urls[*url].state == State::New || old)
                    && !is_full
                    && !self.round.iter().any(|(chosen, _)| chosen == url)
            });
            let Some(best) = best_of(may, rank) else { return };
            let score = rank(best);
            if self.urls[best].state == State::New {
                self.urls[best].state = State::Out;
                if !self.takes_site(best) {
                    continue;
                }
            }
            if let Some(site) = self.urls[best].site {
                of_site[site] += 1;
            }
            self.round.push((best, score));
        }
    }

    /// Combined score of quality and staleness.
    fn joined(&self, url: usize) -> f64 {
        let Url { score, last_us, span_h, .. } = self.urls[url];
        let since_h = (self.now_us - last_us.unwrap_or(self.now_us)) as f64 / HOUR;
        let staleness = since_h / span_h;
        if score > 0.0 { score * staleness } else { 1.0 - (1.0 - score) / staleness }
    }
}

/// The URL with the highest rank, rounded as in the frontier; the earliest wins a tie.
fn best_of(urls: impl Iterator<Item = usize>, rank: impl Fn(usize) -> f64) -> Option<usize> {
    urls.fold(None, |best: Option<usize>, url| match best {
        Some(best) if rounded(rank(best)) >= rounded(rank(url)) => Some(best),
        _ => Some(url),
    })
}
