//! Tools from npm: each in one version and a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{cache, found};
use crate::shell;

/// Binaryen, which contains `wasm-opt`.
const BINARYEN: (&str, &str) = ("binaryen", "132.0.0");
/// Minifier of scripts and styles.
const ESBUILD: (&str, &str) = ("esbuild", "0.28.2");
/// Accessibility checker.
const AXE: (&str, &str) = ("axe-core", "4.14.0");
/// The oldest `wasm-opt` with all flags we use.
const OLDEST_WASM_OPT: u32 = 120;

/// `wasm-opt`; `None` if it is not available, which makes programs larger and slower.
pub fn wasm_opt() -> Result<Option<PathBuf>> {
    if let Some(program) = find_wasm_opt()? {
        found("wasm-opt", program.display());
        return Ok(Some(program));
    }
    match install(BINARYEN) {
        Ok(folder) => Ok(Some(bin(&folder, "wasm-opt"))),
        Err(error) => {
            println!("wasm-opt: skipped, the app will be larger and slower ({error:#})");
            Ok(None)
        }
    }
}

/// `esbuild`; `None` if it is not available, which makes scripts larger.
pub fn esbuild() -> Result<Option<PathBuf>> {
    if let Some(program) = find_esbuild()? {
        found("esbuild", program.display());
        return Ok(Some(program));
    }
    match install(ESBUILD) {
        Ok(_) => find_esbuild(),
        Err(error) => {
            println!("esbuild: skipped, the app will be larger ({error:#})");
            Ok(None)
        }
    }
}

/// `esbuild`, if it is installed already.
pub fn find_esbuild() -> Result<Option<PathBuf>> {
    let program = bin(&folder(ESBUILD)?, "esbuild");
    let runs = shell::probe(Command::new(&program).arg("--version")).is_some();
    Ok(Some(program).filter(|_| runs))
}

/// `wasm-opt`, if it is installed already.
pub fn find_wasm_opt() -> Result<Option<PathBuf>> {
    let is_new = |program: &PathBuf| {
        let printed = shell::probe(Command::new(program).arg("--version"));
        printed.and_then(|printed| version(&printed)).is_some_and(|v| v >= OLDEST_WASM_OPT)
    };
    let ours = bin(&folder(BINARYEN)?, "wasm-opt");
    Ok([Some(ours), shell::which("wasm-opt")].into_iter().flatten().find(is_new))
}

/// The accessibility script for pages.
pub fn axe() -> Result<PathBuf> {
    let script = |folder: &Path| folder.join("node_modules").join("axe-core").join("axe.min.js");
    let there = script(&folder(AXE)?);
    if there.is_file() {
        found("axe-core", there.display());
        return Ok(there);
    }
    Ok(script(&install(AXE)?))
}

fn folder((name, version): (&str, &str)) -> Result<PathBuf> {
    Ok(cache()?.join(format!("{name}-{version}")))
}

fn bin(folder: &Path, program: &str) -> PathBuf {
    folder.join("node_modules").join(".bin").join(program)
}

fn install(package: (&str, &str)) -> Result<PathBuf> {
    let (name, version) = package;
    if shell::which("npm").is_none() || shell::which("node").is_none() {
        bail!("{name} is an npm package, but node and npm are not on PATH");
    }
    let folder = folder(package)?;
    println!("installing {name}@{version} into {}", folder.display());
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder);
    shell::run(npm.arg(format!("{name}@{version}")).current_dir(&folder))?;
    Ok(folder)
}

/// The number in `wasm-opt version 132 (version_132)`.
fn version(printed: &str) -> Option<u32> {
    let (_, rest) = printed.split_once("version ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_wasm_opt_is_read() {
        assert_eq!(version("wasm-opt version 132 (version_132)\n"), Some(132));
        assert_eq!(version("wasm-opt version 108\n"), Some(108));
        assert_eq!(version("something else"), None);
    }
}
