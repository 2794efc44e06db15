//! `cargo xtask table`: rewrites what a command prints into a document that shows it, between the
//! lines `<!-- name:begin -->` and `<!-- name:end -->`.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::shell;

/// The marked sections of the README, and what prints each.
const SECTIONS: [(&str, &[&str]); 3] = [
    ("orderings", &["bench", "orderings", "--markdown"]),
    ("claims", &["reproduce", "E", "--markdown"]),
    ("focused", &["reproduce", "B", "--markdown", "--numbers"]),
];

/// Rewrites the tables of the README, all or those named.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let known = |name: &String| SECTIONS.iter().any(|(section, _)| section == name);
    if let Some(unknown) = arguments.iter().find(|name| !known(name)) {
        let names: Vec<&str> = SECTIONS.iter().map(|(name, _)| *name).collect();
        bail!("there is no table `{unknown}`, only {}", names.join(", "));
    }
    let readme = shell::root().join("README.md");
    for (name, printed_by) in SECTIONS {
        if arguments.is_empty() || arguments.iter().any(|argument| argument == name) {
            let mut command = shell::crawlscope();
            command.args(printed_by);
            rewrite_section(&readme, name, &mut command)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Replaces the marked section of a file by what the command prints; a command that fails or
/// prints nothing leaves the file as it was.
fn rewrite_section(file: &Path, name: &str, command: &mut Command) -> Result<()> {
    let old =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    // Looks for the marks first: the command may take minutes.
    replace_section(&old, name, "").with_context(|| file.display().to_string())?;
    let printed = shell::output(command)?;
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
        assert!(rewrite_section(&file, "t", &mut failing).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        fs::remove_file(&file).unwrap();
    }
}
