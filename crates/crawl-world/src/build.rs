//! Builder of worlds, page by page.

mod error;

pub use error::BuildError;

use crate::change::{TimetableEntries, checked_rate};
use crate::order::{arranged, rising};
use crate::world::{Host, NONE, Urls, World};
use crate::{Column, Csr, Interner, Lists, PageId, SiteId, StrId, Strings, web_address};

/// Maximum number of pages of a world; larger numbers are reserved for special values.
pub(crate) const MAX_PAGES: u32 = 1 << 28;
/// Maximum number of links of a world.
const MAX_LINKS: usize = (1 << 31) - 1;
/// Maximum number of bytes of distinct text in a world.
const MAX_TEXT_BYTES: usize = 1 << 31;

/// Texts and attributes of a link.
#[derive(Clone, Copy, Debug, Default)]
pub struct Link<'a> {
    /// Its anchor text.
    pub anchor: &'a str,
    /// The text around it.
    pub context: &'a str,
    /// True for rel=nofollow.
    pub nofollow: bool,
}

/// Collects pages, links and their properties, in any order, and builds a [`World`].
#[derive(Clone, Debug)]
pub struct WorldBuilder {
    world: World,
    urls: Option<Interner>,
    n_pages: u32,
    hosts: Interner,
    strings: Interner,
    from: Vec<u32>,
    to: Vec<PageId>,
    anchors: Column<StrId>,
    contexts: Column<StrId>,
    nofollow: Column<bool>,
    outside: Vec<(u32, StrId)>,
    topics: Vec<(u32, StrId)>,
    change_times: Vec<(u32, f64)>,
    pub(crate) timetable_entries: TimetableEntries,
    redirects: Vec<(u32, PageId)>,
    site_of: fn(&str) -> &str,
}

impl WorldBuilder {
    /// A builder of a world whose pages have URLs.
    pub fn new(title: &str) -> Self {
        let mut strings = Interner::default();
        strings.intern("");
        Self {
            world: World { title: title.to_owned(), ..World::default() },
            urls: Some(Interner::default()),
            n_pages: 0,
            hosts: Interner::default(),
            strings,
            from: Vec::new(),
            to: Vec::new(),
            anchors: Column::default(),
            contexts: Column::default(),
            nofollow: Column::default(),
            outside: Vec::new(),
            topics: Vec::new(),
            change_times: Vec::new(),
            timetable_entries: TimetableEntries::default(),
            redirects: Vec::new(),
            site_of: web_address::plain_site,
        }
    }

    /// A builder of a world of `n` pages with generated URLs.
    ///
    /// # Errors
    /// If `n` exceeds the maximum number of pages.
    pub fn numbered(title: &str, n: u32) -> Result<Self, BuildError> {
        if n > MAX_PAGES {
            return Err(BuildError::TooManyPages);
        }
        Ok(Self { urls: None, n_pages: n, ..Self::new(title) })
    }

    /// Sets the licence of the content.
    pub fn license(&mut self, license: &str) {
        license.clone_into(&mut self.world.license);
    }

    /// Sets the title of the world.
    pub fn title(&mut self, title: &str) {
        title.clone_into(&mut self.world.title);
    }

    /// Reserves memory for this many more pages and links.
    pub fn reserve(&mut self, n_pages: usize, n_links: usize) {
        if let Some(urls) = &mut self.urls {
            urls.reserve(n_pages);
            self.world.host_of.reserve(n_pages);
        }
        self.from.reserve(n_links);
        self.to.reserve(n_links);
    }

    /// Number of pages so far.
    pub fn n_pages(&self) -> u32 {
        self.n_pages
    }

    /// Number of links so far, including repeated ones.
    pub fn n_links(&self) -> usize {
        self.to.len()
    }

    /// Sets the function from host names to sites; default [`web_address::plain_site`].
    pub fn sites(&mut self, site_of: fn(&str) -> &str) {
        self.site_of = site_of;
    }

    /// Adds a page with a plain URL; its host comes from [`web_address::plain_host`].
    ///
    /// # Errors
    /// If the URL is not plain or exists already, or if there are too many pages.
    pub fn page(&mut self, url: &str) -> Result<PageId, BuildError> {
        self.page_on(url, web_address::plain_host(url))
    }

