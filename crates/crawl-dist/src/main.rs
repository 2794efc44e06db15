//! Finishes the app that Trunk built, so that it can be put on any static host as it is.
//!
//! `crawl-dist finish FOLDER [WASM_OPT KEPT [ESBUILD]]` rewrites a folder in place:
//! wasm is optimised, scripts and styles are shortened, every file but the page and the service worker is named by its content, the
//! page gets its Content-Security-Policy, the service worker its list, and every file that shrinks
//! gets a Brotli and a gzip copy beside it. What `wasm-opt` made is kept in the folder KEPT.
//!
//! `crawl-dist digest FOLDER…` prints one digest over all files of some folders.

mod compress;
mod finish;
mod folder;
mod names;
mod offline;
mod page;
mod scripts;
mod styles;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use folder::Folder;
use scripts::Shortener;
use wasm::Optimiser;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crawl-dist: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["finish", folder] => finish::run(Path::new(folder), None, None),
        ["finish", folder, wasm_opt, kept, esbuild @ ..] if esbuild.len() < 2 => {
            let optimiser = Optimiser::new(Path::new(wasm_opt), Path::new(kept))?;
            let shortener = esbuild.first().map(|program| Shortener::new(Path::new(program)));
            finish::run(Path::new(folder), Some(&optimiser), shortener.as_ref())
        }
        ["digest", folders @ ..] if !folders.is_empty() => {
            let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
            println!("{}", digest_of(&folders)?);
            Ok(())
        }
        _ => bail!("usage: crawl-dist finish FOLDER [WASM_OPT KEPT [ESBUILD]] | digest FOLDER…"),
    }
}

/// One digest over the names and contents of all files of some folders.
fn digest_of(folders: &[PathBuf]) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    for folder in folders {
        for (name, bytes) in &Folder::read(folder)?.files {
            hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        }
    }
    Ok(names::short(&hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_follows_names_and_contents_and_nothing_else() {
        let folder = folder::testing::temporary("digest");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("a", "1");
        let one = digest_of(std::slice::from_ref(&folder)).unwrap();
        assert_eq!(one.len(), 16);
        write("a", "2");
        assert_ne!(digest_of(std::slice::from_ref(&folder)).unwrap(), one);
        write("a", "1");
        assert_eq!(digest_of(std::slice::from_ref(&folder)).unwrap(), one);
        write("b", "");
        assert_ne!(digest_of(std::slice::from_ref(&folder)).unwrap(), one);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn wrong_arguments_are_told() {
        assert!(run(&["finish"]).unwrap_err().to_string().starts_with("usage:"));
        assert!(run(&["digest"]).is_err());
    }
}
