//! Finds the tools that the checks need, and installs missing ones.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell;

mod npm;

pub use npm::{axe, esbuild, find_esbuild, find_wasm_opt, wasm_opt};

/// The compilation target for browsers.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Installs rustfmt and clippy if missing.
pub fn components() -> Result<()> {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        match shell::probe(shell::cargo().args([command, "--version"])) {
            Some(version) => found(component, version.trim()),
            None => rustup(&["component", "add", component])?,
        }
    }
    Ok(())
}

/// Installs the wasm32 target if missing.
pub fn wasm_target() -> Result<()> {
    if has_wasm_target() {
        found("target", WASM);
        return Ok(());
    }
    rustup(&["target", "add", WASM])
}

fn has_wasm_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries =
        shell::probe(Command::new(rustc).args(["--print", "target-libdir", "--target", WASM]));
    libraries.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

/// `wasm-bindgen-test-runner`, of the version in Cargo.lock.
pub fn wasm_test_runner() -> Result<PathBuf> {
    wasm_bindgen_program("wasm-bindgen-test-runner")
}

/// `wasm-bindgen`, of the version in Cargo.lock.
pub fn wasm_bindgen() -> Result<PathBuf> {
    wasm_bindgen_program("wasm-bindgen")
}

/// A program of wasm-bindgen, of the exact version in Cargo.lock.
///
/// The data format between crate and tool changes with every version.
fn wasm_bindgen_program(name: &str) -> Result<PathBuf> {
    wasm_bindgen_tool(name)?.get()
}

fn wasm_bindgen_tool(name: &str) -> Result<Tool<'_>> {
    let lock_file = shell::root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock_file)
        .with_context(|| format!("cannot read {}", lock_file.display()))?;
    let version =
        locked_version(&lock, "wasm-bindgen").context("wasm-bindgen: not in Cargo.lock")?;
    let folder = cache()?.join(format!("wasm-bindgen-{version}"));
    // Not `--locked`: the lock file of wasm-bindgen-cli does not always resolve.
    Ok(Tool { name, package: "wasm-bindgen-cli", version, flags: &[], folder })
}

/// Trunk, which builds the app.
pub fn trunk() -> Result<PathBuf> {
    trunk_tool()?.get()
}

fn trunk_tool() -> Result<Tool<'static>> {
    let flags = &["--locked", "--no-default-features", "--features", "rustls"];
    let folder = cache()?.join(format!("trunk-{TRUNK}"));
    Ok(Tool { name: "trunk", package: "trunk", version: TRUNK.to_owned(), flags, folder })
}

/// The version of Trunk, as in Trunk.toml; later ones need a later compiler.
const TRUNK: &str = "0.21.14";

/// Tools that a build of the app would install, without installing them.
pub fn missing() -> Result<Vec<String>> {
    let mut missing = Vec::new();
    if !has_wasm_target() {
        missing.push(format!("the {WASM} target (rustup)"));
    }
    for tool in [wasm_bindgen_tool("wasm-bindgen")?, trunk_tool()?] {
        if tool.find().is_none() {
            let (name, version) = (tool.name, &tool.version);
            missing.push(format!("{name} {version} (compiled by cargo, some minutes)"));
        }
    }
    let from_npm = [("wasm-opt", find_wasm_opt()?), ("esbuild", find_esbuild()?)];
    for (name, _) in from_npm.into_iter().filter(|(_, program)| program.is_none()) {
        missing.push(format!("{name} (npm; optional)"));
    }
    Ok(missing)
}

/// A tool that cargo can build, in one version.
struct Tool<'a> {
    name: &'a str,
    package: &'a str,
    version: String,
    flags: &'a [&'a str],
    /// Install folder if it is not on PATH.
    folder: PathBuf,
}

impl Tool<'_> {
    fn built(&self) -> PathBuf {
        self.folder.join("bin").join(self.name)
    }

    fn is_right(&self, program: &Path) -> bool {
        let printed = shell::probe(Command::new(program).arg("--version")).unwrap_or_default();
        printed.split_whitespace().any(|word| word == self.version)
    }

    /// Finds it on PATH or in its folder.
    fn find(&self) -> Option<PathBuf> {
        let mut candidates = shell::which(self.name).into_iter().chain([self.built()]);
        candidates.find(|program| self.is_right(program))
    }

    /// Finds it on PATH or in its folder, or installs it.
    fn get(&self) -> Result<PathBuf> {
        let version = &self.version;
        if let Some(program) = self.find() {
            found(&format!("{} {version}", self.name), program.display());
            return Ok(program);
        }
        cargo_install(&format!("{}@{version}", self.package), self.flags, &self.folder)?;
        let built = self.built();
        if !self.is_right(&built) {
            bail!("{} was installed but does not report version {version}", built.display());
        }
        Ok(built)
    }
}

