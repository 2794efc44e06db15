//! `cargo xtask dist`: builds the release app in dist/, ready for any static host.
//!
//! Trunk builds; its hook in Trunk.toml then calls `cargo xtask finish`, so that `trunk build
//! --release` gives the same folder, except for the build id, which the app and its workers compare
//! when they connect.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::layers::LAYERS;
use crate::{shell, tools};

/// Path of wasm-opt for the hook; empty for none.
const WASM_OPT: &str = "CRAWLSCOPE_WASM_OPT";
/// Build id, compiled into the app and its workers.
const BUILD: &str = "CRAWLSCOPE_BUILD";

/// Output folder of the app.
pub fn folder() -> PathBuf {
    shell::root().join("dist")
}

/// Builds the app, after installing missing tools.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    build()?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the app, after installing missing tools.
pub fn build() -> Result<()> {
    shell::heading("installing build tools");
    let mut trunk = trunk()?;
    let wasm_opt = tools::wasm_opt()?.map(PathBuf::into_os_string).unwrap_or_default();
    tools::esbuild()?;
    shell::heading("building the app");
    trunk.args(["build", "--release"]).env(BUILD, build_number()?).env(WASM_OPT, wasm_opt);
    shell::run(&mut trunk)
}

/// `cargo xtask dev`: serves the app for development and rebuilds it on changes.
pub fn dev(arguments: &[String]) -> Result<ExitCode> {
    shell::run(trunk()?.arg("serve").args(arguments))?;
    Ok(ExitCode::SUCCESS)
}

/// Trunk with all its tools on PATH, so that it downloads nothing.
fn trunk() -> Result<Command> {
    tools::wasm_target()?;
    let bindgen = tools::wasm_bindgen()?;
    let mut trunk = Command::new(tools::trunk()?);
    trunk
        .current_dir(shell::root())
        .env("PATH", tools::path_with(bindgen.parent().unwrap_or(Path::new(".")))?)
        .env("TRUNK_SKIP_VERSION_CHECK", "true")
        // Trunk's backtraces do not help.
        .env("RUST_BACKTRACE", "0")
        // Trunk reads NO_COLOR as a flag and accepts only `true` and `false`.
        .env_remove("NO_COLOR");
    Ok(trunk)
}

/// `cargo xtask finish`: called by Trunk's hook after each build.
pub fn finish(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    let variable = |name: &str| {
        env::var_os(name)
            .with_context(|| format!("{name} is not set; Trunk calls this command, see Trunk.toml"))
    };
    if variable("TRUNK_PROFILE")? != "release" {
        return Ok(ExitCode::SUCCESS);
    }
    let staging = variable("TRUNK_STAGING_DIR")?;
    let wasm_opt = match env::var_os(WASM_OPT) {
        Some(program) => Some(program).filter(|program| !program.is_empty()),
        None => tools::find_wasm_opt()?.map(PathBuf::into_os_string),
    };
    let mut finish = crawl_dist(&["finish"]);
    finish.arg(staging);
    if let Some(wasm_opt) = wasm_opt {
        finish.arg(wasm_opt).arg(shell::target()?.join("wasm-opt"));
        finish.args(tools::find_esbuild()?);
    }
    shell::run(&mut finish)?;
    Ok(ExitCode::SUCCESS)
}

/// Build id: a digest of all sources of the app and its workers.
fn build_number() -> Result<OsString> {
    let sources =
        LAYERS.iter().filter(|layer| layer.wasm).map(|layer| format!("crates/{}", layer.name));
    let folders = sources.filter(|folder| shell::root().join(folder).is_dir());
    let printed = shell::output(crawl_dist(&["digest"]).args(folders).arg("Cargo.lock"))?;
    Ok(printed.trim().into())
}

/// The program that finishes a build; optimised, because compression takes long.
fn crawl_dist(arguments: &[&str]) -> Command {
    let mut command = shell::cargo();
    command.args(["run", "--release", "--package", "crawl-dist", "--"]).args(arguments);
    command
}