    /// Adds a page on a host. The URL is stored unchanged.
    ///
    /// # Errors
    /// If there is no host, the URL exists already, the world is numbered, or there are too many
    /// pages.
    pub fn page_on(&mut self, url: &str, host: Option<&str>) -> Result<PageId, BuildError> {
        let Some(urls) = &mut self.urls else {
            return Err(BuildError::BadUrl(url.to_owned()));
        };
        if self.n_pages == MAX_PAGES {
            return Err(BuildError::TooManyPages);
        }
        let Some(host) = host else {
            return Err(BuildError::BadUrl(shortened(url)));
        };
        if !urls.intern(url).1 {
            return Err(BuildError::DuplicateUrl(shortened(url)));
        }
        let host = if host == web_address::NO_HOST { NONE } else { self.hosts.intern(host).0 };
        self.world.host_of.push(host);
        self.n_pages += 1;
        Ok(PageId(self.n_pages - 1))
    }

    /// The page with exactly this URL.
    pub fn find(&self, url: &str) -> Option<PageId> {
        match &self.urls {
            Some(urls) => urls.find(url).map(PageId),
            None => web_address::number_of(url).filter(|i| *i < self.n_pages).map(PageId),
        }
    }

    /// The URL of a page; empty for numbered pages.
    pub fn url(&self, page: PageId) -> &str {
        self.urls.as_ref().map_or("", |urls| urls.strings().get(page.0))
    }

    /// Adds a seed.
    pub fn seed(&mut self, page: PageId) {
        if !self.world.seeds.contains(&page) {
            self.world.seeds.push(page);
        }
    }

    /// Adds a link. [`Self::finish`] drops repeated links and self-links.
    #[inline]
    pub fn link(&mut self, from: PageId, to: PageId) {
        self.from.push(from.0);
        self.to.push(to);
    }

    /// Adds a link with texts.
    pub fn link_with(&mut self, from: PageId, to: PageId, link: Link<'_>) {
        let row = self.to.len();
        self.link(from, to);
        let anchor = self.string(link.anchor);
        let context = self.string(link.context);
        self.anchors.set(row, anchor);
        self.contexts.set(row, context);
        self.nofollow.set(row, link.nofollow);
    }

    /// Adds a link to a URL outside this world.
    pub fn link_outside(&mut self, from: PageId, url: &str) {
        let url = self.string(url);
        self.outside.push((from.0, url));
    }

    /// Sets the title of a page.
    pub fn set_title(&mut self, page: PageId, title: &str) {
        let id = self.string(title);
        self.world.titles.set(page.index(), id);
    }

    /// Sets the text of a page.
    pub fn set_text(&mut self, page: PageId, text: &str) {
        let id = self.string(text);
        self.world.texts.set(page.index(), id);
    }

    /// Adds a topic label to a page.
    pub fn add_topic(&mut self, page: PageId, topic: &str) {
        let id = self.string(topic);
        self.topics.push((page.0, id));
    }

    /// Sets the number of clicks on a page.
    pub fn set_clicks(&mut self, page: PageId, clicks: u32) {
        self.world.clicks.set(page.index(), clicks);
    }

    /// Sets the change rate of a page, per hour, of a Poisson process; 0 for never.
    ///
    /// # Errors
    /// If the rate is not finite, negative, or above [`crate::MAX_CHANGES_PER_HOUR`].
    pub fn set_change_rate(&mut self, page: PageId, per_hour: f64) -> Result<(), BuildError> {
        self.world.change_rates.set(page.index(), checked_rate(per_hour)?);
        Ok(())
    }

    /// Adds a recorded change of a page, in seconds. Any order; duplicates count once.
    ///
    /// # Errors
    /// If the time is not finite or negative.
    pub fn add_change(&mut self, page: PageId, at_s: f64) -> Result<(), BuildError> {
        self.change_times.push((page.0, not_negative("changes_s", at_s)?));
        Ok(())
    }

    /// Sets the HTTP status of a page.
    ///
    /// # Errors
    /// If the status is not within 100 to 599.
    pub fn set_status(&mut self, page: PageId, status: u16) -> Result<(), BuildError> {
        if !(100..=599).contains(&status) {
            let given = f64::from(status);
            return Err(BuildError::BadNumber { what: "status", expected: "100 to 599", given });
        }
        self.world.statuses.set(page.index(), if status == 200 { 0 } else { status });
        Ok(())
    }

    /// Sets the target of a redirect: the URL as written, and the page if it is in this world.
    pub fn set_location(&mut self, page: PageId, url: &str, to: Option<PageId>) {
        let id = self.string(url);
        self.world.locations.set(page.index(), id);
        if let Some(to) = to {
            self.redirects.push((page.0, to));
        }
    }

