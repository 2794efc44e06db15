//! What a formula's variables are made of, as far as the formula has them.

use crate::strategy::Given;
use crate::strategy::distance::Distances;
use crate::strategy::flow::{AfterFetch, Flow};
use crate::strategy::random::Lot;
use crate::strategy::values::{Table, Values};
use crate::{Known, Scores, UrlId};
use std::ops::Range;

/// Parts of the memory, each a bit; a part that no variable asks for stays empty.
pub(super) const LINKS: u8 = 1;
pub(super) const LATEST: u8 = 1 << 1;
pub(super) const CASH: u8 = 1 << 2;
pub(super) const DISTANCE: u8 = 1 << 3;
pub(super) const PARENTS: u8 = 1 << 4;
pub(super) const HOSTS: u8 = 1 << 5;
pub(super) const AGE: u8 = 1 << 6;

/// What was noted of the crawl.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// The parts that are kept.
    keeps: u8,
    /// Fetched pages linking to each URL.
    pub(super) links: Table,
    /// As which the latest of them was fetched.
    pub(super) latest: Table,
    /// OPIC's cash.
    pub(super) flow: Flow,
    pub(super) cash: Table,
    /// FICA's distance, with its sign turned.
    pub(super) distances: Distances,
    pub(super) nearness: Table,
    /// The page with the best score among those fetched that link to a URL, by its fetch number.
    pub(super) best_parent: Table,
    /// The score of each fetched page as it came in.
    pub(super) at_fetch: Vec<f64>,
    /// By host: pages fetched, and the URLs that wait, some of which may no longer.
    hosts: Vec<(u32, Vec<UrlId>)>,
    /// Pages fetched when a URL came into the frontier.
    pub(super) came: Table,
    /// Numbers drawn for URLs.
    pub(super) lot: Lot,
}

impl Memory {
    pub(super) fn new(keeps: u8, given: &Given) -> Self {
        Self { keeps, lot: Lot::new(given), ..Self::default() }
    }

    fn has(&self, part: u8) -> bool {
        self.keeps & part != 0
    }

    /// A URL comes into the frontier.
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

    /// A page was fetched, with that score.
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

    /// A page fetched before was visited again and shows the links at these places for the first time;
    /// says whether it shared out anything, whatever its links.
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

    /// The best score among the fetched pages that link to a URL, and that page.
    pub(super) fn best_parent(&self, url: UrlId) -> Option<(f64, usize)> {
        let at = (self.best_parent.get(url) as usize).checked_sub(1)?;
        Some((*self.at_fetch.get(at)?, at))
    }

    /// Pages fetched from a URL's host.
    pub(super) fn host_fetched(&self, url: UrlId, known: &Known<'_>) -> u32 {
        let host = known.host(url).and_then(|host| self.hosts.get(host.index()));
        host.map_or(0, |(n_fetched, _)| *n_fetched)
    }

    /// The URLs of a page's host that wait; none for a page without one.
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
