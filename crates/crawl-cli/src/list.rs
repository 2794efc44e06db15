//! `crawlscope strategies`, `worlds`, …: lists a registry or describes one entry.

use crate::args::ListArgs;
use crate::failure::Outcome;
use crate::json;
use crate::terminal::{self, Column, Table, number, wrap};
use crawl_catalogue::{Catalogue, Entry, Kind, Param, ParamKind, Word};
use crawl_claims::figure::catalogue;
use crawl_core::strategy;
use serde_json::{Value, json};
use std::fmt::Write;

/// A default longer than `MOST_DIGITS` characters is rounded to `DIGITS` significant digits.
const MOST_DIGITS: usize = 10;
const DIGITS: usize = 4;

/// Note on the visit budget, printed below all policies.
const BUDGET: &str = "All policies keep to the budget (--visits per hour) in the long run. With n pages, \
    up to 10 + 4·√n unused visits are saved for later, because evenly spaced visits still come in \
    bursts. Half of these are available at the start, so a run may make up to 5 + 2·√n visits more than \
    hours × budget.";

/// Runs the command.
pub fn run(kind: Kind, args: &ListArgs) -> Outcome {
    let catalogue = catalogue();
    let Some(id) = &args.id else {
        if args.json {
            let entries = catalogue.of(kind).map(|entry| object(&catalogue, kind, entry));
            return json::print(&entries.collect::<Vec<_>>());
        }
        return Ok(terminal::print(&table(&catalogue, kind, terminal::width()))?);
    };
    let chosen = catalogue.choose(kind, id)?;
    let Some(entry) = catalogue.entry(kind, &chosen.id) else {
        return Ok(());
    };
    if args.json {
        return json::print(&object(&catalogue, kind, entry));
    }
    Ok(terminal::print(&page(&catalogue, kind, entry, terminal::width()))?)
}

fn table(catalogue: &Catalogue, kind: Kind, width: usize) -> String {
    let mut table = Table::new([
        Column::word(kind.noun()),
        Column::prose("description"),
        Column::prose("parameters = default (range)"),
    ]);
    for entry in catalogue.of(kind) {
        let oracle =
            if is_oracle(catalogue, kind, entry) == Some(true) { " (an oracle)" } else { "" };
        let what = format!("{}{oracle}\n{}\n{}", entry.title, entry.summary, entry.full_source());
        let params: Vec<String> = entry.params.iter().map(brief).collect();
        table.row([entry.id.to_string(), what, params.join("\n")]);
    }
    let text = table.without_empty().render(width);
    let example = catalogue.of(kind).last().map_or("", |entry| &entry.id);
    let budget = budget(kind, width.min(100));
    format!("{text}{budget}\n`crawlscope {} {example}` shows one in full.\n", kind.plural())
}

/// The note on the budget, for policies only.
fn budget(kind: Kind, width: usize) -> String {
    match kind {
        Kind::Policy => format!("\n{}\n", wrap(BUDGET, width).join("\n")),
        _ => String::new(),
    }
}

fn brief(param: &Param) -> String {
    let default = match param.kind {
        // A default such as 1/6 has many digits; JSON output has them all.
        ParamKind::Number { default, .. } if default.to_string().len() > MOST_DIGITS => {
            number(default, DIGITS)
        }
        _ => param.kind.default_text(),
    };
    format!("{} = {default} ({})", param.key, param.kind.range_text())
}

