//! Checks text files for overlong sources, trailing spaces, markers of unfinished work, and paths of
//! one machine.
//!
//! The markers are concatenated from halves, so that this file does not contain them.

use anyhow::Result;

use super::{File, Problem, word_positions};

/// Maximum lines of a source without a reason.
const MOST_LINES: usize = 500;
/// Start of the reason: `// long: the reason`.
const REASON: &str = "// long:";
const REASON_WITHIN: usize = 20;

/// Markers of unfinished work.
const UNDONE: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("to", "do!"),
    concat!("unimple", "mented!"),
    concat!("#[ig", "nore"),
];

/// Folders of one machine.
const MACHINE_PATHS: &[&str] =
    &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];

/// Checks all files.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for file in files {
        if file.has_extension(&["rs"]) {
            problems.extend(too_long(file));
        }
        if file.has_extension(&["rs", "md", "toml"]) {
            problems.extend(stray_blanks(file));
            problems.extend(undone(file));
        }
        problems.extend(machine_paths(file));
    }
    Ok(problems)
}

fn too_long(file: &File) -> Option<Problem> {
    let lines = file.text.lines().count();
    let mut opening = file.text.lines().take(REASON_WITHIN);
    let excused = opening.any(|line| {
        line.trim_start().strip_prefix(REASON).is_some_and(|reason| !reason.trim().is_empty())
    });
    (lines > MOST_LINES && !excused).then(|| {
        let advice = format!("split it, or give a reason near the top: `{REASON} …`");
        file.problem(MOST_LINES + 1, format!("{lines} lines, more than {MOST_LINES}; {advice}"))
    })
}

fn stray_blanks(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (line, number) in file.text.split('\n').zip(1..) {
        if line.contains('\t') {
            problems.push(file.problem(number, "tab; indent with spaces"));
        }
        if line.ends_with([' ', '\t', '\r']) {
            problems.push(file.problem(number, "trailing space"));
        }
    }
    problems
}

fn undone(file: &File) -> Vec<Problem> {
    lines_matching(file, |line| {
        let word = UNDONE.iter().find(|word| word_positions(line, word).next().is_some())?;
        Some(format!("`{word}`: finish it, or open an issue"))
    })
}

fn machine_paths(file: &File) -> Vec<Problem> {
    // After a letter it is the path of a URL.
    let starts_here =
        |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || "._-}".contains(c));
    lines_matching(file, |line| {
        let path = MACHINE_PATHS
            .iter()
            .find(|path| line.match_indices(**path).any(|(at, _)| starts_here(&line[..at])))?;
        Some(format!("`{path}` is a folder of one machine"))
    })
}

fn lines_matching(file: &File, message: impl Fn(&str) -> Option<String>) -> Vec<Problem> {
    let lines = file.text.lines().zip(1..);
    lines.filter_map(|(line, number)| Some(file.problem(number, message(line)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File {
        File { path: "a.rs".to_owned(), text: text.to_owned() }
    }

    fn places(problems: &[Problem]) -> Vec<usize> {
        problems.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn a_long_file_needs_a_reason_near_its_top() {
        let long = "fn a() {}\n".repeat(MOST_LINES + 1);
        assert!(too_long(&file(&long)).is_some());
        assert!(too_long(&file(&long[10..])).is_none());
        assert!(too_long(&file(&format!("//! Purpose.\n{REASON} one table\n{long}"))).is_none());
        assert!(too_long(&file(&format!("{REASON} \n{long}"))).is_some());
        assert!(too_long(&file(&format!("{long}{REASON} too late\n"))).is_some());
    }

    #[test]
    fn tabs_and_blanks_at_line_ends_are_found() {
        assert_eq!(places(&stray_blanks(&file("a\nb \n\tc\nd\r\n"))), [2, 3, 4]);
        assert_eq!(stray_blanks(&file("a\n  b\n")), []);
    }

    #[test]
    fn work_left_undone_is_found_as_a_word() {
        for word in UNDONE {
            assert_eq!(places(&undone(&file(&format!("a\n{word} b\n")))), [2], "{word}");
        }
        assert_eq!(undone(&file(concat!("masTO", "DON mastodon_to", "do"))), []);
    }

    #[test]
    fn folders_of_one_machine_are_found_but_not_paths_of_urls() {
        for path in MACHINE_PATHS {
            assert_eq!(places(&machine_paths(&file(&format!("x\n\"{path}a\"")))), [2], "{path}");
            assert_eq!(machine_paths(&file(&format!("http://a.example{path}b"))), []);
        }
    }

    #[test]
    fn every_rule_is_applied() {
        let text = format!("{} \n{}x\n", UNDONE[0], MACHINE_PATHS[0]);
        assert_eq!(check(&[file(&text)]).unwrap().len(), 3);
        let long = file(&"\n".repeat(MOST_LINES + 1));
        assert_eq!(check(&[long]).unwrap().len(), 1);
    }
}
