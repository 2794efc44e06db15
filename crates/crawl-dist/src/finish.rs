//! Turns Trunk's build into the files to serve.

use std::path::Path;

use anyhow::Result;

use crate::folder::Folder;
use crate::scripts::Minifier;
use crate::wasm::Optimiser;
use crate::{compress, names, offline, page, styles};

const PAGE: &str = "index.html";
const SERVICE_WORKER: &str = "service-worker.js";

/// Finishes a folder in place.
pub fn run(top: &Path, optimiser: Option<&Optimiser>, minifier: Option<&Minifier>) -> Result<()> {
    let mut folder = Folder::read(top)?;
    styles::join(&mut folder, PAGE)?;
    if let Some(minifier) = minifier {
        for (name, bytes) in &mut folder.files {
            if let Some(short) = minifier.minify(name, bytes)? {
                *bytes = short;
            }
        }
    }
    if let Some(optimiser) = optimiser {
        for (name, bytes) in folder.files.iter_mut().filter(|(name, _)| name.ends_with(".wasm")) {
            let before = bytes.len();
            *bytes = optimiser.optimise(name, bytes)?;
            println!("{name}: {before} bytes, optimised {}", bytes.len());
        }
    }
    finish(&mut folder)?;
    folder.write(top)
}

/// Finishes a folder in memory.
fn finish(folder: &mut Folder) -> Result<()> {
    for name in names::hash_all(folder)? {
        println!("{name}: removed, no file refers to it");
    }
    let build = build_of(folder);
    let page = page::finish(folder.text(PAGE)?, &build)?;
    let listed = folder.files.keys().map(String::as_str).filter(|n| !names::FIXED.contains(n));
    let script = offline::finish(folder.text(SERVICE_WORKER)?, &build, listed)?;
    folder.files.insert(PAGE.to_owned(), page.into_bytes());
    folder.files.insert(SERVICE_WORKER.to_owned(), script.into_bytes());
    let copies = compress::copies(&folder.files)?;
    folder.files.extend(copies);
    println!("build {build}: {} files", folder.files.len());
    Ok(())
}

/// Build id: a digest of all files.
fn build_of(folder: &Folder) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in &folder.files {
        hasher.update(name.as_bytes()).update(blake3::hash(bytes).as_bytes());
    }
    names::short(&hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::testing::of;

    const WORKER: &str = "const BUILD = \"development\";\nconst FILES = [];\n";

    fn finished(style: &str) -> Folder {
        let page = "<meta charset=\"utf-8\"><link href=\"app.css\">";
        let mut folder =
            of(&[("index.html", page), ("service-worker.js", WORKER), ("app.css", style)]);
        finish(&mut folder).unwrap();
        folder
    }

    #[test]
    fn a_finished_build_lists_its_files_and_knows_its_number() {
        let folder = finished("a{}");
        let style = folder.files.keys().find(|name| name.starts_with("app-")).unwrap();
        let script = folder.text("service-worker.js").unwrap();
        assert!(script.contains(&format!("[\n  \"{style}\",\n]")), "{script}");
        let build = script.split('"').nth(1).unwrap();
        let page = folder.text("index.html").unwrap();
        assert!(page.contains(&format!("content=\"{build}\"")), "{page}");
        assert!(folder.files.contains_key("index.html.br"));
    }

    #[test]
    fn the_same_files_are_the_same_build() {
        assert_eq!(finished("a{}").files, finished("a{}").files);
        assert_ne!(finished("a{}").files["index.html"], finished("b{}").files["index.html"]);
    }
}
