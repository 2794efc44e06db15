//! Safe display of untrusted text: escapes invisible characters and limits the length.
//!
//! Titles, URLs, anchors and file names are untrusted. A right-to-left override makes `exe.gpj`
//! read as `jpg.exe`, a zero-width space makes two URLs look alike, an escape moves the cursor of a
//! terminal. [`visible`] writes such characters as escapes (`\u{202e}`).

use std::borrow::Cow;
use std::fmt::Write;

/// Maximum number of characters of untrusted text in an error message.
pub const QUOTED_CHARS: usize = 60;

/// True for invisible characters and those that change how others are displayed: control
/// characters, line and paragraph separators, bidirectional controls, zero-width and tag
/// characters.
///
/// The two joiners (U+200C, U+200D) are hidden characters too; [`visible`] keeps them where scripts
/// and emoji need them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Escapes every [hidden](is_hidden) character. A joiner between two characters beyond ASCII is
/// kept: Persian and emoji need it, and in an ASCII name it can only deceive.
///
/// ```
/// use crawl_catalogue::visible;
/// assert_eq!(visible("plain"), "plain");
/// assert_eq!(visible("a\u{202e}b\n"), "a\\u{202e}b\\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = ' ';
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let joins = |c: char| !c.is_ascii() && !is_hidden(c);
        let is_needed = matches!(c, '\u{200c}' | '\u{200d}')
            && joins(before)
            && rest.clone().next().is_some_and(joins);
        if is_hidden(c) && !is_needed {
            // Writing to a string never fails.
            let _ = write!(shown, "{}", c.escape_default());
        } else {
            shown.push(c);
        }
        before = c;
    }
    Cow::Owned(shown)
}

/// Shortens a text in the middle to at most `most` characters and makes it [`visible`]. Escapes may
/// make it longer, by a bounded factor.
pub fn excerpt(text: &str, most: usize) -> Cow<'_, str> {
    // Avoids counting the characters of very long texts.
    let is_long = text.len() > most && text.chars().nth(most).is_some();
    if !is_long {
        return visible(text);
    }
    let kept = most.saturating_sub(1);
    let n_tail = kept / 2;
    let head = text.char_indices().nth(kept - n_tail).map_or(text, |(end, _)| &text[..end]);
    let tail = text.char_indices().rev().take(n_tail).last().map_or("", |(at, _)| &text[at..]);
    Cow::Owned(format!("{}…{}", visible(head), visible(tail)))
}

/// A text for an error message: an [`excerpt`] of [`QUOTED_CHARS`].
pub fn quoted(text: &str) -> Cow<'_, str> {
    excerpt(text, QUOTED_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hidden_characters_are_escaped() {
        for (text, shown) in [
            ("photo\u{202e}gpj.exe", "photo\\u{202e}gpj.exe"),
            ("http://a\u{200b}.example/", "http://a\\u{200b}.example/"),
            ("exa\u{200d}mple", "exa\\u{200d}mple"),
            (
                "\u{feff}x\u{2066}y\u{2069}\u{61c}\u{200f}",
                "\\u{feff}x\\u{2066}y\\u{2069}\\u{61c}\\u{200f}",
            ),
            ("a\x1b[2J\u{9b}b\nc\td\0", "a\\u{1b}[2J\\u{9b}b\\nc\\td\\u{0}"),
            ("line\u{2028}paragraph\u{2029}", "line\\u{2028}paragraph\\u{2029}"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn text_that_hides_nothing_is_unchanged() {
        for text in
            ["", "http://a.example/ä?q=1#x", "日本語", "شب\u{200c}ها", "👩\u{200d}💻", "\\u{202e}"]
        {
            assert!(
                matches!(visible(text), Cow::Borrowed(_))
                    || text.contains(['\u{200c}', '\u{200d}'])
            );
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn excerpts_keep_head_and_tail() {
        assert_eq!(excerpt("abcdef", 6), "abcdef");
        assert_eq!(excerpt("abcdefg", 6), "abc…fg");
        assert_eq!(excerpt("äöüß.jsonl", 8), "äöüß…onl");
        assert_eq!(excerpt("abc", 1), "…");
        assert_eq!(excerpt("abc", 0), "…");
        let long = "x".repeat(200_000) + ".warc.gz";
        assert!(quoted(&long).ends_with("xx.warc.gz"));
        assert_eq!(quoted(&long).chars().count(), QUOTED_CHARS);
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_shown(
            chars in prop::collection::vec(
                prop_oneof![
                    any::<char>(),
                    prop::sample::select(vec!['\u{202e}', '\u{200d}', '\u{200c}', '\u{2069}', '\n', 'ä', 'a']),
                ],
                0..40,
            ),
            most in 0..30_usize,
        ) {
            let text: String = chars.iter().collect();
            for shown in [visible(&text), excerpt(&text, most)] {
                let left = shown.chars().filter(|c| is_hidden(*c));
                let is_joiner = |c: char| matches!(c, '\u{200c}' | '\u{200d}');
                prop_assert!(left.clone().all(is_joiner), "{shown:?}");
                // Remaining joiners are between two characters beyond ASCII.
                let all: Vec<char> = shown.chars().collect();
                for (at, c) in all.iter().enumerate().filter(|(_, c)| is_joiner(**c)) {
                    prop_assert!(at > 0 && at + 1 < all.len(), "{c:?} at an end");
                    prop_assert!(!all[at - 1].is_ascii() && !all[at + 1].is_ascii());
                }
            }
            if !text.contains(is_hidden) {
                prop_assert_eq!(&visible(&text), &text);
                prop_assert!(excerpt(&text, most).chars().count() <= most.max(1));
            }
        }
    }
}
