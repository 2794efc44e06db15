//! One crawl, without input or output.
//!
//! A host calls [`Session::next`] for the next fetch, fetches it, and reports it with
//! [`Session::completed`]. A *step* is one completed fetch: discovery order, digest and time travel
//! follow completions; the budget counts starts.

use crate::admission::{Admission, Discovery, SiteLimits};
use crate::politeness::Politeness;
use crate::robots::RobotsFiles;
use crate::scores::{Move, Scores, Watch};
use crate::strategy::Strategy;
use crate::{
    Book, Explanation, Frontier, GroupId, Judge, Known, Refusal, RevisitScheduler, Rules,
    RunDigest, Truth, UrlId, VisitFindings, Web,
};
use crawl_world::PageId;
use std::sync::Arc;

mod choosing;
mod focus;
mod kept;
mod revisited;

/// A crawl in progress. A clone is a checkpoint.
#[derive(Clone)]
pub struct Session {
    book: Book,
    frontier: Frontier,
    strategy: Box<dyn Strategy>,
    rules: Rules,
    inputs: SessionInputs,
    admission: Option<Admission>,
    site_limits: Option<SiteLimits>,
    politeness: Option<Politeness>,
    robots: RobotsFiles,
    batch: Option<Batch>,
    in_flight: Vec<InFlight>,
    scheduler: Option<Box<dyn RevisitScheduler>>,
    n_steps: u32,
    now_us: u64,
    digest: RunDigest,
    counters: Counters,
    /// URLs that entered the frontier at the latest step.
    entered: Vec<UrlId>,
    watch: Option<Watch>,
}

/// What a session gets besides the web: true ranks, a classifier, a scheduler of revisits.
#[derive(Clone, Default)]
pub struct SessionInputs {
    /// True ranks, for an oracle.
    pub truth: Option<Arc<Truth>>,
    /// Classifier of fetched pages.
    pub judge: Option<Arc<dyn Judge>>,
    /// Focused crawl: follow links only from pages on the topic that are no results.
    pub is_focused: bool,
    /// Sites of the training data, which must not be crawled, by site number.
    pub training_sites: Option<Arc<Vec<bool>>>,
    /// Scheduler of revisits.
    pub scheduler: Option<Box<dyn RevisitScheduler>>,
}

impl From<Option<Arc<Truth>>> for SessionInputs {
    fn from(truth: Option<Arc<Truth>>) -> Self {
        Self { truth, ..Self::default() }
    }
}

/// What the host must do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Fetch this.
    Fetch(Fetch),
    /// Nothing may be fetched now. Ask again after a completion, or at this time in microseconds.
    Wait(Option<u64>),
    /// The crawl is over.
    Done,
}

/// A page to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// Its URL.
    pub url: UrlId,
    /// Its page number in the host's web.
    pub page: PageId,
}

/// Counters of a crawl.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Fetches started, which count against the budget.
    pub started: u32,
    /// Completed fetches with an error (status 400 or above).
    pub errors: u32,
    /// Completed fetches with a redirect.
    pub redirects: u32,
    /// Requests for robots.txt, not counted as fetches.
    pub robots_requests: u32,
    /// URLs refused, by reason in the order of [`Refusal::ALL`].
    pub refused: [u32; Refusal::ALL.len()],
}

#[derive(Clone, Copy)]
struct InFlight {
    url: UrlId,
    score: f64,
}

/// URLs chosen together. They keep their order and scores until all are fetched.
#[derive(Clone, Default)]
struct Batch {
    /// Scored by minus the number of URLs chosen before.
    chosen: Frontier,
    /// Score of each chosen URL, in order of choice.
    scores: Vec<f64>,
    /// Number of chosen URLs per site while a batch is chosen, else 0.
    of_site: Vec<u32>,
}

impl Batch {
    fn bytes(&self) -> usize {
        self.chosen.bytes() + self.scores.capacity() * 8 + self.of_site.capacity() * 4
    }
}

