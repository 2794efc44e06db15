//! Every sentence of the timeline, in one place that can be translated; `{name}` is filled in.

pub use crawl_protocol::fill;

/// All sentences, by what they are for.
#[allow(missing_docs, reason = "the names are the documentation; the sentences stand below")]
pub struct Text {
    pub thousands: &'static str,
    pub second: &'static str,
    pub minute: &'static str,
    pub hour: &'static str,
    pub day: &'static str,
    pub title: &'static str,
    pub keys: &'static str,
    pub in_sight: &'static str,
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
    pub visit: &'static str,
    pub visits: &'static str,
    pub in_the_run: &'static str,
    pub in_all: &'static str,
    pub in_sight_only: &'static str,
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
    /// What of the rows is not drawn.
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
    /// Columns of the table.
    pub columns: [&'static str; 6],
}

const ENGLISH: Text = Text {
    thousands: ",",
    second: "s",
    minute: "min",
    hour: "h",
    day: "d",
    title: "Timeline",
    keys: "Timeline of visits. Up and down go from row to row, with Shift as many as are in sight. Plus and minus zoom, 0 shows all, Shift with left and right goes in time. Enter says why the last visit happened.",
    in_sight: "Rows {first} to {last} of {n}, from {from} to {to}",
    rows_of: "{first}–{last} of {n} pages",
    sort: "Sort pages",
    orders: ["by rate", "by staleness", "by importance", "as fetched"],
    group: "Group pages",
    groups: ["no groups", "by host", "by class"],
    zoom_in: "Zoom in",
    zoom_out: "Zoom out",
    fit: "Fit",
    alone: "One page",
    alone_help: "One page alone, large; a click on a page’s name does the same",
    close: "Close the timeline",
    oracle: "oracle",
    reading: "{name} {value}",
    no_budget: "The budget is 0 visits an hour: copies only age.",
    visit: "{n}\u{a0}visit, {wasted}\u{a0}wasted {when}",
    visits: "{n}\u{a0}visits, {wasted}\u{a0}wasted {when}",
    in_the_run: "in the whole run",
    in_all: "in all",
    in_sight_only: "in sight",
    every: "estimated every {period}",
    changes_every: "changes every {period}",
    not_yet: "not yet run",
    loading: "loading",
    no_copy: "no copy",
    legend_change: "change",
    legend_missed: "missed change",
    legend_visit: "visit",
    legend_wasted: "wasted visit",
    legend_first: "first fetch",
    legend_fresh: "fresh",
    legend_stale: "stale",
    legend_period: "estimated period",
    legend_due: "next visit due",
    legend_expected: "expected freshness",
    left_marks: "share of time fresh: too many visits to draw each, zoom in for visits and changes",
    left_changes: "not every missed change is drawn: zoom in for all",
    tip_dense: "Visited every {period} on average",
    tip_zoom: "Too many to draw each: zoom in for visits and changes",
    tip_first: "First fetch at {at}",
    tip_changed: "Visit at {at}: it had changed",
    tip_same: "Visit at {at}: nothing new, wasted",
    tip_why: "Click: why then?",
    tip_change: "Change at {at}",
    tip_missed: "Change at {at}: the copy was stale already, no visit can see it",
    never: "No page is visited again. Choose a policy, and the timeline shows what it does.",
    choose_policy: "Choose a policy",
    not_started: "The runs are about to start.",
    no_rows: "No page has been fetched yet. Play, or step forward.",
    failed: "This lane did not run: {error}",
    table: "Pages in sight, in the time in sight",
    columns: ["Page", "Lane", "Visits", "Wasted", "Fresh", "Next visit due"],
};

/// The sentences of the present language.
pub fn text() -> &'static Text {
    &ENGLISH
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sentence with blanks, and the names that the code which shows it fills in.
    fn filled() -> [(&'static str, &'static [&'static str]); 14] {
        let t = text();
        [
            (t.in_sight, &["first", "last", "n", "from", "to"]),
            (t.rows_of, &["first", "last", "n"]),
            (t.reading, &["name", "value"]),
            (t.visit, &["n", "wasted", "when"]),
            (t.visits, &["n", "wasted", "when"]),
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
    fn every_sentence_shows_all_that_is_filled_in() {
        for (sentence, names) in filled() {
            let values: Vec<(&str, &str)> = names.iter().map(|name| (*name, "§")).collect();
            let shown = fill(sentence, &values);
            assert!(!shown.contains(['{', '}']), "a blank of `{sentence}` is never filled");
            assert_eq!(shown.matches('§').count(), names.len(), "{sentence}");
        }
    }

    #[test]
    fn no_other_sentence_has_blanks() {
        let english = include_str!("text.rs").split_once("const ENGLISH").expect("the sentences").1;
        let (english, _) = english.split_once("\n};").expect("their end");
        let with_blanks = english.lines().filter(|line| line.contains('{')).skip(1).count();
        assert_eq!(with_blanks, filled().len());
    }
}
