//! Sentences with blanks.

use crate::visible;

/// A sentence with each `{name}` replaced by its value, hidden characters of the value made visible.
/// Values are not searched for names.
///
/// ```
/// # use crawl_protocol::fill;
/// assert_eq!(fill("{n} of {all}", &[("n", "2"), ("all", "3")]), "2 of 3");
/// ```
pub fn fill(sentence: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(sentence.len() + 16);
    let mut rest = sentence;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        out.push_str(before);
        let Some(close) = after.find('}') else {
            out.push_str(after);
            return out;
        };
        let name = &after[1..close];
        let value = values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        match value {
            Some(value) => out.push_str(&visible(value)),
            None => out.push_str(&after[..=close]),
        }
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_once() {
        assert_eq!(fill("{a} of {b}", &[("a", "{b}"), ("b", "2")]), "{b} of 2");
        assert_eq!(fill("{unknown} {", &[]), "{unknown} {");
        assert_eq!(fill("{a}", &[("a", "x\u{202e}y")]), "x\\u{202e}y");
    }
}
