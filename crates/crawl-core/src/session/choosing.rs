//! Choice of the next URL: the best available one, or batches of K.

use super::Session;
use crate::{GroupId, Refusal, UrlId, Web};
use crawl_world::HostId;

impl Session {
    /// The next URLs in the order they would be fetched, without those of full sites.
    pub fn upcoming(&self, web: &dyn Web, n: usize) -> Vec<UrlId> {
        let mut upcoming = self.due(n);
        if let Some(batch) = &self.batch {
            upcoming.extend(batch.chosen.top(n - upcoming.len()));
        }
        let wanted = n - upcoming.len();
        match &self.site_limits {
            None => upcoming.extend(self.frontier.top(wanted)),
            Some(limits) => {
                let fits = |url: &UrlId| limits.allows(self.site(web, *url));
                // Full sites may be among the best, so take more than needed.
                let mut looked_at = wanted * 2 + 16;
                loop {
                    let top = self.frontier.top(looked_at);
                    let fitting: Vec<UrlId> =
                        top.iter().copied().filter(fits).take(wanted).collect();
                    if fitting.len() == wanted || top.len() < looked_at {
                        upcoming.extend(fitting);
                        break;
                    }
                    looked_at *= 4;
                }
            }
        }
        self.add_later(&mut upcoming, n);
        upcoming
    }

    pub(super) fn site(&self, web: &dyn Web, url: UrlId) -> Option<usize> {
        let host: HostId = web.host_of(self.book.page(url))?;
        Some(web.host(host).site.index())
    }

    /// Takes the best available URL, with its score.
    pub(super) fn take(&mut self, web: &dyn Web) -> Option<(UrlId, f64)> {
        if let Some(batch) = &mut self.batch {
            let url = batch.chosen.pop()?;
            let rank = -batch.chosen.score(url) as usize;
            return Some((url, batch.scores.get(rank).copied()?));
        }
        let url = self.pop_allowed(web)?;
        Some((url, self.score(url)))
    }

    /// Takes the best waiting URL whose site is not full, and counts it for its site.
    pub(super) fn pop_allowed(&mut self, web: &dyn Web) -> Option<UrlId> {
        loop {
            let url = self.frontier.pop()?;
            if self.site_limits.is_none() {
                return Some(url);
            }
            // Pages with a copy were counted at their first fetch.
            if self.scheduler_of(url).is_some() {
                return Some(url);
            }
            let site = self.site(web, url);
            let limits = self.site_limits.as_mut()?;
            if limits.allows(site) {
                limits.start(site);
                return Some(url);
            }
            self.counters.refused[Refusal::Site as usize] += 1;
        }
    }

    /// Chooses the next batch once the last one is fetched.
    pub(super) fn choose_batch(&mut self, web: &dyn Web) {
        let Some(mut batch) = self.batch.take() else {
            return;
        };
        if batch.chosen.is_empty() && self.in_flight.is_empty() {
            let started = self.counters.started;
            let left = self.rules.budget.map_or(u32::MAX, |budget| budget - started);
            let size = self.rules.batch.min(left) as usize;
            let most = self.rules.batch_per_site.unwrap_or(u32::MAX);
            let revisits = self.add_revisits(web, size, most);
            batch.scores.clear();
            let mut sites: Vec<usize> = Vec::new();
            while batch.scores.len() < size {
                let Some(url) = self.pop_allowed(web) else {
                    break;
                };
                let rank = batch.scores.len() as f64;
                batch.scores.push(self.score(url));
                let host = self.known(web).host(url).filter(|_| self.politeness.is_some());
                batch.chosen.push(url, -rank, host.map(|host| GroupId(host.0)));
                if let Some(site) = self.site(web, url).filter(|_| most < u32::MAX) {
                    let n_sites = batch.of_site.len().max(site + 1);
                    batch.of_site.resize(n_sites, 0);
                    batch.of_site[site] += 1;
                    if batch.of_site[site] == 1 {
                        sites.push(site);
                    }
                    if batch.of_site[site] == most {
                        self.frontier.close(GroupId(site as u32));
                    }
                }
            }
            for site in sites {
                batch.of_site[site] = 0;
                self.frontier.open(GroupId(site as u32));
            }
            self.remove_revisits(revisits);
        }
        self.batch = Some(batch);
    }
}
