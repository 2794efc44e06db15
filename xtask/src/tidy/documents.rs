//! Documents do not describe folders long gone: every local link leads to a file, and every
//! `crates/…` path in the architecture exists.

use anyhow::Result;

use super::{File, Problem};
use crate::shell;

const DOCUMENTS: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
/// The document whose paths are checked too.
const MAP: &str = "ARCHITECTURE.md";

/// Looks through the documents at the top of the repository.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let root = shell::root();
    let exists = |path: &str| root.join(path).exists();
    let mut problems = Vec::new();
    for name in DOCUMENTS {
        let Some(file) = files.iter().find(|file| file.path == *name) else {
            println!("{name}: not there, not checked");
            continue;
        };
        problems.extend(broken_links(file, exists));
        if *name == MAP {
            problems.extend(missing_paths(file, exists));
        }
    }
    Ok(problems)
}

fn broken_links(file: &File, exists: impl Fn(&str) -> bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut fenced = false;
    for (line, number) in file.text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for link in links(&without_code(line)) {
            let path = link.split(['#', '?']).next().unwrap_or_default();
            let elsewhere = link.contains("://") || link.starts_with("mailto:");
            if !elsewhere && !path.is_empty() && !exists(path) {
                problems.push(file.problem(number, format!("the link to `{path}` leads nowhere")));
            }
        }
    }
    problems
}

/// Where the links of a line lead: `[text](there "title")` and `[name]: there`.
fn links(line: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut rest = line;
    while let Some((_, after)) = rest.split_once("](") {
        let end = after.find(')').unwrap_or(after.len());
        links.extend(after[..end].split_whitespace().next().map(str::to_owned));
        rest = &after[end..];
    }
    if let Some((_, there)) = line.strip_prefix('[').and_then(|line| line.split_once("]: ")) {
        links.extend(there.split_whitespace().next().map(str::to_owned));
    }
    links.iter().map(|link| link.trim_matches(['<', '>']).to_owned()).collect()
}

/// The line without what stands in backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

fn missing_paths(file: &File, exists: impl Fn(&str) -> bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (line, number) in file.text.lines().zip(1..) {
        for path in crate_paths(line) {
            if !exists(path) {
                problems.push(file.problem(number, format!("`{path}` does not exist")));
            }
        }
    }
    problems
}

/// The paths of a line that start with `crates/`, as far as they are meant literally.
fn crate_paths(line: &str) -> Vec<&str> {
    let in_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let starts = line.match_indices("crates/").map(|(at, _)| at);
    starts
        .filter(|at| !line[..*at].ends_with(in_path))
        .map(|at| {
            let rest = &line[at..];
            let end = rest.find(|c| !in_path(c)).unwrap_or(rest.len());
            if rest[end..].starts_with(['*', '{', '<', '…']) {
                // A pattern: only the folder it is in is meant.
                &rest[..=rest[..end].rfind('/').unwrap_or(0)]
            } else {
                rest[..end].trim_end_matches('.')
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File {
        File { path: MAP.to_owned(), text: text.to_owned() }
    }

    fn exists(path: &str) -> bool {
        ["LICENSE-MIT", "docs/a.md", "crates/", "crates/a/", "crates/a/src/b.rs"].contains(&path)
    }

    fn places(problems: &[Problem]) -> Vec<usize> {
        problems.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn links_that_lead_to_files_or_elsewhere_pass() {
        let text = "[a](docs/a.md#part \"title\"), ![b](LICENSE-MIT) [c](https://c.example/x)\n\
                    [d](#below) [e](mailto:e@e.example)\n[f]: LICENSE-MIT\n\
                    `[g](nowhere)`\n```\n[h](nowhere)\n```\n";
        assert_eq!(broken_links(&file(text), exists), []);
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let text = "[a](docs/a.md) and [b](docs/b.md)\n\n[c]: docs/c.md\n```\n```\n[d](<d.md>)\n";
        let problems = broken_links(&file(text), exists);
        assert_eq!(places(&problems), [1, 3, 6]);
        assert!(problems[0].message.contains("`docs/b.md`"), "{problems:?}");
    }

    #[test]
    fn paths_of_crates_must_exist() {
        let text = "`crates/a/src/b.rs`, crates/a/.\ncrates/* and crates/a/<name>.rs\n\
                    see crates/gone/src/lib.rs.\nmy-crates/x\n";
        let problems = missing_paths(&file(text), exists);
        assert_eq!(places(&problems), [3]);
        assert!(problems[0].message.contains("`crates/gone/src/lib.rs`"), "{problems:?}");
    }
}
