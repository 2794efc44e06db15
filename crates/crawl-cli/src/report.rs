//! The comparison of runs as text.

mod visits;

use crate::run::{End, Finished, measure};
use crate::setup::reach_warning;
use crate::terminal::{
    Column, Output, Table, counted, grouped, number, percent, plain, sparkline, width_of, wrap,
};
use crawl_core::{Bounds, N_RANDOM_RUNS, Refusal};
use crawl_protocol::{Seeds, WorldSource};
use crawl_run::{Lane, Run, Series};
use crawl_world::World;
use std::fmt::Write;

/// Characters of a sparkline, on a narrow and on a wide terminal.
const CURVE: usize = 12;
const WIDE_CURVE: usize = 24;
const WIDE: usize = 100;
/// Maximum number of seeds in the header.
const MOST_SEEDS: usize = 3;

/// The report on all runs.
pub fn run(finished: &Finished, order: bool, width: usize) -> String {
    let run = &finished.run;
    let mut text = header(finished, width);
    text.push('\n');
    text += &results(finished, width).render(width);
    text.push('\n');
    text += &notes(finished, width);
    text += &visits::visits(finished, width);
    text += &at_step(finished, width);
    text += &reproduced(finished);
    if order {
        run.lanes.iter().for_each(|lane| {
            let _ = write!(text, "\norder of {}\n", lane.name());
            for (i, page) in lane.travel().trace().pages.iter().enumerate() {
                let _ = writeln!(text, "{:>8}  {}", i + 1, plain(&run.world.url(*page)));
            }
        });
    }
    let _ = writeln!(text, "\nlink      {}", finished.link);
    text
}

/// A label and its lines, indented below it.
pub fn labelled(label: &str, lines: &[String], width: usize) -> String {
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        for (j, part) in wrap(line, width.saturating_sub(10)).into_iter().enumerate() {
            let label = if i + j == 0 { label } else { "" };
            let _ = writeln!(text, "{label:<8}  {part}");
        }
    }
    text
}

/// Name of a world: its file name, or its spec.
pub fn name(source: &WorldSource) -> String {
    match source {
        WorldSource::File { names, .. } if names.is_empty() => "standard input".to_owned(),
        WorldSource::File { names, .. } => plain(&names.join(" + ")),
        made @ WorldSource::Made(_) => made.to_string(),
    }
}

/// Size of a world in one line.
pub fn size(world: &World) -> String {
    let mut parts = vec![counted(world.n_pages(), "page"), counted(world.n_links(), "link")];
    if !world.hosts().is_empty() {
        parts.push(counted(world.hosts().len() as u64, "host"));
    }
    parts.join(" · ")
}

fn header(finished: &Finished, width: usize) -> String {
    let run = &finished.run;
    let world = &run.world;
    let name = name(&finished.loaded.source);
    let mut title = name.clone();
    if !world.title().is_empty() && world.title() != name {
        title = format!("{title} · {}", plain(world.title()));
    }
    let about = [title, size(world), format!("digest {}", world.digest())];
    let mut text = labelled("world", &about, width);
    text += &labelled("seeds", &seeds(run), width);
    let reach = format!(
        "{} of {}, at most {} away",
        grouped(run.reach.n_pages()),
        counted(world.n_pages(), "page"),
        counted(run.reach.max_depth(), "click")
    );
    text += &labelled("reach", &[reach], width);
    if let Some(warning) = reach_warning(run) {
        text += &labelled("warning", &[warning], width);
    }
    if let (Some(chosen), Some(learnt)) = (&run.experiment.topic, &run.topic) {
        let notes = learnt.topic.notes().iter().map(|note| plain(note));
        let lines: Vec<String> = [plain(&chosen.to_string())].into_iter().chain(notes).collect();
        text += &labelled("topic", &lines, width);
    }
    let mut rules: Vec<String> =
        run.experiment.rules.changed().map(|(key, value)| format!("{key} {value}")).collect();
    rules.push(format!("rng {}", run.experiment.rng));
    text + &labelled("rules", &[rules.join(" · ")], width)
}

