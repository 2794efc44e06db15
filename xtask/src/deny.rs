//! What dependencies may be, as `deny.toml` says, checked by cargo-deny where it is installed.

use std::process::Command;

use anyhow::Result;

use crate::shell;

/// How to get it: it takes minutes to build, so that nobody has to.
pub const MISSING: &str = "cargo-deny is not installed (cargo install --locked cargo-deny)";
/// Why known faults of dependencies are not looked for.
pub const NO_DATABASE: &str = "the advisory database cannot be fetched";

/// Whether cargo-deny is installed.
pub fn is_installed() -> bool {
    shell::probe(shell::cargo().args(["deny", "--version"])).is_some()
}

/// Fetches the list of known faults; false where it cannot be had.
pub fn fetch_database() -> bool {
    shell::probe(shell::cargo().args(["deny", "fetch", "db"]).current_dir(shell::root())).is_some()
}

/// Licences, sources, and crates that are refused; needs no network.
pub fn check_licences() -> Result<()> {
    shell::run(&mut check(&["bans", "licenses", "sources"]))
}

/// Known faults, from the list as it was fetched last.
pub fn check_advisories() -> Result<()> {
    shell::run(check(&["advisories"]).arg("--disable-fetch"))
}

fn check(kinds: &[&str]) -> Command {
    let mut command = shell::cargo();
    command.args(["deny", "--log-level", "error", "--locked", "--offline", "check"]).args(kinds);
    command.current_dir(shell::root());
    command
}
