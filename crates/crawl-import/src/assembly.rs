//! Collects pages, links, redirects and hosts in file order, then builds the world.

use crate::error::Spot;
use crate::html::PageLink;
use crate::line_runs::LineRuns;
use crate::links::{Finder, Resolved, Target, UnresolvedLinks, is_absolute};
use crate::notice::NoticeKind;
use crate::notices::{First, Notices};
use crate::source::Monitor;
use crate::tally::{self, Tally};
use crate::url_table::url_problem;
use crate::{ImportError, Limits, Problem, address};
use crawl_catalogue::nearest;
use crawl_world::{Column, Interner, Link, PageId, World, WorldBuilder};

/// A world under construction.
pub(crate) struct Assembly<'j> {
    limits: &'j Limits,
    /// Whether positions are lines or records.
    spot: fn(u64) -> Spot,
    builder: WorldBuilder,
    page_spots: LineRuns,
    links: UnresolvedLinks,
    /// Redirects, with their locations as written.
    redirects: Vec<(PageId, Box<str>)>,
    hosts: Vec<HostRow>,
    host_names: Interner,
    /// Bytes of text so far.
    text_bytes: u64,
    /// Number of topics and change times so far.
    list_items: u64,
    n_topics: u64,
}

struct HostRow {
    at: u64,
    robots: Option<String>,
    crawl_delay_s: Option<f64>,
}

impl<'j> Assembly<'j> {
    /// An empty world.
    pub(crate) fn new(title: &str, limits: &'j Limits, spot: fn(u64) -> Spot) -> Self {
        Self {
            limits,
            spot,
            builder: address::builder(title),
            page_spots: LineRuns::default(),
            links: UnresolvedLinks::default(),
            redirects: Vec::new(),
            hosts: Vec::new(),
            host_names: Interner::default(),
            text_bytes: 0,
            list_items: 0,
            n_topics: 0,
        }
    }

    /// The builder, for fields without limits.
    pub(crate) fn builder(&mut self) -> &mut WorldBuilder {
        &mut self.builder
    }

    /// Adds a page from line or record `at`; links added until the next page are its links.
    pub(crate) fn page(&mut self, url: &str, at: u64) -> Result<PageId, Problem> {
        tally::room_for_page(self.builder.n_pages(), self.limits)?;
        let page = address::add_page(&mut self.builder, url).map_err(|error| {
            let before = self.builder.find(url);
            let first = before.map(|page| self.page_spots.line(page.0));
            url_problem(error, url, first)
        })?;
        self.page_spots.push(at);
        self.links.start_page(page, url);
        Ok(page)
    }

    /// Sets the title of a page.
    pub(crate) fn title(&mut self, page: PageId, title: &str) {
        if !title.is_empty() {
            self.text_bytes += title.len() as u64;
            self.builder.set_title(page, title);
        }
    }

    /// Sets the text of a page.
    pub(crate) fn text(&mut self, page: PageId, text: &str) {
        if !text.is_empty() {
            self.text_bytes += text.len() as u64;
            self.builder.set_text(page, text);
        }
    }

    /// Adds a topic to a page.
    pub(crate) fn topic(&mut self, page: PageId, topic: &str) {
        self.text_bytes += topic.len() as u64;
        self.list_items += 1;
        self.n_topics += 1;
        self.builder.add_topic(page, topic);
    }

    /// Adds a change time to a page, in seconds.
    pub(crate) fn change(&mut self, page: PageId, at_s: f64) -> Result<(), Problem> {
        self.list_items += 1;
        self.builder.add_change(page, at_s).map_err(Problem::Build)
    }

    /// Sets the location of a redirect.
    pub(crate) fn location(&mut self, page: PageId, status: u16, location: &str) {
        self.text_bytes += location.len() as u64;
        if (300..400).contains(&status) {
            self.redirects.push((page, location.into()));
        } else {
            self.builder.set_location(page, location, None);
        }
    }

    /// Adds a link to the current page.
    pub(crate) fn link(&mut self, to: &str, link: Link<'_>) -> Result<(), Problem> {
        self.links.push(to, link, self.limits)
    }

    /// Adds the links found in the current page's HTML.
    pub(crate) fn html_links(&mut self, links: &[PageLink]) -> Result<(), Problem> {
        links.iter().try_for_each(|link| {
            let PageLink { to, anchor, context, nofollow } = link;
            self.link(to, Link { anchor, context, nofollow: *nofollow })
        })
    }

