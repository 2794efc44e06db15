//! Validation of deserialised worlds.
//!
//! The builder makes only valid worlds; bytes from a store or a link can contain anything. A world
//! that passes can be crawled, ranked, drawn and written without a panic.

use crate::build::MAX_PAGES;
use crate::world::{NONE, Urls};
use crate::{Column, Interner, Lists, PageId, StrId, World, web_address};

/// Fault of a deserialised world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsound(&'static str);

type Checked = Result<(), Unsound>;

impl World {
    /// Checks all invariants of the builder, and counts the sites.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(mut self) -> Result<Self, Unsound> {
        self.check_pages()?;
        self.check_links()?;
        self.check_texts()?;
        self.check_numbers()?;
        self.check_hosts()?;
        self.n_sites = self.count_sites()?;
        Ok(self)
    }

    fn check_pages(&self) -> Checked {
        let n = self.n_pages();
        ensure(n <= MAX_PAGES, "there are too many pages")?;
        match &self.urls {
            Urls::Numbered(numbered) => {
                ensure(*numbered == n, "there are not as many URLs as pages")?;
            }
            Urls::Listed(urls) => {
                ensure(urls.is_sound(), "URLs overlap")?;
                ensure(urls.len() == n as usize, "there are not as many URLs as pages")?;
                let mut seen = Interner::default();
                seen.reserve(urls.len());
                for url in urls.iter() {
                    let fits = !url.is_empty() && url.len() <= web_address::MAX_URL_BYTES;
                    ensure(fits, "a URL is empty or too long")?;
                    ensure(seen.intern(url).1, "two pages have one URL")?;
                }
            }
        }
        ensure(self.seeds.iter().all(|seed| seed.0 < n), "a seed is not a page")?;
        let mut is_seed = vec![false; n as usize];
        let is_new = |seed: &PageId| !std::mem::replace(&mut is_seed[seed.index()], true);
        ensure(self.seeds.iter().all(is_new), "a seed is given twice")
    }

    fn check_links(&self) -> Checked {
        let n = self.n_pages();
        ensure(self.links.targets().iter().all(|to| to.0 < n), "a link target does not exist")?;
        // The last page that links to a target, plus one.
        let mut named_by = vec![0_u32; n as usize];
        for page in self.pages() {
            for target in self.links(page) {
                ensure(*target != page, "a page links to itself")?;
                let last = std::mem::replace(&mut named_by[target.index()], page.0 + 1);
                ensure(last != page.0 + 1, "a page links twice to one page")?;
            }
        }
        Ok(())
    }

    fn check_texts(&self) -> Checked {
        let (n_pages, n_links) = (self.n_pages() as usize, self.n_links() as usize);
        ensure(self.strings.is_sound(), "texts overlap")?;
        ensure(self.strings.get(0).is_empty(), "the first text is not the empty one")?;
        let over_links = [&self.anchors, &self.contexts];
        let over_pages = [&self.titles, &self.texts, &self.locations];
        over_links.into_iter().try_for_each(|column| self.check_column(column, n_links))?;
        over_pages.into_iter().try_for_each(|column| self.check_column(column, n_pages))?;
        [&self.outside, &self.topics].into_iter().try_for_each(|lists| self.check_lists(lists))
    }

    fn check_column(&self, column: &Column<StrId>, rows: usize) -> Checked {
        ensure(column.stored().len() <= rows, "a column is longer than the world")?;
        ensure(column.stored().iter().all(|id| self.has_text(*id)), "a text is missing")
    }

    fn check_lists(&self, lists: &Lists<StrId>) -> Checked {
        ensure(lists.is_sound(self.n_pages() as usize), "lists overlap")?;
        ensure(lists.items().iter().all(|id| self.has_text(*id)), "a text is missing")
    }

    fn has_text(&self, id: StrId) -> bool {
        id == StrId::default() || (id.0 as usize) < self.strings.len()
    }

    fn check_numbers(&self) -> Checked {
        let (n_pages, n_links) = (self.n_pages() as usize, self.n_links() as usize);
        let fits = self.nofollow.stored().len() <= n_links
            && self.clicks.stored().len() <= n_pages
            && self.change_rates.stored().len() <= n_pages
            && self.statuses.stored().len() <= n_pages
            && self.sizes.stored().len() <= n_pages
            && self.latencies.stored().len() <= n_pages;
        ensure(fits, "a column is longer than the world")?;
        let proper = |number: &f64| number.is_finite() && number.is_sign_positive();
        let numbers = [self.change_rates.stored(), self.latencies.stored()];
        ensure(numbers.iter().all(|n| n.iter().all(proper)), "a number is negative or not finite")?;
        let status = |status: &u16| *status == 0 || (100..=599).contains(status) && *status != 200;
        ensure(self.statuses.stored().iter().all(status), "invalid status")?;
        ensure(self.change_times.is_sound(n_pages), "lists overlap")?;
        let times = self.change_times.items();
        ensure(times.iter().all(proper), "a number is negative or not finite")?;
        let in_order = |page: PageId| self.change_times_s(page).is_sorted();
        ensure(times.is_empty() || self.pages().all(in_order), "changes are not in order")?;
        let fault = self.timetable.fault(n_pages).or_else(|| self.births_fault());
        fault.map_or(Ok(()), |fault| Err(Unsound(fault)))
    }

    fn check_hosts(&self) -> Checked {
        let n_hosts = self.hosts.len();
        let known = |host: &u32| *host == NONE || (*host as usize) < n_hosts;
        let rows = [0, self.n_pages() as usize].contains(&self.host_of.len());
        ensure(rows && self.host_of.iter().all(known), "a page's host is missing")?;
        let mut names = Interner::default();
        let named = |name: &str| !name.is_empty() && names.intern(name).1;
        ensure(self.hosts.iter().map(|host| host.name.as_str()).all(named), "a host has no name")?;
        let delay = |s: f64| s.is_finite() && s.is_sign_positive();
        let delays = self.hosts.iter().all(|host| host.crawl_delay_s.is_none_or(delay));
        ensure(delays, "a number is negative or not finite")
    }

    /// Counts the sites; they must be numbered in the order of the hosts.
    fn count_sites(&self) -> Result<u32, Unsound> {
        let mut n_sites = 0;
        for host in &self.hosts {
            ensure(host.site.0 <= n_sites, "sites are not numbered in order")?;
            n_sites += u32::from(host.site.0 == n_sites);
        }
        Ok(n_sites)
    }
}

fn ensure(holds: bool, what: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(Unsound(what)) }
}
