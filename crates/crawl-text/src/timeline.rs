//! The interface strings of the timeline.

use crate::{Plural, english};

/// All strings of the timeline. [`fill`](crate::fill) replaces `{name}`.
#[allow(missing_docs, reason = "the strings in `english/timeline.rs` show what each field is for")]
pub struct Text {
    pub title: &'static str,
    pub keys: &'static str,
    pub in_view: &'static str,
    pub rows_of: &'static str,
    pub sort: &'static str,
    /// In the order of `RowOrder::ALL`.
    pub orders: [&'static str; 4],
    pub group: &'static str,
    /// In the order of `RowGroup::ALL`.
    pub groups: [&'static str; 3],
    pub zoom_in: &'static str,
    pub zoom_out: &'static str,
    pub fit: &'static str,
    pub alone: &'static str,
    pub alone_help: &'static str,
    pub close: &'static str,
    pub oracle: &'static str,
    pub reading: &'static str,
    pub no_budget: &'static str,
    pub visits: Plural,
    pub in_the_run: &'static str,
    pub in_all: &'static str,
    pub in_view_only: &'static str,
    pub every: &'static str,
    pub changes_every: &'static str,
    pub not_yet: &'static str,
    pub loading: &'static str,
    pub no_copy: &'static str,
    pub legend_change: &'static str,
    pub legend_missed: &'static str,
    pub legend_visit: &'static str,
    pub legend_wasted: &'static str,
    pub legend_first: &'static str,
    pub legend_fresh: &'static str,
    pub legend_stale: &'static str,
    pub legend_period: &'static str,
    pub legend_due: &'static str,
    pub legend_expected: &'static str,
    /// Notes on what is not drawn.
    pub left_marks: &'static str,
    pub left_changes: &'static str,
    pub tip_dense: &'static str,
    pub tip_zoom: &'static str,
    pub tip_first: &'static str,
    pub tip_changed: &'static str,
    pub tip_same: &'static str,
    pub tip_why: &'static str,
    pub tip_change: &'static str,
    pub tip_missed: &'static str,
    pub never: &'static str,
    pub choose_policy: &'static str,
    pub not_started: &'static str,
    pub no_rows: &'static str,
    pub failed: &'static str,
    pub table: &'static str,
    /// Column headings of the table.
    pub columns: [&'static str; 6],
}

/// The strings of the timeline in the current language.
pub fn text() -> &'static Text {
    &english::timeline::ENGLISH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill;

    /// Every string with blanks, and the names that the code fills in.
    fn filled() -> [(&'static str, &'static [&'static str]); 14] {
        let t = text();
        [
            (t.in_view, &["first", "last", "n", "from", "to"]),
            (t.rows_of, &["first", "last", "n"]),
            (t.reading, &["name", "value"]),
            (t.visits.one, &["n", "wasted", "when"]),
            (t.visits.other, &["n", "wasted", "when"]),
            (t.every, &["period"]),
            (t.changes_every, &["period"]),
            (t.tip_dense, &["period"]),
            (t.tip_first, &["at"]),
            (t.tip_changed, &["at"]),
            (t.tip_same, &["at"]),
            (t.tip_change, &["at"]),
            (t.tip_missed, &["at"]),
            (t.failed, &["error"]),
        ]
    }

    #[test]
    fn every_blank_is_filled() {
        for (sentence, names) in filled() {
            let values: Vec<(&str, &str)> = names.iter().map(|name| (*name, "§")).collect();
            let shown = fill(sentence, &values);
            assert!(!shown.contains(['{', '}']), "a blank of `{sentence}` is never filled");
            assert_eq!(shown.matches('§').count(), names.len(), "{sentence}");
        }
    }

    #[test]
    fn no_other_string_has_blanks() {
        let english = include_str!("english/timeline.rs");
        let strings = english.split('"').skip(1).step_by(2);
        let with_blanks = strings.filter(|string| string.replace("\\u{", "").contains('{')).count();
        assert_eq!(with_blanks, filled().len());
    }
}
