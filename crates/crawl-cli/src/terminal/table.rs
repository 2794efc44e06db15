//! Text tables that fit a width: columns shrink, and those that still do not fit go below.

use super::text::{plain_lines, shorten, width_of, wrap};
use super::{Output, shortens};
use std::borrow::Cow;

/// Spaces between columns.
const GAP: usize = 2;
/// Minimum width of a shrunk column, and of the first column.
const LEAST: usize = 14;
const LEAST_OF_FIRST: usize = 20;

/// One column of a table.
#[derive(Clone)]
pub struct Column {
    head: Cow<'static, str>,
    right: bool,
    fit: Fit,
}

#[derive(Clone, Copy, PartialEq)]
enum Fit {
    Keep,
    Shorten,
    Wrap,
}

impl Column {
    /// A column of numbers, right-aligned.
    pub const fn number(head: &'static str) -> Self {
        Self { head: Cow::Borrowed(head), right: true, fit: Fit::Keep }
    }

    /// A column of words that are never shortened.
    pub const fn word(head: &'static str) -> Self {
        Self { head: Cow::Borrowed(head), right: false, fit: Fit::Keep }
    }

    /// A column of names or URLs, shortened in the middle if they do not fit.
    pub const fn name(head: &'static str) -> Self {
        Self { head: Cow::Borrowed(head), right: false, fit: Fit::Shorten }
    }

    /// A column of sentences, wrapped over several lines.
    pub const fn prose(head: &'static str) -> Self {
        Self { head: Cow::Borrowed(head), right: false, fit: Fit::Wrap }
    }
}

impl Column {
    /// The same column with another heading.
    #[must_use]
    pub fn headed(self, head: String) -> Self {
        Self { head: head.into(), ..self }
    }
}

/// A table of text cells; a cell may have several lines.
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().map(|cell| plain_lines(&cell)).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// Removes columns without content, except the first.
    #[must_use]
    pub fn without_empty(mut self) -> Self {
        let says: Vec<bool> = (0..self.columns.len())
            .map(|i| i == 0 || self.rows.iter().any(|row| !row[i].is_empty()))
            .collect();
        let kept = |at: usize| says[at];
        self.columns = keep(std::mem::take(&mut self.columns), kept);
        self.rows = self.rows.into_iter().map(|row| keep(row, kept)).collect();
        self
    }

    /// Renders the table; columns that do not fit go into further blocks, each with the first column.
    pub fn render(&self, width: usize) -> String {
        self.render_on(Output { width, shortens: shortens() })
    }

    fn render_on(&self, output: Output) -> String {
        let width = output.width;
        let mut text = String::new();
        let natural: Vec<usize> = (0..self.columns.len()).map(|i| self.natural(i)).collect();
        let mut next = 1;
        loop {
            let mut block = vec![0];
            while next < self.columns.len() {
                block.push(next);
                let least = |i: &usize| self.least(*i, natural[*i], output);
                if total(block.iter().map(least)) > width && block.len() > 2 {
                    block.pop();
                    break;
                }
                next += 1;
            }
            if !text.is_empty() {
                text.push('\n');
            }
            self.render_block(&block, &self.fitted(&block, &natural, output), &mut text);
            if next >= self.columns.len() {
                return text;
            }
        }
    }

    fn natural(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].as_str());
        cells
            .flat_map(|cell| cell.split('\n'))
            .chain([self.columns[column].head.as_ref()])
            .map(width_of)
            .max()
            .unwrap_or(0)
    }

    fn least(&self, column: usize, natural: usize, output: Output) -> usize {
        match self.columns[column].fit {
            Fit::Keep => natural,
            Fit::Shorten if !output.shortens => natural,
            Fit::Shorten | Fit::Wrap if column == 0 => natural.min(LEAST_OF_FIRST),
            Fit::Shorten | Fit::Wrap => natural.min(LEAST),
        }
    }

    /// Shrinks the widest column that may shrink until all fit.
    fn fitted(&self, block: &[usize], natural: &[usize], output: Output) -> Vec<usize> {
        let mut widths: Vec<usize> = block.iter().map(|i| natural[*i]).collect();
        while total(widths.iter().copied()) > output.width {
            let least = |at: usize| self.least(block[at], natural[block[at]], output);
            let can_give = |at: &usize| widths[*at] > least(*at);
            let Some(widest) = (0..block.len()).filter(can_give).max_by_key(|i| widths[*i]) else {
                break;
            };
            widths[widest] -= 1;
        }
        widths
    }

    fn render_block(&self, block: &[usize], widths: &[usize], text: &mut String) {
        let heads = block.iter().map(|i| vec![self.columns[*i].head.to_string()]);
        self.render_row(block, widths, &heads.collect::<Vec<_>>(), text);
        let rules = widths.iter().map(|width| vec!["─".repeat(*width)]);
        self.render_row(block, widths, &rules.collect::<Vec<_>>(), text);
        let tall = |row: &Vec<Vec<String>>| row.iter().any(|cell| cell.len() > 1);
        // Further blocks skip rows without content.
        let is_first = block.get(1).is_none_or(|i| *i == 1);
        let says = |row: &&Vec<String>| is_first || block[1..].iter().any(|i| !row[*i].is_empty());
        let laid: Vec<Vec<Vec<String>>> = self
            .rows
            .iter()
            .filter(says)
            .map(|row| {
                let cells = block.iter().zip(widths);
                cells.map(|(i, w)| self.lay(*i, &row[*i], *w)).collect()
            })
            .collect();
        // A blank line between rows if any row has several lines.
        let airy = laid.iter().any(tall);
        for (i, row) in laid.iter().enumerate() {
            if airy && i > 0 {
                text.push('\n');
            }
            self.render_row(block, widths, row, text);
        }
    }

    fn lay(&self, column: usize, cell: &str, width: usize) -> Vec<String> {
        match self.columns[column].fit {
            Fit::Wrap => wrap(cell, width),
            Fit::Keep | Fit::Shorten => cell.split('\n').map(|line| shorten(line, width)).collect(),
        }
    }

    fn render_row(
        &self,
        block: &[usize],
        widths: &[usize],
        cells: &[Vec<String>],
        text: &mut String,
    ) {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let mut written = String::new();
            for ((column, width), cell) in block.iter().zip(widths).zip(cells) {
                let part = cell.get(line).map_or("", String::as_str);
                let blanks = " ".repeat(width.saturating_sub(width_of(part)));
                if self.columns[*column].right {
                    written += &blanks;
                    written += part;
                } else {
                    written += part;
                    written += &blanks;
                }
                written += &" ".repeat(GAP);
            }
            text.push_str(written.trim_end());
            text.push('\n');
        }
    }
}

