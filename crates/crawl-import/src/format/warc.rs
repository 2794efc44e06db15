//! Web archives: WARC files (ISO 28500), gzipped per record, as a whole, or not at all.
//!
//! A page is an HTTP `response` that is HTML, a redirect or an error, or a `resource` that is HTML. A
//! robots.txt sets the rules of its host. Other content (images, scripts) and `revisit` records, which
//! only state that a page was unchanged, are counted and skipped. The first record of a URL is its
//! page.
//!
//! A companion file may label pages: lines `url label`, separated by a tab, optionally with a header. A
//! page's labels are its topics.
//!
//! A truncated or damaged archive is read up to the damage, and a notice says where. Notices also
//! report records that do not match their `WARC-Block-Digest`, that do not end where their length
//! says, or whose compressed content is damaged.

mod digest;
mod http;
mod labels;
mod record;

use super::{Fit, Head, ImporterEntry};
use crate::assembly::Assembly;
use crate::error::{ArchiveContents, Spot};
use crate::html::{self, decode, has_word};
use crate::links::Finder;
use crate::notice::NoticeKind;
use crate::notices::{First, Notices};
use crate::{ImportError, Job, Problem, address};
use crawl_catalogue::{Entry, EntryTexts};
use crawl_world::World;
use http::Response;
use record::{Record, Records, Stop};

/// Maximum bytes of a robots.txt, as in crawlers.
const ROBOTS_BYTES: usize = 500 << 10;

/// The registry entry.
pub(super) static ENTRY: ImporterEntry = ImporterEntry {
    entry: &Entry::new(
        "warc",
        "Web archive (WARC)",
        EntryTexts {
            family: "Archives",
            source: "ISO 28500",
            summary: "Real pages as a crawler stored them, with text, links and their context",
            description: "HTTP responses become pages: title, text, links with anchor and context \
                from their HTML, redirects, errors, robots.txt. Other content and revisit records \
                are counted and skipped. A companion file of lines `url label` gives pages their \
                topics.",
            formula: "WARC/1.0 ⏎ WARC-Type: response ⏎ … ⏎ HTTP/1.1 200 OK ⏎ … ⏎ <html>…",
            params: &[],
        },
    ),
    sniff,
    read,
};

fn sniff(head: &Head<'_>) -> Fit {
    head.bytes().starts_with(b"WARC/").into()
}

