//! What visits to pages fetched before came to, a row a lane.

use crate::run::Finished;
use crate::terminal::{Column, Table, grouped, number, percent, wrap};
use crawl_core::revisit::RevisitRules;
use crawl_run::{Lane, Series};

/// The table and what its columns mean; nothing where no page is visited again.
pub fn visits(finished: &Finished, width: usize) -> String {
    let run = &finished.run;
    if run.experiment.revisits.is_empty() {
        return String::new();
    }
    let mut table = Table::new([
        Column::name("revisit"),
        Column::number("visits"),
        Column::number("an hour"),
        Column::number("freshness"),
        Column::number("expected"),
        Column::number("to best"),
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
    for lane in &run.lanes {
        table.row(row(lane, hours));
    }
    let note = format!(
        "Visits to pages fetched before, {} hours at {} an hour. Freshness and age: the mean over all \
         that time of the share of copies that equal their pages, and of the time they have not; \
         weighted by PageRank; expected, by formula, for fixed schedules; to best, what the best fixed \
         schedule with known rates would have more. Fast and slow: pages that change more and less often \
         than the mean. Wasted visits found nothing new, missed changes no visit could see. Rates off: \
         the mean error of estimated rates. Up to date: fresh copies among all pages that can be \
         reached, at the end.",
        number(hours, 6),
        number(rules.visits, 6),
    );
    let note = wrap(&note, width.min(100)).join("\n");
    format!("\n{}\n{note}\n", table.without_empty().render(width))
}

fn row(lane: &Lane, hours: f64) -> [String; 15] {
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
        share("rate-error"),
        share("up-to-date"),
    ]
}