fn seeds(run: &Run) -> Vec<String> {
    if let Seeds::TopOwn { k } = run.experiment.seeds {
        let own = format!("top {k} by each strategy's own ranker; for the bounds, by PageRank:");
        return std::iter::once(own).chain(shared_seeds(run)).collect();
    }
    shared_seeds(run)
}

fn shared_seeds(run: &Run) -> Vec<String> {
    let shown = run.seeds.iter().take(MOST_SEEDS);
    let mut lines: Vec<String> = shown.map(|page| plain(&run.world.url(*page))).collect();
    if let more @ 1.. = run.seeds.len().saturating_sub(MOST_SEEDS) {
        lines.push(format!("and {} more", grouped(more as u64)));
    }
    lines
}

fn results(finished: &Finished, width: usize) -> Table {
    let run = &finished.run;
    let curve_width = if width < WIDE { CURVE } else { WIDE_CURVE };
    let mut table = Table::new([
        Column::name("strategy"),
        Column::word("gathered"),
        Column::number("fetched"),
        Column::number("PageRank"),
        Column::number("after N"),
        Column::number("area"),
        Column::number("gap"),
        Column::number("top 1 %"),
        Column::number("top 10 %"),
        Column::number("harvest"),
        Column::number("recall"),
        Column::number("delayed"),
        Column::number("regret"),
        Column::number("errors"),
        Column::number("traps"),
        Column::number("idle"),
        Column::number("refused"),
        Column::word("digest"),
    ]);
    let curves: Vec<Vec<(u32, f64)>> = run.lanes.iter().map(curve).collect();
    let ends = curves.iter().filter_map(|curve| curve.last());
    let bounds = run.bounds.as_ref().filter(|b| !b.ideal.is_empty());
    let most = ends
        .copied()
        .chain(bounds.and_then(last_of_ideal))
        .fold((1, 0.0), |a: (u32, f64), b| (a.0.max(b.0), a.1.max(b.1)));
    for ((lane, end), points) in run.lanes.iter().zip(&finished.ends).zip(&curves) {
        table.row(lane_row(lane, end, sparkline(points, most, curve_width)));
    }
    if let Some(bounds) = bounds {
        let rows = [
            ("(ideal)", &bounds.ideal, &bounds.ideal_area, 1.0),
            ("(random)", &bounds.random, &bounds.random_area, 0.0),
        ];
        for (name, values, area, closed) in rows {
            let points: Vec<(u32, f64)> = (1..).zip(values.iter().copied()).collect();
            let n = values.len();
            let wide = bounds.gap_closed(n as u32, area[n - 1]).is_some();
            table.row([
                name.to_owned(),
                sparkline(&points, most, curve_width),
                String::new(),
                String::new(),
                percent(values[n - 1]),
                percent(area[n - 1]),
                if wide { percent(closed) } else { String::new() },
            ]);
        }
    }
    table.without_empty()
}

fn lane_row(lane: &Lane, end: &End, curve: String) -> [String; 18] {
    let last = |name| lane.measure(name).and_then(Series::last);
    let share = |value: Option<f64>| value.map(percent).unwrap_or_default();
    let unless_zero = |name, write: fn(f64) -> String| {
        let value = last(name).filter(|value| *value > 0.0);
        value.map(write).unwrap_or_default()
    };
    let count = |value: f64| grouped(value as u64);
    let oracle = if lane.is_oracle() { " *" } else { "" };
    let refused = Refusal::ALL.iter().zip(end.counters.refused);
    let refused: Vec<String> = refused
        .filter(|(_, n)| *n > 0)
        .map(|(reason, n)| format!("{} {}", grouped(n), reason.name()))
        .collect();
    [
        format!("{}{oracle}", lane.name()),
        curve,
        grouped(lane.travel().farthest()),
        share(last(measure::GATHERED)),
        share(end.early.gathered),
        share(last("area")),
        share(last("gap-closed")),
        share(end.early.top_1),
        share(end.early.top_10),
        share(last("harvest-rate")),
        share(last("target-recall")),
        share(last("delayed-benefit")),
        end.mean_regret.map(|mean| number(mean, 3)).unwrap_or_default(),
        unless_zero("errors", count),
        unless_zero("trap-pages", count),
        unless_zero("idle", percent),
        refused.join(", "),
        end.digest.clone(),
    ]
}

