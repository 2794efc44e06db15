//! Other programs that rank or draw the same graph.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Measured, read};
use crate::{shell, tools};

const PYTHON_PEERS: [&str; 4] = ["igraph", "networkx", "numpy", "scipy"];
const NODE_PEERS: [&str; 2] = ["graphology", "graphology-metrics"];
const DRAWING_PEERS: [&str; 2] = ["sigma@3.0.3", "graphology@0.26.0"];

/// Measures python-igraph (PRPACK), scipy and networkx, in a virtual environment.
pub fn python(graph: &Path, ours: &Path) -> Vec<Measured> {
    or_skip("igraph, scipy, networkx", || {
        let folder = tools::cache()?.join("peers-python");
        let python = folder.join("bin").join("python");
        if !python.is_file() {
            println!("creating a virtual environment in {}", folder.display());
            shell::run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
            shell::run(Command::new(&python).args(install).args(PYTHON_PEERS))?;
        }
        let script = write(&folder, "ranks.py", include_str!("ranks.py"))?;
        // One core for all.
        let mut command = Command::new(python);
        command.arg(script).args([graph, ours]).env("OMP_NUM_THREADS", "1");
        shell::output(&mut command)
    })
}

/// Measures graphology, in an npm folder.
pub fn node(graph: &Path, ours: &Path) -> Vec<Measured> {
    or_skip("graphology", || {
        let folder = from_npm("peers-node", &NODE_PEERS)?;
        let script = write(&folder, "ranks.cjs", include_str!("ranks.cjs"))?;
        let mut command = Command::new("node");
        command.arg("--max-old-space-size=12000").arg(script).args([graph, ours]);
        shell::output(&mut command)
    })
}

/// Measures sigma.js on the stage's graph; `measure` is the program that runs it in the browser.
pub fn sigma(mut measure: Command) -> Vec<Measured> {
    or_skip("sigma.js", || {
        let folder = from_npm("peers-drawing", &DRAWING_PEERS)?;
        shell::output(measure.arg("sigma").arg(folder))
    })
}

/// Installs packages in an npm folder.
fn from_npm(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = tools::cache()?.join(name);
    if !folder.join("node_modules").is_dir() {
        fs::create_dir_all(&folder)?;
        println!("npm install {} in {}", packages.join(" "), folder.display());
        let install = ["install", "--silent", "--no-audit", "--no-fund"];
        shell::run(Command::new("npm").args(install).args(packages).current_dir(&folder))?;
    }
    Ok(folder)
}

fn or_skip(what: &str, measure: impl FnOnce() -> Result<String>) -> Vec<Measured> {
    match measure() {
        Ok(printed) => {
            print!("{printed}");
            read(&printed)
        }
        Err(error) => {
            println!("skipped: {what} ({error:#})");
            Vec::new()
        }
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let file = folder.join(name);
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}
