//! Building a world page by page.

mod error;

pub use error::BuildError;

use crate::change::{Said, checked_rate};
use crate::order::{arranged, rising};
use crate::world::{Host, NONE, Urls, World};
use crate::{Column, Csr, IS_WHOLE, Interner, Lists, PageId, SiteId, StrId, Strings, web_address};

/// Most pages a world may have; leaves room for numbers with a meaning of their own.
pub(crate) const MAX_PAGES: u32 = 1 << 28;
/// Most links a world may have.
const MAX_LINKS: usize = (1 << 31) - 1;
/// Most bytes of distinct text a world may hold.
const MAX_TEXT_BYTES: usize = 1 << 31;

/// What a link says besides where it leads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Link<'a> {
    /// Its anchor text.
    pub anchor: &'a str,
    /// The text around it.
    pub context: &'a str,
    /// It asks crawlers not to follow it.
    pub nofollow: bool,
}

/// Collects pages, links and facts, in any order, and makes a [`World`] of them.
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
    pub(crate) said: Said,
    redirects: Vec<(u32, PageId)>,
    site_of: fn(&str) -> &str,
}

impl WorldBuilder {
    /// A world whose pages have URLs.
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
            said: Said::default(),
            redirects: Vec::new(),
            site_of: web_address::plain_site,
        }
    }

    /// A world of `n` pages with numbers for URLs.
    ///
    /// # Errors
    /// More pages than a world may have.
    pub fn numbered(title: &str, n: u32) -> Result<Self, BuildError> {
        if n > MAX_PAGES {
            return Err(BuildError::TooManyPages);
        }
        Ok(Self { urls: None, n_pages: n, ..Self::new(title) })
    }

    /// Says under which licence the content may be passed on.
    pub fn license(&mut self, license: &str) {
        license.clone_into(&mut self.world.license);
    }

    /// Renames the world.
    pub fn title(&mut self, title: &str) {
        title.clone_into(&mut self.world.title);
    }

    /// Makes room for so many more pages and links, where their number is known beforehand.
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

    /// Number of links so far, repeated ones included.
    pub fn n_links(&self) -> usize {
        self.to.len()
    }

    /// Says how a host's site is found; otherwise it is [`web_address::plain_site`].
    pub fn sites(&mut self, site_of: fn(&str) -> &str) {
        self.site_of = site_of;
    }

    /// Adds a page with a plain URL ([`web_address::plain_host`]), from which its host is read.
    ///
    /// # Errors
    /// The URL is not plain, is there already, or there are too many pages.
    pub fn page(&mut self, url: &str) -> Result<PageId, BuildError> {
        self.page_on(url, web_address::plain_host(url))
    }

    /// Adds a page on that host. Its URL is kept to the letter; without a host it is none.
    ///
    /// # Errors
    /// There is no host, the URL is there already, pages have numbers for URLs, or there are too many.
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

    /// The page with exactly that URL.
    pub fn find(&self, url: &str) -> Option<PageId> {
        match &self.urls {
            Some(urls) => urls.find(url).map(PageId),
            None => web_address::number_of(url).filter(|i| *i < self.n_pages).map(PageId),
        }
    }

    /// The URL of a page added before; empty for numbered pages.
    pub fn url(&self, page: PageId) -> &str {
        self.urls.as_ref().map_or("", |urls| urls.strings().get(page.0))
    }

    /// Adds a page where a crawl starts.
    pub fn seed(&mut self, page: PageId) {
        if !self.world.seeds.contains(&page) {
            self.world.seeds.push(page);
        }
    }

    /// Adds a link. Repeated links and links to the page itself vanish in [`Self::finish`].
    #[inline]
    pub fn link(&mut self, from: PageId, to: PageId) {
        self.from.push(from.0);
        self.to.push(to);
    }

    /// Adds a link with its texts.
    pub fn link_with(&mut self, from: PageId, to: PageId, link: Link<'_>) {
        let row = self.to.len();
        self.link(from, to);
        let anchor = self.string(link.anchor);
        let context = self.string(link.context);
        self.anchors.set(row, anchor);
        self.contexts.set(row, context);
        self.nofollow.set(row, link.nofollow);
    }

    /// Adds a link to a URL that is not a page of this world.
    pub fn link_outside(&mut self, from: PageId, url: &str) {
        let url = self.string(url);
        self.outside.push((from.0, url));
    }

    /// The title of a page.
    pub fn set_title(&mut self, page: PageId, title: &str) {
        let id = self.string(title);
        self.world.titles.set(page.index(), id);
    }

    /// The text of a page.
    pub fn set_text(&mut self, page: PageId, text: &str) {
        let id = self.string(text);
        self.world.texts.set(page.index(), id);
    }

    /// A topic a page is about.
    pub fn add_topic(&mut self, page: PageId, topic: &str) {
        let id = self.string(topic);
        self.topics.push((page.0, id));
    }

    /// Clicks on a page.
    pub fn set_clicks(&mut self, page: PageId, clicks: u32) {
        self.world.clicks.set(page.index(), clicks);
    }

    /// How often a page changes, per hour: a Poisson process, unless more is said. 0 for never.
    ///
    /// # Errors
    /// The rate is not finite, or below 0.
    pub fn set_change_rate(&mut self, page: PageId, per_hour: f64) -> Result<(), BuildError> {
        self.world.change_rates.set(page.index(), checked_rate(per_hour)?);
        Ok(())
    }

    /// A moment at which a page changed. They may come in any order; said twice it is one.
    ///
    /// # Errors
    /// The time is not finite, or below 0.
    pub fn add_change(&mut self, page: PageId, at_s: f64) -> Result<(), BuildError> {
        self.change_times.push((page.0, not_negative("changes_s", at_s)?));
        Ok(())
    }

    /// The status a fetch of the page answers with.
    ///
    /// # Errors
    /// The status is not within 100 to 599.
    pub fn set_status(&mut self, page: PageId, status: u16) -> Result<(), BuildError> {
        if !(100..=599).contains(&status) {
            let given = f64::from(status);
            return Err(BuildError::BadNumber { what: "status", expected: "100 to 599", given });
        }
        self.world.statuses.set(page.index(), if status == 200 { 0 } else { status });
        Ok(())
    }

    /// Where a redirect leads: the URL as written, and the page if it is one of this world.
    pub fn set_location(&mut self, page: PageId, url: &str, to: Option<PageId>) {
        let id = self.string(url);
        self.world.locations.set(page.index(), id);
        if let Some(to) = to {
            self.redirects.push((page.0, to));
        }
    }

    /// The size of a page.
    pub fn set_bytes(&mut self, page: PageId, bytes: u32) {
        self.world.sizes.set(page.index(), bytes);
    }

    /// Milliseconds until the page's host answers.
    ///
    /// # Errors
    /// The latency is not finite, or below 0.
    pub fn set_latency_ms(&mut self, page: PageId, latency_ms: f64) -> Result<(), BuildError> {
        let latency = not_negative("latency_ms", latency_ms)?;
        self.world.latencies.set(page.index(), latency);
        Ok(())
    }

    /// What a host asks of crawlers; false when no page so far is on that host.
    ///
    /// # Errors
    /// The delay is not finite, or below 0.
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

    /// Makes the world.
    ///
    /// # Errors
    /// Too many links, too much text, a seed that is born later, or a page that is gone before its birth.
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
        world.timetable = self.said.timetable(n);
        if IS_WHOLE {
            world.ensure_births_fit()?;
            world.arrange_by_birth();
        }
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

    /// A redirect's one link is its location; an error page has none.
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

    /// Sorts links by page, keeping their order, and drops repeated links and links to itself.
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
        // For each target, where in `targets` the present page's link to it stands, plus one.
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
                    // One followable link is enough to follow.
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
        // Adding zero turns −0 into 0, so that equal worlds have equal digests.
        return Ok(given + 0.0);
    }
    Err(BuildError::BadNumber { what, expected: "a number of at least 0", given })
}

/// Pages listed as `http://graph.invalid/0`, `/1`, … in order are numbered pages.
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