fn keep<T>(items: Vec<T>, kept: impl Fn(usize) -> bool) -> Vec<T> {
    let items = items.into_iter().enumerate();
    items.filter(|(at, _)| kept(*at)).map(|(_, x)| x).collect()
}

fn total(widths: impl Iterator<Item = usize>) -> usize {
    let (n, sum) = widths.fold((0, 0), |(n, sum), width| (n + 1, sum + width));
    sum + GAP * usize::saturating_sub(n, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<const N: usize>(cells: [&str; N]) -> [String; N] {
        cells.map(str::to_owned)
    }

    fn on(table: &Table, width: usize) -> String {
        table.render_on(Output { width, shortens: true })
    }

    #[test]
    fn numbers_stand_to_the_right_and_names_give_way() {
        let mut table = Table::new([Column::name("url"), Column::number("links")]);
        table.row(cells(["http://a.example/some/where/far.html", "12"]));
        table.row(cells(["http://b.example/", "1,024"]));
        let wide = "url                                   links\n\
                    ────────────────────────────────────  ─────\n\
                    http://a.example/some/where/far.html     12\n\
                    http://b.example/                     1,024\n";
        assert_eq!(on(&table, 80), wide);
        let narrow = "url                   links\n\
                      ────────────────────  ─────\n\
                      http://a.e…/far.html     12\n\
                      http://b.example/     1,024\n";
        assert_eq!(on(&table, 27), narrow);
        // Not shortened if the output is not a terminal.
        assert_eq!(table.render_on(Output { width: 27, shortens: false }), wide);
    }

    #[test]
    fn what_does_not_fit_stands_below() {
        let columns = [Column::word("name"), Column::number("first"), Column::number("second")];
        let mut table = Table::new(columns);
        table.row(cells(["opic", "1", "2"]));
        let stacked = "name  first\n────  ─────\nopic      1\n\
                       \n\
                       name  second\n────  ──────\nopic       2\n";
        assert_eq!(on(&table, 14), stacked);
    }

    #[test]
    fn prose_goes_over_lines_and_empty_columns_go() {
        let columns = [Column::word("id"), Column::number("no"), Column::prose("what")];
        let mut table = Table::new(columns);
        table.row(cells(["a", "", "one two three four"]));
        table.row(cells(["b", "", "five"]));
        let text = on(&table.without_empty(), 18);
        assert_eq!(text, "id  what\n──  ──────────────\na   one two three\n    four\n\nb   five\n");
    }
}
