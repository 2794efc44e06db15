//! Edge lists: one link per line.
//!
//! ```text
//! # a comment, or % a comment
//! source target
//! 0 1
//! 0,2
//! ```
//!
//! Columns are separated by tab, spaces or comma. The first line may be a header of words. Columns after
//! the second (weights) are ignored with a notice.
//!
//! **URLs**: if both columns are URLs, these are the pages, verbatim, in order of first appearance.
//!
//! **Numbers**: if both columns are integers, a list of `id url` lines may give the URLs: a companion
//! file, or `n id url` lines in the same file (links are then `e src dst` lines). With such a list its
//! rows are the pages, in ascending order of id, and a link to another id is an error; an invalid URL
//! is reported and replaced by the page's number. Without a list the pages are the ids that occur, in
//! ascending order, and page `id` is `http://graph.invalid/id`: files may count from 0, from 1 or with
//! gaps.

mod row;

use super::{Fit, Head, ImporterEntry};
use crate::ids::IdMap;
use crate::line_runs::LineRuns;
use crate::lines::{Line, Lines};
use crate::notice::NoticeKind;
use crate::notices::{First, Notices};
use crate::tally::{self, Tally};
use crate::url_table::{UrlTable, url_problem};
use crate::{ImportError, Job, Limits, Problem, address, columns};
use crawl_catalogue::{Entry, EntryTexts};
use crawl_world::{PageId, World, WorldBuilder, web_address};
use row::{EdgeLine, More, parse};

/// The registry entry.
pub(super) static ENTRY: ImporterEntry = ImporterEntry {
    entry: &Entry::new(
        "edge-list",
        "Edge list",
        EntryTexts {
            family: "Graphs",
            source: "(ours)",
            summary: "One link per line: two page numbers or two URLs",
            description: "Lines `src dst`, separated by tab, spaces or comma; # and % start \
                comments; the first line may be a header. Page numbers get their URLs from a \
                companion file of `id url` lines, or from `n id url` lines among `e src dst` lines; \
                without either, the pages are the numbers that occur, and page i is \
                http://graph.invalid/i.",
            formula: "src dst ⏎ src dst ⏎ …",
            params: &[],
        },
    ),
    sniff,
    read,
};

/// Matches a file whose first row (or second, after a header of words) starts like a link.
fn sniff(head: &Head<'_>) -> Fit {
    let mut data = head.lines().filter(|line| !columns::is_blank_or_comment(line));
    let starts_as_link = |line: &str| {
        let (first, rest) = columns::split_first(line);
        let (second, _) = columns::split_first(rest);
        let of_page =
            |column: &str| columns::is_number_like(column) || columns::is_url_like(column);
        let marked = matches!(first, "n" | "e") && of_page(second);
        let two = !second.is_empty() || columns::two_urls(line).is_some();
        marked || (of_page(first) && two)
    };
    let mut meant = data.next().map(|line| (starts_as_link(line), line));
    if let Some((false, words)) = meant
        && columns::is_words(words)
    {
        meant = data.next().map(|line| (starts_as_link(line), line));
    }
    meant.is_some_and(|(meant, _)| meant).into()
}

fn read(mut job: Job<'_, '_>) -> Result<(World, Notices), ImportError> {
    let limits = &job.limits;
    let urls = job.second.take();
    let urls = urls.map(|urls| UrlTable::read(urls, limits, &mut job.notices, &mut job.monitor));
    let urls = urls.transpose()?;
    let mut lines = Lines::new(job.input, limits);
    let name = lines.name();
    let mut reader = Reader::new(&job.title, limits, name, urls);
    let mut header_allowed = true;
    let mut more_columns = First::default();
    while let Some(line) = lines.next(&mut job.monitor)? {
        if columns::is_blank_or_comment(line.text) {
            continue;
        }
        let header_allowed = std::mem::take(&mut header_allowed);
        let more =
            reader.line(&line, header_allowed).map_err(|problem| problem.at(name, line.number))?;
        if more {
            more_columns.count(line.number, "");
        }
    }
    more_columns.report(&mut job.notices, |_| NoticeKind::MoreColumns);
    job.monitor.linking(name)?;
    let (world, tally) = reader.finish(&job.title, name, &mut job.notices)?;
    tally.report(world.n_links(), &mut job.notices);
    Ok((world, job.notices))
}