    /// Adds a host.
    pub(crate) fn host(
        &mut self,
        given: &str,
        robots: Option<String>,
        crawl_delay_s: Option<f64>,
        at: u64,
    ) -> Result<(), Problem> {
        let host = host_name(given).ok_or_else(|| Problem::BadHost(given.to_owned()))?;
        if let (seen, false) = self.host_names.intern(&host) {
            let first_line = self.hosts[seen as usize].at;
            return Err(Problem::DuplicateHost { host, first_line });
        }
        // At most as many hosts as pages, as each host needs a page.
        tally::room_for_page(self.hosts.len() as u32, self.limits)?;
        self.text_bytes += robots.as_ref().map_or(0, String::len) as u64;
        self.hosts.push(HostRow { at, robots, crawl_delay_s });
        self.within_limits()
    }

    /// Whether the host was added.
    pub(crate) fn has_host(&self, host: &str) -> bool {
        self.host_names.find(host).is_some()
    }

    /// Fails if a limit is exceeded.
    pub(crate) fn within_limits(&self) -> Result<(), Problem> {
        tally::room_for_text(self.text_bytes + self.links.text_bytes(), self.limits)?;
        // They take as much memory as links.
        if self.list_items > u64::from(self.limits.links) {
            let (what, limit) = ("topics and changes", self.limits.links as usize);
            return Err(Problem::ListTooLong { what, limit });
        }
        Ok(())
    }

    /// Resolves all links and builds the world of `file`.
    pub(crate) fn finish(
        mut self,
        name: &str,
        mut finder: Finder,
        notices: &mut Notices,
        monitor: &mut Monitor<'_>,
    ) -> Result<World, ImportError> {
        monitor.linking(name)?;
        let redirect_links = self.place_redirects(&mut finder, notices);
        let (tally, mut outside) = self.place_links(&mut finder, name, notices, monitor)?;
        let spot = self.spot;
        self.place_hosts(notices).map_err(|(problem, at)| problem.at(name, spot(at)))?;
        drop((self.links, finder));
        let world = self.builder.finish();
        let world = world.map_err(|error| Problem::Build(error).in_file(name))?;
        tally.report(world.n_links() - redirect_links, notices);
        // Duplicate outside links and topics of a page were merged.
        let n_outside = world.n_outside_links() as u64;
        notices.add(NoticeKind::RepeatedLinks, None, outside.count.saturating_sub(n_outside));
        outside.count = n_outside;
        let n_topics: usize = world.pages().map(|page| world.topics(page).count()).sum();
        let repeated = self.n_topics.saturating_sub(n_topics as u64);
        notices.add(NoticeKind::RepeatedTopics, None, repeated);
        outside.report(notices, |first| NoticeKind::LinksOutside { first });
        Ok(world)
    }

    /// Finds a page by its URL, once all pages are known.
    pub(crate) fn find(&self, finder: &mut Finder, url: &str) -> Option<PageId> {
        if let Some(page) = self.builder.find(url) {
            return Some(page);
        }
        // A relative URL has no page to be resolved against.
        if is_absolute(url)
            && self.builder.n_pages() > 0
            && let Resolved::Page(page) = finder.resolve(&self.builder, PageId(0), url)
        {
            return Some(page);
        }
        None
    }

    /// Adds a seed, once all pages are known.
    pub(crate) fn seed(&mut self, finder: &mut Finder, url: &str) -> Result<(), Problem> {
        let Some(page) = self.find(finder, url) else {
            let nearest = nearest_url(&self.builder, url);
            return Err(Problem::UnknownSeed { url: url.to_owned(), nearest });
        };
        self.builder.seed(page);
        Ok(())
    }

    /// Resolves redirects; returns how many became links between pages.
    fn place_redirects(&mut self, finder: &mut Finder, notices: &mut Notices) -> u32 {
        let mut links = 0;
        let mut outside = First::default();
        for (page, location) in std::mem::take(&mut self.redirects) {
            let to = match finder.resolve(&self.builder, page, &location) {
                Resolved::Page(to) => Some(to),
                Resolved::Outside(_) | Resolved::NotWeb => {
                    outside.count(self.page_spots.line(page.0), &location);
                    None
                }
            };
            links += u32::from(to.is_some_and(|to| to != page));
            self.builder.set_location(page, &location, to);
        }
        outside.report(notices, |first| NoticeKind::RedirectsOutside { first });
        links
    }

