//! `crawlscope reproduce`: a document's experiment again, and each claim held or not held.

use crate::args::{FileArgs, ReproduceArgs};
use crate::failure::Outcome;
use crate::json;
use crate::progress::Progress;
use crate::report::labelled;
use crate::terminal::{self, Column, Table, percent, wrap};
use crate::world_source;
use anyhow::Context;
use crawl_catalogue::Catalogue;
use crawl_claims::Claim;
use crawl_claims::document_e::{self, STARTS, Start, Tried};
use crawl_run::catalogue;
use serde_json::json;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The real graphs: name, file, its URLs.
const REAL: [(&str, &str, Option<&str>); 4] = [
    ("harvard500", "harvard500/edges.tsv", Some("harvard500/urls.tsv")),
    ("hollins", "hollins/hollins.dat", Some("hollins/links.dat")),
    ("epa", "epa/gr0.epa.txt", None),
    ("cnr-2000", "cnr-2000/cnr-2000.graph-txt.gz", None),
];

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
    let mut webs: Vec<(String, String, Option<std::path::PathBuf>)> = Vec::new();
    for rng in 1..=args.webs {
        let spec = format!("web(pages:{},rng:{rng})", args.pages);
        webs.push((spec.clone(), spec, None));
    }
    for (name, file, urls) in REAL {
        let file = args.data.join(file);
        if file.exists() {
            let urls = urls.map(|urls| args.data.join(urls));
            webs.push((name.to_owned(), file.to_string_lossy().into_owned(), urls));
        } else {
            eprintln!("{name}: not at {}, left out", file.display());
        }
    }
    let n_crawls = document_e::n_crawls() as u64;
    let progress = Progress::bar("crawls", n_crawls * webs.len() as u64);
    let mut n_done = 0_u64;
    let mut tried = Vec::new();
    for (name, source, urls) in webs {
        let mut done = || {
            n_done += 1;
            let _ = progress.set(n_done);
        };
        tried.push(try_on(&name, &source, urls, &catalogue, &mut done)?);
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
    source: &str,
    urls: Option<std::path::PathBuf>,
    catalogue: &Catalogue,
    done: &mut dyn FnMut(),
) -> Outcome<Tried> {
    let file = FileArgs { urls, format: None };
    let loaded = world_source::load(source, &file, catalogue)?;
    let web = (&loaded.source, &loaded.world);
    let tried = document_e::try_on(name, web, catalogue, done);
    Ok(tried.with_context(|| name.to_owned())?)
}

/// The generated webs together, and each real one.
fn groups(tried: &[Tried]) -> Vec<(String, Vec<&Tried>)> {
    let generated: Vec<&Tried> = tried.iter().filter(|tried| !tried.is_real).collect();
    let mut groups = Vec::new();
    if !generated.is_empty() {
        groups.push((format!("{} generated webs", generated.len()), generated));
    }
    let real = tried.iter().filter(|tried| tried.is_real);
    groups.extend(real.map(|tried| (tried.web.clone(), vec![tried])));
    groups
}

fn text(tried: &[Tried], claims: &[Claim], width: usize) -> String {
    let mut text = String::from("Document E: Salari, Derhami & Paksima\n\n");
    for (name, webs) in groups(tried) {
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
    for (name, webs) in groups(tried) {
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
