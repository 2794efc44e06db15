//! JSON Lines worlds: a header, then pages and hosts in any order, one object per line.
//!
//! ```text
//! {"format":"crawlscope-world","version":1,"title":"…","seeds":["http://a.example/"],"license":"…"}
//! {"url":"http://a.example/","title":"…","text":"…","links":["b",{"to":"/c","anchor":"…","context":"…","rel":"nofollow"}]}
//! {"url":"http://a.example/b","status":301,"location":"/c"}
//! {"url":"http://a.example/c","bytes":5120,"latency_ms":80,"topics":["phones"],"clicks":3,"change_rate_per_hour":0.2}
//! {"url":"http://a.example/old","changes_s":[60,7200],"gone_s":7200}
//! {"url":"http://a.example/new","born_s":3600}
//! {"url":"http://a.example/news","change_period_s":86400,"change_phase_s":28800}
//! {"url":"http://a.example/live","change_bursts_per_hour":0.1,"change_rate_in_burst_per_hour":30,"change_burst_s":600}
//! {"host":"a.example","robots":"User-agent: *\nDisallow: /admin","crawl_delay_s":1}
//! ```
//!
//! A page needs only `url`; `null` means absent. A link's `to` and a redirect's `location` may be
//! relative. They are matched verbatim first, so that `http://a.example` and `http://a.example/` can
//! be two pages, then in normal form. A link that matches no page leaves the snapshot: it counts in
//! the out-degree O(i), is reported, and is never followed. Links to a page that is born later appear
//! at its birth. Unknown fields are reported and ignored.

mod changes;
mod row;
mod write;

pub use write::write;

use super::{Fit, Head, ImporterEntry};
use crate::assembly::Assembly;
use crate::error::Spot;
use crate::html;
use crate::lines::Lines;
use crate::links::Finder;
use crate::notice::{NoticeKind, Place};
use crate::notices::Notices;
use crate::{ImportError, Job, Problem};
use crawl_catalogue::{Entry, EntryTexts};
use crawl_world::{BuildError, Link, World};
use row::{LinkValue, Text, Unsigned, WorldLine};

/// Value of the header's `format`.
pub const FORMAT: &str = "crawlscope-world";
/// Version of the format.
pub const VERSION: u64 = 1;

