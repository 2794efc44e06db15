//! What visits to pages fetched before came to, a row a lane.

use crate::run::{End, Finished};
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
        "Visits to pages fetched before, {} hours at {} an hour. Freshness and age: the mean over all \
         that time of the share of copies that equal their pages, and of the time they have not; \
         weighted by PageRank. Expected: what freshness comes to in the long run, by formula, for fixed \
         schedules; to best, long run: what the best fixed schedule with known rates would have more \
         then than the visits as they are planned at the end. A run that starts with fresh copies may be \
         fresher than that, the more so the shorter it is. Fast and slow: pages that change more and \
         less often than the mean. Wasted visits found nothing new, missed changes no visit could see. Rates off: how far the \
         estimated rate of the page in the middle is from the true one (the median; the measure \
         rate-error is the mean, which a few pages that are far off can dominate). Up to date: \
         fresh copies at the end among all pages that can be reached, so pages not fetched yet count \
         as stale, while freshness counts only pages there is a copy of.",
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
