//! `crawlscope bench orderings`: gap closed and area of every strategy on several worlds.
//!
//! The results do not depend on the machine.

use crate::args::{FileArgs, OrderingsArgs};
use crate::datasets;
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::report::size;
use crate::terminal::{self, Column, Table, counted, grouped, percent, wrap};
use crate::world_source::{self, Loaded};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_core::strategy::Needs;
use crawl_protocol::{Experiment, Seeds, View};
use crawl_run::{Run, Series, catalogue};
use std::fmt::Write;
use std::path::Path;

const CAPTION: &str = "Share of the gap between random and ideal that each strategy closes, and in \
    parentheses its area: the mean share of all PageRank fetched, over the first N fetches. N is a \
    fifth of the reachable pages. Default rules, no budget, rng 1.";
const ORACLE: &str = "* Oracle: uses information that no crawler has.";
const NARROW: &str = "–: the gap is smaller than three standard deviations of the random crawls.";

/// A world of the table.
struct BenchWorld {
    name: &'static str,
    kind: WorldKind,
}

enum WorldKind {
    /// Read from the data folder.
    Real,
    /// Generated from a spec.
    Made(&'static str),
}

const WORLDS: &[BenchWorld] = &[
    BenchWorld { name: "harvard500", kind: WorldKind::Real },
    BenchWorld { name: "hollins", kind: WorldKind::Real },
    BenchWorld { name: "campus", kind: WorldKind::Made("campus") },
    BenchWorld { name: "shop", kind: WorldKind::Made("shop") },
    BenchWorld { name: "web", kind: WorldKind::Made("web(pages:2000)") },
];

/// A column of the table: one world.
struct Measured {
    about: String,
    /// Gap closed and area, one per strategy; then those of ideal and random.
    cells: Vec<String>,
}

/// Runs the command.
pub fn run(args: &OrderingsArgs) -> Outcome {
    let catalogue = catalogue();
    let strategies = catalogue
        .of(Kind::Strategy)
        .map(|entry| catalogue.choose(Kind::Strategy, &entry.id))
        .filter(|chosen| !chosen.as_ref().is_ok_and(|chosen| needs(chosen).topic))
        .collect::<Result<Vec<Chosen>, _>>()?;
    let mut columns = Vec::new();
    for bench_world in WORLDS {
        columns.push(match load(bench_world, &args.data, &catalogue)? {
            Some(loaded) => Some(measure(bench_world, &loaded, &strategies, &catalogue)?),
            None => None,
        });
    }
    let mut names = Vec::new();
    for chosen in &strategies {
        names.push(format!("{chosen}{}", if needs(chosen).is_oracle() { " *" } else { "" }));
    }
    names.extend(["(ideal)".to_owned(), "(random)".to_owned()]);
    let rows = names.into_iter().enumerate().map(|(i, name)| {
        let cell = |column: &Option<Measured>| match column {
            Some(measured) => measured.cells[i].clone(),
            None => "not found".to_owned(),
        };
        std::iter::once(name).chain(columns.iter().map(cell)).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let about = columns.iter().flatten().map(|measured| measured.about.as_str());
    let text = if args.markdown {
        markdown(&rows, about)
    } else {
        plain_text(rows, about, terminal::width())
    };
    Ok(terminal::print(&text)?)
}

/// The needs of a strategy. Those that need a topic are not in this table.
fn needs(chosen: &Chosen) -> Needs {
    let found = crawl_core::strategy::find(&chosen.id);
    found.map(|entry| (entry.needs)(&chosen.params)).unwrap_or_default()
}

fn load(bench_world: &BenchWorld, data: &Path, catalogue: &Catalogue) -> Outcome<Option<Loaded>> {
    match bench_world.kind {
        WorldKind::Made(spec) => {
            world_source::load(spec, &FileArgs::default(), catalogue).map(Some)
        }
        WorldKind::Real => datasets::load(bench_world.name, data, catalogue),
    }
}

fn measure(
    bench_world: &BenchWorld,
    loaded: &Loaded,
    strategies: &[Chosen],
    catalogue: &Catalogue,
) -> Outcome<Measured> {
    let experiment = Experiment {
        world: loaded.source.clone(),
        seeds: Seeds::Own,
        topic: None,
        strategies: strategies.to_vec(),
        revisits: Vec::new(),
        rules: catalogue.rules(&[])?,
        rng: Experiment::DEFAULT_RNG,
        at: None,
        digests: Vec::new(),
        view: View::default(),
    };
    let progress = Progress::bar(bench_world.name, strategies.len() as u64);
    let mut run = Run::new_unlimited(experiment, loaded.world.clone(), catalogue)?;
    run.compute_bounds(&mut |_| progress.set(0_u32));
    let mut cells = Vec::new();
    for i in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(i) else {
            break;
        };
        lane.seek(&setting, setting.area_pages);
        let last = |name| lane.measure(name).and_then(Series::last);
        cells.push(cell(last("gap-closed"), last("area")));
        let _ = progress.set(i as u64 + 1);
    }
    let n = run.setting().area_pages;
    let bounds = run.bounds.as_ref();
    for areas in bounds.map(|b| [&b.ideal_area, &b.random_area]).into_iter().flatten() {
        let area = areas.last().copied();
        let closed = bounds.zip(area).and_then(|(b, area)| b.gap_closed(n, area));
        cells.push(cell(closed, area));
    }
    cells.resize(strategies.len() + 2, String::new());
    let about = format!(
        "{}: {}, {} reachable, N = {}",
        bench_world.name,
        size(&run.world).replace(" · ", ", "),
        counted(run.reach.n_pages(), "page"),
        grouped(n)
    );
    Ok(Measured { about, cells })
}

fn cell(closed: Option<f64>, area: Option<f64>) -> String {
    let closed = closed.map_or_else(|| "–".to_owned(), percent);
    let area = area.map(percent).unwrap_or_default();
    format!("{closed} ({area})")
}

fn plain_text<'a>(
    rows: Vec<Vec<String>>,
    about: impl Iterator<Item = &'a str>,
    width: usize,
) -> String {
    let heads = WORLDS.iter().map(|bench_world| Column::number(bench_world.name));
    let columns: Vec<Column> = [Column::word("strategy")].into_iter().chain(heads).collect();
    let mut table = Table::new(columns);
    rows.into_iter().for_each(|row| table.row(row));
    let mut text = table.render(width) + "\n";
    for paragraph in about.chain([CAPTION, NARROW, ORACLE]) {
        for line in wrap(paragraph, width.min(100)) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

fn markdown<'a>(rows: &[Vec<String>], about: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let names: Vec<&str> = WORLDS.iter().map(|bench_world| bench_world.name).collect();
    let _ = writeln!(text, "| strategy | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(names.len()));
    for row in rows {
        // Escaped, because a star starts emphasis in Markdown.
        let _ = writeln!(text, "| {} |", row.join(" | ").replace('*', "\\*"));
    }
    let oracle = ORACLE.replace('*', "\\*");
    let _ = write!(text, "\n{CAPTION} {NARROW} {oracle}\n\n");
    for line in about {
        let _ = writeln!(text, "- {line}");
    }
    text
}
