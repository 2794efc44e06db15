//! One line of an edge list.

use crate::{Problem, columns};

/// Kinds of lines.
pub(super) enum EdgeLine<'l> {
    /// A link between page numbers.
    Numbers(u32, u32, More),
    /// A link between URLs.
    Urls(&'l str, &'l str, More),
    /// An `n` line: the rest of the line, and its page number and URL.
    Page(&'l str, &'l str),
    /// A header of words.
    Words,
}

/// Whether the line has unused columns.
pub(super) type More = bool;

/// Parses a line with data.
pub(super) fn parse(text: &str) -> Result<EdgeLine<'_>, Problem> {
    let mut rest = text.as_bytes();
    if let (Some(from), Some(to)) =
        (columns::take_number(&mut rest), columns::take_number(&mut rest))
    {
        return Ok(EdgeLine::Numbers(from, to, !columns::is_end(rest)));
    }
    let (first, rest) = columns::split_first(text);
    let (second, after) = columns::split_first(rest);
    match first {
        "n" if columns::is_number_like(second) => return Ok(EdgeLine::Page(second, after)),
        "e" if columns::is_number_like(second) || columns::is_url_like(second) => {
            return parse_link(rest);
        }
        _ => {}
    }
    if columns::is_words(text) {
        return Ok(EdgeLine::Words);
    }
    parse_link(text)
}

fn parse_link(text: &str) -> Result<EdgeLine<'_>, Problem> {
    let (first, rest) = columns::split_first(text);
    if columns::is_url_like(first) {
        let (from, to, more) =
            columns::two_urls(text).ok_or_else(|| Problem::OneColumn(text.trim().to_owned()))?;
        if columns::is_url_like(to) {
            return Ok(EdgeLine::Urls(from, to, more));
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
        return Err(Problem::UrlRowAmongLinks);
    }
    let to = columns::number(second)?;
    Ok(EdgeLine::Numbers(from, to, !columns::is_end(rest.as_bytes())))
}
