//! A world: pages, links, hosts, and their properties.
//!
//! - A column that holds only defaults is absent and costs nothing: a bare graph is two arrays.
//! - The links of a page are what a fetch of it finds: distinct targets in order of first appearance,
//!   without the page itself; targets that are born later come last. A redirect has its location, an
//!   error has no links.
//! - Links that leave the snapshot count in O(i) and are kept as text.
//! - The digest is over content. Files that describe the same world have the same digest.

use crate::{
    Column, Csr, Digest, HostId, Interner, Lists, PageId, Reach, SiteId, StrId, Strings, Timetable,
    web_address,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// A web that can be crawled, with its hidden properties.
///
/// A page's row of links is what a fetch of it returns: its distinct targets in order of first
/// appearance, without itself; for a redirect its location; for an error nothing. Targets born
/// after the start come last, by birth, so that the links visible at any time are a prefix of the
/// row ([`World::n_links_by`]).
///
/// A deserialised world must pass [`World::check`] before use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct World {
    pub(crate) title: String,
    pub(crate) license: String,
    pub(crate) urls: Urls,
    pub(crate) seeds: Vec<PageId>,
    pub(crate) links: Csr,
    pub(crate) strings: Strings,
    // Columns over links.
    pub(crate) anchors: Column<StrId>,
    pub(crate) contexts: Column<StrId>,
    pub(crate) nofollow: Column<bool>,
    // Columns over pages.
    pub(crate) outside: Lists<StrId>,
    pub(crate) titles: Column<StrId>,
    pub(crate) texts: Column<StrId>,
    pub(crate) topics: Lists<StrId>,
    pub(crate) clicks: Column<u32>,
    pub(crate) change_rates: Column<f64>,
    pub(crate) change_times: Lists<f64>,
    pub(crate) statuses: Column<u16>,
    pub(crate) locations: Column<StrId>,
    pub(crate) sizes: Column<u32>,
    pub(crate) latencies: Column<f64>,
    // Serialised separately.
    #[serde(skip)]
    pub(crate) timetable: Timetable,
    pub(crate) host_of: Vec<u32>,
    pub(crate) hosts: Vec<Host>,
    // Derived from the host names.
    #[serde(skip)]
    pub(crate) n_sites: u32,
}

/// URLs are stored, or generated from page numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Urls {
    Numbered(u32),
    Listed(Strings),
}

impl Default for Urls {
    fn default() -> Self {
        Self::Numbered(0)
    }
}

/// A host and its robots.txt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its site: the registrable domain.
    pub site: SiteId,
    /// Its robots.txt.
    pub robots: Option<String>,
    /// Crawl delay in seconds given outside robots.txt.
    pub crawl_delay_s: Option<f64>,
}

/// No host.
pub(crate) const NONE: u32 = u32::MAX;

impl World {
    /// Title of the world.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Licence of its content; empty if unknown.
    pub fn license(&self) -> &str {
        &self.license
    }

    /// Number of pages.
    pub fn n_pages(&self) -> u32 {
        self.links.n_pages()
    }

    /// Number of distinct links between its pages.
    pub fn n_links(&self) -> u32 {
        self.links.n_links()
    }

