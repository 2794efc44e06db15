//! `crawlscope reproduce`: repeats a paper's experiment and checks its claims.

use crate::args::ReproduceArgs;
use crate::datasets;
use crate::failure::{Failure, Outcome};
use crate::json;
use crate::progress::Progress;
use crate::report::labelled;
use crate::terminal::{self, Column, Table, wrap};
use anyhow::Context;
use crawl_catalogue::{Kind, quoted};
use crawl_claims::{Claim, ClaimTable, Document, Job, Report, Web, figure, find, format, plot};
use crawl_run::catalogue;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Line width of text files.
const FILE_WIDTH: usize = 100;

/// Runs the command.
pub fn run(args: &ReproduceArgs) -> Outcome {
    let document = find(&args.document).ok_or_else(|| Failure::input("unknown document"))?;
    if let Some(spec) = &args.figure {
        return draw(document, spec, args);
    }
    if !document.pages.contains(&args.pages) {
        let (least, most) = (document.pages.start(), document.pages.end());
        let message = format!("document {} needs webs of {least} to {most} pages", document.id);
        return Err(Failure::input(message));
    }
    make_folder(args)?;
    let mut webs: Vec<Web> = Job::made(document, args.webs, args.pages).collect();
    for name in document.real.iter().copied() {
        match datasets::load(name, &args.data, &catalogue())? {
            Some(loaded) => {
                let (source, world) = (loaded.source, loaded.world);
                webs.push(Web::Given { name: name.to_owned(), source, world });
            }
            None => {
                eprintln!("{name}: not found in {}, skipped", quoted(&args.data.to_string_lossy()));
            }
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

/// Draws one figure with the given parameters.
fn draw(document: &Document, spec: &str, args: &ReproduceArgs) -> Outcome {
    let catalogue = figure::catalogue();
    let chosen = catalogue.choose(Kind::Figure, spec)?;
    if !document.figures.iter().any(|figure| figure.entry.id == chosen.id) {
        let message = format!("document {} has no figure {}", document.id, chosen.id);
        return Err(Failure::input(message));
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
        let cannot = || format!("cannot create folder {}", folder.display());
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    Ok(())
}

/// Verdicts as a Markdown table: one row per claim, one column per web.
fn markdown(claims: &[Claim]) -> String {
    let ClaimTable { webs, rows } = ClaimTable::new(claims);
    let mut text =
        format!("| claim | {} |\n|---|{}\n", webs.join(" | "), "---|".repeat(webs.len()));
    for (first, row) in rows {
        let _ = write!(text, "| {} ({}) |", first.says, first.cited());
        for claim in row {
            let _ = write!(text, " {} |", claim.map_or("–", |claim| claim.verdict.word()));
        }
        text.push('\n');
    }
    text
}

/// A table of numbers in Markdown, with title and notes.
fn markdown_table(table: &crawl_claims::Table) -> String {
    let rule = "---:|".repeat(table.heads.len().saturating_sub(1));
    let mut text = format!("\n{}:\n\n| {} |\n|---|{rule}\n", table.title, table.heads.join(" | "));
    for row in &table.rows {
        let _ = write!(text, "| {} |", row.name);
        for cell in &row.cells {
            let _ = write!(
                text,
                " {} |",
                cell.map_or_else(String::new, |c| format::cell(c, table.unit))
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
        let Claim { says, webs, because, .. } = claim;
        let claim_line = format!("{says} [{}; {webs}]", claim.cited());
        text.push_str(&labelled(claim.verdict.word(), &[claim_line, because.clone()], width));
    }
    text
}

/// A table as text, with title and notes.
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
            .map(|cell| cell.map_or_else(String::new, |c| format::cell(c, shown.unit)));
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
