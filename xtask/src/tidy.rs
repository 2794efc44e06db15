//! `cargo xtask tidy`: the repository's own rules, as checks. Each problem is told as `file:line`.

mod boundaries;
mod documents;
mod lints;
mod messages;
mod profiles;
mod registries;
mod sealed;
mod text;

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::shell;

/// Runs all rules and tells what breaks them.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    check()?;
    Ok(ExitCode::SUCCESS)
}

/// Fails where a rule is broken, after telling every place.
pub fn check() -> Result<()> {
    let files = read_tree(&shell::root())?;
    let mut problems = Vec::new();
    for (rule, check) in RULES {
        let found = check(&files).with_context(|| format!("rule `{rule}`"))?;
        let verdict = match found.len() {
            0 => "ok".to_owned(),
            n => format!("{n} to mend"),
        };
        println!("{rule}: {verdict}");
        problems.extend(found);
    }
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => Ok(()),
        1 => bail!("1 place breaks the rules"),
        n => bail!("{n} places break the rules"),
    }
}

type Rule = fn(&[File]) -> Result<Vec<Problem>>;

/// Every rule with the words it is announced by.
const RULES: &[(&str, Rule)] = &[
    ("crates know only what their layer may", boundaries::check),
    ("no clock, entropy, files or environment in the libraries", sealed::check),
    ("no file without end, stray blank or word left over", text::check),
    ("documents point to what exists", documents::check),
    ("no registry forgets a file", registries::check),
    ("all crates share the workspace's lints", lints::check),
    ("crates that read what comes from outside check overflow", profiles::check),
    ("every sentence of the app stands in its catalogue", messages::check),
];

/// A text file of the repository.
pub struct File {
    /// Its path from the top, with forward slashes.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
    }

    fn problem(&self, line: usize, message: impl Into<String>) -> Problem {
        Problem { path: self.path.clone(), line, message: message.into() }
    }
}

/// A place that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file's path from the top.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Folders that hold what tools made, as in `.gitignore`.
const MADE_BY_TOOLS: &[&str] =
    &[".git", "target", "dist", "fuzz/target", "fuzz/corpus", "fuzz/artifacts", "fuzz/coverage"];

/// All text files below a folder, by path.
fn read_tree(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
            let inner = path.strip_prefix(root).unwrap_or(&path);
            let inner = inner.to_string_lossy().replace('\\', "/");
            if path.is_dir() && !path.is_symlink() {
                let made = MADE_BY_TOOLS.contains(&inner.as_str());
                if !made && !inner.ends_with("node_modules") {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                // What is not UTF-8 is data, not text.
                files.push(File { path: inner, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Byte positions at which `word` stands with no letter, digit or `_` on either side.
fn word_positions<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let starts = word.starts_with(in_name) && text[..*at].ends_with(in_name);
        let ends = word.ends_with(in_name) && text[at + word.len()..].starts_with(in_name);
        !starts && !ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        let found: Vec<usize> = word_positions("opic, opic_keep, topic; x::opic", "opic").collect();
        assert_eq!(found, [0, 27]);
        assert_eq!(word_positions("#[mark = \"why\"]", "#[mark").count(), 1);
        assert_eq!(word_positions("#[marked]", "#[mark").count(), 0);
    }

    #[test]
    fn a_problem_is_told_with_its_place() {
        let file = File { path: "a/b.rs".to_owned(), text: String::new() };
        assert_eq!(file.problem(3, "wrong").to_string(), "a/b.rs:3: wrong");
        assert!(file.has_extension(&["md", "rs"]) && !file.has_extension(&["toml"]));
    }

    #[test]
    fn the_tree_is_read_without_what_tools_made() {
        let files = read_tree(&shell::root()).unwrap();
        assert!(files.iter().any(|file| file.path == "xtask/src/tidy.rs"));
        assert!(files.iter().all(|file| !file.path.starts_with("target/")));
        assert!(files.is_sorted_by(|a, b| a.path < b.path));
    }
}