fn read(mut job: Job<'_, '_>) -> Result<(World, Notices), ImportError> {
    let limits = &job.limits;
    job.notices.count_records();
    let second = job.second.take();
    let labels =
        second.map(|file| labels::Labels::read(file, limits, &mut job.notices, &mut job.monitor));
    let labels = labels.transpose()?;
    let mut records = Records::new(job.input);
    let name = records.name();
    let pages = Assembly::new(&job.title, limits, Spot::Record);
    let mut reader = Reader {
        pages,
        html: job.html,
        notices: job.notices,
        skipped: Skipped::default(),
        held: ArchiveContents::default(),
    };
    loop {
        let read = records.next(&mut job.monitor).and_then(|record| match record {
            Some(record) => reader.record(&record, &mut records, &mut job.monitor).map(Some),
            None => Ok(None),
        });
        match read {
            Ok(Some(())) => {}
            Ok(None) => break,
            Err(Stop::Broken(problem)) if reader.pages.builder().n_pages() > 0 => {
                let lost = NoticeKind::RestLost { why: problem.to_string() };
                reader.notices.add(lost, Some(records.number()), 1);
                break;
            }
            Err(Stop::Broken(problem)) => {
                return Err(problem.at(name, Spot::Record(records.number())));
            }
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    let Reader { mut pages, mut notices, skipped, held, .. } = reader;
    skipped.report(&mut notices);
    records.odd_ends.report(&mut notices, |_| NoticeKind::RecordEnds);
    records.swallowed.report(&mut notices, |_| NoticeKind::RecordInside);
    if pages.builder().n_pages() == 0 {
        let held = Box::new(ArchiveContents { notices: notices.into_list(), ..held });
        return Err(Problem::ArchiveWithoutPages(held).in_file(name));
    }
    let mut finder = Finder::default();
    if let Some(labels) = labels {
        labels.give(&mut pages, &mut finder, &mut notices)?;
    }
    let world = pages.finish(name, finder, &mut notices, &mut job.monitor)?;
    Ok((world, notices))
}

/// The archive read so far.
struct Reader<'j> {
    pages: Assembly<'j>,
    html: html::Options,
    notices: Notices,
    skipped: Skipped,
    held: ArchiveContents,
}

/// Records that are not pages.
#[derive(Default)]
struct Skipped {
    revisits: First,
    not_html: First,
    not_http: First,
    again: First,
    encoded: First,
    other: First,
    /// Damaged records that are read anyway.
    differing: First,
    damaged: First,
}

impl Skipped {
    fn report(self, notices: &mut Notices) {
        self.not_html.report(notices, |first| NoticeKind::NotHtml { first });
        self.not_http.report(notices, |first| NoticeKind::NotHttp { first });
        self.revisits.report(notices, |first| NoticeKind::Revisits { first });
        self.again.report(notices, |first| NoticeKind::SameUrl { first });
        self.encoded.report(notices, |first| NoticeKind::UnknownCoding { first });
        self.other.report(notices, |first| NoticeKind::OtherRecords { first });
        self.differing.report(notices, |first| NoticeKind::DigestDiffers { first });
        self.damaged.report(notices, |first| NoticeKind::DamagedContent { first });
    }
}

impl Reader<'_> {
    fn record(
        &mut self,
        record: &Record,
        records: &mut Records<'_>,
        monitor: &mut crate::source::Monitor<'_>,
    ) -> Result<(), Stop> {
        let at = record.number;
        let url = record.target.as_str();
        self.held.count(&record.kind);
        let is_page = match record.kind.as_str() {
            "revisit" => {
                self.skipped.revisits.count(at, url);
                false
            }
            "response" | "resource" if address::normal(url).is_none() => {
                self.skipped.not_http.count(at, url);
                false
            }
            "response" | "resource" => true,
            // Metadata of the crawl, without content.
            "warcinfo" | "request" | "metadata" => false,
            kind => {
                self.skipped.other.count(at, kind);
                false
            }
        };
        if !is_page {
            return Ok(());
        }
        let block = records.block(record, monitor)?;
        if !block.is_sound {
            self.skipped.differing.count(at, url);
        }
        let response = match record.kind.as_str() {
            "resource" => Some(Response::resource(&record.content_type, &block.bytes)),
            _ => Response::parse(&block.bytes),
        };
        let Some(response) = response else {
            self.skipped.not_http.count(at, url);
            return Ok(());
        };
        let done = self.response(url, &response, record);
        let failed = |problem: Problem| Stop::Failed(problem.at(records.name(), Spot::Record(at)));
        done.map_err(failed)
    }

    fn response(
        &mut self,
        url: &str,
        response: &Response<'_>,
        record: &Record,
    ) -> Result<(), Problem> {
        let at = record.number;
        let status = response.status;
        let success = (200..300).contains(&status);
        if success && is_robots(url) {
            return self.robots(url, response, at);
        }
        let redirects = (300..400).contains(&status) && !response.location.is_empty();
        if !redirects && !response.is_html() {
            self.skipped.not_html.count(at, url);
            return Ok(());
        }
        if self.pages.builder().find(url).is_some() {
            self.skipped.again.count(at, url);
            return Ok(());
        }
        let page = self.pages.page(url, at)?;
        self.pages.builder().set_status(page, status).map_err(Problem::Build)?;
        let size = u32::try_from(response.stored_body.len()).unwrap_or(u32::MAX);
        self.pages.builder().set_bytes(page, size);
        if redirects {
            self.pages.location(page, status, &response.location);
        } else if success {
            match response.body() {
                Some(body) => {
                    if body.is_damaged {
                        self.skipped.damaged.count(at, url);
                    }
                    self.html(url, page, &body.content, response, at)?;
                }
                None => self.skipped.encoded.count(at, &response.content_encoding),
            }
        }
        self.pages.within_limits()
    }

    fn html(
        &mut self,
        url: &str,
        page: crawl_world::PageId,
        body: &[u8],
        response: &Response<'_>,
        at: u64,
    ) -> Result<(), Problem> {
        let text = decode(&body[..body.len().min(html::MAX_BYTES)], response.charset());
        let mut read = html::read(&text, url, &self.html);
        read.cut |= body.len() > html::MAX_BYTES;
        self.notices.html(&read, at);
        self.pages.title(page, &read.title);
        self.pages.text(page, &read.text);
        if has_word(&response.robots, "nofollow") || has_word(&response.robots, "none") {
            read.links.iter_mut().for_each(|link| link.nofollow = true);
        }
        self.pages.html_links(&read.links)
    }

    fn robots(&mut self, url: &str, response: &Response<'_>, at: u64) -> Result<(), Problem> {
        let Some(host) = address::host(url) else {
            self.skipped.not_http.count(at, url);
            return Ok(());
        };
        let Some(body) = response.body() else {
            self.skipped.encoded.count(at, &response.content_encoding);
            return Ok(());
        };
        if self.pages.has_host(&host) {
            self.skipped.again.count(at, url);
            return Ok(());
        }
        if body.is_damaged {
            self.skipped.damaged.count(at, url);
        }
        let body = &body.content;
        let robots = decode(&body[..body.len().min(ROBOTS_BYTES)], response.charset());
        self.held.robots += 1;
        self.pages.host(&host, Some(robots.into_owned()), None, at)
    }
}

/// Whether the URL is a robots.txt at the root of its host.
fn is_robots(url: &str) -> bool {
    let path = url.splitn(4, '/').nth(3);
    path.is_some_and(|path| path == "robots.txt")
}

#[cfg(test)]
mod tests;
