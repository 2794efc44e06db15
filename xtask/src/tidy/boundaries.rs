//! Checks dependencies: in the manifests, that no crate depends on a higher layer; in the resolved
//! tree, that no browser bindings reach the libraries.

use anyhow::Result;
use serde_json::Value;

use super::{File, Problem};
use crate::layers::{LAYERS, Layer};
use crate::{shell, tools};

/// Crates of browser bindings.
const BROWSER: &[&str] = &["web-sys", "js-sys", "wasm-bindgen"];

/// Runs the check on the manifests and on cargo's dependency tree.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let metadata = shell::metadata(&shell::root().join("Cargo.toml"))?;
    let mut problems = wrong_dependencies(LAYERS, &metadata, files);
    for layer in LAYERS.iter().filter(|layer| layer.sealed) {
        let tree = shell::output(
            shell::cargo()
                .args(["tree", "--edges", "normal", "--prefix", "depth", "--target", tools::WASM])
                .args(["--color", "never", "--package", layer.name]),
        )?;
        problems.extend(browser_dependencies(layer.name, &tree));
    }
    Ok(problems)
}

/// Compares the manifests with the table of layers.
fn wrong_dependencies(layers: &[Layer], metadata: &Value, files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let packages: Vec<&Value> = metadata["packages"].as_array().into_iter().flatten().collect();
    let names: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    for layer in layers.iter().filter(|layer| !names.contains(&layer.name)) {
        let message = format!("`{}` is not a crate of the workspace", layer.name);
        problems.push(Problem { path: "xtask/src/layers.rs".to_owned(), line: 1, message });
    }
    for (package, name) in packages.iter().zip(&names) {
        let manifest = manifest_of(package, metadata);
        let Some(layer) = layers.iter().find(|layer| layer.name == *name) else {
            let message = format!("`{name}` is missing in xtask/src/layers.rs");
            problems.push(Problem { path: manifest, line: 1, message });
            continue;
        };
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        for used in dependencies.filter_map(|dependency| dependency["name"].as_str()) {
            if names.contains(&used) && !layer.may_use.contains(&used) {
                let line = line_naming(files, &manifest, used);
                let message = format!("`{name}` must not depend on `{used}` (xtask/src/layers.rs)");
                problems.push(Problem { path: manifest.clone(), line, message });
            }
        }
    }
    problems
}

/// Finds browser bindings in a dependency tree, and the path to them.
fn browser_dependencies(package: &str, tree: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    for line in tree.lines() {
        let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
        let Ok(depth) = line[..digits].parse::<usize>() else {
            continue;
        };
        let name = line[digits..].split_whitespace().next().unwrap_or_default();
        path.truncate(depth);
        path.push(name);
        // Reports only the topmost one.
        let first = !path[..path.len() - 1].iter().any(|above| BROWSER.contains(above));
        if first && BROWSER.contains(&name) {
            problems.push(Problem {
                path: format!("crates/{package}/Cargo.toml"),
                line: 1,
                message: format!("for wasm32 `{name}` is a dependency: {}", path.join(" -> ")),
            });
        }
    }
    problems
}

fn manifest_of(package: &Value, metadata: &Value) -> String {
    let path = package["manifest_path"].as_str().unwrap_or_default();
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    path.strip_prefix(root).unwrap_or(path).trim_start_matches(['/', '\\']).replace('\\', "/")
}

fn line_naming(files: &[File], path: &str, package: &str) -> usize {
    let file = files.iter().find(|file| file.path == path);
    file.and_then(|file| file.text.lines().position(|line| line.starts_with(package)))
        .map_or(1, |position| position + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TWO: &[Layer] = &[
        Layer { name: "low", may_use: &[], wasm: true, sealed: true },
        Layer { name: "high", may_use: &["low"], wasm: true, sealed: true },
    ];

    fn metadata(low: &[&str], high: &[&str]) -> Value {
        let package = |name: &str, uses: &[&str]| {
            let uses: Vec<Value> = uses.iter().map(|used| json!({ "name": used })).collect();
            json!({ "name": name, "manifest_path": format!("/r/{name}/Cargo.toml"), "dependencies": uses })
        };
        json!({ "workspace_root": "/r", "packages": [package("low", low), package("high", high)] })
    }

    #[test]
    fn a_crate_may_use_what_its_line_allows_and_anything_from_outside() {
        let metadata = metadata(&["serde"], &["low", "serde"]);
        assert_eq!(wrong_dependencies(TWO, &metadata, &[]), []);
    }

    #[test]
    fn a_crate_that_uses_one_above_it_is_reported_with_its_line() {
        let text = "[dependencies]\nserde = \"1\"\nhigh = { workspace = true }\n".to_owned();
        let files = [File { path: "low/Cargo.toml".to_owned(), text }];
        let problems = wrong_dependencies(TWO, &metadata(&["high"], &["low"]), &files);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].to_string().starts_with("low/Cargo.toml:3: `low` must not depend on"));
    }

    #[test]
    fn the_table_and_the_workspace_name_the_same_crates() {
        let problems = wrong_dependencies(&TWO[..1], &metadata(&[], &[]), &[]);
        assert!(problems[0].message.contains("`high` is missing"), "{problems:?}");
        let alone = json!({ "packages": [{ "name": "low" }] });
        let problems = wrong_dependencies(TWO, &alone, &[]);
        assert!(problems[0].message.contains("`high` is not a crate"), "{problems:?}");
    }

    #[test]
    fn a_browser_crate_far_down_is_reported_with_its_way_in() {
        let tree = "0core v0.1.0 (x)\n1rand v0.9.0\n2getrandom v0.3.0\n3wasm-bindgen v0.2.0\n\
                    4wasm-bindgen v0.2.0 (*)\n1libm v0.2.0\n";
        let problems = browser_dependencies("core", tree);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].message.ends_with(": core -> rand -> getrandom -> wasm-bindgen"));
        assert_eq!(
            browser_dependencies("core", "0core v0.1.0\n1libm v0.2.0\n1bindgen v1.0.0\n"),
            []
        );
    }
}