/// Installs Chromium if missing; returns the path of its driver.
pub fn chromium_driver() -> Result<PathBuf> {
    let browser =
        || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(shell::which);
    let driver = || {
        let chosen = env::var_os("CHROMEDRIVER").map(PathBuf::from).filter(|path| path.is_file());
        chosen.or_else(|| shell::which("chromedriver"))
    };
    if browser().is_none() || driver().is_none() {
        apt_install(&["chromium", "chromium-driver"])?;
    }
    match (browser(), driver()) {
        (Some(browser), Some(driver)) => {
            found("browser", browser.display());
            found("driver", driver.display());
            Ok(driver)
        }
        _ => bail!("chromium and chromedriver were installed but are not on PATH"),
    }
}

/// The folder of `cargo-fuzz`; `None` if it is on PATH.
pub fn cargo_fuzz() -> Result<Option<PathBuf>> {
    let name = "cargo-fuzz";
    if let Some(program) = shell::which(name) {
        found(name, program.display());
        return Ok(None);
    }
    let folder = cache()?.join(name);
    let bin = folder.join("bin");
    if bin.join(name).is_file() {
        found(name, bin.join(name).display());
    } else {
        cargo_install(name, &["--locked"], &folder)?;
    }
    Ok(Some(bin))
}

/// PATH with a folder in front.
pub fn path_with(folder: &Path) -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_path_buf()].into_iter().chain(env::split_paths(&path));
    env::join_paths(folders).context("PATH cannot be extended")
}

fn found(what: &str, place: impl std::fmt::Display) {
    println!("{what}: {place}");
}

fn rustup(arguments: &[&str]) -> Result<()> {
    if shell::which("rustup").is_none() {
        bail!("`rustup {}` is needed, but rustup is not on PATH", arguments.join(" "));
    }
    println!("rustup {}", arguments.join(" "));
    shell::run(Command::new("rustup").args(arguments).current_dir(shell::root()))
}

/// Folder of the tools installed for this project, per user.
pub fn cache() -> Result<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    Ok(base.context("neither XDG_CACHE_HOME nor HOME is set")?.join("crawlscope").join("tools"))
}

/// Build folder of a tool, unique to the process: two processes may install the same tool at once.
fn build_folder(folder: &Path, process: u32) -> PathBuf {
    folder.join(format!("build-{process}"))
}

/// Builds a tool into `folder`.
fn cargo_install(package: &str, flags: &[&str], folder: &Path) -> Result<()> {
    println!("installing {package} into {} (a minute or more)", folder.display());
    let build = build_folder(folder, std::process::id());
    // Outside the repository, so that its settings do not apply; unoptimised, because that builds much
    // faster and the tools are fast enough.
    fs::create_dir_all(&build).with_context(|| format!("cannot create {}", build.display()))?;
    shell::run(
        shell::cargo()
            .current_dir(folder)
            .args(["install", "--quiet", package, "--debug", "--root"])
            .arg(folder)
            .arg("--target-dir")
            .arg(&build)
            .args(flags),
    )?;
    fs::remove_dir_all(&build).with_context(|| format!("cannot remove {}", build.display()))
}

fn apt_install(packages: &[&str]) -> Result<()> {
    let wanted = packages.join(" and ");
    if shell::which("apt-get").is_none() {
        bail!("{wanted}: not on PATH, and there is no apt-get; install them yourself");
    }
    let is_root = shell::probe(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    if !is_root && shell::which("sudo").is_none() {
        bail!(
            "{wanted}: not on PATH, and installing them needs root or sudo; install them yourself"
        );
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new(if is_root { "apt-get" } else { "sudo" });
        if !is_root {
            command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        }
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        println!("{}", shell::shown(&command));
        shell::run(&mut command)
    };
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

/// The version of a package in a Cargo.lock.
fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?;
    version.strip_suffix('"').map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_processes_build_a_tool_in_two_folders() {
        let tool = Path::new("tool");
        assert_ne!(build_folder(tool, 1), build_folder(tool, 2));
        assert!(build_folder(tool, 1).starts_with(tool));
    }

    #[test]
    fn the_locked_version_is_that_of_the_package_itself() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"x\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "web-sys"), None);
    }
}
