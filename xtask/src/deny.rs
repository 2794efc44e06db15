//! Checks dependencies by `deny.toml` with cargo-deny, if it is installed.

use std::process::Command;

use anyhow::Result;

use crate::shell;

/// How to install cargo-deny; it is optional because it takes minutes to build.
pub const MISSING: &str = "cargo-deny is not installed (cargo install --locked cargo-deny)";
/// Why advisories are not checked.
pub const NO_DATABASE: &str = "the advisory database cannot be fetched";

/// Whether cargo-deny is installed.
pub fn is_installed() -> bool {
    shell::probe(shell::cargo().args(["deny", "--version"])).is_some()
}

/// Fetches the advisory database; returns false if it is not available.
pub fn fetch_database() -> bool {
    shell::probe(shell::cargo().args(["deny", "fetch", "db"]).current_dir(shell::root())).is_some()
}

/// Checks licences, sources and banned crates; needs no network.
pub fn check_licences() -> Result<()> {
    shell::run(&mut check(&["bans", "licenses", "sources"]))
}

/// Checks advisories in the database fetched last.
pub fn check_advisories() -> Result<()> {
    shell::run(check(&["advisories"]).arg("--disable-fetch"))
}

fn check(kinds: &[&str]) -> Command {
    let mut command = shell::cargo();
    command.args(["deny", "--log-level", "error", "--locked", "--offline", "check"]).args(kinds);
    command.current_dir(shell::root());
    command
}
