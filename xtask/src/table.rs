//! `cargo xtask table` and `cargo xtask docs`: rewrite the generated documents.
//!
//! A table stands between the lines `<!-- name:begin -->` and `<!-- name:end -->` of `docs/results.md`.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::shell;

/// The document that holds the tables.
const RESULTS: &str = "docs/results.md";

/// Five revisit policies on a newsroom for a week.
const POLICIES: &str = "#v=1&world=newsroom&run=breadth-first&revisit=uniform,proportional(knows:rates),\
    adaptive,optimal,optimal(knows:rates)&visits=500&hours=168";

/// A marked section of the document.
struct Section {
    name: &'static str,
    /// The arguments of `crawlscope` that print it.
    printed_by: &'static [&'static str],
    /// Where not all of the output is kept: the first word of the paragraphs that are.
    paragraphs: Option<&'static str>,
}

const SECTIONS: [Section; 4] = [
    Section {
        name: "orderings",
        printed_by: &["bench", "orderings", "--markdown"],
        paragraphs: None,
    },
    Section { name: "claims", printed_by: &["reproduce", "E", "--markdown"], paragraphs: None },
    Section {
        name: "focused",
        printed_by: &["reproduce", "B", "--markdown", "--numbers"],
        paragraphs: None,
    },
    Section {
        name: "revisits",
        printed_by: &["run", "--link", POLICIES],
        paragraphs: Some("revisit"),
    },
];

/// Rewrites the tables of `docs/results.md`, all or those named.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let known = |name: &String| SECTIONS.iter().any(|section| section.name == name);
    if let Some(unknown) = arguments.iter().find(|name| !known(name)) {
        let names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
        bail!("there is no table `{unknown}`, only {}", names.join(", "));
    }
    let results = shell::root().join(RESULTS);
    for section in &SECTIONS {
        if arguments.is_empty() || arguments.iter().any(|argument| argument == section.name) {
            let mut command = shell::crawlscope();
            command.args(section.printed_by);
            rewrite_section(&results, section, &mut command)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Rewrites `docs/strategies.md`.
pub fn docs(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    shell::run(shell::cargo().args([
        "run",
        "--quiet",
        "--package",
        "crawl-tests",
        "--bin",
        "docs",
    ]))?;
    Ok(ExitCode::SUCCESS)
}

/// Replaces the marked section of a file by what the command prints; a command that fails or
/// prints nothing leaves the file as it was.
fn rewrite_section(file: &Path, section: &Section, command: &mut Command) -> Result<()> {
    let name = section.name;
    let old =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    // Looks for the marks first: the command may take minutes.
    replace_section(&old, name, "").with_context(|| file.display().to_string())?;
    let printed = shell::output(command)?;
    let printed = section.paragraphs.map_or(printed.clone(), |word| paragraphs(&printed, word));
    if printed.trim().is_empty() {
        bail!("{} printed nothing", shell::shown(command));
    }
    let new = replace_section(&old, name, &printed)?;
    if new == old {
        println!("{} is up to date", file.display());
        return Ok(());
    }
    // A half-written document is worse than an old one.
    let temporary = file.with_extension("tmp");
    fs::write(&temporary, new).with_context(|| format!("cannot write {}", temporary.display()))?;
    fs::rename(&temporary, file).with_context(|| format!("cannot write {}", file.display()))?;
    println!("rewrote section `{name}` of {}", file.display());
    Ok(())
}

/// The paragraphs that start with a word, as a fenced block; nothing where there are none.
fn paragraphs(text: &str, word: &str) -> String {
    let parts = text.split("\n\n").map(|part| part.trim_matches('\n'));
    let kept: Vec<&str> = parts.filter(|part| part.starts_with(word)).collect();
    if kept.is_empty() { String::new() } else { format!("```text\n{}\n```", kept.join("\n\n")) }
}

/// The text with the lines between the two marks replaced by `body`.
fn replace_section(text: &str, name: &str, body: &str) -> Result<String> {
    let begin = format!("<!-- {name}:begin -->");
    let end = format!("<!-- {name}:end -->");
    for mark in [&begin, &end] {
        match text.matches(mark.as_str()).count() {
            1 => {}
            0 => bail!("the mark {mark} is missing"),
            n => bail!("the mark {mark} stands {n} times"),
        }
    }
    let (before, rest) = text.split_once(&begin).unwrap_or_default();
    let Some((_, after)) = rest.split_once(&end) else {
        bail!("the mark {end} stands before {begin}");
    };
    Ok(format!("{before}{begin}\n\n{}\n\n{end}{after}", body.trim_matches('\n')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let text = "a\n<!-- t:begin -->\nold\n<!-- t:end -->\nz\n";
        let new = replace_section(text, "t", "| new |\n").unwrap();
        assert_eq!(new, "a\n<!-- t:begin -->\n\n| new |\n\n<!-- t:end -->\nz\n");
        assert_eq!(replace_section(&new, "t", "| new |").unwrap(), new);
    }

    #[test]
    fn paragraphs_are_kept_by_their_first_word() {
        let text = "a b\n\ntable x\n─────\n1\n\nmore\n\ntable y\n2\n";
        assert_eq!(paragraphs(text, "table"), "```text\ntable x\n─────\n1\n\ntable y\n2\n```");
        assert_eq!(paragraphs(text, "none"), "");
    }

    #[test]
    fn marks_that_are_missing_doubled_or_crossed_are_refused() {
        for (text, says) in [
            ("<!-- t:begin -->", "<!-- t:end --> is missing"),
            ("<!-- t:end --> <!-- t:begin -->", "stands before"),
            ("<!-- t:begin --> <!-- t:begin --> <!-- t:end -->", "stands 2 times"),
        ] {
            let error = replace_section(text, "t", "new").unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_command_that_fails_leaves_the_file_alone() {
        let file = std::env::temp_dir().join(format!("xtask-table-{}.md", std::process::id()));
        let text = "<!-- t:begin -->\nold\n<!-- t:end -->\n";
        fs::write(&file, text).unwrap();
        let mut failing = Command::new(std::env::current_exe().unwrap());
        failing.arg("--no-such-flag");
        let section = Section { name: "t", printed_by: &[], paragraphs: None };
        assert!(rewrite_section(&file, &section, &mut failing).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        fs::remove_file(&file).unwrap();
    }
}