/// The edges read so far.
struct Reader<'j> {
    limits: &'j Limits,
    /// Links between page numbers, and their lines.
    from: Vec<u32>,
    to: Vec<u32>,
    lines: LineRuns,
    /// URLs of the page numbers, from a companion file or from `n` lines.
    urls: UrlTable,
    urls_from_file: bool,
    /// Links between URLs.
    named: WorldBuilder,
    named_tally: Tally,
    named_bytes: u64,
}

impl<'j> Reader<'j> {
    fn new(title: &str, limits: &'j Limits, name: &str, urls: Option<UrlTable>) -> Self {
        Self {
            limits,
            from: Vec::new(),
            to: Vec::new(),
            lines: LineRuns::default(),
            urls_from_file: urls.is_some(),
            urls: urls.unwrap_or_else(|| UrlTable::new(name)),
            named: address::builder(title),
            named_tally: Tally::default(),
            named_bytes: 0,
        }
    }

    fn line(&mut self, line: &Line<'_>, header_allowed: bool) -> Result<More, Problem> {
        match parse(line.text)? {
            EdgeLine::Numbers(from, to, more) => {
                self.only_numbers()?;
                tally::room_for_link(self.from.len(), self.limits)?;
                self.from.push(from);
                self.to.push(to);
                self.lines.push(line.number);
                Ok(more)
            }
            EdgeLine::Urls(from, to, more) => {
                if self.urls_from_file {
                    return Err(Problem::UrlsNotNeeded);
                }
                if !self.from.is_empty() || self.urls.len() > 0 {
                    let (here, before) = ("URLs", "numbers");
                    return Err(Problem::Mixed { here, before });
                }
                let (from, to) = (self.named_page(from)?, self.named_page(to)?);
                self.named_tally.link(from, to, self.limits)?;
                self.named.link(from, to);
                Ok(more)
            }
            EdgeLine::Page(id, url) => {
                self.only_numbers()?;
                if self.urls_from_file {
                    return Err(Problem::UrlsTwice);
                }
                self.urls.push(id, url, line.number, self.limits)
            }
            EdgeLine::Words if header_allowed => Ok(false),
            EdgeLine::Words => {
                let (first, _) = columns::split_first(line.text);
                Err(Problem::NeitherNumberNorUrl(first.to_owned()))
            }
        }
    }

    fn only_numbers(&self) -> Result<(), Problem> {
        if self.named.n_pages() == 0 {
            return Ok(());
        }
        let (here, before) = ("numbers", "URLs");
        Err(Problem::Mixed { here, before })
    }

    fn named_page(&mut self, url: &str) -> Result<PageId, Problem> {
        if let Some(page) = self.named.find(url) {
            return Ok(page);
        }
        tally::room_for_page(self.named.n_pages(), self.limits)?;
        self.named_bytes += url.len() as u64;
        tally::room_for_text(self.named_bytes, self.limits)?;
        let page = address::add_page(&mut self.named, url);
        page.map_err(|error| url_problem(error, url, None))
    }

    fn finish(
        self,
        title: &str,
        name: &str,
        notices: &mut Notices,
    ) -> Result<(World, Tally), ImportError> {
        let in_file = |error| Problem::Build(error).in_file(name);
        if self.named.n_pages() > 0 {
            return Ok((self.named.finish().map_err(in_file)?, self.named_tally));
        }
        let (mut builder, map) = if self.urls.len() > 0 {
            self.urls.into_builder(title, notices)?
        } else {
            let ids = IdMap::distinct(&self.from, &self.to);
            if ids.len() > self.limits.pages as usize {
                let limit = self.limits.pages;
                return Err(Problem::TooManyPages { limit }.in_file(name));
            }
            numbered(title, ids).map_err(in_file)?
        };
        let mut tally = Tally::default();
        builder.reserve(0, self.from.len());
        for (i, (from, to)) in self.from.iter().zip(&self.to).enumerate() {
            let link = map.known_page(*from).and_then(|from| {
                let to = map.known_page(*to)?;
                tally.link(from, to, self.limits)?;
                Ok((from, to))
            });
            let (from, to) = link.map_err(|problem| problem.at(name, self.lines.line(i as u32)))?;
            builder.link(from, to);
        }
        drop((self.from, self.to));
        Ok((builder.finish().map_err(in_file)?, tally))
    }
}

