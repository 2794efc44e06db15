//! Parses lines of columns separated by tab, spaces or comma.

use crate::Problem;

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',')
}

/// Whether the line has no data.
pub(crate) fn is_blank_or_comment(text: &str) -> bool {
    let text = text.trim_start();
    text.is_empty() || text.starts_with(['#', '%'])
}

/// Splits off the first column.
pub(crate) fn split_first(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches([' ', '\t', ',']);
    match text.bytes().position(is_separator) {
        Some(end) => (&text[..end], &text[end..]),
        None => (text, ""),
    }
}

/// Parses a page number.
pub(crate) fn number(column: &str) -> Result<u32, Problem> {
    let mut rest = column.as_bytes();
    match take_number(&mut rest) {
        Some(number) if rest.is_empty() => Ok(number),
        _ => Err(Problem::NotANumber(column.to_owned())),
    }
}

/// Takes the next column if it is a page number; otherwise leaves `rest` unchanged.
#[inline]
pub(crate) fn take_number(rest: &mut &[u8]) -> Option<u32> {
    let bytes = *rest;
    let start = bytes.iter().position(|byte| !is_separator(*byte))?;
    let mut number = 0_u32;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = number.checked_mul(10)?.checked_add(u32::from(digit))?;
        at += 1;
    }
    if at == start || bytes.get(at).is_some_and(|byte| !is_separator(*byte)) {
        return None;
    }
    *rest = &bytes[at..];
    Some(number)
}

/// Whether no column follows.
#[inline]
pub(crate) fn is_end(rest: &[u8]) -> bool {
    rest.iter().all(|byte| is_separator(*byte))
}

/// Whether the column looks like a number, valid or not.
pub(crate) fn is_number_like(column: &str) -> bool {
    let digits = column.strip_prefix(['-', '+']).unwrap_or(column);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the column looks like a URL, valid or not.
pub(crate) fn is_url_like(column: &str) -> bool {
    column.contains("://")
}

/// Whether the line consists of words, as a header does.
pub(crate) fn is_words(text: &str) -> bool {
    let mut columns = text.split([' ', '\t', ',']).filter(|column| !column.is_empty());
    columns.all(|column| !is_number_like(column) && !is_url_like(column))
}

/// The URL in the first column, and whether more columns follow.
///
/// Only whitespace ends a URL, because a comma may be part of it.
pub(crate) fn url(text: &str) -> (&str, bool) {
    let text = text.trim_matches([' ', '\t', ',']);
    let (url, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    (unquoted(url.trim_end_matches(',')), !rest.is_empty())
}

/// Two URLs, and whether more columns follow.
pub(crate) fn two_urls(text: &str) -> Option<(&str, &str, bool)> {
    let text = text.trim_matches([' ', '\t', ',']);
    if let Some((first, rest)) = text.split_once([' ', '\t']) {
        let (second, more) = url(rest);
        return Some((unquoted(first.trim_end_matches(',')), second, more));
    }
    // Without whitespace, a comma separates if another URL follows it.
    let next = |from: usize| {
        let starts = ["http://", "https://", "\"http://", "\"https://"];
        memchr::memchr_iter(b',', &text.as_bytes()[from..])
            .map(|at| from + at)
            .find(|at| starts.iter().any(|start| text[at + 1..].starts_with(start)))
    };
    let first = next(0)?;
    let second = next(first + 1);
    let end = second.unwrap_or(text.len());
    let (a, b) = (&text[..first], &text[first + 1..end]);
    Some((unquoted(a), unquoted(b), second.is_some()))
}

fn unquoted(column: &str) -> &str {
    column.strip_prefix('"').and_then(|column| column.strip_suffix('"')).unwrap_or(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_their_column_ends() {
        let take = |text: &str| {
            let mut rest = text.as_bytes();
            (take_number(&mut rest), String::from_utf8_lossy(rest).into_owned())
        };
        assert_eq!(take("12\t3"), (Some(12), "\t3".into()));
        assert_eq!(take(" ,12"), (Some(12), String::new()));
        assert_eq!(take("4294967295"), (Some(u32::MAX), String::new()));
        for wrong in ["4294967296", "99999999999999999999", "-1", "+1", "1.5", "x", "", " ", "1x"] {
            assert_eq!(take(wrong), (None, wrong.to_owned()));
        }
    }

    #[test]
    fn urls_are_distinguished() {
        let cases = [
            ("http://a/ http://b/", ("http://a/", "http://b/", false)),
            ("http://a/\thttp://b/\t0.5", ("http://a/", "http://b/", true)),
            ("http://a/,http://b/", ("http://a/", "http://b/", false)),
            ("http://a/, http://b/", ("http://a/", "http://b/", false)),
            ("http://a/x,1,https://b/y,2", ("http://a/x,1", "https://b/y,2", false)),
            ("http://a/x,1 http://b/y,2", ("http://a/x,1", "http://b/y,2", false)),
            ("\"http://a/\",\"http://b/\"", ("http://a/", "http://b/", false)),
            ("http://a/,http://b/,http://c/", ("http://a/", "http://b/", true)),
        ];
        for (text, expected) in cases {
            assert_eq!(two_urls(text), Some(expected), "{text}");
        }
        assert_eq!(two_urls("http://a/,b"), None);
        assert_eq!(url(" \thttp://a/b,c  "), ("http://a/b,c", false));
        assert_eq!(url(",\"http://a/\" title"), ("http://a/", true));
    }
}
