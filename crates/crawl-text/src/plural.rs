//! Singular and plural forms.

use crate::fill;
use crate::number::count_text;

/// A string in singular and plural form.
pub struct Plural {
    /// For exactly one.
    pub one: &'static str,
    /// For none and for several.
    pub other: &'static str,
}

impl Plural {
    /// The form for `n`, with `{n}` filled in.
    pub fn of(&self, n: u64) -> String {
        self.fill(n, &[])
    }

    /// The form for `n`, with `{n}` and `values` filled in.
    pub fn fill(&self, n: u64, values: &[(&str, &str)]) -> String {
        let count = count_text(n);
        let mut all = vec![("n", count.as_str())];
        all.extend_from_slice(values);
        fill(if n == 1 { self.one } else { self.other }, &all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_agree() {
        let pages = Plural { one: "{n} page", other: "{n} pages" };
        assert_eq!((pages.of(1), pages.of(0)), ("1 page".into(), "0 pages".into()));
        assert_eq!(pages.of(1200), "1,200 pages");
        let found = Plural { one: "{n} page {when}", other: "{n} pages {when}" };
        assert_eq!(found.fill(2, &[("when", "now")]), "2 pages now");
    }
}
