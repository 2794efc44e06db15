//! `crawlscope reproduce`: a document's experiment again, and each claim held or not held.

use crate::args::ReproduceArgs;
use crate::failure::{Failure, Outcome};
use crate::json;
use crate::progress::Progress;
use crate::real;
use crate::report::labelled;
use crate::terminal::{self, Column, Table, wrap};
use anyhow::Context;
use crawl_catalogue::{Kind, quoted};
use crawl_claims::{ByClaim, Claim, Document, Job, Report, Web, figure, find, plot, written};
use crawl_run::catalogue;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The width of what is written to a file.
const FILE_WIDTH: usize = 100;

/// Runs the command.
pub fn run(args: &ReproduceArgs) -> Outcome {
    let document =
        find(&args.document).ok_or_else(|| Failure::input("there is no such document"))?;
    if let Some(spec) = &args.figure {
        return draw(document, spec, args);
    }
    if !document.pages.contains(&args.pages) {
        let (least, most) = (document.pages.start(), document.pages.end());
        let said = format!("document {} needs webs of {least} to {most} pages", document.id);
        return Err(Failure::input(said));
    }
    make_folder(args)?;
    let mut webs: Vec<Web> = Job::made(document, args.webs, args.pages).collect();
    for name in document.real.iter().copied() {
        match real::load(name, &args.data, &catalogue())? {
            Some(loaded) => {
                let (source, world) = (loaded.source, loaded.world);
                webs.push(Web::Given { name: name.to_owned(), source, world });
            }
            None => eprintln!("{name}: not in {}, left out", quoted(&args.data.to_string_lossy())),
        }
    }
    let job = Job::new(document, webs);
    let progress = Progress::bar("crawls", job.n_pieces() as u64);
    let tried = job.run(&mut |now| progress.set(now.done as u64));
    drop(progress);
    let Some(report) = tried.map_err(anyhow::Error::from)? else { return Ok(()) };
    if let Some(folder) = &args.out {
        save(folder, &report)?;
    }
    if args.json {
        return json::print(&report);
    }
    if args.markdown {
        let mut text = markdown(&report.claims);
        if args.numbers {
            report.tables.iter().for_each(|table| text += &markdown_table(table));
        }
        return Ok(terminal::print(&text)?);
    }
    Ok(terminal::print(&text(&report, terminal::width()))?)
}

/// One figure of a document, with parameters.
fn draw(document: &Document, spec: &str, args: &ReproduceArgs) -> Outcome {
    let catalogue = figure::catalogue();
    let chosen = catalogue.choose(Kind::Figure, spec)?;
    if !document.figures.iter().any(|figure| figure.entry.id == chosen.id) {
        let said = format!("{} is no figure of document {}", chosen.id, document.id);
        return Err(Failure::input(said));
    }
    let mut drawing = figure::start(&chosen).map_err(Failure::input)?;
    while drawing.step() {}
    let drawn = drawing.figure();
    make_folder(args)?;
    if let Some(folder) = &args.out {
        let id = document.id.to_lowercase();
        write(folder, format!("{id}-{}.svg", drawn.id), &plot::draw(&drawn))?;
        let json = format!("{}\n", serde_json::to_string_pretty(&drawn)?);
        write(folder, format!("{id}-{}.json", drawn.id), &json)?;
    }
    if args.json {
        return json::print(&drawn);
    }
    let width = terminal::width();
    let zones = drawn.zones.iter().map(|zone| lines(&zone.says, width));
    let text =
        format!("{chosen}\n\n{}{}", one_table(&drawn.numbers(), width), zones.collect::<String>());
    Ok(terminal::print(&text)?)
}

fn make_folder(args: &ReproduceArgs) -> Outcome {
    if let Some(folder) = &args.out {
        let cannot = || format!("cannot make {}", folder.display());
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    Ok(())
}

/// A row a claim, a column for the webs it was tried on.
fn markdown(claims: &[Claim]) -> String {
    let ByClaim { webs, rows } = ByClaim::new(claims);
    let mut text =
        format!("| claim | {} |\n|---|{}\n", webs.join(" | "), "---|".repeat(webs.len()));
    for (first, row) in rows {
        let _ = write!(text, "| {} ({}) |", first.says, first.source);
        for claim in row {
            let _ = write!(text, " {} |", claim.map_or("–", |claim| claim.verdict.word()));
        }
        text.push('\n');
    }
    text
}

/// A table of numbers under its title, with its notes.
fn markdown_table(table: &crawl_claims::Table) -> String {
    let rule = "---:|".repeat(table.heads.len().saturating_sub(1));
    let mut text = format!("\n{}:\n\n| {} |\n|---|{rule}\n", table.title, table.heads.join(" | "));
    for row in &table.rows {
        let _ = write!(text, "| {} |", row.name);
        for cell in &row.cells {
            let _ = write!(
                text,
                " {} |",
                cell.map_or_else(String::new, |c| written::cell(c, table.unit))
            );
        }
        text.push('\n');
    }
    if !table.notes.is_empty() {
        let _ = write!(text, "\n{}\n", table.notes.join(" "));
    }
    text
}

fn text(report: &Report, width: usize) -> String {
    let mut text = format!("Document {}: {}\n\n", report.document, report.title);
    report.tables.iter().for_each(|table| text += &one_table(table, width));
    text += &lines(&report.caption, width);
    text.push('\n');
    for claim in &report.claims {
        let Claim { says, source, webs, because, .. } = claim;
        let said = format!("{says} [{source}; {webs}]");
        text.push_str(&labelled(claim.verdict.word(), &[said, because.clone()], width));
    }
    text
}

/// A table under its title, with its notes.
fn one_table(shown: &crawl_claims::Table, width: usize) -> String {
    let mut text = lines(&shown.title, width);
    let column = |(i, head): (usize, &String)| {
        let column = if i == 0 { Column::name("") } else { Column::number("") };
        column.headed(head.clone())
    };
    let mut table = Table::new(shown.heads.iter().enumerate().map(column).collect::<Vec<_>>());
    for row in &shown.rows {
        let cells = row
            .cells
            .iter()
            .map(|cell| cell.map_or_else(String::new, |c| written::cell(c, shown.unit)));
        table.row([row.name.clone()].into_iter().chain(cells));
    }
    text += &table.render(width);
    shown.notes.iter().for_each(|note| text += &lines(note, width));
    text.push('\n');
    text
}

fn lines(text: &str, width: usize) -> String {
    wrap(text, width).iter().fold(String::new(), |all, line| all + line + "\n")
}

fn write(folder: &Path, name: String, content: &str) -> Outcome {
    let path = folder.join(name);
    Ok(fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?)
}

fn save(folder: &Path, report: &Report) -> Outcome {
    let id = report.document.to_lowercase();
    let json = format!("{}\n", serde_json::to_string_pretty(report)?);
    write(folder, format!("{id}.json"), &json)?;
    write(folder, format!("{id}.txt"), &text(report, FILE_WIDTH))?;
    for figure in &report.figures {
        write(folder, format!("{id}-{}.svg", figure.id), &plot::draw(figure))?;
    }
    Ok(())
}