fn page(catalogue: &Catalogue, kind: Kind, entry: &Entry, width: usize) -> String {
    let width = width.min(100);
    let mut text = String::new();
    let indented = |text: &mut String, label: &str, body: &str| {
        for (i, line) in wrap(body, width - 12).into_iter().enumerate() {
            let label = if i == 0 { label } else { "" };
            let _ = writeln!(text, "{}", format!("{label:<10}  {line}").trim_end());
        }
    };
    indented(&mut text, &entry.id, "");
    let _ = writeln!(text, "{}\n", "─".repeat(entry.id.chars().count()));
    indented(&mut text, "title", &entry.title);
    if !entry.family.is_empty() {
        indented(&mut text, "family", &entry.family);
    }
    indented(&mut text, "source", &entry.full_source());
    indented(&mut text, "summary", &entry.summary);
    if !entry.formula.is_empty() {
        indented(&mut text, "formula", &entry.formula);
    }
    if let Some(oracle) = is_oracle(catalogue, kind, entry) {
        let knows = if oracle {
            "yes: uses information that no crawler has"
        } else {
            "no: uses only what a crawler has seen"
        };
        indented(&mut text, "oracle", knows);
    }
    text.push('\n');
    for line in wrap(&entry.description, width) {
        let _ = writeln!(text, "{line}");
    }
    for param in entry.params.iter() {
        let _ = writeln!(text, "\n{}", brief(param));
        for line in wrap(&param.help, width - 2) {
            let _ = writeln!(text, "  {line}");
        }
        if let ParamKind::Formula { variables, functions, .. } = &param.kind {
            words(&mut text, "variables", variables, width);
            words(&mut text, "functions", functions, width);
        }
    }
    text + &budget(kind, width)
}

/// The variables or functions of a formula, one line each.
fn words(text: &mut String, title: &str, words: &[Word], width: usize) {
    let _ = writeln!(text, "\n  {title}");
    for word in words {
        for (i, line) in wrap(&word.help, width - 18).into_iter().enumerate() {
            let name = if i == 0 { word.name.as_ref() } else { "" };
            let _ = writeln!(text, "    {name:<12}  {line}");
        }
    }
}

fn object(catalogue: &Catalogue, kind: Kind, entry: &Entry) -> Value {
    let params: Vec<Value> = entry.params.iter().map(param_object).collect();
    let mut value = json!({
        "id": entry.id,
        "title": entry.title,
        "family": entry.family,
        "source": entry.source,
        "summary": entry.summary,
        "description": entry.description,
        "formula": entry.formula,
        "params": params,
    });
    if let Some(oracle) = is_oracle(catalogue, kind, entry) {
        value["oracle"] = oracle.into();
    }
    value
}

fn param_object(param: &Param) -> Value {
    let mut value = json!({ "key": param.key });
    let fields = match &param.kind {
        ParamKind::Number { default, min, max, integer } => json!({
            "type": if *integer { "integer" } else { "number" },
            "default": json::number(*default),
            "min": json::number(*min),
            "max": json::number(*max),
        }),
        ParamKind::Choice { default, options } => {
            json!({ "type": "choice", "default": default, "options": options })
        }
        ParamKind::Flag { default } => json!({ "type": "flag", "default": default }),
        ParamKind::Text { default, max_chars, .. } => {
            json!({ "type": "text", "default": default, "max_chars": max_chars })
        }
        ParamKind::Formula { default, max_chars, variables, functions } => {
            let words = |words: &[Word]| -> Value {
                words.iter().map(|word| json!({ "name": word.name, "help": word.help })).collect()
            };
            json!({
                "type": "formula",
                "default": default,
                "max_chars": max_chars,
                "variables": words(variables),
                "functions": words(functions),
            })
        }
        ParamKind::Vector { default, min, max } => {
            json!({ "type": "vector", "default": default, "min": min, "max": max })
        }
        ParamKind::Entry { kind, default } => {
            json!({ "type": "entry", "of": kind.noun(), "default": default })
        }
    };
    if let Value::Object(fields) = fields {
        fields.into_iter().for_each(|(key, field)| value[key] = field);
    }
    value["help"] = param.help.as_ref().into();
    value
}

/// Whether a strategy with its default parameters is an oracle; `None` for other kinds.
fn is_oracle(catalogue: &Catalogue, kind: Kind, entry: &Entry) -> Option<bool> {
    if kind != Kind::Strategy {
        return None;
    }
    let chosen = catalogue.choose(kind, &entry.id).ok()?;
    let found = strategy::find(&chosen.id)?;
    Some((found.needs)(&chosen.params).is_oracle())
}
