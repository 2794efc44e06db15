//! `docs/strategies.md`: every registry entry as Markdown.
//!
//! `cargo xtask docs` writes the file; a test compares it with what the registries say.

use crawl_catalogue::{Catalogue, Entry, Kind, Param, ParamKind, Word};
use crawl_core::strategy;
use std::fmt::Write as _;

/// The file, from the top of the repository.
pub const PATH: &str = "docs/strategies.md";

/// Registries in the order of the page, each with what its entries are.
const SECTIONS: [(Kind, &str, &str); 8] = [
    (
        Kind::Strategy,
        "Strategies",
        "A strategy decides which URL to fetch next: the one with the highest score.",
    ),
    (
        Kind::Ranker,
        "Rankers",
        "A ranker scores every page of a whole world. Metrics use its ranks as the truth.",
    ),
    (
        Kind::Policy,
        "Revisit policies",
        "A policy decides when to visit a fetched page again. All policies share one budget of visits per hour.",
    ),
    (Kind::Metric, "Metrics", "A metric measures a run after every step."),
    (
        Kind::World,
        "Worlds",
        "A world is a web to crawl, generated from parameters and a random seed.",
    ),
    (
        Kind::Topic,
        "Topics",
        "A topic is what a focused crawl searches for. It is learnt before the crawl starts.",
    ),
    (
        Kind::Importer,
        "File formats",
        "An importer turns a file into a world. See [worlds.md](worlds.md) for examples.",
    ),
    (Kind::Figure, "Figures", "A figure of a paper that is redrawn with other parameters."),
];

const HEADER: &str = "# Strategies and all other registry entries\n\n\
    Generated from the registries by `cargo xtask docs`. Do not edit: a test compares this file with \
    the registries. `crawlscope strategies opic` prints the same for one entry. Papers are listed in \
    [sources.md](sources.md); the syntax `id(key:value)` is explained in [links.md](links.md).\n";

/// The whole page.
pub fn render(catalogue: &Catalogue) -> String {
    let mut page = String::from(HEADER);
    for (kind, title, about) in SECTIONS {
        let _ = write!(page, "\n## {title}\n\n{about}\n");
        for entry in catalogue.of(kind) {
            page += &section(catalogue, kind, entry);
        }
    }
    page += "\n## Rules\n\nA rule restricts every crawl of an experiment, whatever its strategy: a \
             part of a link, a flag of the command line.\n\n";
    page += &parameters(&catalogue.rules);
    page
}

fn section(catalogue: &Catalogue, kind: Kind, entry: &Entry) -> String {
    let mut text = format!("\n### {}: `{}`\n\n{}.\n\n", entry.title, entry.id, entry.summary);
    if !entry.formula.is_empty() {
        let _ = writeln!(text, "- Formula: {}", code(&entry.formula));
    }
    let _ = writeln!(text, "- Source: {}", entry.full_source());
    if entry.wants_topic {
        text += "- Needs a topic.\n";
    }
    if is_oracle(catalogue, kind, entry) {
        text += "- Oracle: uses knowledge that no crawler has.\n";
    }
    let _ = write!(text, "\n{}\n", entry.description);
    if !entry.params.is_empty() {
        let _ = write!(text, "\n{}", parameters(&entry.params));
    }
    for param in entry.params.iter() {
        if let ParamKind::Formula { variables, functions, .. } = &param.kind {
            text += &words("variable", variables);
            text += &words("function", functions);
        }
    }
    text
}

/// A table with one row per parameter.
fn parameters(params: &[Param]) -> String {
    let mut table = String::from("| parameter | values | default | meaning |\n|---|---|---|---|\n");
    for Param { key, kind, help, .. } in params {
        let (range, default) = (cell(&kind.range_text()), cell(&code(&kind.default_text())));
        let _ = writeln!(table, "| `{key}` | {range} | {default} | {} |", cell(help));
    }
    table
}

/// A table with one row per word of a formula.
fn words(head: &str, words: &[Word]) -> String {
    let mut table = format!("\n| {head} | meaning |\n|---|---|\n");
    for word in words {
        let _ = writeln!(table, "| `{}` | {} |", word.name, cell(&word.help));
    }
    table
}

/// Text between backticks, as many as it needs.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// Text that does not end its cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// True for a strategy that is an oracle with its default parameters.
fn is_oracle(catalogue: &Catalogue, kind: Kind, entry: &Entry) -> bool {
    let oracle = || {
        let chosen = catalogue.choose(kind, &entry.id).ok()?;
        Some((strategy::find(&chosen.id)?.needs)(&chosen.params).is_oracle())
    };
    kind == Kind::Strategy && oracle().unwrap_or(false)
}
