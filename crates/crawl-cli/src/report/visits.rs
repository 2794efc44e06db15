//! The table of revisits: one row per lane.

use crate::run::{End, Finished};
use crate::terminal::{Column, Table, grouped, number, percent, wrap};
use crawl_core::revisit::RevisitRules;
use crawl_run::{Lane, Series};

/// The table and notes on its columns; empty if no lane has a revisit policy.
pub fn visits(finished: &Finished, width: usize) -> String {
    let run = &finished.run;
    if run.experiment.revisits.is_empty() {
        return String::new();
    }
    let mut table = Table::new([
        Column::name("revisit"),
        Column::number("visits"),
        Column::number("per hour"),
        Column::number("freshness"),
        Column::number("expected"),
        Column::number("to best, long run"),
        Column::number("weighted"),
        Column::number("fast"),
        Column::number("slow"),
        Column::number("age, h"),
        Column::number("wasted"),
        Column::number("missed"),
        Column::number("late"),
        Column::number("rates off"),
        Column::number("up to date"),
    ]);
    let rules = RevisitRules::from(&run.experiment.rules);
    let hours = rules.end_us as f64 / 3.6e9;
    for (lane, end) in run.lanes.iter().zip(&finished.ends) {
        table.row(row(lane, end, hours));
    }
    let note = format!(
        "Revisits in {} hours, at most {} per hour. Freshness: share of copies that equal their pages, \
         averaged over time. Age: hours since a copy became stale, averaged over copies and time. \
         Weighted: freshness weighted by PageRank. Expected: long-run freshness of a fixed schedule, by \
         formula. To best, long run: long-run freshness of the best fixed schedule with known rates, \
         minus that of the visits planned at the end; a short run that starts with fresh copies may be \
         fresher than its long-run value. Fast and slow: freshness of pages that change more or less \
         often than the mean. Wasted: visits that found no change. Missed: changes that no visit could \
         see. Rates off: relative error of the estimated change rates (the median; the metric rate-error \
         is the mean, which a few large errors can dominate). Up to date: share of all reachable pages \
         with a fresh copy at the end; pages not fetched yet count as stale, whereas freshness counts \
         only pages with a copy.",
        number(hours, 6),
        number(rules.visits, 6),
    );
    let note = wrap(&note, width.min(100)).join("\n");
    format!("\n{}\n{note}\n", table.without_empty().render(width))
}

fn row(lane: &Lane, end: &End, hours: f64) -> [String; 15] {
    let last = |name: &str| lane.measure(name).and_then(Series::last);
    let share = |name: &str| last(name).map(percent).unwrap_or_default();
    let n_visits = last("visits").unwrap_or(0.0);
    let oracle = if lane.is_oracle() { " *" } else { "" };
    let policy = lane.revisit.as_ref().map(ToString::to_string).unwrap_or_default();
    [
        format!("{policy}{oracle}"),
        grouped(n_visits as u64),
        number(n_visits / hours, 4),
        share("mean-freshness"),
        share("expected-freshness"),
        last("distance-to-optimum").map(percent).unwrap_or_default(),
        share("mean-freshness(of:importance)"),
        share("class-freshness"),
        share("class-freshness(of:slow)"),
        last("mean-age").map(|age| number(age, 3)).unwrap_or_default(),
        share("wasted-visits"),
        share("missed-changes"),
        last("late-visits").filter(|share| *share > 0.0).map(percent).unwrap_or_default(),
        end.rates_off.map(percent).unwrap_or_default(),
        share("up-to-date"),
    ]
}
