//! The JSON Lines world: a header, then pages and hosts in any order, one object a line.
//!
//! ```text
//! {"format":"crawlscope-world","version":1,"title":"…","seeds":["http://a.example/"],"license":"…"}
//! {"url":"http://a.example/","title":"…","text":"…","links":["b",{"to":"/c","anchor":"…","context":"…","rel":"nofollow"}]}
//! {"url":"http://a.example/b","status":301,"location":"/c"}
//! {"url":"http://a.example/c","bytes":5120,"latency_ms":80,"topics":["phones"],"clicks":3,"change_rate_per_hour":0.2,"changes_s":[60]}
//! {"host":"a.example","robots":"User-agent: *\nDisallow: /admin","crawl_delay_s":1}
//! ```
//!
//! Only `url` is required of a page; `null` is the same as nothing. A link's `to` and a redirect's
//! `location` may be relative. They are matched to the letter first, so that `http://a.example` and
//! `http://a.example/` can be two pages, then in normal form. A link that matches no page leaves
//! the snapshot: it counts in O(i), is reported, and is never followed. Fields that mean nothing
//! are reported and ignored.

mod links;
mod row;
mod write;

pub use write::write;

use super::{Fit, Head, ImporterEntry};
use crate::line_runs::LineRuns;
use crate::lines::Lines;
use crate::notice::{First, NoticeKind, Notices, Place};
use crate::source::Monitor;
use crate::tally::{self, Tally};
use crate::url_table::url_problem;
use crate::{ImportError, Job, Limits, Problem, address};
use crawl_catalogue::{Entry, EntryTexts, nearest};
use crawl_world::{BuildError, Column, Interner, Link, PageId, World, WorldBuilder};
use links::{Finder, Lead, Target, WaitingLinks, is_absolute};
use row::{Row, Text, Whole};

/// What the header's `format` says.
pub const FORMAT: &str = "crawlscope-world";
/// The version of the format that is read and written.
pub const VERSION: u64 = 1;

/// The registry entry.
pub(super) static ENTRY: ImporterEntry = ImporterEntry {
    entry: &Entry::new(
        "json-lines",
        "JSON Lines world",
        EntryTexts {
            family: "Worlds",
            source: "(ours)",
            summary: "All that a world can hold, one JSON object a line",
            description: "The first line is a header with format and version, and perhaps title, \
                seeds and license. Every other line is a page (url; title, text, status, \
                location, bytes, latency_ms, links, topics, clicks, change_rate_per_hour, \
                changes_s) or a host (host; robots, crawl_delay_s). A link is a URL or an object \
                of to, anchor, context and rel.",
            formula: "{\"format\":\"crawlscope-world\",\"version\":1} ⏎ {\"url\":…} ⏎ …",
            params: &[],
        },
    ),
    sniff,
    read,
};

fn sniff(head: &Head<'_>) -> Fit {
    let start = head.bytes().trim_ascii_start().first();
    let looks = matches!(start, Some(b'{' | b'['));
    let named = head.is_named(".jsonl") || head.is_named(".ndjson");
    // A name alone does not make text of random bytes.
    let is_text = || {
        let is_control = |c: char| c.is_control() && !c.is_whitespace();
        head.lines().next().is_some_and(|line| !line.contains(is_control))
    };
    (looks || (named && is_text())).into()
}

fn read(mut job: Job<'_, '_>) -> Result<(World, Notices), ImportError> {
    let limits = &job.limits;
    if let Some(urls) = &job.urls {
        return Err(Problem::UrlsNotNeeded.in_file(urls.name()));
    }
    let mut lines = Lines::new(job.input, limits);
    let name = lines.name();
    let mut reader = Reader {
        limits,
        builder: address::builder(&job.title),
        header: None,
        page_lines: LineRuns::default(),
        links: WaitingLinks::default(),
        redirects: Vec::new(),
        hosts: Vec::new(),
        host_names: Interner::default(),
        text_bytes: 0,
        list_items: 0,
    };
    while let Some(line) = lines.next(&mut job.monitor)? {
        if line.text.trim_ascii().is_empty() {
            continue;
        }
        Row::parse(line.text, line.number, limits, &mut job.notices)
            .and_then(|row| reader.row(row, line.number, &mut job.notices))
            .map_err(|problem| problem.at(name, line.number))?;
    }
    job.monitor.linking(name)?;
    let world = reader.finish(name, &mut job.notices, &mut job.monitor)?;
    Ok((world, job.notices))
}

