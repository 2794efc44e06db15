//! Measures the built app in the browser; prints `what<TAB>name<TAB>number` lines that
//! `cargo xtask bench` reads.

mod app;
mod sigma;

use std::path::Path;

use anyhow::{Result, bail};

/// Measures what the words say.
pub fn run(words: &[String]) -> Result<()> {
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tasks"] => app::tasks(),
        ["timeline"] => app::timeline(),
        ["first-visit"] => app::first_visit(),
        ["memory"] => app::memory(),
        ["sigma", packages] => sigma::frames(Path::new(packages)),
        _ => bail!("usage: tasks | timeline | first-visit | memory | sigma FOLDER"),
    }
}
