//! Benchmarks of the built app in the browser; prints `what<TAB>name<TAB>number` lines for
//! `cargo xtask bench`.

mod app;
mod network;
mod sigma;

use std::path::Path;

use anyhow::{Result, bail};

/// Runs the benchmark named by the command line arguments.
pub fn run(words: &[String]) -> Result<()> {
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tasks"] => app::tasks(),
        ["timeline"] => app::timeline(),
        ["first-visit"] => app::first_visit(),
        ["first-visit-networks", folders @ ..] => network::first_visits(folders),
        ["memory"] => app::memory(),
        ["sigma", packages] => sigma::frames(Path::new(packages)),
        _ => bail!(
            "usage: tasks | timeline | first-visit | first-visit-networks [FOLDER …] | memory | sigma FOLDER"
        ),
    }
}