impl Session {
    /// A crawl before its first fetch.
    ///
    /// ```
    /// use crawl_core::{Rules, Session, Simulator, strategy};
    /// use crawl_world::{PageId, WorldBuilder};
    ///
    /// let mut builder = WorldBuilder::numbered("Two pages", 2)?;
    /// builder.link(PageId(0), PageId(1));
    /// let world = builder.finish()?;
    /// let entry = strategy::find("breadth-first").expect("it is listed");
    /// let breadth_first = (entry.build)(&Default::default(), &Default::default());
    /// let session = Session::new(&world, &[PageId(0)], breadth_first, Rules::default(), None);
    /// let mut simulator = Simulator::new(session);
    /// assert_eq!(simulator.step(&world).map(|step| step.page), Some(PageId(0)));
    /// # Ok::<(), crawl_world::BuildError>(())
    /// ```
    pub fn new(
        web: &dyn Web,
        seeds: &[PageId],
        strategy: Box<dyn Strategy>,
        rules: Rules,
        inputs: impl Into<SessionInputs>,
    ) -> Self {
        let mut inputs = inputs.into();
        let scheduler = inputs.scheduler.take();
        let competes = scheduler.as_ref().is_some_and(|scheduler| scheduler.competes());
        let politeness = Politeness::new(&rules, web);
        let mut session = Self {
            book: Book::new(web, seeds),
            frontier: Frontier::default(),
            admission: Admission::new(
                &rules,
                web,
                inputs.is_focused || inputs.training_sites.is_some() || strategy.gives_up(),
            ),
            strategy,
            inputs,
            site_limits: SiteLimits::new(&rules),
            politeness,
            robots: RobotsFiles::default(),
            batch: (rules.batch > 1 || competes).then(Batch::default),
            in_flight: Vec::new(),
            scheduler,
            n_steps: 0,
            now_us: 0,
            digest: RunDigest::default(),
            counters: Counters::default(),
            rules,
            entered: Vec::new(),
            watch: None,
        };
        for url in (0..session.book.n_discovered()).map(UrlId) {
            let found = Discovery { depth: 0, nofollow: false, refusal: None };
            if session.admits(web, url, found) {
                session.push(web, url);
            }
        }
        session
    }

    /// The next fetch at time `now_us`, in microseconds.
    pub fn next(&mut self, web: &dyn Web, now_us: u64) -> Next {
        let waits = || Next::Wait(None);
        self.now_us = now_us;
        let is_over = self.scheduler.as_ref().is_some_and(|scheduler| scheduler.is_over(now_us));
        if is_over || self.rules.budget.is_some_and(|budget| self.counters.started >= budget) {
            return if self.in_flight.is_empty() { Next::Done } else { waits() };
        }
        if self.in_flight.len() >= self.rules.fetchers as usize {
            return waits();
        }
        let queue = self.batch.as_mut().map_or(&mut self.frontier, |batch| &mut batch.chosen);
        if let Some(politeness) = &mut self.politeness {
            let scheduler = &mut self.scheduler;
            let mut also = |host| {
                if let Some(scheduler) = scheduler.as_mut() {
                    scheduler.rest(host, false);
                }
            };
            politeness.wake(now_us, queue, &mut also);
        }
        if let Some((url, score)) = self.take_due() {
            return self.start(web, url, score);
        }
        let held_until = self.scheduler.as_ref().and_then(|scheduler| scheduler.holds_new(now_us));
        if held_until.is_none() {
            if self.batch.is_some() {
                self.choose_batch(web);
            }
            if let Some((url, score)) = self.take(web) {
                if let Some(scheduler) = self.scheduler.as_mut() {
                    scheduler.started(now_us);
                }
                return self.start(web, url, score);
            }
        }
        self.wait(held_until)
    }

    /// Starts a fetch.
    fn start(&mut self, web: &dyn Web, url: UrlId, score: f64) -> Next {
        let page = self.book.page(url);
        if self.politeness.is_some() {
            let queue = self.batch.as_mut().map_or(&mut self.frontier, |batch| &mut batch.chosen);
            let host = web.host_of(page);
            Politeness::started(host, queue);
            if let (Some(scheduler), Some(host)) = (self.scheduler.as_mut(), host) {
                scheduler.rest(host, true);
            }
        }
        self.counters.started += 1;
        self.in_flight.push(InFlight { url, score });
        Next::Fetch(Fetch { url, page })
    }

