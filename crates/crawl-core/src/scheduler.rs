//! Interface between a session and the scheduler of revisits.
//!
//! A session without a [`RevisitScheduler`] fetches every page once. A [`RevisitScheduler`] decides
//! when fetched pages are visited again; [`LivePages`] simulates how pages change in between. Both
//! are traits, so that a crawl without revisits does not link their implementations.

use crate::boxed_clone::boxed_clone;
use crate::copies::Copies;
use crate::{Explanation, Known, UrlId};
use crawl_world::{HostId, PageId, World};

/// What a visit reveals about a page besides its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitFindings {
    /// True if the page changed since the previous visit, as far as the crawler can detect.
    pub changed: bool,
    /// Time of the last change, if the server reports it (Last-Modified).
    pub modified_us: Option<u64>,
    /// True if the page no longer exists.
    pub is_gone: bool,
}

/// A completed visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The URL visited.
    pub url: UrlId,
    /// Completion time, in microseconds.
    pub now_us: u64,
    /// True for the first visit to the page.
    pub is_first: bool,
    /// What the visit revealed.
    pub seen: VisitFindings,
}

/// Decides when fetched pages are visited again.
pub trait RevisitScheduler: SchedulerClone + Send + Sync {
    /// True once no fetch may start any more.
    fn is_over(&self, now_us: u64) -> bool;

    /// True if revisits and new pages share one budget and compete for every fetch.
    fn competes(&self) -> bool;

    /// Takes a page that is due and whose host is not resting, with its urgency.
    fn take(&mut self, now_us: u64) -> Option<(UrlId, f64)>;

    /// The next page to visit and a likely successor, for prefetching.
    fn coming(&self) -> [Option<UrlId>; 2];

    /// Next time something becomes due or a sitemap is read, in microseconds.
    fn wake(&self, now_us: u64) -> Option<u64>;

    /// Time until which no new page may be started, or `None` if one may start now.
    fn holds_new(&self, now_us: u64) -> Option<u64>;

    /// Called when a fetch starts: of a new page, or of any page if all compete.
    fn started(&mut self, now_us: u64);

    /// Called when a visit completes.
    fn visited(&mut self, visit: &Visit, known: &Known<'_>);

    /// Called with pages that a sitemap or feed lists as changed.
    fn sitemap_read(&mut self, urls: &[UrlId], now_us: u64);

    /// Time of the next sitemap read, in microseconds.
    fn next_sitemap_us(&self) -> Option<u64>;

    /// Marks a host as resting (politeness delay), or as available again.
    fn rest(&mut self, host: HostId, rests: bool);

    /// True if a page on the host is due.
    fn waits_on(&self, host: HostId) -> bool;

    /// Fetched pages that may be visited now, with their priorities, which depend on the strategy's
    /// score. Used only if [`competes`](Self::competes).
    fn candidates(&self, now_us: u64, score: &dyn Fn(UrlId) -> f64) -> Vec<(UrlId, f64)>;

    /// Urgency of a visit to a page: 1 when it is due.
    fn urgency(&self, url: UrlId, now_us: u64, score: f64) -> f64;

    /// Explains the urgency.
    fn explain(&self, url: UrlId, now_us: u64, score: f64, known: &Known<'_>) -> Explanation;

    /// The pages to be visited next, soonest first.
    fn upcoming(&self, n: usize) -> Vec<UrlId>;

    /// Number of pages that are due.
    fn n_due(&self) -> u32;

    /// The plan for a page's next visit.
    fn plan(&self, url: UrlId, now_us: u64) -> Plan;

    /// How the visit budget was spent.
    fn ledger(&self) -> Ledger;

    /// Memory in bytes.
    fn bytes(&self) -> usize;
}

boxed_clone!(SchedulerClone for RevisitScheduler);

/// The plan for a page's next visit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plan {
    /// Estimated change rate, per hour.
    pub estimate: Option<f64>,
    /// Time of the last visit.
    pub last_us: Option<u64>,
    /// Time at which the next visit is due.
    pub due_us: Option<u64>,
    /// Long-run visits per hour, if the policy sets a rate.
    pub per_hour: Option<f64>,
    /// Part of `per_hour` that forms a separate, evenly spaced stream with the same start; 0 if all
    /// visits are one stream.
    pub apart_per_hour: f64,
}

/// How a visit budget was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Budget in visits per hour.
    pub budget: f64,
    /// Number of revisits.
    pub n_visits: u32,
    /// Revisits that were late by more than a tenth of their interval.
    pub n_late: u32,
    /// Pages found to be gone.
    pub n_gone: u32,
    /// Sitemaps read.
    pub n_sitemaps: u32,
    /// Budget spent, in visits. Visits that find no change may cost less than 1.
    pub spent: f64,
    /// True if the schedule does not depend on what visits find.
    pub is_stationary: bool,
    /// Plan number; it changes when the visit rates change.
    pub plan: u32,
}

/// Simulates how live pages change during a crawl.
pub trait LivePages: LivePagesClone + Send + Sync {
    /// Visits a page and refreshes its local copy.
    fn visit(&mut self, world: &World, page: PageId, now_us: u64) -> VisitFindings;

    /// True if a conditional request now would be answered "not modified".
    fn is_cheap(&self, page: PageId, now_us: u64) -> bool;

    /// Prefetches the memory of a page that is visited soon.
    fn prefetch(&self, world: &World, page: PageId);

    /// Advances the simulated time.
    fn advance(&mut self, now_us: u64);

    /// Pages whose copies became stale since the last call.
    fn changed(&mut self, now_us: u64) -> Vec<PageId>;

    /// The local copies, for metrics.
    fn copies(&self) -> &Copies;

    /// Memory in bytes.
    fn bytes(&self) -> usize;
}

boxed_clone!(LivePagesClone for LivePages);
