//! Checks registries. A new strategy, ranker, metric, world, format or document is one file and one
//! line in a registry; the compiler does not notice a missing line. Every file in a registry's folder
//! must be declared in the module beside the folder, and one with an entry must be in its list.

use anyhow::Result;

use super::{File, Problem, word_positions};

/// The folders; the registry of a folder is the module of the same name.
const FOLDERS: &[&str] = &[
    "crates/crawl-core/src/strategy",
    "crates/crawl-core/src/ranker",
    "crates/crawl-core/src/metric",
    "crates/crawl-world/src/generate",
    "crates/crawl-import/src/format",
    "crates/crawl-claims/src/document",
    "fuzz/targets/src/target",
];

/// Checks the folders that exist.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    Ok(FOLDERS.iter().flat_map(|folder| forgotten(folder, files)).collect())
}

fn forgotten(folder: &str, files: &[File]) -> Vec<Problem> {
    let registry_path = format!("{folder}.rs");
    let registry = files.iter().find(|file| file.path == registry_path);
    let code = code_lines(registry.map_or("", |file| &file.text));
    let mut problems = Vec::new();
    for file in files {
        let inside = file.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
        let Some(module) = inside.and_then(|name| name.strip_suffix(".rs")) else {
            continue;
        };
        if module.contains('/') {
            continue;
        }
        let named = code.iter().filter(|line| word_positions(line, module).next().is_some());
        let (declared, used): (Vec<&str>, Vec<&str>) =
            named.partition(|line| is_declaration(line, module));
        if declared.is_empty() && used.is_empty() {
            let message = format!("{registry_path} does not declare `{module}`");
            problems.push(file.problem(1, message));
        } else if let (Some(line), true) = (entry_line(file), used.is_empty()) {
            let message = format!("{registry_path} does not list `{module}`");
            problems.push(file.problem(line, message));
        }
    }
    problems
}

/// Lines without comments.
fn code_lines(text: &str) -> Vec<&str> {
    text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code)).collect()
}

/// The line of an entry's definition: a `const` or `static` whose type ends in `Entry`, or is `Document`
/// or `Target`. Files shared by entries have none.
fn entry_line(file: &File) -> Option<usize> {
    let defines_entry = |line: &str| {
        let mut words =
            line.split_whitespace().skip_while(|word| !["const", "static"].contains(word));
        words.next().is_some()
            && words.next().is_some_and(|name| name.ends_with(':'))
            && words.next().is_some_and(|kind| {
                kind.ends_with("Entry") || ["Document", "Target"].contains(&kind)
            })
    };
    code_lines(&file.text).iter().position(|line| defines_entry(line)).map(|position| position + 1)
}

/// Whether a line is `mod name;`, which does not list anything.
fn is_declaration(line: &str, module: &str) -> bool {
    line.trim().strip_suffix(';').is_some_and(|line| {
        let mut words = line.split_whitespace().rev();
        words.next() == Some(module) && words.next() == Some("mod")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = "crates/crawl-core/src/strategy";

    const ENTRY: &str = "//! Cash.\npub(super) const ENTRY: StrategyEntry = StrategyEntry {\n};\n";

    fn tree(registry: &str, opic: &str) -> Vec<File> {
        let file = |path: &str, text: &str| {
            let path = format!("{FOLDER}{path}");
            File { path, text: text.to_owned() }
        };
        vec![file(".rs", registry), file("/opic.rs", opic), file("/opic/cash.rs", ENTRY)]
    }

    #[test]
    fn an_entry_in_the_list_passes() {
        let registry = "mod opic;\npub const ALL: &[Strategy] = &[\n    opic::STRATEGY,\n];\n";
        assert_eq!(check(&tree(registry, ENTRY)).unwrap(), []);
        assert_eq!(check(&tree("strategies! { opic }", ENTRY)).unwrap(), []);
    }

    #[test]
    fn what_entries_share_need_only_be_declared() {
        let shared = "const MOST: u32 = 3;\nfn share(entry: &StrategyEntry) {}\n";
        assert_eq!(check(&tree("mod opic;\n", shared)).unwrap(), []);
        assert_eq!(check(&tree("// mod opic;\n", shared)).unwrap().len(), 1);
    }

    #[test]
    fn an_entry_that_is_forgotten_declared_only_or_in_a_comment_is_found() {
        for (registry, line) in [
            ("", 1),
            ("topic::X", 1),
            ("pub(crate) mod opic;\n", 2),
            ("mod opic; // opic\n// opic::STRATEGY,\n", 2),
        ] {
            let problems = check(&tree(registry, ENTRY)).unwrap();
            assert_eq!(problems.len(), 1, "{registry}");
            let place = format!("strategy/opic.rs:{line}:");
            assert!(problems[0].to_string().contains(&place), "{problems:?}");
        }
    }
}
