//! String templates.

use crawl_catalogue::visible;

/// Replaces each `{name}` by its value. Escapes hidden characters in values.
///
/// Names in values are not replaced. Unknown names stay.
///
/// ```
/// # use crawl_text::fill;
/// assert_eq!(fill("{n} of {all}", &[("n", "2"), ("all", "3")]), "2 of 3");
/// ```
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
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
