//! Checks that crates that parse outside data check overflow in every shipped profile.
//!
//! A number in a hostile file then cannot wrap around.

use anyhow::Result;

use super::{File, Problem};
use crate::layers::LAYERS;

/// Crates that parse files, links, messages and requests. `crawl-world` decodes worlds too; it is not
/// listed because its decoders use checked arithmetic, and crawls need its speed.
const READERS: &[&str] = &["crawl-catalogue", "crawl-import", "crawl-protocol", "crawl-server"];

/// Checks the profiles in the workspace's manifest.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let manifests = files.iter().filter(|file| file.path == "Cargo.toml");
    Ok(manifests.flat_map(unchecked).collect())
}

fn unchecked(manifest: &File) -> Vec<Problem> {
    let sections = || manifest.text.lines().enumerate().filter(|(_, line)| line.starts_with('['));
    let mut problems = Vec::new();
    for (at, section) in sections() {
        let name = section.trim().strip_prefix("[profile.").and_then(|s| s.strip_suffix(']'));
        // Development builds always check overflow.
        let Some(profile) = name.filter(|name| !name.contains('.') && *name != "dev") else {
            continue;
        };
        let package = format!("[profile.{profile}.package]");
        let listed: Vec<String> = manifest
            .text
            .lines()
            .skip_while(|line| line.trim() != package)
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .map(|line| line.split_whitespace().collect())
            .collect();
        for reader in READERS.iter().filter(|reader| profile == "release" || is_for_wasm(reader)) {
            let is_checked = |line: &String| {
                line.starts_with(&format!("{reader}={{")) && line.contains("overflow-checks=true")
            };
            if !listed.iter().any(is_checked) {
                let message = format!("{package}: `{reader}` needs `overflow-checks = true`");
                problems.push(manifest.problem(at + 1, message));
            }
        }
    }
    problems
}

fn is_for_wasm(name: &str) -> bool {
    LAYERS.iter().any(|layer| layer.name == name && layer.wasm)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<usize> {
        let file = File { path: "Cargo.toml".to_owned(), text: text.to_owned() };
        check(&[file]).unwrap().iter().map(|problem| problem.line).collect()
    }

    fn listed(profile: &str) -> String {
        let line = |name: &&str| format!("{name} = {{ overflow-checks = true }}\n");
        let lines: String = READERS.iter().map(line).collect();
        format!("[profile.{profile}]\nlto = \"fat\"\n\n[profile.{profile}.package]\n{lines}\n")
    }

    #[test]
    fn profiles_that_check_the_readers_pass() {
        assert_eq!(problems(&(listed("release") + &listed("web"))), [0_usize; 0]);
        assert_eq!(problems("[profile.dev]\nopt-level = 1\n"), [0_usize; 0]);
        let with_more = listed("web").replace("{ over", "{ opt-level = 3, over");
        assert_eq!(problems(&with_more), [0_usize; 0]);
    }

    #[test]
    fn each_reader_that_is_not_checked_is_found() {
        assert_eq!(problems("[profile.release]\n").len(), READERS.len());
        let without = listed("release").replace("crawl-import = { overflow-checks = true }\n", "");
        assert_eq!(problems(&without), [1]);
        let off = listed("release").replacen("true", "false", 1);
        assert_eq!(problems(&off), [1]);
        // A list replaces the inherited one.
        let web = "[profile.web]\ninherits = \"release\"\n\n[profile.web.package]\nlibm = {}\n";
        assert_eq!(problems(&(listed("release") + web)).len(), READERS.len() - 1);
    }
}
