//! History of visits, and estimates of change rates.

use super::budget_clock::HOUR_US;
use crate::prefetch::touch;
use crate::{Known, UrlId, Visit};
use crawl_refresh::estimate::{Counts, Estimator, Gamma, History, LastModified};
use crawl_refresh::{Rate, Span};

/// Estimator of change rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Estimates {
    /// X/n (Wen & Lu 2004).
    Naive,
    /// −ln((n − X + 0.5)/(n + 0.5)).
    #[default]
    BiasReduced,
    /// Maximum likelihood, for irregular intervals.
    Likelihood,
    /// Maximum a posteriori, with a prior from all pages of the site.
    Bayesian,
}

/// History of visits to every page, by URL.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    estimates: Estimates,
    /// True if visits reveal the time of the last change (Last-Modified).
    knows_when: bool,
    pages: Vec<Remembered>,
    // Only one of these is used, by the kind of estimator.
    counts: Vec<Counts>,
    histories: Vec<History>,
    modified: Vec<LastModified>,
    sites: Vec<Site>,
    rate_sum: f64,
    n_rates: u32,
}

#[derive(Clone, Copy, Debug)]
struct Remembered {
    last_us: u64,
    n_visits: u32,
    /// Index of its site among those that have priors.
    site: u32,
    /// True if the last visit found a change.
    changed: bool,
    /// Estimated rate; below 0 if there is none.
    rate: f64,
}

impl Default for Remembered {
    fn default() -> Self {
        Self { last_us: 0, n_visits: 0, site: 0, changed: false, rate: -1.0 }
    }
}

/// The pages of a site, which share a prior.
#[derive(Clone, Debug, Default)]
struct Site {
    urls: Vec<UrlId>,
    prior: Option<Gamma>,
    n_visits_since: u32,
}

impl Memory {
    pub(super) fn new(estimates: Estimates, knows_when: bool) -> Self {
        Self { estimates, knows_when, ..Self::default() }
    }

    /// Estimated change rate of a page, per hour; `None` before its second visit.
    pub fn rate(&self, url: UrlId) -> Option<f64> {
        self.pages.get(url.index()).map(|page| page.rate).filter(|rate| *rate >= 0.0)
    }

    /// The same, or the mean over all pages that have one; `None` before any change was seen.
    pub fn rate_or_mean(&self, url: UrlId) -> Option<f64> {
        self.rate(url).or_else(|| self.mean_rate())
    }

    /// Mean of all estimates; `None` before any change was seen. Otherwise the first visits without
    /// a change would stop all further visits.
    pub fn mean_rate(&self) -> Option<f64> {
        (self.rate_sum > 0.0).then(|| self.rate_sum / f64::from(self.n_rates.max(1)))
    }

    /// Time of the last visit to a page.
    pub fn last_us(&self, url: UrlId) -> Option<u64> {
        self.pages.get(url.index()).filter(|page| page.n_visits > 0).map(|page| page.last_us)
    }

    /// Number of visits to a page, including the first fetch.
    pub fn n_visits(&self, url: UrlId) -> u32 {
        self.pages.get(url.index()).map_or(0, |page| page.n_visits)
    }

    /// True if the last visit to a page found a change.
    pub fn found_change(&self, url: UrlId) -> bool {
        self.pages.get(url.index()).is_some_and(|page| page.changed)
    }

    /// Number of visits after the first, and how many of them found a change.
    pub fn counts(&self, url: UrlId) -> Counts {
        let at = url.index();
        let counts = self.counts.get(at).copied();
        let history = || self.histories.get(at).map(History::counts);
        let modified = || self.modified.get(at).map(LastModified::counts);
        counts.or_else(history).or_else(modified).unwrap_or_default()
    }