    /// Reports a completed fetch; from now on the web shows the page's links. Returns the score it
    /// was chosen with, or `None` if this fetch was not requested.
    pub fn completed(
        &mut self,
        web: &dyn Web,
        fetch: Fetch,
        status: u16,
        now_us: u64,
    ) -> Option<f64> {
        self.completed_with_findings(web, fetch, status, now_us, VisitFindings::default())
    }

    /// The same, with what the visit revealed about changes.
    pub fn completed_with_findings(
        &mut self,
        web: &dyn Web,
        fetch: Fetch,
        status: u16,
        now_us: u64,
        seen: VisitFindings,
    ) -> Option<f64> {
        let url = fetch.url;
        let at = self.in_flight.iter().position(|f| f.url == url)?;
        let InFlight { score, .. } = self.in_flight.remove(at);
        self.now_us = now_us;
        self.n_steps += 1;
        self.digest.step(web, fetch.page, score);
        self.counters.errors += u32::from(status >= 400);
        self.counters.redirects += u32::from((300..400).contains(&status));
        self.entered.clear();
        let is_first = !self.book.is_fetched(url);
        if is_first {
            self.fetched(web, fetch, status, seen.is_gone);
        } else if !seen.is_gone {
            self.reread(web, url);
        }
        if let Some(politeness) = &mut self.politeness {
            let host = web.host_of(fetch.page);
            let queue = self.batch.as_mut().map_or(&mut self.frontier, |batch| &mut batch.chosen);
            let opened = politeness.completed(host, now_us, queue, web, &mut self.robots);
            if let (Some(scheduler), Some(host)) = (self.scheduler.as_mut(), opened) {
                scheduler.rest(host, false);
            }
        }
        self.report_visit(web, url, is_first, status, seen);
        Some(score)
    }

    /// Processes the first fetch of a page.
    fn fetched(&mut self, web: &dyn Web, fetch: Fetch, status: u16, is_gone: bool) {
        let url = fetch.url;
        let known_before = self.book.n_discovered();
        self.book.fetched(web, url, self.now_us, is_gone);
        if self.scheduler.is_some() {
            self.book.fetched_at(self.n_steps);
        }
        self.judge(web, url, status);
        let known = Known::new(web, &self.book, self.inputs.truth.as_deref());
        let step = self.n_steps;
        self.frontier.make_room(known.n_discovered());
        let mut scores =
            Scores { frontier: &mut self.frontier, watch: &mut self.watch, step, by: url };
        self.strategy.fetched(url, &known, &mut scores);
        self.admit_links(web, fetch, known_before);
    }

    /// What the crawler knows, as the strategy sees it.
    pub fn known<'a>(&'a self, web: &'a dyn Web) -> Known<'a> {
        Known::new(web, &self.book, self.inputs.truth.as_deref())
    }

    /// The record of the crawl.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The waiting URLs.
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// URLs that entered the frontier at the latest step; the seeds before the first.
    pub fn entered(&self) -> &[UrlId] {
        &self.entered
    }

    /// The crawl rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Number of steps taken.
    pub fn n_steps(&self) -> u32 {
        self.n_steps
    }

    /// Fetches in progress.
    pub fn in_flight(&self) -> impl ExactSizeIterator<Item = UrlId> {
        self.in_flight.iter().map(|f| f.url)
    }

    /// Counters of the crawl.
    pub fn counters(&self) -> Counters {
        let mut counters = self.counters.clone();
        counters.robots_requests = self.robots.n_requests;
        if let Some(admission) = &self.admission {
            for (sum, refused) in counters.refused.iter_mut().zip(admission.refused) {
                *sum += refused;
            }
        }
        counters
    }

    /// The digest of all steps so far.
    pub fn digest(&self, web: &dyn Web) -> crawl_world::Digest {
        self.digest.value(web)
    }

    /// A URL's present score.
    pub fn score(&self, url: UrlId) -> f64 {
        self.frontier.score(url)
    }

    /// Explains a URL's score.
    pub fn explain(&self, web: &dyn Web, url: UrlId) -> Explanation {
        self.explain_at(web, url, self.now_us)
    }

    /// The same at a later time before the next event; only the urgency of a visit depends on time.
    pub fn explain_at(&self, web: &dyn Web, url: UrlId, now_us: u64) -> Explanation {
        if let Some(scheduler) = self.scheduler_of(url) {
            return scheduler.explain(url, now_us, self.score(url), &self.known(web));
        }
        self.strategy.explain(url, self.score(url), &self.known(web))
    }

