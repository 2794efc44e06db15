//! Finishes the app that Trunk built, for any static host.
//!
//! `crawl-dist finish FOLDER [WASM_OPT CACHE [ESBUILD]]` rewrites a folder in place: it optimises wasm,
//! minifies scripts and styles, puts a content hash into all file names except the page's and the
//! service worker's, writes the Content-Security-Policy into the page and the file list into the
//! service worker, and adds Brotli and gzip copies. Results of `wasm-opt` are kept in the folder CACHE.
//!
//! `crawl-dist digest FOLDER…` prints one digest of all files in the folders.

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
use scripts::Minifier;
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
        ["finish", folder, wasm_opt, cache, esbuild @ ..] if esbuild.len() < 2 => {
            let optimiser = Optimiser::new(Path::new(wasm_opt), Path::new(cache))?;
            let minifier = esbuild.first().map(|program| Minifier::new(Path::new(program)));
            finish::run(Path::new(folder), Some(&optimiser), minifier.as_ref())
        }
        ["digest", folders @ ..] if !folders.is_empty() => {
            let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
            println!("{}", digest_of(&folders)?);
            Ok(())
        }
        _ => bail!("usage: crawl-dist finish FOLDER [WASM_OPT CACHE [ESBUILD]] | digest FOLDER…"),
    }
}

/// A digest of the names and contents of all files.
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
    fn wrong_arguments_are_reported() {
        assert!(run(&["finish"]).unwrap_err().to_string().starts_with("usage:"));
        assert!(run(&["digest"]).is_err());
    }
}