    fn place_links(
        &mut self,
        finder: &mut Finder,
        name: &str,
        notices: &mut Notices,
        monitor: &mut Monitor<'_>,
    ) -> Result<(Tally, First), ImportError> {
        const PROGRESS_PAGES: u32 = 1 << 15;
        let mut tally = Tally::default();
        let (mut outside, mut not_web) = (First::default(), First::default());
        let addresses = self.links.addresses();
        // Resolved absolute addresses: index into `resolved`, plus one.
        let (mut known, mut resolved) = (Column::<u32>::default(), Vec::new());
        let builder = &mut self.builder;
        builder.reserve(0, self.links.len());
        for from in (0..builder.n_pages()).map(PageId) {
            if from.0 % PROGRESS_PAGES == 0 {
                monitor.report_progress(name)?;
            }
            let at = self.page_spots.line(from.0);
            for (target, link) in self.links.of_page(from) {
                let relative;
                let resolve = match target {
                    Target::Page(page) => &Resolved::Page(page),
                    Target::Address(id) if is_absolute(addresses.get(id)) => {
                        if known.get(id as usize) == 0 {
                            resolved.push(finder.resolve(builder, from, addresses.get(id)));
                            known.set(id as usize, resolved.len() as u32);
                        }
                        &resolved[known.get(id as usize) as usize - 1]
                    }
                    Target::Address(id) => {
                        relative = finder.resolve(builder, from, addresses.get(id));
                        &relative
                    }
                };
                match (resolve, target) {
                    (Resolved::Page(to), _) => {
                        let room = tally.link(from, *to, self.limits);
                        room.map_err(|problem| problem.at(name, (self.spot)(at)))?;
                        add_link(builder, from, *to, link);
                    }
                    (Resolved::Outside(url), _) => {
                        outside.count(at, url);
                        builder.link_outside(from, url);
                    }
                    (Resolved::NotWeb, Target::Address(id)) => not_web.count(at, addresses.get(id)),
                    (Resolved::NotWeb, Target::Page(_)) => {}
                }
            }
        }
        not_web.report(notices, |first| NoticeKind::NotWebLinks { first });
        Ok((tally, outside))
    }

    fn place_hosts(&mut self, notices: &mut Notices) -> Result<(), (Problem, u64)> {
        let mut without_pages = First::default();
        for (i, host) in self.hosts.iter().enumerate() {
            let host_name = self.host_names.strings().get(i as u32);
            let known = self
                .builder
                .set_host(host_name, host.robots.as_deref(), host.crawl_delay_s)
                .map_err(|error| (Problem::Build(error), host.at))?;
            if !known {
                without_pages.count(host.at, host_name);
            }
        }
        without_pages.report(notices, |first| NoticeKind::HostWithoutPages { first });
        Ok(())
    }
}

fn add_link(builder: &mut WorldBuilder, from: PageId, to: PageId, link: Link<'_>) {
    if link.anchor.is_empty() && link.context.is_empty() && !link.nofollow {
        builder.link(from, to);
    } else {
        builder.link_with(from, to, link);
    }
}

/// Normalises a host name; `None` if the text is more than a name.
fn host_name(given: &str) -> Option<String> {
    let beyond = |c: char| "/\\?#@".contains(c) || c.is_whitespace() || c.is_control();
    let port = given.contains(':') && !(given.starts_with('[') && given.ends_with(']'));
    if given.contains(beyond) || port {
        return None;
    }
    address::host(&format!("http://{given}/"))
}

/// The page with the most similar URL; large worlds are not searched.
fn nearest_url(builder: &WorldBuilder, url: &str) -> Option<String> {
    const MOST_PAGES: u32 = 20_000;
    const MOST_BYTES: usize = 300;
    const APART: usize = 6;
    if builder.n_pages() > MOST_PAGES || url.len() > MOST_BYTES {
        return None;
    }
    let urls = (0..builder.n_pages()).map(|page| builder.url(PageId(page)));
    let alike = urls.filter(|other| other.len().abs_diff(url.len()) <= APART);
    nearest(url, alike).map(str::to_owned)
}
