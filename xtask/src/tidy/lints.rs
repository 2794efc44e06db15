//! Checks that every crate has `[lints] workspace = true`.

use anyhow::Result;

use super::{File, Problem};

/// Checks the manifests of the workspace's crates.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    // The fuzz programs are a separate workspace.
    let manifests = files
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml") && file.path != "fuzz/Cargo.toml");
    Ok(manifests.filter_map(own_lints).collect())
}

fn own_lints(file: &File) -> Option<Problem> {
    let mut section = "";
    let shared = file.text.lines().any(|line| {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
        }
        let words: String = line.split_whitespace().collect();
        (section == "[lints]" && words == "workspace=true") || words == "lints.workspace=true"
    });
    (!shared).then(|| file.problem(1, "`[lints] workspace = true` is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> usize {
        check(&[File { path: path.to_owned(), text: text.to_owned() }]).unwrap().len()
    }

    #[test]
    fn a_crate_with_the_shared_lints_passes() {
        let text = "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n";
        assert_eq!(problems("crates/a/Cargo.toml", text), 0);
        assert_eq!(problems("crates/a/Cargo.toml", "lints.workspace = true\n"), 0);
    }

    #[test]
    fn a_crate_without_them_is_found() {
        assert_eq!(problems("crates/a/Cargo.toml", "[package]\nworkspace = true\n"), 1);
        assert_eq!(problems("crates/a/Cargo.toml", "[lints]\nworkspace = false\n"), 1);
        assert_eq!(problems("crates/a/Cargo.toml", "[lints.rust]\nworkspace = true\n"), 1);
    }

    #[test]
    fn only_crates_of_the_workspace_are_asked() {
        assert_eq!(problems("Cargo.toml", "[workspace]\n"), 0);
        assert_eq!(problems("fuzz/Cargo.toml", "[workspace]\n"), 0);
        assert_eq!(problems("fuzz/targets/Cargo.toml", "[package]\n"), 1);
    }
}
