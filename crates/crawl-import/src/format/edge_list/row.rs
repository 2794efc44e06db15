//! One line of an edge list.

use crate::{Problem, columns};

/// What a line says.
pub(super) enum Row<'l> {
    /// A link between page numbers.
    Numbers(u32, u32, More),
    /// A link between URLs.
    Urls(&'l str, &'l str, More),
    /// An `n` line: a page number and its URL, still together.
    Page(&'l str, &'l str),
    /// A header.
    Words,
}

/// Whether columns follow that are not read.
pub(super) type More = bool;

/// Reads a line with data.
pub(super) fn parse(text: &str) -> Result<Row<'_>, Problem> {
    let mut rest = text.as_bytes();
    if let (Some(from), Some(to)) =
        (columns::take_number(&mut rest), columns::take_number(&mut rest))
    {
        return Ok(Row::Numbers(from, to, !columns::is_end(rest)));
    }
    let (first, rest) = columns::split_first(text);
    let (second, after) = columns::split_first(rest);
    match first {
        "n" if columns::is_number_like(second) => return Ok(Row::Page(second, after)),
        "e" if columns::is_number_like(second) || columns::is_url_like(second) => {
            return parse_link(rest);
        }
        _ => {}
    }
    if columns::is_words(text) {
        return Ok(Row::Words);
    }
    parse_link(text)
}

fn parse_link(text: &str) -> Result<Row<'_>, Problem> {
    let (first, rest) = columns::split_first(text);
    if columns::is_url_like(first) {
        let (from, to, more) =
            columns::two_urls(text).ok_or_else(|| Problem::OneColumn(text.trim().to_owned()))?;
        if columns::is_url_like(to) {
            return Ok(Row::Urls(from, to, more));
        }
        return Err(Problem::NeitherNumberNorUrl(to.to_owned()));
    }
    if !columns::is_number_like(first) {
        return Err(Problem::NeitherNumberNorUrl(first.to_owned()));
    }
    let from = columns::number(first)?;
    let (second, rest) = columns::split_first(rest);
    if second.is_empty() {
        return Err(Problem::OneColumn(first.to_owned()));
    }
    if columns::is_url_like(second) {
        return Err(Problem::RowOfUrls);
    }
    let to = columns::number(second)?;
    Ok(Row::Numbers(from, to, !columns::is_end(rest.as_bytes())))
}
