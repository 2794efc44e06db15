//! Data behind a formula's variables, stored only as far as the formula uses them.

use crate::strategy::StrategyContext;
use crate::strategy::distance::Distances;
use crate::strategy::flow::{AfterFetch, Flow};
use crate::strategy::random::UrlRandom;
use crate::strategy::values::{Table, Values};
use crate::{Known, Scores, UrlId};
use std::ops::Range;

/// Parts of the memory, one bit each; unused parts stay empty.
pub(super) const LINKS: u8 = 1;
pub(super) const LATEST: u8 = 1 << 1;
pub(super) const CASH: u8 = 1 << 2;
pub(super) const DISTANCE: u8 = 1 << 3;
pub(super) const PARENTS: u8 = 1 << 4;
pub(super) const HOSTS: u8 = 1 << 5;
pub(super) const AGE: u8 = 1 << 6;

/// Data behind a formula's variables.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// The parts in use.
    keeps: u8,
    /// Number of fetched pages linking to each URL.
    pub(super) links: Table,
    /// Fetch number of the latest of them.
    pub(super) latest: Table,
    /// OPIC's cash.
    pub(super) flow: Flow,
    pub(super) cash: Table,
    /// FICA's distance, negated.
    pub(super) distances: Distances,
    pub(super) nearness: Table,
    /// Fetch number of the page with the best score among those linking to a URL.
    pub(super) best_parent: Table,
    /// Score of each fetched page when it was fetched.
    pub(super) at_fetch: Vec<f64>,
    /// By host: number of fetched pages, and waiting URLs, some of which may no longer wait.
    hosts: Vec<(u32, Vec<UrlId>)>,
    /// Number of pages fetched when a URL entered the frontier.
    pub(super) came: Table,
    /// Random numbers of URLs.
    pub(super) lot: UrlRandom,
}

impl Memory {
    pub(super) fn new(keeps: u8, context: &StrategyContext) -> Self {
        Self { keeps, lot: UrlRandom::new(context), ..Self::default() }
    }

    fn has(&self, part: u8) -> bool {
        self.keeps & part != 0
    }

    /// Called when a URL enters the frontier.
    pub(super) fn discovered(&mut self, url: UrlId, known: &Known<'_>) {
        if self.has(CASH) {
            let cash = self.flow.discovered(self.cash.get(url), known);
            self.cash.set(url, cash);
        }
        if self.has(AGE) {
            self.came.set(url, known.n_fetched().into());
        }
        if self.has(HOSTS)
            && let Some(host) = self.host(url, known)
        {
            self.hosts[host].1.push(url);
        }
    }

    /// Called when a page was fetched, with its score.
    pub(super) fn fetched(&mut self, url: UrlId, score: f64, known: &Known<'_>) {
        let n_urls = known.n_discovered();
        if self.has(LINKS) {
            self.links.make_room(n_urls);
            self.links.add_each(known.links(url), 1.0);
        }
        if self.has(LATEST) {
            self.latest.make_room(n_urls);
            self.latest.set_each(known.links(url), known.n_fetched().into());
        }
        if self.has(CASH) {
            self.cash.make_room(n_urls);
            self.flow.fetched(url, known, &mut self.cash, 1.0, AfterFetch::StartsAnew);
        }
        if self.has(DISTANCE) {
            self.nearness.make_room(n_urls);
            self.distances.learn(url, known, &mut self.nearness);
        }
        if self.has(PARENTS) {
            self.at_fetch.push(score);
            self.best_parent.make_room(n_urls);
            for link in known.links(url) {
                if self.best_parent(link).is_none_or(|(best, _)| best < score) {
                    self.best_parent.set(link, known.n_fetched().into());
                }
            }
        }
        if self.has(HOSTS)
            && let Some(host) = self.host(url, known)
        {
            self.hosts[host].0 += 1;
        }
    }

    /// Called after a revisit; `places` are the positions of new links. Returns true if it shared
    /// cash.
    pub(super) fn revisited(
        &mut self,
        url: UrlId,
        places: &Range<usize>,
        known: &Known<'_>,
    ) -> bool {
        let n_urls = known.n_discovered();
        let number = known.fetch_number(url).unwrap_or(0);
        let links = || known.links_at(url, places.clone());
        if self.has(LINKS) && !places.is_empty() {
            self.links.make_room(n_urls);
            self.links.add_each(links(), 1.0);
        }
        if self.has(LATEST) {
            links().for_each(|link| {
                let latest = self.latest.get(link).max(number.into());
                self.latest.set(link, latest);
            });
        }
        if self.has(DISTANCE) && !places.is_empty() {
            self.nearness.make_room(n_urls);
            self.distances.learn_later(url, places.clone(), known, &mut self.nearness);
        }
        if self.has(PARENTS) {
            let score = self.at_fetch.get((number as usize).wrapping_sub(1)).copied();
            for link in links() {
                if self.best_parent(link).map(|(best, _)| best) < score {
                    self.best_parent.set(link, number.into());
                }
            }
        }
        if self.has(CASH) {
            self.cash.make_room(n_urls);
            let (after, cash) = (AfterFetch::StartsAnew, &mut self.cash);
            self.flow.revisited(url, places.clone(), known, cash, 1.0, after);
        }
        self.has(CASH)
    }

    /// The best score among the fetched pages linking to a URL, and that page's index.
    pub(super) fn best_parent(&self, url: UrlId) -> Option<(f64, usize)> {
        let at = (self.best_parent.get(url) as usize).checked_sub(1)?;
        Some((*self.at_fetch.get(at)?, at))
    }

    /// Number of pages fetched from a URL's host.
    pub(super) fn host_fetched(&self, url: UrlId, known: &Known<'_>) -> u32 {
        let host = known.host(url).and_then(|host| self.hosts.get(host.index()));
        host.map_or(0, |(n_fetched, _)| *n_fetched)
    }

    /// The waiting URLs of a page's host; empty if it has none.
    pub(super) fn waiting_with(
        &mut self,
        url: UrlId,
        known: &Known<'_>,
        scores: &Scores<'_>,
    ) -> Vec<UrlId> {
        let Some(host) = self.host(url, known) else { return Vec::new() };
        let waiting = &mut self.hosts[host].1;
        waiting.retain(|url| scores.waits(*url));
        waiting.clone()
    }

    fn host(&mut self, url: UrlId, known: &Known<'_>) -> Option<usize> {
        let host = known.host(url)?.index();
        if self.hosts.len() <= host {
            self.hosts.resize(host + 1, Default::default());
        }
        Some(host)
    }

    pub(super) fn bytes(&self) -> usize {
        let tables = [&self.links, &self.latest, &self.cash, &self.nearness, &self.best_parent];
        let hosts = self.hosts.iter().map(|(_, waiting)| 32 + waiting.capacity() * 4);
        tables.into_iter().map(Table::bytes).sum::<usize>()
            + self.came.bytes()
            + self.at_fetch.capacity() * 8
            + self.flow.bytes()
            + self.distances.bytes()
            + hosts.sum::<usize>()
    }
}