    /// All pages.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = PageId> + use<> {
        (0..self.n_pages()).map(PageId)
    }

    /// The links between pages.
    pub fn graph(&self) -> &Csr {
        &self.links
    }

    /// The targets of a page within the world.
    #[inline]
    pub fn links(&self, page: PageId) -> &[PageId] {
        self.links.links(page)
    }

    /// Positions of a page's links among all links, for [`World::anchor`] and similar functions.
    #[inline]
    pub fn link_range(&self, page: PageId) -> Range<usize> {
        self.links.range(page)
    }

    /// O(i): number of distinct targets of a page, including those outside the world.
    #[inline]
    pub fn out_degree(&self, page: PageId) -> u32 {
        let range = self.links.range(page);
        (range.end - range.start) as u32 + self.outside.len_of(page.index())
    }

    /// URLs outside the world that a page links to.
    pub fn outside_links(&self, page: PageId) -> impl Iterator<Item = &str> {
        self.outside.get(page.index()).iter().map(|id| self.text_of(*id))
    }

    /// Number of links that leave the world.
    pub fn n_outside_links(&self) -> usize {
        self.outside.items().len()
    }

    /// The URL of a page.
    pub fn url(&self, page: PageId) -> Cow<'_, str> {
        match &self.urls {
            Urls::Numbered(_) => Cow::Owned(web_address::numbered(page.0)),
            Urls::Listed(urls) => Cow::Borrowed(urls.get(page.0)),
        }
    }

    /// True if URLs are generated from page numbers.
    pub fn is_numbered(&self) -> bool {
        matches!(self.urls, Urls::Numbered(_))
    }

    /// The page with exactly this URL, by linear search.
    pub fn find(&self, url: &str) -> Option<PageId> {
        match &self.urls {
            Urls::Numbered(n) => web_address::number_of(url).filter(|i| i < n).map(PageId),
            Urls::Listed(urls) => urls.iter().position(|u| u == url).map(|i| PageId(i as u32)),
        }
    }

    /// The seeds stored in the world.
    pub fn own_seeds(&self) -> &[PageId] {
        &self.seeds
    }

    /// Default seeds: those stored in the world, else its first page.
    pub fn seeds(&self) -> Vec<PageId> {
        if self.seeds.is_empty() && self.n_pages() > 0 {
            return vec![PageId(0)];
        }
        self.seeds.clone()
    }

    /// The host of a page; `None` if host rules do not apply.
    #[inline]
    pub fn host_of(&self, page: PageId) -> Option<HostId> {
        match self.host_of.get(page.index()) {
            Some(&host) if host != NONE => Some(HostId(host)),
            _ => None,
        }
    }

    /// All hosts.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// A host.
    pub fn host(&self, host: HostId) -> &Host {
        &self.hosts[host.index()]
    }

    /// Number of sites.
    pub fn n_sites(&self) -> u32 {
        self.n_sites
    }

    /// Recomputes the site of every host.
    pub fn number_sites(&mut self, site_of: fn(&str) -> &str) {
        let mut sites = Interner::default();
        for host in &mut self.hosts {
            host.site = SiteId(sites.intern(site_of(&host.name)).0);
        }
        self.n_sites = sites.strings().len() as u32;
    }

    /// Title of a page, or empty.
    pub fn title_of(&self, page: PageId) -> &str {
        self.text_of(self.titles.get(page.index()))
    }

    /// Text of a page, or empty.
    pub fn page_text(&self, page: PageId) -> &str {
        self.text_of(self.texts.get(page.index()))
    }

    /// Anchor text of a link, by its position among all links.
    pub fn anchor(&self, link: usize) -> &str {
        self.text_of(self.anchors.get(link))
    }

    /// Text around a link, by its position among all links.
    pub fn context(&self, link: usize) -> &str {
        self.text_of(self.contexts.get(link))
    }

    /// True if a link is marked nofollow.
    pub fn is_nofollow(&self, link: usize) -> bool {
        self.nofollow.get(link)
    }

    /// True if some link is marked nofollow.
    pub fn has_nofollow(&self) -> bool {
        !self.nofollow.is_default()
    }

    /// Topic labels of a page.
    pub fn topics(&self, page: PageId) -> impl Iterator<Item = &str> {
        self.topics.get(page.index()).iter().map(|id| self.text_of(*id))
    }

    /// True if a page has the topic label.
    pub fn has_topic(&self, page: PageId, topic: &str) -> bool {
        self.topics(page).any(|t| t == topic)
    }

    /// Number of clicks on a page.
    pub fn clicks(&self, page: PageId) -> u32 {
        self.clicks.get(page.index())
    }

    /// Mean change rate of a page, per hour; see [`World::change_process`].
    pub fn change_rate_per_hour(&self, page: PageId) -> f64 {
        self.change_rates.get(page.index())
    }

    /// Recorded changes of a page, in seconds, ascending.
    pub fn change_times_s(&self, page: PageId) -> &[f64] {
        self.change_times.get(page.index())
    }

    /// HTTP status of a page.
    #[inline]
    pub fn status(&self, page: PageId) -> u16 {
        match self.statuses.get(page.index()) {
            0 => 200,
            status => status,
        }
    }

    /// Target URL of a redirect, or empty.
    pub fn location(&self, page: PageId) -> &str {
        self.text_of(self.locations.get(page.index()))
    }

    /// Size of a page in bytes, if known.
    #[inline]
    pub fn bytes(&self, page: PageId) -> Option<u32> {
        Some(self.sizes.get(page.index())).filter(|b| *b > 0)
    }

    /// Response time of a page in milliseconds, if known.
    #[inline]
    pub fn latency_ms(&self, page: PageId) -> Option<f64> {
        Some(self.latencies.get(page.index())).filter(|l| *l > 0.0)
    }

    /// The pages reachable from some seeds.
    pub fn reach(&self, seeds: &[PageId]) -> Reach {
        Reach::new(&self.links, seeds)
    }

    /// Digest of its content, independent of the file format.
    pub fn digest(&self) -> Digest {
        Digest::of_world(self)
    }

    /// Memory in bytes.
    pub fn memory_bytes(&self) -> usize {
        let urls = match &self.urls {
            Urls::Numbered(_) => 0,
            Urls::Listed(urls) => urls.bytes(),
        };
        let over_links = self.anchors.bytes() + self.contexts.bytes() + self.nofollow.bytes();
        let over_pages = self.titles.bytes()
            + self.texts.bytes()
            + self.topics.bytes()
            + self.clicks.bytes()
            + self.change_rates.bytes()
            + self.change_times.bytes()
            + self.statuses.bytes()
            + self.locations.bytes()
            + self.sizes.bytes()
            + self.latencies.bytes()
            + self.timetable.bytes()
            + self.outside.bytes()
            + self.host_of.capacity() * 4;
        urls + self.links.bytes() + self.strings.bytes() + over_links + over_pages
    }

    pub(crate) fn text_of(&self, id: StrId) -> &str {
        self.strings.get(id.0)
    }
}
