//! URLs by page number: lines `id url`, from a companion file or from `n` lines.

use crate::ids::IdMap;
use crate::input::Input;
use crate::line_runs::LineRuns;
use crate::lines::each_row;
use crate::notice::NoticeKind;
use crate::notices::{First, Notices};
use crate::source::Monitor;
use crate::{ImportError, Limits, Problem, address, columns, tally};
use crawl_world::{BuildError, Strings, WorldBuilder, web_address};

/// A table of page numbers and URLs.
#[derive(Debug, Default)]
pub(crate) struct UrlTable {
    file: String,
    ids: Vec<u32>,
    urls: Strings,
    lines: LineRuns,
    url_bytes: u64,
}

impl UrlTable {
    /// An empty table for the rows of `file`.
    pub(crate) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// Reads a file of rows.
    pub(crate) fn read(
        input: Input<'_>,
        limits: &Limits,
        notices: &mut Notices,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self, ImportError> {
        let name = input.name();
        let mut table = Self::new(name);
        each_row(input, limits, notices, monitor, &mut |text, number| {
            let (id, url) = columns::split_first(text);
            table.push(id, url, number, limits)
        })?;
        if table.ids.is_empty() {
            return Err(Problem::NoPages.in_file(name));
        }
        Ok(table)
    }

    /// Adds a row; returns whether the line has more columns.
    pub(crate) fn push(
        &mut self,
        id: &str,
        url: &str,
        line: u64,
        limits: &Limits,
    ) -> Result<bool, Problem> {
        let number = columns::number(id)?;
        let (url, more) = columns::url(url);
        if url.is_empty() {
            return Err(Problem::OneColumn(id.to_owned()));
        }
        tally::room_for_page(self.len(), limits)?;
        self.url_bytes += url.len() as u64;
        tally::room_for_text(self.url_bytes, limits)?;
        self.ids.push(number);
        self.urls.push(url);
        self.lines.push(line);
        Ok(more)
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> u32 {
        self.ids.len() as u32
    }

    /// A world builder with these pages, ordered by number, without links.
    ///
    /// Real crawls contain invalid URLs. Such a page is kept, because others link to it, and is
    /// identified by its number.
    pub(crate) fn into_builder(
        self,
        title: &str,
        notices: &mut Notices,
    ) -> Result<(WorldBuilder, IdMap), ImportError> {
        let mut rows: Vec<u32> = (0..self.len()).collect();
        rows.sort_by_key(|row| self.ids[*row as usize]);
        let id_of = |row: u32| self.ids[row as usize];
        let line_of = |row: u32| self.lines.line(row);
        if let Some(pair) = rows.windows(2).find(|p| id_of(p[0]) == id_of(p[1])) {
            let (id, first_line) = (id_of(pair[1]), line_of(pair[0]));
            return Err(Problem::DuplicateId { id, first_line }.at(&self.file, line_of(pair[1])));
        }
        let mut builder = address::builder(title);
        let mut unusable = First::default();
        for row in &rows {
            let url = self.urls.get(*row);
            let mut page = address::add_page(&mut builder, url);
            if matches!(page, Err(BuildError::BadUrl(_))) && looks_like_web_url(url) {
                unusable.count(line_of(*row), url);
                page = builder.page(&web_address::numbered(id_of(*row)));
            }
            page.map_err(|error| {
                let before = builder.find(url).map(|page| rows[page.index()]);
                url_problem(error, url, before.map(line_of)).at(&self.file, line_of(*row))
            })?;
        }
        unusable.report_in(&self.file, notices, |first| NoticeKind::UnusableUrls { first });
        let ids = rows.into_iter().map(id_of).collect();
        Ok((builder, IdMap::new(ids)))
    }
}

fn looks_like_web_url(url: &str) -> bool {
    url.starts_with("http:") || url.starts_with("https:")
}

/// Converts the error of a refused page; adds the line of its first occurrence.
pub(crate) fn url_problem(error: BuildError, url: &str, first_line: Option<u64>) -> Problem {
    match (error, first_line) {
        (BuildError::DuplicateUrl(_), Some(first_line)) => {
            let url = url.to_owned();
            Problem::DuplicateUrl { url, first_line }
        }
        (BuildError::BadUrl(_), _) => Problem::BadUrl(url.to_owned()),
        (error, _) => Problem::Build(error),
    }
}
