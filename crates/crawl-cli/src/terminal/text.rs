//! Formatting of numbers and text for terminals.

use crawl_catalogue::visible;
pub use crawl_claims::format::{fraction, number, percent};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Terminal columns of a text.
pub fn width_of(text: &str) -> usize {
    text.width()
}

/// Escapes control, bidirectional and zero-width characters.
pub fn plain(text: &str) -> String {
    visible(text).into_owned()
}

/// The same, but keeps newlines.
pub fn plain_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Shortens a text in its middle to `width` columns.
pub fn shorten(text: &str, width: usize) -> String {
    if width_of(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let head = taken(text.chars(), room - room / 2);
    let tail: String = taken(text.chars().rev(), room / 2).chars().rev().collect();
    format!("{head}…{tail}")
}

/// The characters that fit in `width` columns.
fn taken(chars: impl Iterator<Item = char>, width: usize) -> String {
    let mut left = width;
    chars
        .take_while(|c| {
            let wide = c.width().unwrap_or(0);
            let fits = wide <= left;
            left = left.saturating_sub(wide);
            fits
        })
        .collect()
}

/// Wraps a text at spaces; a word longer than a line is shortened.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let word = shorten(word, width);
            if !line.is_empty() && width_of(&line) + 1 + width_of(&word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        lines.push(line);
    }
    lines
}

/// An integer with thousands separators: `325,557`.
pub fn grouped(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun: `1 page`, `2 pages`.
pub fn counted(n: impl Into<u64>, noun: &str) -> String {
    let n = n.into();
    let ending = if n == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(n))
}

/// A duration in a suitable unit: `8.50 s`, `3.20 min`, `30.0 h`.
pub fn span(us: u64) -> String {
    let seconds = us as f64 / 1e6;
    let (value, unit) = match seconds {
        _ if us == 0 => return "0 s".to_owned(),
        s if s < 60.0 => (s, "s"),
        s if s < 3600.0 => (s / 60.0, "min"),
        s => (s / 3600.0, "h"),
    };
    format!("{} {unit}", fraction(value, 3))
}

/// A number with its sign.
pub fn signed(x: f64, digits: usize) -> String {
    let sign = if x >= 0.0 { "+" } else { "" };
    format!("{sign}{}", number(x, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(7_u32), "7");
        assert_eq!(grouped(1_000_u32), "1,000");
        assert_eq!(grouped(325_557_u32), "325,557");
        assert_eq!(counted(1_u32, "page"), "1 page");
        assert_eq!(counted(0_u32, "page"), "0 pages");
        let spans = [0, 1_500, 8_500_000, 192_000_000, 108_000_000_000].map(span);
        assert_eq!(spans, ["0 s", "0.00150 s", "8.50 s", "3.20 min", "30.0 h"]);
        assert_eq!(span(7_200_000_000_000), "2000 h");
        assert_eq!(signed(0.5, 2), "+0.50");
        assert_eq!(signed(-2.0, 2), "−2");
    }

    #[test]
    fn long_text_loses_its_middle() {
        assert_eq!(shorten("http://a.example/", 17), "http://a.example/");
        assert_eq!(shorten("http://a.example/some/where/far.html", 20), "http://a.e…/far.html");
        assert_eq!(width_of(&shorten("日本語のページの題名です", 10)), 9);
        assert_eq!(shorten("abc", 1), "…");
    }

    #[test]
    fn lines_break_at_blanks_and_long_words_are_shortened() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij kl", 4), ["ab…j", "kl"]);
        assert_eq!(wrap("a\nb", 10), ["a", "b"]);
        assert_eq!(wrap("", 10), [""]);
    }

    #[test]
    fn nothing_from_outside_moves_the_cursor() {
        assert_eq!(plain("a\x1b[2Jb\nc"), "a\\u{1b}[2Jb\\nc");
        assert_eq!(plain_lines("a\u{202e}b\nc\r"), "a\\u{202e}b\nc\\r");
    }
}
