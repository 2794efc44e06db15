//! Checks that libraries are deterministic: their sources use no clock, entropy, files, environment,
//! threads or `async`. Tests and comments are exempt.

use anyhow::Result;

use super::{File, Problem, word_positions};
use crate::layers::LAYERS;

/// Modules of the standard library with outside effects.
const MODULES: &[&str] = &["env", "fs", "process", "thread", "time"];
/// Names with outside effects, from any crate.
const NAMES: &[&str] = &[
    "Instant",
    "SystemTime",
    "TcpListener",
    "TcpStream",
    "UdpSocket",
    "OsRng",
    "async",
    "getrandom",
    "thread_rng",
];

/// Checks the sources of every sealed crate.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let folders: Vec<String> = LAYERS
        .iter()
        .filter(|layer| layer.sealed)
        .map(|layer| format!("crates/{}/src/", layer.name))
        .collect();
    let is_source = |file: &&File| {
        file.has_extension(&["rs"])
            && !file.path.ends_with("/tests.rs")
            && !file.path.ends_with("/testing.rs")
            && folders.iter().any(|folder| file.path.starts_with(folder))
    };
    Ok(files.iter().filter(is_source).flat_map(reaches_outside).collect())
}

fn reaches_outside(file: &File) -> Vec<Problem> {
    let code = without_tests_and_comments(&file.text);
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;
    let problem = |at: usize, name: &str| {
        file.problem(
            line_of(at),
            format!("`{name}` is not allowed here; pass the value in instead"),
        )
    };
    let mut problems = Vec::new();
    for name in NAMES {
        problems.extend(word_positions(&code, name).map(|at| problem(at, name)));
    }
    for module in MODULES {
        let path = format!("std::{module}");
        problems.extend(word_positions(&code, &path).map(|at| problem(at, &path)));
    }
    for (at, _) in code.match_indices("std::{") {
        for module in first_names_in_braces(&code[at + "std::{".len()..]) {
            if MODULES.contains(&module) {
                problems.push(problem(at, &format!("std::{module}")));
            }
        }
    }
    problems.sort_by_key(|problem| problem.line);
    problems
}

/// First names of the items of a `{…}` import, from the text after its opening brace.
fn first_names_in_braces(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (1_usize, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            let item = text[start..i].trim();
            names.push(
                item.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or(item),
            );
            start = i + 1;
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// The text without `#[cfg(test)]` modules and line comments; line numbers are kept.
fn without_tests_and_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.trim() == "#[cfg(test)]" {
            code.push('\n');
            // rustfmt aligns the closing brace with the start of the item.
            let close = format!("{indent}}}");
            for skipped in lines.by_ref() {
                code.push('\n');
                let attribute = skipped.trim_start().starts_with("#[");
                let one_line = skipped.starts_with(indent)
                    && !skipped[indent.len()..].starts_with(' ')
                    && skipped.ends_with([';', '}']);
                if skipped == close || (one_line && !attribute) {
                    break;
                }
            }
            continue;
        }
        code += line.split_once("//").map_or(line, |(before, _)| before);
        code.push('\n');
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn lines(text: &str) -> Vec<usize> {
        let file = File { path: "crates/x/src/lib.rs".to_owned(), text: text.to_owned() };
        reaches_outside(&file).iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn clocks_files_and_entropy_are_found() {
        assert_eq!(lines("use std::time::Duration;\n"), [1]);
        assert_eq!(lines("fn a() {\n    let t = Instant::now();\n}\n"), [2]);
        assert_eq!(lines("use web_time::SystemTime;\n"), [1]);
        assert_eq!(lines("fn a() { std::fs::read(\"x\"); std::env::var(\"y\"); }\n"), [1, 1]);
        assert_eq!(lines("use rand::thread_rng;\n\nuse getrandom::fill;\n"), [1, 3]);
    }

    #[test]
    fn grouped_imports_are_seen_into() {
        assert_eq!(lines("use std::{\n    collections::{BTreeMap, env},\n    fs,\n};\n"), [1]);
        assert_eq!(lines("use std::{collections::BTreeMap, net::IpAddr};\n"), NONE);
        assert_eq!(lines("use std::{fmt, time::Duration};\n"), [1]);
    }

    #[test]
    fn words_that_only_contain_a_name_are_not_it() {
        assert_eq!(lines("struct InstantNoodles; use std::format; let std_time = 1;\n"), NONE);
    }

    #[test]
    fn comments_and_tests_may_name_anything_but_what_follows_may_not() {
        assert_eq!(lines("//! Instant\nfn a() {} // std::fs\n"), NONE);
        let tests = "#[cfg(test)]\nmod tests {\n    use std::fs;\n    fn a() {\n    }\n}\n";
        assert_eq!(lines(tests), NONE);
        assert_eq!(lines(&format!("{tests}use std::fs;\n")), [7]);
        assert_eq!(lines("#[cfg(test)]\nuse std::fs;\nuse std::env;\n"), [3]);
        assert_eq!(lines("#[cfg(test)]\nmod tests;\nuse std::env;\n"), [3]);
        let attributes = "#[cfg(test)]\n#[allow(dead_code)]\nfn a() {\n    std::fs::x();\n}\n";
        assert_eq!(lines(attributes), NONE);
    }
}