    /// Sets the size of a page, in bytes.
    pub fn set_bytes(&mut self, page: PageId, bytes: u32) {
        self.world.sizes.set(page.index(), bytes);
    }

    /// Sets the response time of a page, in milliseconds.
    ///
    /// # Errors
    /// If the latency is not finite or negative.
    pub fn set_latency_ms(&mut self, page: PageId, latency_ms: f64) -> Result<(), BuildError> {
        let latency = not_negative("latency_ms", latency_ms)?;
        self.world.latencies.set(page.index(), latency);
        Ok(())
    }

    /// Sets robots.txt and crawl delay of a host; returns false if no page so far is on that host.
    ///
    /// # Errors
    /// If the delay is not finite or negative.
    pub fn set_host(
        &mut self,
        name: &str,
        robots: Option<&str>,
        crawl_delay_s: Option<f64>,
    ) -> Result<bool, BuildError> {
        let crawl_delay_s = crawl_delay_s.map(|s| not_negative("crawl_delay_s", s)).transpose()?;
        let Some(host) = self.hosts.find(&name.to_ascii_lowercase()) else {
            return Ok(false);
        };
        self.add_hosts();
        let host = &mut self.world.hosts[host as usize];
        host.robots = robots.map(str::to_owned);
        host.crawl_delay_s = crawl_delay_s;
        Ok(true)
    }

    /// Builds the world.
    ///
    /// # Errors
    /// If there are too many links or too much text, a seed is born later, or a page is gone before
    /// its birth.
    pub fn finish(mut self) -> Result<World, BuildError> {
        self.add_hosts();
        if self.to.len() > MAX_LINKS || self.outside.len() > MAX_LINKS {
            return Err(BuildError::TooManyLinks);
        }
        self.place_redirects();
        self.sort_links();
        let n = self.n_pages as usize;
        let mut world = self.world;
        world.urls = match self.urls {
            None => Urls::Numbered(self.n_pages),
            Some(urls) => listed_or_numbered(urls.into_strings()),
        };
        if world.host_of.iter().all(|host| *host == NONE) {
            world.host_of = Vec::new();
        }
        self.outside = arranged(self.outside, |(page, _)| (*page).into());
        drop_repeated(&mut self.outside);
        self.topics = arranged(self.topics, |(page, _)| (*page).into());
        drop_repeated(&mut self.topics);
        self.change_times = arranged(self.change_times, |(_, time)| rising(*time));
        self.change_times = arranged(self.change_times, |(page, _)| (*page).into());
        self.change_times.dedup();
        world.outside = Lists::group(n, &self.outside);
        world.topics = Lists::group(n, &self.topics);
        world.change_times = Lists::group(n, &self.change_times);
        world.timetable = self.timetable_entries.timetable(n);
        world.ensure_births_fit()?;
        world.arrange_by_birth();
        world.strings = self.strings.into_strings();
        if world.strings.bytes() > MAX_TEXT_BYTES {
            return Err(BuildError::TooMuchText);
        }
        world.number_sites(self.site_of);
        Ok(world)
    }

    fn string(&mut self, s: &str) -> StrId {
        StrId(self.strings.intern(s).0)
    }

    fn add_hosts(&mut self) {
        let names = self.hosts.strings();
        for i in self.world.hosts.len()..names.len() {
            let name = names.get(i as u32).to_owned();
            let site = SiteId(0);
            self.world.hosts.push(Host { name, site, robots: None, crawl_delay_s: None });
        }
    }

    /// Replaces the links of redirects by their location, and removes the links of error pages.
    fn place_redirects(&mut self) {
        if self.world.statuses.stored().is_empty() {
            return;
        }
        let statuses = std::mem::take(&mut self.world.statuses);
        let plain = |page: u32| matches!(statuses.get(page as usize), 0 | 100..=299);
        let keep: Vec<usize> = (0..self.from.len()).filter(|i| plain(self.from[*i])).collect();
        if keep.len() < self.from.len() {
            let moved = |column: &Column<StrId>| {
                Column::from(keep.iter().map(|i| column.get(*i)).collect::<Vec<_>>())
            };
            self.anchors = moved(&self.anchors);
            self.contexts = moved(&self.contexts);
            let nofollow: Vec<bool> = keep.iter().map(|i| self.nofollow.get(*i)).collect();
            self.nofollow = Column::from(nofollow);
            self.from = keep.iter().map(|i| self.from[*i]).collect();
            self.to = keep.iter().map(|i| self.to[*i]).collect();
        }
        self.outside.retain(|(page, _)| plain(*page));
        for (from, to) in std::mem::take(&mut self.redirects) {
            if matches!(statuses.get(from as usize), 300..=399) {
                self.link(PageId(from), to);
            }
        }
        self.world.statuses = statuses;
    }

