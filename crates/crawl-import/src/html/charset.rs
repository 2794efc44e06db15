//! Detects the charset of a page: byte order mark, HTTP header, `meta` element, else UTF-8 if valid,
//! else windows-1252.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::borrow::Cow;

/// Number of bytes searched for a `meta` charset, as in browsers.
const META_WITHIN_BYTES: usize = 1024;

/// Decodes a page. `label` is the charset of the HTTP header.
///
/// Invalid bytes become U+FFFD.
///
/// ```
/// # use crawl_import::html::decode;
/// assert_eq!(decode(b"caf\xe9", Some("iso-8859-1")), "café");
/// assert_eq!(decode("café".as_bytes(), None), "café");
/// ```
pub fn decode<'b>(bytes: &'b [u8], label: Option<&str>) -> Cow<'b, str> {
    let named = || {
        let label = label?.trim_matches(|c: char| c.is_ascii_whitespace() || "\"'".contains(c));
        Encoding::for_label(label.as_bytes())
    };
    let encoding = named().or_else(|| in_meta(bytes)).unwrap_or_else(|| likely(bytes));
    encoding.decode(bytes).0
}

fn likely(bytes: &[u8]) -> &'static Encoding {
    if str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 }
}

/// The charset of the first `meta` that names one.
fn in_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(META_WITHIN_BYTES)];
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &head[at..]) {
        at += found + 1;
        let rest = &head[at..];
        if rest.starts_with(b"!--") {
            at += memchr::memmem::find(rest, b"-->").unwrap_or(rest.len());
        } else if starts_as_meta(rest) {
            let tag = &rest[..memchr::memchr(b'>', rest).unwrap_or(rest.len())];
            if let Some(encoding) = charset_of(tag) {
                return Some(encoding);
            }
        }
    }
    None
}

fn starts_as_meta(tag: &[u8]) -> bool {
    let named = tag.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"));
    named && tag.get(4).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
}

/// Finds `charset=…`, as an attribute or within `content`.
fn charset_of(tag: &[u8]) -> Option<&'static Encoding> {
    const WORD: &[u8] = b"charset";
    let mut starts = 0..tag.len().saturating_sub(WORD.len());
    starts.find_map(|start| {
        let (word, rest) = tag[start..].split_at(WORD.len());
        if !word.eq_ignore_ascii_case(WORD) {
            return None;
        }
        let value = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"';/>".contains(byte);
        let label = &value[..value.iter().position(ends).unwrap_or(value.len())];
        Encoding::for_label(label).map(readable)
    })
}

/// A `meta` readable as ASCII rules out UTF-16.
fn readable(named: &'static Encoding) -> &'static Encoding {
    if named == UTF_16LE || named == UTF_16BE {
        UTF_8
    } else if named == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_header_wins_over_meta_and_meta_over_the_default() {
        let page = |meta: &str| [meta.as_bytes(), b"\xe4\xf6"].concat();
        let latin = page("<meta charset=iso-8859-1>");
        let greek =
            page("<META http-equiv='Content-Type' content='text/html; charset = \"ISO-8859-7\"'>");
        let end = |text: Cow<'_, str>| text.chars().rev().take(2).collect::<String>();
        assert_eq!(end(decode(&latin, None)), "öä");
        assert_eq!(end(decode(&greek, None)), "φδ");
        assert_eq!(end(decode(&latin, Some(" \"windows-1251\""))), "цд");
        // An unknown label is ignored.
        assert_eq!(end(decode(&greek, Some("x-nonsense"))), "φδ");
        assert_eq!(end(decode(&page("<meta charset=nonsense>"), None)), "öä");
        assert_eq!(end(decode(&page("<meta charset=utf-16>"), None)), "\u{fffd}\u{fffd}");
        assert_eq!(end(decode(&page("<!-- <meta charset=iso-8859-7> -->"), None)), "öä");
        let late = format!("{}<meta charset=iso-8859-7>", " ".repeat(META_WITHIN_BYTES));
        assert_eq!(end(decode(&page(&late), None)), "öä");
    }

    #[test]
    fn charsets_of_any_script_are_read() {
        assert_eq!(decode(b"\xa4\xa4\xa4\xe5", Some("big5")), "中文");
        assert_eq!(decode(b"\xd6\xd0\xce\xc4", Some("GB2312")), "中文");
        assert_eq!(decode(b"\x93\xfa\x96{", Some("shift_jis")), "日本");
        assert_eq!(decode(b"\xff\xfe\x2d\x4e", Some("iso-8859-1")), "中");
        assert_eq!(decode("中文".as_bytes(), None), "中文");
        // Bytes that are invalid in the charset.
        assert_eq!(decode(b"a\xff", Some("utf-8")), "a\u{fffd}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_some_text(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            label in prop::option::of("[a-z0-9_-]{0,12}"),
            meta in any::<bool>(),
        ) {
            let start: &[u8] = if meta { b"<meta charset=" } else { b"" };
            decode(&[start, &bytes].concat(), label.as_deref());
        }
    }
}
