//! Interface of a session to the web it crawls.

use crawl_world::{Host, HostId, PageId, World};
use std::borrow::Cow;

/// The web behind a session: a stored world, or pages of a live crawl.
///
/// A session asks for a page's links and texts only after it was fetched; before, only for what the
/// URL itself tells. Page numbers are dense and chosen by the host.
pub trait Web {
    /// One more than the largest page number in use.
    fn n_pages(&self) -> u32;
    /// The URL of a page.
    fn url(&self, page: PageId) -> Cow<'_, str>;
    /// The distinct link targets of a fetched page, in order, without itself.
    fn links(&self, page: PageId) -> &[PageId];
    /// True if pages gain links over time.
    fn has_births(&self) -> bool {
        false
    }
    /// Number of a page's links, from the first on, that it shows at a time.
    fn n_links_by(&self, page: PageId, _now_us: u64) -> usize {
        self.links(page).len()
    }
    /// O(i): out-degree, including links to URLs outside the snapshot.
    fn out_degree(&self, page: PageId) -> u32;
    /// The host of a page; `None` if host rules do not apply.
    fn host_of(&self, page: PageId) -> Option<HostId>;
    /// One more than the largest host number in use.
    fn n_hosts(&self) -> u32;
    /// A host.
    fn host(&self, host: HostId) -> &Host;
    /// True if some host has a robots.txt or a crawl delay.
    fn has_robots(&self) -> bool;
    /// True if some host has a crawl delay.
    fn has_delays(&self) -> bool;
    /// True if some link is marked nofollow.
    fn has_nofollow(&self) -> bool;
    /// True if the link at this position of a page is marked nofollow.
    fn is_nofollow(&self, page: PageId, place: usize) -> bool;
    /// Anchor text of the link at this position.
    fn anchor(&self, page: PageId, place: usize) -> &str;
    /// Text around the link at this position.
    fn context(&self, page: PageId, place: usize) -> &str;
    /// Title of a fetched page.
    fn title(&self, page: PageId) -> &str;
    /// Text of a fetched page.
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
