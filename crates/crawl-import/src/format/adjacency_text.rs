//! Adjacency text: the number of pages, then a line of link targets per page.
//!
//! ```text
//! 3
//! 1 2
//!
//! 0
//! ```
//!
//! Pages are numbered from 0, and the number of lines after the first equals the number of pages;
//! page 1 above has no links. WebGraph writes this format. A companion file of `id url` lines may
//! give the URLs, in order of ids.

use super::{Fit, Head, ImporterEntry};
use crate::lines::Lines;
use crate::notices::Notices;
use crate::tally::Tally;
use crate::url_table::UrlTable;
use crate::{ImportError, Job, Limits, Problem, columns};
use crawl_catalogue::{Entry, EntryTexts};
use crawl_world::{PageId, World, WorldBuilder};

/// The registry entry.
pub(super) static ENTRY: ImporterEntry = ImporterEntry {
    entry: &Entry::new(
        "adjacency-text",
        "Adjacency text",
        EntryTexts {
            family: "Graphs",
            source: "WebGraph's ASCIIGraph",
            summary: "The number of pages, then one line of link targets per page",
            description: "Line 1 is the number of pages n. Line i + 2 holds the numbers of the pages \
                that page i links to, from 0 to n − 1, separated by spaces, tabs or commas. A \
                companion file of `id url` lines gives the URLs; without it page i is \
                http://graph.invalid/i.",
            formula: "n ⏎ targets of page 0 ⏎ targets of page 1 ⏎ …",
            params: &[],
        },
    ),
    sniff,
    read,
};

fn sniff(head: &Head<'_>) -> Fit {
    let first = head.lines().next().unwrap_or_default();
    columns::number(first.trim()).is_ok().into()
}

fn read(mut job: Job<'_, '_>) -> Result<(World, Notices), ImportError> {
    let limits = &job.limits;
    let table = job
        .second
        .take()
        .map(|urls| {
            let name = urls.name();
            let table = UrlTable::read(urls, limits, &mut job.notices, &mut job.monitor)?;
            Ok((name, table))
        })
        .transpose()?;
    let mut lines = Lines::new(job.input, limits);
    let name = lines.name();
    let pages = match lines.next(&mut job.monitor)? {
        Some(first) => count(first.text, limits).map_err(|problem| problem.at(name, 1))?,
        None => return Err(Problem::Empty.in_file(name)),
    };
    let mut builder = match table {
        Some((urls, table)) if table.len() != pages => {
            let problem = Problem::UrlCount { urls: table.len(), pages };
            return Err(problem.in_file(urls));
        }
        Some((_, table)) => table.into_builder(&job.title, &mut job.notices)?.0,
        None => WorldBuilder::numbered(&job.title, pages)
            .map_err(|error| Problem::Build(error).at(name, 1))?,
    };
    let mut tally = Tally::default();
    let mut page = 0;
    while let Some(line) = lines.next(&mut job.monitor)? {
        if page == pages {
            if line.text.trim().is_empty() {
                continue;
            }
            return Err(Problem::TooManyLines { pages }.at(name, line.number));
        }
        row(line.text, PageId(page), pages, limits, &mut builder, &mut tally)
            .map_err(|problem| problem.at(name, line.number))?;
        page += 1;
    }
    if page < pages {
        let problem = Problem::TooFewLines { pages, found: page };
        return Err(problem.at(name, lines.number()));
    }
    job.monitor.linking(name)?;
    let world = builder.finish().map_err(|error| Problem::Build(error).in_file(name))?;
    tally.report(world.n_links(), &mut job.notices);
    Ok((world, job.notices))
}

fn count(text: &str, limits: &Limits) -> Result<u32, Problem> {
    let text = text.trim();
    let pages = columns::number(text).map_err(|_| Problem::NotACount(text.to_owned()))?;
    if pages > limits.pages {
        let limit = limits.pages;
        return Err(Problem::TooManyPages { limit });
    }
    Ok(pages)
}

fn row(
    text: &str,
    page: PageId,
    pages: u32,
    limits: &Limits,
    builder: &mut WorldBuilder,
    tally: &mut Tally,
) -> Result<(), Problem> {
    let mut rest = text.as_bytes();
    while let Some(id) = columns::take_number(&mut rest) {
        if id >= pages {
            return Err(Problem::OutOfRange { id, pages });
        }
        tally.link(page, PageId(id), limits)?;
        builder.link(page, PageId(id));
    }
    if columns::is_end(rest) {
        return Ok(());
    }
    // `rest` starts at a column, so at a character boundary.
    let rest = &text[text.len() - rest.len()..];
    Err(Problem::NotANumber(columns::split_first(rest).0.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{error, error_with_urls, notices, world, world_with_urls};

    #[test]
    fn reads_rows_of_any_shape() {
        let world = world("3\r\n1 2 \r\n\r\n0,\t0 2\r\n\r\n\r\n");
        assert!(world.is_numbered());
        let rows: Vec<Vec<u32>> =
            world.pages().map(|page| world.links(page).iter().map(|to| to.0).collect()).collect();
        assert_eq!(rows, [vec![1, 2], vec![], vec![0]]);
        assert_eq!(
            notices("2\n0 1 1 1\n0\n"),
            ["w: 1 link from a page to itself was dropped", "w: 2 repeated links were dropped"]
        );
    }

    #[test]
    fn a_url_file_names_the_pages() {
        let world = world_with_urls("2\n1\n0\n", "2 http://b.example/\n1 http://a.example/\n");
        assert_eq!(world.url(crawl_world::PageId(0)), "http://a.example/");
        assert_eq!(
            error_with_urls("2\n1\n0\n", "0 http://a.example/\n"),
            "urls: 1 URLs for 2 pages"
        );
    }

    #[test]
    fn errors_have_line_numbers() {
        let cases = [
            ("0\n", "w: no pages: a world needs at least one"),
            ("3\n1\n2\n", "w, line 3: 3 pages expected, but only 2 lines of links follow"),
            ("9999\n", "w, line 1: 9999 pages expected, but only 0 lines of links follow"),
            ("1\n\n0\n", "w, line 3: 1 pages expected, but more lines of links follow"),
            ("2\n1\n2\n", "w, line 3: page 2 does not exist: the file has 2 pages, 0 to 1"),
            ("2\n1\n0 -1\n", "w, line 3: \"-1\" is not a page number (0 to 4294967295)"),
            (
                "2\n1 4294967296\n\n",
                "w, line 2: \"4294967296\" is not a page number (0 to 4294967295)",
            ),
            ("2\n1\n0 é\n", "w, line 3: \"é\" is not a page number (0 to 4294967295)"),
            ("4000000000\n", "w, line 1: more than 10000 pages"),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), message, "{text:?}");
        }
        let row = "0 ".repeat(1001);
        let message = "w, line 2: more than 1000 links on one page";
        assert_eq!(error(&format!("1\n{row}\n")), message);
    }
}
