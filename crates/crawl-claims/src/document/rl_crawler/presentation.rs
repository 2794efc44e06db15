//! Tables and figures.

use super::opic::{self, CRAWL, CRAWL_LINKS, LINKS, ORDERS, SWEEPS};
use super::{AREA, FETCHED, N_STEPS, STARTS, STRATEGIES, Start, TAU, ideal, name};
use crate::measurement::Group;
use crate::report::{Cell, Figure, Line, Table, TableRow, Unit, places};

const BOTH: [(Start, &str); 2] = [
    (Start::Own, "each from its own best pages"),
    (Start::Common, "all from the best pages by PageRank"),
];

pub(super) fn tables(group: &Group<'_>) -> Vec<Table> {
    let mut tables: Vec<Table> = BOTH
        .iter()
        .map(|(start, about)| {
            let title = format!("{}, {about}", group.name);
            by_strategy(group, title, Unit::Share, AREA, *start)
        })
        .collect();
    let title = format!("{}, τ of PageRank over the crawled part with the true ranks", group.name);
    tables.push(by_strategy(group, title, Unit::Number, TAU, Start::Common));
    tables.push(of_opic(group));
    tables
}

/// A table with one row per strategy and one column per number of seeds.
fn by_strategy(group: &Group<'_>, title: String, unit: Unit, what: &str, wanted: Start) -> Table {
    let heads = STARTS.map(|k| format!("k = {k}"));
    let heads = ["ordering".to_owned()].into_iter().chain(heads).collect();
    let mut fewest = f64::INFINITY;
    let rows = STRATEGIES.map(|(strategy, own)| {
        let start = start_of(own, wanted);
        let cells = STARTS.map(|k| {
            let fetched = group.each(&name(FETCHED, strategy, start, k));
            fewest = fetched.into_iter().fold(fewest, f64::min);
            Cell::of(&group.each(&name(what, strategy, start, k)))
        });
        TableRow { name: strategy.to_owned(), cells: cells.to_vec() }
    });
    let mut notes = Vec::new();
    if fewest < N_STEPS as f64 {
        notes.push(format!("Some crawls end early, after {fewest} pages: no more can be reached."));
    }
    Table { title, unit, heads, rows: rows.to_vec(), notes }
}

/// Strategies without a ranker of their own use the common seeds.
fn start_of(own: Option<&str>, wanted: Start) -> Start {
    if own.is_some() { wanted } else { Start::Common }
}

fn of_opic(group: &Group<'_>) -> Table {
    let sweeps = |n| if n == 1 { "1 sweep".to_owned() } else { format!("{n} sweeps") };
    let heads = ["history".to_owned()].into_iter().chain(SWEEPS.map(sweeps)).collect();
    let row = |name: String, names: [String; SWEEPS.len()]| {
        let cells = names.map(|name| Cell::of(&group.each(&name)));
        TableRow { name, cells: cells.to_vec() }
    };
    let once = |shown: &str, name: &str| {
        let mut names = SWEEPS.map(|_| String::new());
        names[0] = name.to_owned();
        row(shown.to_owned(), names)
    };
    let mut rows: Vec<TableRow> = ORDERS
        .iter()
        .map(|(order, words)| row(format!("OPIC, {words}"), SWEEPS.map(|n| opic::tau(order, n))))
        .collect();
    rows.push(once("links counted", LINKS));
    rows.push(once("OPIC, one crawl", CRAWL));
    rows.push(once("links counted in that crawl", CRAWL_LINKS));
    let title = format!("{}, τ of OPIC's history with PageRank", group.name);
    Table { title, unit: Unit::Number, heads, rows, notes: Vec::new() }
}

pub(super) fn figures(group: &Group<'_>) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (start, about) in BOTH {
        figures.extend(STARTS.map(|k| gathered(group, start, about, k)));
    }
    figures.push(history(group));
    figures
}

/// PageRank gathered by every strategy from `k` seeds.
fn gathered(group: &Group<'_>, wanted: Start, about: &str, k: u32) -> Figure {
    let lines = STRATEGIES.iter().filter_map(|(strategy, own)| {
        let start = start_of(*own, wanted);
        let (values, half_widths) = group.band(&name("", strategy, start, k))?;
        Some(Line {
            name: (*strategy).to_owned(),
            values,
            half_widths,
            is_bound: false,
            points: Vec::new(),
            marks: [None; 2],
        })
    });
    let bound = group.band(&ideal(k)).map(|(values, _)| Line {
        name: "ideal".to_owned(),
        values,
        half_widths: Vec::new(),
        is_bound: true,
        points: Vec::new(),
        marks: [None; 2],
    });
    Figure {
        id: format!("{}-{}-{k}", group.name.replace(' ', "-"), wanted.word()),
        title: format!("{}, {about}, k = {k}", group.name),
        x: "pages fetched".to_owned(),
        at: (1..=N_STEPS as u32).map(f64::from).collect(),
        y: "PageRank gathered".to_owned(),
        unit: Unit::Share,
        lines: lines.chain(bound).collect(),
        ..Figure::default()
    }
}

/// Convergence of OPIC histories to PageRank.
fn history(group: &Group<'_>) -> Figure {
    let line = |shown: &str, is_bound, names: [String; SWEEPS.len()]| {
        let cells: Option<Vec<Cell>> =
            names.iter().map(|name| Cell::of(&group.each(name))).collect();
        let cells = cells?;
        let half_widths = cells.iter().map(|cell| cell.half_width).collect();
        let values = cells.iter().map(|cell| cell.mean).collect();
        Some(Line {
            name: shown.to_owned(),
            values,
            half_widths,
            is_bound,
            points: Vec::new(),
            marks: [None; 2],
        })
    };
    let orders =
        ORDERS.iter().map(|(order, words)| line(words, false, SWEEPS.map(|n| opic::tau(order, n))));
    let links = line("links counted", true, SWEEPS.map(|_| LINKS.to_owned()));
    Figure {
        id: format!("{}-opic", group.name.replace(' ', "-")),
        title: format!("{}, OPIC's history", group.name),
        x: "sweeps".to_owned(),
        at: places(&SWEEPS),
        y: "τ with PageRank".to_owned(),
        unit: Unit::Number,
        lines: orders.chain([links]).flatten().collect(),
        ..Figure::default()
    }
}