    /// True if a waiting URL is not available now because its host is resting.
    pub fn is_held(&self, url: UrlId) -> bool {
        match self.batch.as_ref().map(|batch| &batch.chosen) {
            Some(chosen) if chosen.contains(url) => chosen.is_held(url),
            _ => self.frontier.is_held(url),
        }
    }

    /// Logs every change of a URL's score from now on.
    pub fn watch(&mut self, url: UrlId) {
        let score = self.score(url);
        self.watch = Some(Watch { url, score, moves: Vec::new() });
    }

    /// The logged changes of the watched URL's score.
    pub fn moves(&self) -> &[Move] {
        self.watch.as_ref().map_or(&[], |watch| &watch.moves)
    }

    /// Memory of a clone, in bytes.
    pub fn bytes(&self) -> usize {
        let batch = self.batch.as_ref().map_or(0, Batch::bytes);
        let admission = self.admission.as_ref().map_or(0, Admission::bytes);
        let politeness = self.politeness.as_ref().map_or(0, Politeness::bytes);
        let parts = self.book.bytes() + self.frontier.bytes() + self.strategy.bytes();
        let scheduler = self.scheduler.as_ref().map_or(0, |scheduler| scheduler.bytes());
        size_of::<Self>() + parts + batch + admission + politeness + scheduler
    }

    fn admits(&mut self, web: &dyn Web, url: UrlId, found: Discovery) -> bool {
        match &mut self.admission {
            None => true,
            Some(admission) => {
                admission.decide(url, found, &self.book, &self.rules, web, &mut self.robots)
            }
        }
    }

    fn admit_links(&mut self, web: &dyn Web, fetch: Fetch, known_before: u32) {
        if self.admission.is_none() {
            for url in known_before..self.book.n_discovered() {
                self.push(web, UrlId(url));
            }
            return;
        }
        // With a depth limit, a shorter path to a fetched page shortens the paths to all pages
        // behind it; the set of reached pages must not depend on the order.
        let mut nearer = vec![fetch.url];
        while let Some(from) = nearer.pop() {
            let (page, depth) = (self.book.page(from), self.known(web).depth(from) + 1);
            let unfollowed = (!self.known(web).follows(from)).then_some(Refusal::Focus);
            for (place, target) in self.book.links(web, from).iter().enumerate() {
                let Some(url) = self.book.url_of(*target) else {
                    continue;
                };
                let nofollow = web.is_nofollow(page, place);
                let refusal = self.refusal(web, url).or(unfollowed);
                if self.admits(web, url, Discovery { depth, nofollow, refusal }) {
                    if url.0 < known_before {
                        self.book.found_nearer(url, from);
                    }
                    self.push(web, url);
                } else if self.rules.depth.is_some()
                    && refusal.is_none()
                    && !(nofollow && self.rules.nofollow)
                    && self.known(web).depth(url) > depth
                {
                    self.book.found_nearer(url, from);
                    self.tell_nearer(web, url, fetch.url);
                    if self.known(web).fetch_number(url).is_some() {
                        nearer.push(url);
                    }
                }
            }
        }
    }

    fn tell_nearer(&mut self, web: &dyn Web, url: UrlId, by: UrlId) {
        let known = Known::new(web, &self.book, self.inputs.truth.as_deref());
        let step = self.n_steps;
        let mut scores = Scores { frontier: &mut self.frontier, watch: &mut self.watch, step, by };
        self.strategy.found_nearer(url, &known, &mut scores);
    }

    fn push(&mut self, web: &dyn Web, url: UrlId) {
        let known = Known::new(web, &self.book, self.inputs.truth.as_deref());
        let score = self.strategy.discovered(url, self.frontier.score(url), &known);
        let group = match &self.batch {
            Some(_) if self.rules.batch_per_site.is_some() => known.site(url).map(|s| s.0),
            Some(_) => None,
            None if self.politeness.is_some() => known.host(url).map(|h| h.0),
            None => None,
        };
        self.entered.push(url);
        self.frontier.push(url, score, group.map(GroupId));
        // The log starts at the score it enters with.
        if let Some(watch) = self.watch.as_mut().filter(|watch| watch.url == url) {
            watch.score = score;
        }
    }
}