    /// Sorts links by page, stably, and drops repeated links and self-links.
    fn sort_links(&mut self) {
        let n = self.n_pages as usize;
        let m = self.to.len();
        let mut starts = vec![0_u32; n + 1];
        for from in &self.from {
            starts[*from as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        // Generators and most files give links page by page; then nothing needs to move.
        let order: Option<Vec<u32>> = (!self.from.is_sorted()).then(|| {
            let mut next = starts.clone();
            let mut order = vec![0_u32; m];
            for (i, from) in self.from.iter().enumerate() {
                let at = &mut next[*from as usize];
                order[*at as usize] = i as u32;
                *at += 1;
            }
            order
        });
        self.from = Vec::new();
        let texts = !self.anchors.is_default() || !self.contexts.is_default();
        let flags = !self.nofollow.is_default();
        let (mut anchors, mut contexts, mut nofollow) = (Vec::new(), Vec::new(), Vec::new());
        let mut offsets = Vec::with_capacity(n + 1);
        offsets.push(0);
        let mut targets: Vec<PageId> = Vec::with_capacity(m);
        // For each target, the position of the current page's link to it in `targets`, plus one.
        let mut seen = vec![0_u32; n];
        for page in 0..n {
            let row_start = targets.len();
            for at in starts[page]..starts[page + 1] {
                let i = order.as_ref().map_or(at, |order| order[at as usize]) as usize;
                let to = self.to[i];
                if to.index() == page {
                    continue;
                }
                let before = seen[to.index()] as usize;
                if before > row_start {
                    // A repeated link is followed if one of its occurrences may be.
                    if flags && !self.nofollow.get(i) {
                        nofollow[before - 1] = false;
                    }
                    continue;
                }
                targets.push(to);
                seen[to.index()] = targets.len() as u32;
                if texts {
                    anchors.push(self.anchors.get(i));
                    contexts.push(self.contexts.get(i));
                }
                if flags {
                    nofollow.push(self.nofollow.get(i));
                }
            }
            offsets.push(targets.len() as u32);
        }
        targets.shrink_to_fit();
        self.to = Vec::new();
        self.world.links = Csr::new(offsets, targets);
        self.world.anchors = compact(anchors);
        self.world.contexts = compact(contexts);
        self.world.nofollow = compact(nofollow);
    }
}

fn compact<T: Copy + Default + PartialEq>(values: Vec<T>) -> Column<T> {
    let column = Column::from(values);
    if column.is_default() { Column::default() } else { column }
}

pub(crate) fn not_negative(what: &'static str, given: f64) -> Result<f64, BuildError> {
    if given >= 0.0 && given.is_finite() {
        // Adding 0 turns −0 into 0, so that equal worlds have equal digests.
        return Ok(given + 0.0);
    }
    Err(BuildError::BadNumber { what, expected: "a number of at least 0", given })
}

/// Pages listed as `http://graph.invalid/0`, `/1`, … in order become numbered pages.
fn listed_or_numbered(urls: Strings) -> Urls {
    let numbered =
        urls.iter().enumerate().all(|(i, u)| web_address::number_of(u) == Some(i as u32));
    if numbered { Urls::Numbered(urls.len() as u32) } else { Urls::Listed(urls) }
}

fn drop_repeated(pairs: &mut Vec<(u32, StrId)>) {
    let mut row: Vec<StrId> = Vec::new();
    let mut present = u32::MAX;
    let mut seen = hashbrown::HashSet::with_hasher(foldhash::fast::FixedState::default());
    pairs.retain(|(page, id)| {
        if *page != present {
            present = *page;
            for id in row.drain(..) {
                seen.remove(&id);
            }
        }
        row.push(*id);
        seen.insert(*id)
    });
}

pub(crate) fn shortened(url: &str) -> String {
    if url.chars().count() <= 200 {
        return url.to_owned();
    }
    let start: String = url.chars().take(200).collect();
    format!("{start}…")
}
