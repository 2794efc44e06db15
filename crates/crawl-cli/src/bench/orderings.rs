//! Every ordering on real and generated worlds: how much of the gap between random and ideal it
//! closes, and its area. Nothing here depends on the machine, so a document can keep the table.

use crate::args::{FileArgs, OrderingsArgs};
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::real;
use crate::report::size;
use crate::terminal::{self, Column, Table, counted, grouped, percent, wrap};
use crate::world_source::{self, Loaded};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_core::strategy::Needs;
use crawl_protocol::{Experiment, Seeds, View};
use crawl_run::{Run, Series, catalogue};
use std::fmt::Write;
use std::path::Path;

const CAPTION: &str = "Share of the gap between random and ideal that each ordering closes, and in \
    brackets its area: the share of all PageRank in hand, on average, while the first N pages are \
    fetched. N is a fifth of what can be reached. Default rules, no budget, rng 1.";
const ORACLE: &str = "* An oracle: it knows what no crawler can.";
const NARROW: &str = "A dash stands where the gap is under three standard deviations of random's.";

/// A world of the table.
struct Ground {
    name: &'static str,
    source: GroundSource,
}

enum GroundSource {
    /// Real data, from the data folder.
    Real,
    /// Made from a spec.
    Made(&'static str),
}

const GROUNDS: &[Ground] = &[
    Ground { name: "harvard500", source: GroundSource::Real },
    Ground { name: "hollins", source: GroundSource::Real },
    Ground { name: "campus", source: GroundSource::Made("campus") },
    Ground { name: "shop", source: GroundSource::Made("shop") },
    Ground { name: "web", source: GroundSource::Made("web(pages:2000)") },
];

/// A column: what each ordering came to on one world.
struct Measured {
    about: String,
    /// Gap closed and area, in the order of the rows; the last two are ideal and random.
    cells: Vec<String>,
}

/// Runs the command.
pub fn run(args: &OrderingsArgs) -> Outcome {
    let catalogue = catalogue();
    let orderings = catalogue
        .of(Kind::Strategy)
        .map(|entry| catalogue.choose(Kind::Strategy, &entry.id))
        .filter(|chosen| !chosen.as_ref().is_ok_and(|chosen| needs(chosen).topic))
        .collect::<Result<Vec<Chosen>, _>>()?;
    let mut columns = Vec::new();
    for ground in GROUNDS {
        columns.push(match load(ground, &args.data, &catalogue)? {
            Some(loaded) => Some(measure(ground, &loaded, &orderings, &catalogue)?),
            None => None,
        });
    }
    let mut names = Vec::new();
    for chosen in &orderings {
        names.push(format!("{chosen}{}", if needs(chosen).is_oracle() { " *" } else { "" }));
    }
    names.extend(["(ideal)".to_owned(), "(random)".to_owned()]);
    let rows = names.into_iter().enumerate().map(|(i, name)| {
        let cell = |column: &Option<Measured>| match column {
            Some(measured) => measured.cells[i].clone(),
            None => "not present".to_owned(),
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

/// Those that look for a topic are measured by what they look for, not by PageRank.
fn needs(chosen: &Chosen) -> Needs {
    let found = crawl_core::strategy::find(&chosen.id);
    found.map(|entry| (entry.needs)(&chosen.params)).unwrap_or_default()
}

fn load(ground: &Ground, data: &Path, catalogue: &Catalogue) -> Outcome<Option<Loaded>> {
    match ground.source {
        GroundSource::Made(spec) => {
            world_source::load(spec, &FileArgs::default(), catalogue).map(Some)
        }
        GroundSource::Real => real::load(ground.name, data, catalogue),
    }
}

fn measure(
    ground: &Ground,
    loaded: &Loaded,
    orderings: &[Chosen],
    catalogue: &Catalogue,
) -> Outcome<Measured> {
    let experiment = Experiment {
        world: loaded.source.clone(),
        seeds: Seeds::Own,
        topic: None,
        strategies: orderings.to_vec(),
        revisits: Vec::new(),
        rules: catalogue.rules(&[])?,
        rng: Experiment::DEFAULT_RNG,
        at: None,
        digests: Vec::new(),
        view: View::default(),
    };
    let progress = Progress::bar(ground.name, orderings.len() as u64);
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
    cells.resize(orderings.len() + 2, String::new());
    let about = format!(
        "{}: {}, {} reachable, N = {}",
        ground.name,
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
    let heads = GROUNDS.iter().map(|ground| Column::number(ground.name));
    let columns: Vec<Column> = [Column::word("ordering")].into_iter().chain(heads).collect();
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
    let names: Vec<&str> = GROUNDS.iter().map(|ground| ground.name).collect();
    let _ = writeln!(text, "| ordering | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(names.len()));
    for row in rows {
        // A star would open emphasis.
        let _ = writeln!(text, "| {} |", row.join(" | ").replace('*', "\\*"));
    }
    let oracle = ORACLE.replace('*', "\\*");
    let _ = write!(text, "\n{CAPTION} {NARROW} {oracle}\n\n");
    for line in about {
        let _ = writeln!(text, "- {line}");
    }
    text
}
