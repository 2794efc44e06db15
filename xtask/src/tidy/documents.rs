//! Documents are short and current: the README has at most [`README_WORDS`] words, every local link
//! leads to a file, every `crates/…` path in the architecture exists, and papers are named by author.

use anyhow::Result;

use super::{File, Problem, word_positions};
use crate::shell;

const README: &str = "README.md";
/// Most words of the README.
const README_WORDS: usize = 1000;
/// The document whose paths are checked too.
const MAP: &str = "ARCHITECTURE.md";
/// Documents that must exist.
const REQUIRED: &[&str] = &[
    README,
    MAP,
    "CONTRIBUTING.md",
    "docs/links.md",
    "docs/results.md",
    "docs/sources.md",
    "docs/strategies.md",
    "docs/worlds.md",
];
/// The only document that explains the letters of papers.
const BIBLIOGRAPHY: &str = "docs/sources.md";

/// Checks the documents at the top of the repository and in `docs/`.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let root = shell::root();
    let mut problems = Vec::new();
    for path in REQUIRED {
        if !files.iter().any(|file| file.path == *path) {
            let (path, message) = ((*path).to_owned(), "the document is missing".to_owned());
            problems.push(Problem { path, line: 1, message });
        }
    }
    for file in files.iter().filter(|file| is_document(&file.path)) {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        problems.extend(broken_links(file, |path| root.join(folder).join(path).exists()));
        if file.path == MAP {
            problems.extend(missing_paths(file, |path| root.join(path).exists()));
        }
        if file.path == README {
            problems.extend(too_many_words(file));
        }
        if file.path != BIBLIOGRAPHY {
            problems.extend(letters(file));
        }
    }
    Ok(problems)
}

fn is_document(path: &str) -> bool {
    let name = path.strip_prefix("docs/").unwrap_or(path);
    name.ends_with(".md") && !name.contains('/')
}

fn too_many_words(file: &File) -> Option<Problem> {
    let words = file.text.split_whitespace().count();
    let message = || format!("{words} words, more than {README_WORDS}; move details to docs/");
    (words > README_WORDS).then(|| file.problem(1, message()))
}

/// Papers named by a letter: `document B`, or `2013 (A)`.
fn letters(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (line, number) in file.text.lines().zip(1..) {
        for letter in ["A", "B", "C", "D", "E"] {
            let named = [format!("document {letter}"), format!("Document {letter}")];
            let cited = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "Paksima", "Mail.Ru"]
                .iter()
                .any(|before| line.contains(&format!("{before} ({letter})")));
            if cited || named.iter().any(|name| word_positions(line, name).next().is_some()) {
                let message = format!("name the paper by author and year, not by letter {letter}");
                problems.push(file.problem(number, message));
            }
        }
    }
    problems
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
                problems.push(file.problem(number, format!("broken link to `{path}`")));
            }
        }
    }
    problems
}

/// Targets of the links of a line: `[text](target "title")` and `[name]: target`.
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

/// The line without inline code.
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

/// Paths in a line that start with `crates/`.
fn crate_paths(line: &str) -> Vec<&str> {
    let in_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let starts = line.match_indices("crates/").map(|(at, _)| at);
    starts
        .filter(|at| !line[..*at].ends_with(in_path))
        .map(|at| {
            let rest = &line[at..];
            let end = rest.find(|c| !in_path(c)).unwrap_or(rest.len());
            if rest[end..].starts_with(['*', '{', '<', '…']) {
                // A pattern: only its folder is checked.
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
    fn the_readme_is_short() {
        assert_eq!(too_many_words(&file(&"word ".repeat(README_WORDS))), None);
        assert!(too_many_words(&file(&"word ".repeat(README_WORDS + 1))).is_some());
    }

    #[test]
    fn papers_are_named_by_author() {
        let text =
            "Lebedeva 2013 (A)\nDocument B says\nof document C.\nR(A) > R(B), Wen & Lu 2004\n";
        assert_eq!(places(&letters(&file(text))), [1, 2, 3]);
        let text = "Salari, Derhami & Paksima (E)\nsee document E\ndocument Elephant\n";
        assert_eq!(places(&letters(&file(text))), [1, 2]);
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
