//! Labels of pages: lines `url label`, separated by a tab, else by a space or a comma.

use crate::assembly::Assembly;
use crate::input::Input;
use crate::line_runs::LineRuns;
use crate::lines::each_row;
use crate::links::Finder;
use crate::notice::NoticeKind;
use crate::notices::{First, Notices};
use crate::source::Monitor;
use crate::{ImportError, Limits, Problem, columns, tally};
use crawl_world::Strings;

/// A table of labels.
pub(super) struct Labels {
    file: String,
    urls: Strings,
    labels: Strings,
    lines: LineRuns,
    bytes: u64,
}

impl Labels {
    /// Reads a file of labels.
    pub(super) fn read(
        input: Input<'_>,
        limits: &Limits,
        notices: &mut Notices,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self, ImportError> {
        let mut table = Self {
            file: input.name().to_owned(),
            urls: Strings::default(),
            labels: Strings::default(),
            lines: LineRuns::default(),
            bytes: 0,
        };
        each_row(input, limits, notices, monitor, &mut |text, number| {
            let (url, label, more) = columns_of(text);
            table.push(url, label, number, limits)?;
            Ok(more)
        })?;
        Ok(table)
    }

    fn push(&mut self, url: &str, label: &str, line: u64, limits: &Limits) -> Result<(), Problem> {
        if label.is_empty() {
            return Err(Problem::OneColumn(url.to_owned()));
        }
        self.bytes += (url.len() + label.len()) as u64;
        tally::room_for_text(self.bytes, limits)?;
        tally::room_for_link(self.urls.len(), limits)?;
        self.urls.push(url);
        self.labels.push(label);
        self.lines.push(line);
        Ok(())
    }

    /// Adds the labels to their pages as topics.
    pub(super) fn give(
        self,
        pages: &mut Assembly<'_>,
        finder: &mut Finder,
        notices: &mut Notices,
    ) -> Result<(), ImportError> {
        let mut absent = First::default();
        for (row, (url, label)) in self.urls.iter().zip(self.labels.iter()).enumerate() {
            match pages.find(finder, url) {
                Some(page) => pages.topic(page, label),
                None => absent.count(self.lines.line(row as u32), url),
            }
        }
        absent.report_in(&self.file, notices, |first| NoticeKind::LabelsOfUnknownUrls { first });
        pages.within_limits().map_err(|problem| problem.in_file(&self.file))
    }
}

/// Splits a line into URL and label; the flag tells whether more columns follow.
fn columns_of(text: &str) -> (&str, &str, bool) {
    let Some((url, rest)) = text.split_once('\t') else {
        let (url, label) = columns::split_first(text);
        return (url, label.trim_matches([' ', ',']), false);
    };
    let (label, more) = rest.split_once('\t').unwrap_or((rest, ""));
    (url.trim(), label.trim(), !more.trim().is_empty())
}
