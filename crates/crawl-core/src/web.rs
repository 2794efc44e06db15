//! What a session may ask of the web it crawls.

use crawl_world::{Host, HostId, PageId, World};
use std::borrow::Cow;

/// The web behind a session: a stored world, or pages as they come in from a live crawl.
///
/// A session asks for a page's links and texts only after that page was fetched; for a URL alone it
/// asks what can be read from the URL. Numbers of pages are the host's own and dense.
pub trait Web {
    /// One more than the largest page number in use.
    fn n_pages(&self) -> u32;
    /// The URL of a page.
    fn url(&self, page: PageId) -> Cow<'_, str>;
    /// The distinct targets of a fetched page, in order, without itself.
    fn links(&self, page: PageId) -> &[PageId];
    /// True when pages show links that they did not always have.
    fn has_births(&self) -> bool {
        false
    }
    /// How many of a page's links, from the first on, it shows at a moment.
    fn n_links_by(&self, page: PageId, _now_us: u64) -> usize {
        self.links(page).len()
    }
    /// O(i): as many, and those that lead where no page is.
    fn out_degree(&self, page: PageId) -> u32;
    /// The host of a page, if host rules apply to it.
    fn host_of(&self, page: PageId) -> Option<HostId>;
    /// One more than the largest host number in use.
    fn n_hosts(&self) -> u32;
    /// A host.
    fn host(&self, host: HostId) -> &Host;
    /// True when some host has something to say to crawlers.
    fn has_robots(&self) -> bool;
    /// True when some host asks for a delay between requests.
    fn has_delays(&self) -> bool;
    /// True when some link asks not to be followed.
    fn has_nofollow(&self) -> bool;
    /// True when the link at that place among a page's links asks not to be followed.
    fn is_nofollow(&self, page: PageId, place: usize) -> bool;
    /// The anchor text of the link at that place.
    fn anchor(&self, page: PageId, place: usize) -> &str;
    /// The text around the link at that place.
    fn context(&self, page: PageId, place: usize) -> &str;
    /// The title of a fetched page.
    fn title(&self, page: PageId) -> &str;
    /// The text of a fetched page.
    fn text(&self, page: PageId) -> &str;
}

impl Web for World {
    fn n_pages(&self) -> u32 {
        Self::n_pages(self)
    }

    fn url(&self, page: PageId) -> Cow<'_, str> {
        Self::url(self, page)
    }

    #[inline]
    fn links(&self, page: PageId) -> &[PageId] {
        Self::links(self, page)
    }

    fn has_births(&self) -> bool {
        Self::has_births(self)
    }

    fn n_links_by(&self, page: PageId, now_us: u64) -> usize {
        Self::n_links_by(self, page, now_us)
    }

    #[inline]
    fn out_degree(&self, page: PageId) -> u32 {
        Self::out_degree(self, page)
    }

    fn host_of(&self, page: PageId) -> Option<HostId> {
        Self::host_of(self, page)
    }

    fn n_hosts(&self) -> u32 {
        self.hosts().len() as u32
    }

    fn host(&self, host: HostId) -> &Host {
        Self::host(self, host)
    }

    fn has_robots(&self) -> bool {
        self.hosts().iter().any(|h| h.robots.is_some() || h.crawl_delay_s.is_some())
    }

    fn has_delays(&self) -> bool {
        let asks = |robots: &str| robots.to_ascii_lowercase().contains("crawl-delay");
        let slow = |h: &Host| h.crawl_delay_s.is_some() || h.robots.as_deref().is_some_and(asks);
        self.hosts().iter().any(slow)
    }

    fn has_nofollow(&self) -> bool {
        Self::has_nofollow(self)
    }

    fn is_nofollow(&self, page: PageId, place: usize) -> bool {
        Self::is_nofollow(self, self.link_range(page).start + place)
    }

    fn anchor(&self, page: PageId, place: usize) -> &str {
        Self::anchor(self, self.link_range(page).start + place)
    }

    fn context(&self, page: PageId, place: usize) -> &str {
        Self::context(self, self.link_range(page).start + place)
    }

    fn title(&self, page: PageId) -> &str {
        Self::title_of(self, page)
    }

    fn text(&self, page: PageId) -> &str {
        Self::page_text(self, page)
    }
}
