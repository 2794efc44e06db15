//! With the feature `embed`: generates a table of all files in dist/ to compile in.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_EMBED").is_none() {
        return;
    }
    let variable = |name: &str| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let app = variable("CARGO_MANIFEST_DIR").join("../../dist");
    println!("cargo::rerun-if-changed={}", app.display());
    if !app.join("index.html").is_file() {
        println!("cargo::error=no app in dist/ to embed; build it with `cargo xtask dist`");
        return;
    }
    let mut table = String::from("&[\n");
    for path in files(&app) {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.strip_prefix(&app).expect("it is below").to_string_lossy();
        let name = name.replace('\\', "/");
        let path = fs::canonicalize(&path).expect("it was listed");
        writeln!(table, "({name:?}, include_bytes!({path:?}).as_slice()),").expect("a string");
    }
    table.push(']');
    fs::write(variable("OUT_DIR").join("app.rs"), table).expect("OUT_DIR can be written");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("dist/ can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).collect()
}