/// What was read so far.
struct Reader<'j> {
    limits: &'j Limits,
    builder: WorldBuilder,
    header: Option<Header>,
    page_lines: LineRuns,
    links: WaitingLinks,
    /// Redirects with their locations as written.
    redirects: Vec<(PageId, Box<str>)>,
    hosts: Vec<HostLine>,
    host_names: Interner,
    /// Text handed to the builder.
    text_bytes: u64,
    /// Topics and change times of all pages.
    list_items: u64,
}

struct Header {
    line: u64,
    seeds: Vec<String>,
}

struct HostLine {
    line: u64,
    robots: Option<String>,
    crawl_delay_s: Option<f64>,
}

impl Reader<'_> {
    fn row(&mut self, row: Row<'_>, line: u64, notices: &mut Notices) -> Result<(), Problem> {
        let place = match (&self.header, &row.format, &row.url, &row.host) {
            (None, Some(_), _, _) => Place::Header,
            (None, None, _, _) => return Err(Problem::NoHeader),
            (Some(_), Some(_), _, _) => return Err(Problem::SecondHeader),
            (_, _, Some(_), Some(_)) => return Err(Problem::PageAndHost),
            (_, _, Some(_), None) => Place::Page,
            (_, _, None, Some(_)) => Place::Host,
            (_, _, None, None) => return Err(Problem::NeitherPageNorHost),
        };
        row.report_unknown(place, line, notices);
        match place {
            Place::Host => self.host(row, line),
            Place::Page => self.page(row, line, notices),
            Place::Header | Place::Link => self.header(row, line, notices),
        }
    }

    fn header(&mut self, row: Row<'_>, line: u64, notices: &mut Notices) -> Result<(), Problem> {
        let format = row.format.map(|text| text.0).unwrap_or_default();
        if format != FORMAT {
            return Err(Problem::WrongFormat(format.into_owned()));
        }
        match row.version {
            Some(Whole(VERSION)) => {}
            Some(Whole(other)) => return Err(Problem::UnknownVersion(other)),
            None => notices.add(NoticeKind::NoVersion, Some(line), 1),
        }
        if let Some(Text(title)) = row.title.filter(|title| !title.0.is_empty()) {
            self.builder.title(&title);
        }
        if let Some(Text(license)) = row.license {
            self.builder.license(&license);
        }
        let seeds = row.seeds.into_iter().map(|seed| seed.0.into_owned());
        let seeds = seeds.collect();
        self.header = Some(Header { line, seeds });
        Ok(())
    }

    fn page(&mut self, row: Row<'_>, line: u64, notices: &mut Notices) -> Result<(), Problem> {
        if row.html.is_some() {
            if row.title.is_none() && row.text.is_none() && row.links.is_none() {
                return Err(Problem::Html);
            }
            notices.add(NoticeKind::HtmlNotRead, Some(line), 1);
        }
        let url = row.url.map(|text| text.0).unwrap_or_default();
        tally::room_for_page(self.builder.n_pages(), self.limits)?;
        let page = address::add_page(&mut self.builder, &url).map_err(|error| {
            let before = self.builder.find(&url);
            let first_line = before.map(|page| self.page_lines.line(page.0));
            url_problem(error, &url, first_line)
        })?;
        self.page_lines.push(line);
        let builder = &mut self.builder;
        if let Some(Text(title)) = row.title {
            self.text_bytes += title.len() as u64;
            builder.set_title(page, &title);
        }
        if let Some(Text(text)) = row.text {
            self.text_bytes += text.len() as u64;
            builder.set_text(page, &text);
        }
        if let Some(Whole(bytes)) = row.bytes {
            builder.set_bytes(page, u32_of("bytes", bytes)?);
        }
        if let Some(Whole(clicks)) = row.clicks {
            builder.set_clicks(page, u32_of("clicks", clicks)?);
        }
        if let Some(latency) = row.latency_ms {
            builder.set_latency_ms(page, latency.0).map_err(Problem::Build)?;
        }
        if let Some(rate) = row.change_rate_per_hour {
            builder.set_change_rate(page, rate.0).map_err(Problem::Build)?;
        }
        for change in &row.changes_s {
            builder.add_change(page, change.0).map_err(Problem::Build)?;
        }
        for Text(topic) in &row.topics {
            self.text_bytes += topic.len() as u64;
            builder.add_topic(page, topic);
        }
        self.list_items += (row.changes_s.len() + row.topics.len()) as u64;
        let status = row.status.map_or(200, |status| status.0);
        builder.set_status(page, status_of(status)?).map_err(Problem::Build)?;
        if let Some(Text(location)) = row.location.filter(|to| !to.0.is_empty()) {
            self.text_bytes += location.len() as u64;
            if (300..400).contains(&status) {
                self.redirects.push((page, location.into()));
            } else {
                builder.set_location(page, &location, None);
            }
        }
        self.links.start_page(page, &url);
        let links = row.links.unwrap_or_default();
        if (100..300).contains(&status) {
            for link in &links {
                self.links.push(link, self.limits)?;
            }
        } else {
            let count = links.len() as u64;
            notices.add(NoticeKind::LinksOfNoPage, Some(line), count);
        }
        self.within_limits()
    }

    fn host(&mut self, row: Row<'_>, line: u64) -> Result<(), Problem> {
        let given = row.host.map(|text| text.0).unwrap_or_default();
        let host = host_name(&given).ok_or_else(|| Problem::BadHost(given.into_owned()))?;
        if let (seen, false) = self.host_names.intern(&host) {
            let first_line = self.hosts[seen as usize].line;
            return Err(Problem::DuplicateHost { host, first_line });
        }
        // Hosts are as many as pages may be: more could not have a page each.
        tally::room_for_page(self.hosts.len() as u32, self.limits)?;
        let robots = row.robots.map(|text| text.0.into_owned());
        self.text_bytes += robots.as_ref().map_or(0, String::len) as u64;
        let crawl_delay_s = row.crawl_delay_s.map(|delay| delay.0);
        self.hosts.push(HostLine { line, robots, crawl_delay_s });
        self.within_limits()
    }

    fn within_limits(&self) -> Result<(), Problem> {
        tally::room_for_text(self.text_bytes + self.links.text_bytes(), self.limits)?;
        // They take as much memory as links do.
        if self.list_items > u64::from(self.limits.links) {
            let (what, limit) = ("topics and changes", self.limits.links as usize);
            return Err(Problem::ListTooLong { what, limit });
        }
        Ok(())
    }

    fn finish(
        mut self,
        name: &str,
        notices: &mut Notices,
        monitor: &mut Monitor<'_>,
    ) -> Result<World, ImportError> {
        let Some(header) = self.header.take() else {
            return Err(Problem::NoHeader.in_file(name));
        };
        let mut finder = Finder::default();
        for seed in &header.seeds {
            let page = self.find_seed(&mut finder, seed);
            let page = page.map_err(|problem| problem.at(name, header.line))?;
            self.builder.seed(page);
        }
        let redirect_links = self.place_redirects(&mut finder, notices);
        let (tally, mut outside) = self.place_links(&mut finder, name, notices, monitor)?;
        self.place_hosts(notices).map_err(|(problem, line)| problem.at(name, line))?;
        drop((self.links, finder));
        let world = self.builder.finish();
        let world = world.map_err(|error| Problem::Build(error).in_file(name))?;
        tally.report(world.n_links() - redirect_links, notices);
        // A page that links twice to one URL outside has one such link.
        outside.count = world.n_outside_links() as u64;
        outside.report(notices, |first| NoticeKind::LinksOutside { first });
        Ok(world)
    }

    fn find_seed(&self, finder: &mut Finder, seed: &str) -> Result<PageId, Problem> {
        if let Some(page) = self.builder.find(seed) {
            return Ok(page);
        }
        // A seed stands on no page, so only one that no page changes can be meant.
        if is_absolute(seed)
            && self.builder.n_pages() > 0
            && let Lead::Page(page) = finder.lead(&self.builder, PageId(0), seed)
        {
            return Ok(page);
        }
        Err(Problem::UnknownSeed {
            url: seed.to_owned(),
            nearest: nearest_url(&self.builder, seed),
        })
    }

    /// Says how many redirects became links between two pages.
    fn place_redirects(&mut self, finder: &mut Finder, notices: &mut Notices) -> u32 {
        let mut links = 0;
        let mut outside = First::default();
        for (page, location) in std::mem::take(&mut self.redirects) {
            let to = match finder.lead(&self.builder, page, &location) {
                Lead::Page(to) => Some(to),
                Lead::Outside(_) | Lead::NotWeb => {
                    outside.count(self.page_lines.line(page.0), &location);
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
        const TELL_EVERY_PAGES: u32 = 1 << 15;
        let mut tally = Tally::default();
        let (mut outside, mut not_web) = (First::default(), First::default());
        let addresses = self.links.addresses();
        // What absolute addresses turned out to be: their places in the list, plus one.
        let (mut known, mut leads) = (Column::<u32>::default(), Vec::new());
        let builder = &mut self.builder;
        builder.reserve(0, self.links.len());
        for from in (0..builder.n_pages()).map(PageId) {
            if from.0 % TELL_EVERY_PAGES == 0 {
                monitor.pass_on(name)?;
            }
            let line = self.page_lines.line(from.0);
            for (target, link) in self.links.of_page(from) {
                let relative;
                let lead = match target {
                    Target::Page(page) => &Lead::Page(page),
                    Target::Address(id) if is_absolute(addresses.get(id)) => {
                        if known.get(id as usize) == 0 {
                            leads.push(finder.lead(builder, from, addresses.get(id)));
                            known.set(id as usize, leads.len() as u32);
                        }
                        &leads[known.get(id as usize) as usize - 1]
                    }
                    Target::Address(id) => {
                        relative = finder.lead(builder, from, addresses.get(id));
                        &relative
                    }
                };
                match (lead, target) {
                    (Lead::Page(to), _) => {
                        let room = tally.link(from, *to, self.limits);
                        room.map_err(|problem| problem.at(name, line))?;
                        add_link(builder, from, *to, link);
                    }
                    (Lead::Outside(url), _) => {
                        outside.count(line, url);
                        builder.link_outside(from, url);
                    }
                    (Lead::NotWeb, Target::Address(id)) => not_web.count(line, addresses.get(id)),
                    (Lead::NotWeb, Target::Page(_)) => {}
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
                .map_err(|error| (Problem::Build(error), host.line))?;
            if !known {
                without_pages.count(host.line, host_name);
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

fn u32_of(field: &'static str, given: u64) -> Result<u32, Problem> {
    u32::try_from(given).map_err(|_| Problem::TooLarge { field, most: u32::MAX.into(), given })
}

fn status_of(given: u64) -> Result<u16, Problem> {
    u16::try_from(given).map_err(|_| {
        Problem::Build(BuildError::BadNumber {
            what: "status",
            expected: "100 to 599",
            given: given as f64,
        })
    })
}

/// A host's name as pages' URLs have it, unless more than a name was given.
fn host_name(given: &str) -> Option<String> {
    let beyond = |c: char| "/\\?#@".contains(c) || c.is_whitespace() || c.is_control();
    let port = given.contains(':') && !(given.starts_with('[') && given.ends_with(']'));
    if given.contains(beyond) || port {
        return None;
    }
    address::host(&format!("http://{given}/"))
}

/// The page that was probably meant; in large worlds it is not searched for.
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

#[cfg(test)]
mod tests;