    /// The formula of the estimator, for explanations.
    pub fn formula(&self) -> &'static str {
        match self.estimates {
            _ if self.knows_when => "X′ ÷ time seen unchanged, from Last-Modified",
            Estimates::Naive => "X ÷ n ÷ interval",
            Estimates::BiasReduced => "−ln((n − X + 0.5) ÷ (n + 0.5)) ÷ interval",
            Estimates::Likelihood => "the likeliest rate for its intervals",
            Estimates::Bayesian => "the likeliest rate given its site's prior",
        }
    }

    /// Prefetches the history of a page.
    #[inline]
    pub(super) fn prefetch(&self, url: UrlId) {
        let at = url.index();
        touch(self.pages.get(at).map(|page| page.last_us));
        touch(self.counts.get(at).map(Counts::n_visits));
        touch(self.histories.get(at).map(|history| history.counts().n_visits()));
    }

    /// Prefetches what the history points to.
    #[inline]
    pub(super) fn prefetch_history(&self, url: UrlId) {
        touch(self.histories.get(url.index()).map(History::any_interval));
    }

    pub(super) fn record(&mut self, visit: &Visit, known: &Known<'_>) {
        let at = visit.url.index();
        if at >= self.pages.len() {
            self.pages.resize(at + 1, Remembered::default());
        }
        let page = &mut self.pages[at];
        let before_us = std::mem::replace(&mut page.last_us, visit.now_us);
        page.n_visits += 1;
        page.changed = visit.seen.changed;
        if visit.is_first {
            if self.estimates == Estimates::Bayesian {
                let site = known.site(visit.url).map_or(0, |site| site.index() + 1);
                page.site = site as u32;
                entry(&mut self.sites, site).urls.push(visit.url);
            }
            return;
        }
        let hours = |us: u64| Span::new(us as f64 / HOUR_US).unwrap_or(Span::ZERO);
        let interval = hours(visit.now_us.saturating_sub(before_us));
        let changed = visit.seen.changed;
        // Two visits within a microsecond reveal nothing and are skipped.
        let rate = if self.knows_when {
            let since_us = visit.seen.modified_us.map_or(u64::MAX, |at| visit.now_us - at);
            // Without a change, the page was unchanged during the complete interval.
            let since = if changed { hours(since_us) } else { interval };
            let page = entry(&mut self.modified, at);
            page.record(since, interval).ok().and_then(|()| page.improved())
        } else {
            match self.estimates {
                Estimates::Naive | Estimates::BiasReduced => {
                    let page = entry(&mut self.counts, at);
                    let is_naive = self.estimates == Estimates::Naive;
                    let rate = |page: &Counts| {
                        if is_naive { page.naive() } else { page.bias_reduced() }
                    };
                    page.record(changed, interval).ok().and_then(|()| rate(page))
                }
                Estimates::Likelihood => {
                    let page = entry(&mut self.histories, at);
                    let rate = |page: &History| Estimator::MaximumLikelihood.rate(page);
                    page.record(changed, interval).ok().and_then(|()| rate(page))
                }
                Estimates::Bayesian => {
                    let recorded = entry(&mut self.histories, at).record(changed, interval).ok();
                    recorded.and_then(|()| self.with_prior(visit.url))
                }
            }
        };
        if let Some(rate) = rate {
            self.set(at, rate);
        }
    }

    fn set(&mut self, at: usize, rate: Rate) {
        let before = std::mem::replace(&mut self.pages[at].rate, rate.get());
        self.n_rates += u32::from(before < 0.0);
        self.rate_sum += rate.get() - before.max(0.0);
    }

    /// Estimate with the site's prior. The prior is recomputed after as many visits as the site has
    /// pages.
    fn with_prior(&mut self, url: UrlId) -> Option<Rate> {
        let at = self.pages[url.index()].site as usize;
        let site = entry(&mut self.sites, at);
        site.n_visits_since += 1;
        if site.prior.is_none() || site.n_visits_since as usize >= site.urls.len() {
            site.n_visits_since = 0;
            let urls = std::mem::take(&mut site.urls);
            let counts: Vec<Counts> = urls.iter().map(|url| self.counts(*url)).collect();
            let site = &mut self.sites[at];
            (site.urls, site.prior) = (urls, Gamma::of_site(&counts));
        }
        let prior = self.sites[at].prior;
        let history = self.histories.get(url.index())?;
        prior.map_or(Estimator::BiasReduced, Estimator::Bayesian).rate(history)
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Remembered>()
            + self.counts.capacity() * size_of::<Counts>()
            + self.modified.capacity() * size_of::<LastModified>()
            // Estimate: each history has an array of a few intervals.
            + self.histories.capacity() * (size_of::<History>() + 64)
            + self.sites.iter().map(|site| site.urls.capacity() * 4 + 64).sum::<usize>()
    }
}

fn entry<T: Clone + Default>(all: &mut Vec<T>, at: usize) -> &mut T {
    if at >= all.len() {
        all.resize(at + 1, T::default());
    }
    &mut all[at]
}
