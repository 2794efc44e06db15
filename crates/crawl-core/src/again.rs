//! The seam between a session and whatever decides when pages are visited again.
//!
//! A session without a policy never asks for a page twice. One with a policy holds an [`Again`], and
//! whoever simulates the web holds a [`Life`], which knows how its pages change. Both are reached
//! through traits only, so that a first visit, which visits nothing again, is not sent them.

use crate::copies::Copies;
use crate::{Explanation, Known, UrlId};
use crawl_world::{HostId, PageId, World};

/// What a visit tells of a page besides its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Whether it has changed since the visit before, as far as the crawler can tell.
    pub changed: bool,
    /// When it was changed last, where that is told.
    pub modified_us: Option<u64>,
    /// Whether it is there no more.
    pub is_gone: bool,
}

/// A visit that is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// To which URL.
    pub url: UrlId,
    /// When.
    pub now_us: u64,
    /// Whether it is the first.
    pub is_first: bool,
    /// What it saw.
    pub seen: Seen,
}

/// Decides when pages are visited again.
pub trait Again: Send + Sync {
    /// True when nothing may be started any more.
    fn is_over(&self, now_us: u64) -> bool;

    /// True when pages fetched before compete with new ones for every fetch.
    fn competes(&self) -> bool;

    /// A page to be visited now that is not on a host that rests, and how urgent that is.
    fn take(&mut self, now_us: u64) -> Option<(UrlId, f64)>;

    /// The page whose visit is next as things stand, and one that may be the next after it; for reading
    /// ahead.
    fn coming(&self) -> [Option<UrlId>; 2];

    /// When to ask again, if nothing could be taken: something falls due, or is told.
    fn wake(&self, now_us: u64) -> Option<u64>;

    /// Until when no new page may be started; nothing where one may be now.
    fn holds_new(&self, now_us: u64) -> Option<u64>;

    /// A new page, or any page where all compete, was started.
    fn started(&mut self, now_us: u64);

    /// A visit is complete.
    fn visited(&mut self, visit: &Visit, known: &Known<'_>);

    /// Pages are told to have changed: by a sitemap, or a feed.
    fn told(&mut self, urls: &[UrlId], now_us: u64);

    /// When sitemaps are read next.
    fn next_told_us(&self) -> Option<u64>;

    /// A host must be left alone, or may be asked again.
    fn rest(&mut self, host: HostId, rests: bool);

    /// True when a page on a host is due.
    fn waits_on(&self, host: HostId) -> bool;

    /// Pages fetched before that may be visited, with the priority each has given its ordering's
    /// score; only where they compete.
    fn rivals(&self, now_us: u64, score: &dyn Fn(UrlId) -> f64) -> Vec<(UrlId, f64)>;

    /// How urgent a visit to a page is: 1 when it is due.
    fn urgency(&self, url: UrlId, now_us: u64, score: f64) -> f64;

    /// Why it is as urgent as that.
    fn explain(&self, url: UrlId, now_us: u64, score: f64, known: &Known<'_>) -> Explanation;

    /// The pages whose visits come next, soonest first.
    fn upcoming(&self, n: usize) -> Vec<UrlId>;

    /// How many pages are due and wait.
    fn n_due(&self) -> u32;

    /// What is known of a page's next visit.
    fn plan(&self, url: UrlId, now_us: u64) -> Plan;

    /// What became of the budget.
    fn ledger(&self) -> Ledger;

    /// A copy, for checkpoints.
    fn boxed(&self) -> Box<dyn Again>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

impl Clone for Box<dyn Again> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// What is known of a page's next visit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plan {
    /// Its estimated change rate, an hour.
    pub estimate: Option<f64>,
    /// When it was visited last.
    pub last_us: Option<u64>,
    /// When it is due, as things stand.
    pub due_us: Option<u64>,
    /// Visits an hour it gets in the long run, where the policy says so.
    pub per_hour: Option<f64>,
    /// Of them, those in a stream of their own, evenly spaced for itself, that began together with the
    /// others; 0 where all are evenly spaced together.
    pub apart_per_hour: f64,
}

/// What became of a budget of visits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Visits an hour that may be made.
    pub budget: f64,
    /// Visits made to pages fetched before.
    pub n_visits: u32,
    /// Of them, those more than a tenth of their interval later than wanted.
    pub n_late: u32,
    /// Pages found to be gone.
    pub n_gone: u32,
    /// Sitemaps read.
    pub n_told: u32,
    /// What was spent, in visits: those that found nothing new may cost less.
    pub spent: f64,
    /// Whether visits follow a schedule that does not change with what they find.
    pub is_stationary: bool,
    /// Counts plans: another number, other rates of visits.
    pub plan: u32,
}

/// How pages live while they are crawled; for whoever simulates them.
pub trait Life: Send + Sync {
    /// A visit to a page, which makes the copy as fresh as can be.
    fn visit(&mut self, world: &World, page: PageId, now_us: u64) -> Seen;

    /// Whether a visit now would be answered without the page, since it is as it was.
    fn is_cheap(&self, page: PageId, now_us: u64) -> bool;

    /// Looks at what is known of a page that will be visited soon.
    fn look_at(&self, world: &World, page: PageId);

    /// Lets time pass.
    fn advance(&mut self, now_us: u64);

    /// The pages that became stale since this was asked last.
    fn changed(&mut self, now_us: u64) -> Vec<PageId>;

    /// The copies, for measures.
    fn copies(&self) -> &Copies;

    /// A copy, for checkpoints.
    fn boxed(&self) -> Box<dyn Life>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

impl Clone for Box<dyn Life> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