fn curve(lane: &Lane) -> Vec<(u32, f64)> {
    lane.measure(measure::GATHERED).map(|series| series.points().collect()).unwrap_or_default()
}

fn last_of_ideal(bounds: &Bounds) -> Option<(u32, f64)> {
    bounds.ideal.last().map(|v| (bounds.ideal.len() as u32, *v))
}

fn notes(finished: &Finished, width: usize) -> String {
    let run = &finished.run;
    let n = run.setting().area_pages;
    let mut notes = vec![format!(
        "N = {}: the budget or a fifth of the reachable pages, whichever is less. Area, gap and the \
         share of top pages found are measured after N fetches; PageRank and regret over the whole \
         run.",
        grouped(n)
    )];
    match (&finished.no_bounds, &run.bounds) {
        (Some(why), _) => notes.push(format!("Ideal and random: {why}.")),
        (None, Some(bounds)) => {
            let gap = bounds.random_area.last().and_then(|area| bounds.gap_closed(n, *area));
            let narrow = if gap.is_none() {
                " The gap is smaller than three standard deviations of the random crawls, so its \
                 share is not shown."
            } else {
                ""
            };
            notes.push(format!(
                "Gap: (area − random) ÷ (ideal − random). Random is the mean of {N_RANDOM_RUNS} crawls; \
                 ideal fetches pages in order of true rank and ignores links.{narrow}"
            ));
        }
        (None, None) => {}
    }
    if run.setting().topic.is_some() {
        notes.push(
            "Harvest: share of fetched pages that are on topic. Recall: share of target pages that \
             were found. Delayed: the part of recall found through links whose own text is off topic. \
             All by labels, at the end of the run."
                .to_owned(),
        );
    }
    if run.lanes.iter().any(Lane::is_oracle) {
        notes.push("* Oracle: uses information that no crawler has.".to_owned());
    }
    let lines = notes.iter().flat_map(|note| wrap(note, width.min(100)));
    lines.fold(String::new(), |text, line| text + &line + "\n")
}

fn at_step(finished: &Finished, width: usize) -> String {
    let mut text = String::new();
    let output = Output::stdout();
    for (lane, end) in finished.run.lanes.iter().zip(&finished.ends) {
        let Some(at) = &end.at else { continue };
        let fetched = at.fetched.as_deref().unwrap_or("nothing fetched yet");
        let _ = writeln!(text, "\n{} at step {}", lane.name(), grouped(at.step));
        let mut lines = vec![("fetched", fetched)];
        lines.extend(at.next.iter().map(|url| ("next", url.as_str())));
        for (i, (label, url)) in lines.iter().enumerate() {
            let label = if i > 1 { "" } else { label };
            let url = output.fit(&plain(url), width.saturating_sub(11));
            let _ = writeln!(text, "  {label:<7}  {url}");
        }
    }
    text
}

fn reproduced(finished: &Finished) -> String {
    let mut text = String::new();
    let lanes = || finished.run.lanes.iter().zip(&finished.ends);
    let widest = lanes().map(|(lane, _)| width_of(&lane.name()));
    let widest = widest.max().unwrap_or(0);
    for (lane, end) in lanes() {
        let Some(expected) = &end.expected else {
            continue;
        };
        let verdict = if *expected == end.digest {
            "reproduced".to_owned()
        } else {
            format!("NOT reproduced: the link says {expected}")
        };
        let _ = writeln!(text, "{:<widest$}  {verdict}", lane.name());
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}