/// The registry entry.
pub(super) static ENTRY: ImporterEntry = ImporterEntry {
    entry: &Entry::new(
        "json-lines",
        "JSON Lines world",
        EntryTexts {
            family: "Worlds",
            source: "(ours)",
            summary: "Everything a world can hold, one JSON object per line",
            description: "The first line is a header with format and version, and optionally title, \
                seeds and license. Every other line is a page (url; title, text, status, \
                location, bytes, latency_ms, links, topics, clicks, change_rate_per_hour, \
                changes_s, change_period_s, change_phase_s, change_bursts_per_hour, \
                change_rate_in_burst_per_hour, change_burst_s, born_s, gone_s) or a host (host; \
                robots, crawl_delay_s). A link is a URL or an object of to, anchor, context and rel.",
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
    // The name alone is not enough for binary data.
    let is_text = || {
        let is_control = |c: char| c.is_control() && !c.is_whitespace();
        head.lines().next().is_some_and(|line| !line.contains(is_control))
    };
    (looks || (named && is_text())).into()
}

fn read(mut job: Job<'_, '_>) -> Result<(World, Notices), ImportError> {
    let limits = &job.limits;
    if let Some(second) = &job.second {
        return Err(Problem::UrlsNotNeeded.in_file(second.name()));
    }
    let mut lines = Lines::new(job.input, limits);
    let name = lines.name();
    let pages = Assembly::new(&job.title, limits, Spot::Line);
    let mut reader = Reader { pages, header: None, html: job.html };
    while let Some(line) = lines.next(&mut job.monitor)? {
        if line.text.trim_ascii().is_empty() {
            continue;
        }
        WorldLine::parse(line.text, line.number, limits, &mut job.notices)
            .and_then(|row| reader.row(row, line.number, &mut job.notices))
            .map_err(|problem| problem.at(name, Spot::Line(line.number)))?;
    }
    let Some(header) = reader.header else {
        return Err(Problem::NoHeader.in_file(name));
    };
    let (mut pages, mut finder) = (reader.pages, Finder::default());
    for seed in &header.seeds {
        let found = pages.seed(&mut finder, seed);
        found.map_err(|problem| problem.at(name, Spot::Line(header.line)))?;
    }
    let world = pages.finish(name, finder, &mut job.notices, &mut job.monitor)?;
    Ok((world, job.notices))
}

/// The world read so far.
struct Reader<'j> {
    pages: Assembly<'j>,
    header: Option<Header>,
    html: html::Options,
}

struct Header {
    line: u64,
    seeds: Vec<String>,
}

impl Reader<'_> {
    fn row(&mut self, row: WorldLine<'_>, line: u64, notices: &mut Notices) -> Result<(), Problem> {
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

    fn header(
        &mut self,
        row: WorldLine<'_>,
        line: u64,
        notices: &mut Notices,
    ) -> Result<(), Problem> {
        let format = row.format.map(|text| text.0).unwrap_or_default();
        if format != FORMAT {
            return Err(Problem::WrongFormat(format.into_owned()));
        }
        match row.version {
            Some(Unsigned(VERSION)) => {}
            Some(Unsigned(other)) => return Err(Problem::UnknownVersion(other)),
            None => notices.add(NoticeKind::NoVersion, Some(line), 1),
        }
        if let Some(Text(title)) = row.title.filter(|title| !title.0.is_empty()) {
            self.pages.builder().title(&title);
        }
        if let Some(Text(license)) = row.license {
            self.pages.builder().license(&license);
        }
        let seeds = row.seeds.into_iter().map(|seed| seed.0.into_owned());
        let seeds = seeds.collect();
        self.header = Some(Header { line, seeds });
        Ok(())
    }

    fn page(
        &mut self,
        row: WorldLine<'_>,
        line: u64,
        notices: &mut Notices,
    ) -> Result<(), Problem> {
        let rhythm = changes::rhythm(&row)?;
        changes::report(&row, line, notices);
        let url = row.url.map(|text| text.0).unwrap_or_default();
        let pages = &mut self.pages;
        let page = pages.page(&url, line)?;
        // Fields of the line take precedence over its HTML.
        let html = match &row.html {
            Some(_) if row.title.is_some() && row.text.is_some() && row.links.is_some() => {
                notices.add(NoticeKind::HtmlNotRead, Some(line), 1);
                None
            }
            Some(Text(html)) => Some(html::read(html, &url, &self.html)),
            None => None,
        };
        let html = html.inspect(|html| notices.html(html, line)).unwrap_or_default();
        pages.title(page, row.title.as_ref().map_or(&html.title, |title| &title.0));
        pages.text(page, row.text.as_ref().map_or(&html.text, |text| &text.0));
        let builder = pages.builder();
        if let Some(Unsigned(bytes)) = row.bytes {
            builder.set_bytes(page, u32_of("bytes", bytes)?);
        }
        if let Some(Unsigned(clicks)) = row.clicks {
            builder.set_clicks(page, u32_of("clicks", clicks)?);
        }
        if let Some(latency) = row.latency_ms {
            builder.set_latency_ms(page, latency.0).map_err(Problem::Build)?;
        }
        if let Some(rate) = row.change_rate_per_hour {
            builder.set_change_rate(page, rate.0).map_err(Problem::Build)?;
        }
        let status = status_of(row.status.map_or(200, |status| status.0))?;
        builder.set_status(page, status).map_err(Problem::Build)?;
        if let Some(rhythm) = rhythm {
            builder.set_rhythm(page, rhythm).map_err(Problem::Build)?;
        }
        let life = [row.born_s, row.gone_s];
        changes::set_life(builder, page, life).map_err(Problem::Build)?;
        row.changes_s.iter().try_for_each(|change| pages.change(page, change.0))?;
        row.topics.iter().for_each(|topic| pages.topic(page, &topic.0));
        if let Some(Text(location)) = row.location.filter(|to| !to.0.is_empty()) {
            pages.location(page, status, &location);
        }
        let n_links = row.links.as_ref().map_or(html.links.len(), Vec::len) as u64;
        match &row.links {
            _ if !(100..300).contains(&status) => {
                notices.add(NoticeKind::LinksOfNonPages, Some(line), n_links);
            }
            Some(links) => links.iter().try_for_each(|link| {
                let LinkValue { to, anchor, context, nofollow } = link;
                pages.link(to, Link { anchor, context, nofollow: *nofollow })
            })?,
            None => pages.html_links(&html.links)?,
        }
        pages.within_limits()
    }

    fn host(&mut self, row: WorldLine<'_>, line: u64) -> Result<(), Problem> {
        let given = row.host.map(|text| text.0).unwrap_or_default();
        let robots = row.robots.map(|text| text.0.into_owned());
        self.pages.host(&given, robots, row.crawl_delay_s.map(|delay| delay.0), line)
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

#[cfg(test)]
mod tests;