/// A world of numbered pages.
fn numbered(title: &str, ids: Vec<u32>) -> Result<(WorldBuilder, IdMap), crawl_world::BuildError> {
    let named = ids.iter().enumerate().any(|(i, id)| i as u32 != *id);
    if !named {
        let builder = WorldBuilder::numbered(title, ids.len() as u32)?;
        return Ok((builder, IdMap::new(ids)));
    }
    let mut builder = address::builder(title);
    for id in &ids {
        builder.page(&web_address::numbered(*id))?;
    }
    Ok((builder, IdMap::new(ids)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        error, error_with_urls, notices, try_import, urls_of, world, world_with_urls,
    };

    fn links_of(world: &World) -> Vec<(u32, u32)> {
        let links = |page| world.links(page).iter().map(move |to: &PageId| (page.0, to.0));
        world.pages().flat_map(links).collect()
    }

    #[test]
    fn every_separator_comment_and_header_is_taken() {
        for text in [
            "0 1\n1 2\n",
            "0\t1\n1\t2",
            "0,1\n1,2\n",
            "0, 1\r\n1, 2\r\n",
            "  0   1  \n1 2  ",
            "# Nodes: 3\n% more\nsrc dst\n\n0 1\n  # between\n1 2\n",
            "FromNodeId\tToNodeId\n0\t1\n1\t2\n",
            "\"source\",\"target\"\n0,1\n1,2\n",
            "e 0 1\ne 1 2\n",
        ] {
            let world = world(text);
            assert!(world.is_numbered(), "{text:?}");
            assert_eq!(world.n_pages(), 3, "{text:?}");
            assert_eq!(links_of(&world), [(0, 1), (1, 2)], "{text:?}");
        }
    }

    #[test]
    fn numbers_keep_their_names_wherever_they_start() {
        let one_based = world("1 2\n2 3\n");
        let urls = ["http://graph.invalid/1", "http://graph.invalid/2", "http://graph.invalid/3"];
        assert_eq!(urls_of(&one_based), urls);
        assert_eq!(links_of(&one_based), [(0, 1), (1, 2)]);
        assert_eq!(one_based.host_of(PageId(0)), None);
        let sparse = world("4000000000 7\n7 0\n");
        assert_eq!(links_of(&sparse), [(1, 0), (2, 1)]);
        assert_eq!(sparse.url(PageId(2)), "http://graph.invalid/4000000000");
    }

    #[test]
    fn urls_are_kept_verbatim_in_order_of_appearance() {
        let text = "http://b.example http://a.example/\nhttp://b.example/ http://b.example\n";
        let urls = ["http://b.example", "http://a.example/", "http://b.example/"];
        let world = world(text);
        assert_eq!(urls_of(&world), urls);
        assert_eq!(links_of(&world), [(0, 1), (2, 0)]);
    }

    #[test]
    fn a_url_file_or_lines_of_urls_name_the_pages() {
        let urls = "link url\r\n2 http://b.example/ \r\n1 http://a.example/ \r\n9 http://c.example";
        let lines = "e 2 1\nn 9 http://c.example\nn 1 http://a.example/\nn 2 http://b.example/\n";
        for world in [world_with_urls("start end\n2 1\n", urls), world(lines)] {
            let expected = ["http://a.example/", "http://b.example/", "http://c.example"];
            assert_eq!(urls_of(&world), expected);
            assert_eq!(links_of(&world), [(1, 0)]);
        }
    }

    #[test]
    fn urls_that_are_invalid_become_numbers() {
        let text = "n 7 http://www.oznet.ksu.edu>\nn 3 http://a.example/\ne 7 3\n";
        let (world, notices) = try_import("w", text, None).unwrap();
        assert_eq!(urls_of(&world), ["http://a.example/", "http://graph.invalid/7"]);
        let message = "w, line 1: 1 page has no valid URL and is identified by its \
            number, first \"http://www.oznet.ksu.edu>\"";
        assert_eq!(notices, [message]);
    }

    #[test]
    fn what_is_dropped_is_reported() {
        assert_eq!(
            notices("0 1 0.5\n0 1 0.7\n1 1\n"),
            [
                "w, line 1: 2 lines have unused columns (weights?)",
                "w: 1 link from a page to itself was dropped",
                "w: 1 repeated link was dropped",
            ]
        );
        let urls = ("u.txt", "0 http://a.example/ Title\n1 http://b.example/\n");
        let (_, notices) = try_import("w", "0 1\n", Some(urls)).unwrap();
        let message = "u.txt, line 1: 1 line has unused columns (weights?)";
        assert_eq!(notices, [message]);
    }

    #[test]
    fn errors_have_line_numbers() {
        let long = format!("{}\n", "5 6\n".repeat(1001));
        let cases = [
            ("0 1\n2\n", "w, line 2: expected two columns, found only \"2\""),
            ("0 1\n2 -1\n", "w, line 2: \"-1\" is not a page number (0 to 4294967295)"),
            ("-1 2\n", "w, line 1: \"-1\" is not a page number (0 to 4294967295)"),
            ("0 1\n0 1.5\n", "w, line 2: \"1.5\" is not a page number (0 to 4294967295)"),
            ("0 4294967296\n", "w, line 1: \"4294967296\" is not a page number (0 to 4294967295)"),
            ("a b\n0 1\nc d\n", "w, line 3: \"c\" is neither a page number nor a URL"),
            (
                "0 1\nhttp://a.example/ http://b.example/\n",
                "w, line 2: page numbers and URLs are mixed: this line has URLs, earlier lines have numbers",
            ),
            (
                "http://a.example/ http://b.example/\n0 1\n",
                "w, line 2: page numbers and URLs are mixed: this line has numbers, earlier lines have URLs",
            ),
            (
                "0 http://a.example/\n",
                "w, line 1: a link is two numbers or two URLs; put lines `id url` into a file of URLs",
            ),
            ("http://a.example/ b\n", "w, line 1: \"b\" is neither a page number nor a URL"),
            (
                "http://a.example/ ftp://b.example/\n",
                "w, line 1: not an absolute http(s) URL: \"ftp://b.example/\"",
            ),
            (
                "n 0 http://a.example/\nn 0 http://b.example/\n",
                "w, line 2: duplicate page 0, first on line 1",
            ),
            (
                "n 0 http://a.example/\ne 0 7\n",
                "w, line 2: page 7 has no URL; 1 pages have one (0 to 0)",
            ),
            ("n 0\ne 0 0\n", "w, line 1: expected two columns, found only \"0\""),
            (&long, "w, line 1001: more than 1000 links on one page"),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), message, "{text:?}");
        }
        let urls = "0 http://a.example/\n1 http://b.example/\n";
        let cases = [
            ("0 1\n1 2\n", urls, "w, line 2: page 2 has no URL; 2 pages have one (0 to 1)"),
            (
                "0 1\n",
                "0 http://a.example/\n\n1 http://a.example/\n",
                "urls, line 3: duplicate URL \"http://a.example/\", first on line 1",
            ),
            (
                "0 1\n",
                "0 http://a.example/\n0 http://b.example/\n",
                "urls, line 2: duplicate page 0, first on line 1",
            ),
            (
                "0 1\n",
                "0 www.example.com\n",
                "urls, line 1: not an absolute http(s) URL: \"www.example.com\"",
            ),
            ("0 1\n", "0\n", "urls, line 1: expected two columns, found only \"0\""),
            (
                "0 1\n",
                "id url\nx http://a.example/\n",
                "urls, line 2: \"x\" is not a page number (0 to 4294967295)",
            ),
            ("0 1\n", "# nothing\n", "urls: no pages: a world needs at least one"),
            (
                "http://a.example/ http://b.example/\n",
                urls,
                "w, line 1: this format contains its own URLs; remove the file of URLs",
            ),
            (
                "n 0 http://c.example/\n",
                urls,
                "w, line 1: `n` lines and a file of URLs cannot be combined",
            ),
        ];
        for (text, urls, message) in cases {
            assert_eq!(error_with_urls(text, urls), message, "{text:?}");
        }
    }
}
