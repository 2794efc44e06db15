//! `cargo xtask dist`: the release app, in dist/, as it can be put on any static host.
//!
//! Trunk builds; its hook in Trunk.toml then calls `cargo xtask finish`, so that `trunk build
//! --release` alone gives the same folder. Only the build number, which the app and its workers
//! compare when they first meet, comes from here.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::layers::LAYERS;
use crate::{shell, tools};

/// Tells the hook which wasm-opt to use; empty for none.
const WASM_OPT: &str = "CRAWLSCOPE_WASM_OPT";
/// The build number, compiled into the app and its workers.
const BUILD: &str = "CRAWLSCOPE_BUILD";

/// Where the app is built.
pub fn folder() -> PathBuf {
    shell::root().join("dist")
}

/// Builds the app, after installing what is missing.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    build()?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the app, after installing what is missing.
pub fn build() -> Result<()> {
    shell::heading("what the build needs");
    let mut trunk = trunk()?;
    let wasm_opt = tools::wasm_opt()?.map(PathBuf::into_os_string).unwrap_or_default();
    tools::esbuild()?;
    shell::heading("building the app");
    trunk.args(["build", "--release"]).env(BUILD, build_number()?).env(WASM_OPT, wasm_opt);
    shell::run(&mut trunk)
}

/// `cargo xtask dev`: serves the app for development, built anew when a source changes.
pub fn dev(arguments: &[String]) -> Result<ExitCode> {
    shell::run(trunk()?.arg("serve").args(arguments))?;
    Ok(ExitCode::SUCCESS)
}

/// Trunk with all it needs beside it, so that it downloads nothing.
fn trunk() -> Result<Command> {
    tools::wasm_target()?;
    let bindgen = tools::wasm_bindgen()?;
    let mut trunk = Command::new(tools::trunk()?);
    trunk
        .current_dir(shell::root())
        .env("PATH", tools::path_with(bindgen.parent().unwrap_or(Path::new(".")))?)
        .env("TRUNK_SKIP_VERSION_CHECK", "true")
        // Where in Trunk an error was passed on says nothing about the error.
        .env("RUST_BACKTRACE", "0")
        // Trunk reads this as a flag of its own and accepts only `true` and `false`.
        .env_remove("NO_COLOR");
    Ok(trunk)
}

/// `cargo xtask finish`: what Trunk's hook calls after each build.
pub fn finish(arguments: &[String]) -> Result<ExitCode> {
    shell::no_arguments(arguments)?;
    let variable = |name: &str| {
        env::var_os(name)
            .with_context(|| format!("{name} is not set: Trunk calls this, see Trunk.toml"))
    };
    if variable("TRUNK_PROFILE")? != "release" {
        return Ok(ExitCode::SUCCESS);
    }
    let staging = variable("TRUNK_STAGING_DIR")?;
    let wasm_opt = match env::var_os(WASM_OPT) {
        Some(program) => Some(program).filter(|program| !program.is_empty()),
        None => tools::wasm_opt_there()?.map(PathBuf::into_os_string),
    };
    let mut finish = crawl_dist(&["finish"]);
    finish.arg(staging);
    if let Some(wasm_opt) = wasm_opt {
        finish.arg(wasm_opt).arg(shell::target()?.join("wasm-opt"));
        finish.args(tools::esbuild_there()?);
    }
    shell::run(&mut finish)?;
    Ok(ExitCode::SUCCESS)
}

/// One number for all sources that the app and its workers are made of.
fn build_number() -> Result<OsString> {
    let sources =
        LAYERS.iter().filter(|layer| layer.wasm).map(|layer| format!("crates/{}", layer.name));
    let folders = sources.filter(|folder| shell::root().join(folder).is_dir());
    let printed = shell::output(crawl_dist(&["digest"]).args(folders).arg("Cargo.lock"))?;
    Ok(printed.trim().into())
}

/// The program that finishes a build; optimised, since compressing well takes long. It takes a while
/// to build, so cargo says what it is at.
fn crawl_dist(arguments: &[&str]) -> Command {
    let mut command = shell::cargo();
    command.args(["run", "--release", "--package", "crawl-dist", "--"]).args(arguments);
    command
}
