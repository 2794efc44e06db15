//! `crawlscope reproduce`: a document's experiment again, and each claim held or not held.

use crate::args::{FileArgs, ReproduceArgs};
use crate::failure::Outcome;
use crate::json;
use crate::progress::Progress;
use crate::real;
use crate::report::labelled;
use crate::terminal::{self, Column, Table, percent, wrap};
use crate::world_source::{self, Loaded};
use anyhow::Context;
use crawl_catalogue::Catalogue;
use crawl_claims::Claim;
use crawl_claims::document_e::{self, STARTS, Start, Tried};
use crawl_run::catalogue;
use serde_json::json;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const CAPTION: &str = "Numbers are the share of all PageRank in hand, on average over 100 steps, with \
    95 % intervals where there are several webs.";

/// The heads of a table: one column for each number of starts.
const COLUMNS: [Column; 4] = [
    Column::name("ordering"),
    Column::number("k = 1"),
    Column::number("k = 4"),
    Column::number("k = 8"),
];

/// Runs the command.
pub fn run(args: &ReproduceArgs) -> Outcome {
    let catalogue = catalogue();
    if let Some(folder) = &args.out {
        let cannot = || format!("cannot make {}", folder.display());
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    let (there, missing): (Vec<&str>, Vec<&str>) =
        real::names().partition(|name| real::is_present(name, &args.data));
    for name in missing {
        eprintln!("{name}: not in {}, left out", args.data.display());
    }
    let n_webs = u64::from(args.webs) + there.len() as u64;
    let progress = Progress::bar("crawls", document_e::n_crawls() as u64 * n_webs);
    let mut n_done = 0_u64;
    let mut done = || {
        n_done += 1;
        let _ = progress.set(n_done);
    };
    let mut tried = Vec::new();
    for rng in 1..=args.webs {
        let spec = format!("web(pages:{},rng:{rng})", args.pages);
        let loaded = world_source::load(&spec, &FileArgs::default(), &catalogue)?;
        tried.push(try_on(&spec, &loaded, &catalogue, &mut done)?);
    }
    for name in there {
        if let Some(loaded) = real::load(name, &args.data, &catalogue)? {
            tried.push(try_on(name, &loaded, &catalogue, &mut done)?);
        }
    }
    drop(progress);
    let claims = document_e::claims(&tried);
    let object = json!({ "document": "E", "claims": claims, "webs": tried });
    if let Some(folder) = &args.out {
        save(folder, &tried, &claims, &object)?;
    }
    if args.json {
        return json::print(&object);
    }
    if args.markdown {
        return Ok(terminal::print(&markdown(&claims))?);
    }
    Ok(terminal::print(&text(&tried, &claims, terminal::width()))?)
}

/// A row a claim, a column for the webs it was tried on.
fn markdown(claims: &[Claim]) -> String {
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<(&Claim, Vec<&Claim>)> = Vec::new();
    for claim in claims {
        if !columns.contains(&claim.webs.as_str()) {
            columns.push(&claim.webs);
        }
        match rows.iter_mut().find(|(first, _)| first.says == claim.says) {
            Some((_, row)) => row.push(claim),
            None => rows.push((claim, vec![claim])),
        }
    }
    let mut text =
        format!("| claim | {} |\n|---|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for (first, row) in rows {
        let _ = write!(text, "| {} ({}) |", first.says, first.source);
        for webs in &columns {
            let verdict = row.iter().find(|claim| claim.webs == *webs).map(|c| c.verdict.word());
            let _ = write!(text, " {} |", verdict.unwrap_or("–"));
        }
        text.push('\n');
    }
    text
}

fn try_on(
    name: &str,
    loaded: &Loaded,
    catalogue: &Catalogue,
    done: &mut dyn FnMut(),
) -> Outcome<Tried> {
    let web = (&loaded.source, &loaded.world);
    let tried = document_e::try_on(name, web, catalogue, done);
    Ok(tried.with_context(|| name.to_owned())?)
}

fn text(tried: &[Tried], claims: &[Claim], width: usize) -> String {
    let mut text = String::from("Document E: Salari, Derhami & Paksima\n\n");
    for (name, webs) in document_e::groups(tried) {
        for start in [Start::Own, Start::Common] {
            let _ = writeln!(text, "{name}, {}", about(start));
            let mut table = Table::new(COLUMNS);
            for (i, (ordering, ..)) in document_e::summary(&webs, start, 1).iter().enumerate() {
                let mut row = vec![ordering.clone()];
                for k in STARTS {
                    let (_, area, half, _) = &document_e::summary(&webs, start, k)[i];
                    let band =
                        if *half > 0.0 { format!(" ± {}", percent(*half)) } else { String::new() };
                    row.push(format!("{}{band}", percent(*area)));
                }
                table.row(row);
            }
            text.push_str(&table.render(width));
            let curves = webs.iter().flat_map(|web| &web.curves);
            let fewest = curves.filter(|c| c.start == start).map(|c| c.n_fetched).min();
            if let Some(n) = fewest.filter(|n| *n < document_e::N_STEPS) {
                let note =
                    format!("Some crawls end early, after {n} pages: no more can be reached.");
                wrap(&note, width).iter().for_each(|line| text.push_str(&format!("{line}\n")));
            }
            text.push('\n');
        }
    }
    for line in wrap(CAPTION, width) {
        let _ = writeln!(text, "{line}");
    }
    text.push('\n');
    for claim in claims {
        let Claim { says, source, webs, because, .. } = claim;
        let said = format!("{says} [{source}; {webs}]");
        text.push_str(&labelled(claim.verdict.word(), &[said, because.clone()], width));
    }
    text
}

fn about(start: Start) -> &'static str {
    match start {
        Start::Own => "each from its own best pages",
        Start::Common => "all from the best pages by PageRank",
    }
}

fn save(folder: &Path, tried: &[Tried], claims: &[Claim], object: &serde_json::Value) -> Outcome {
    let write = |name: &str, content: &str| {
        let path = folder.join(name);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
    };
    write("e.json", &format!("{object:#}\n"))?;
    write("e.txt", &text(tried, claims, 100))?;
    for (name, webs) in document_e::groups(tried) {
        for (start, word) in [(Start::Own, "own"), (Start::Common, "common")] {
            for k in STARTS {
                let title = format!("{name}, {}, k = {k}", about(start));
                let file = format!("e-{}-{word}-{k}.svg", name.replace(' ', "-"));
                write(&file, &document_e::picture(&title, &webs, start, k))?;
            }
        }
    }
    Ok(())
}
