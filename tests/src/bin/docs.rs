//! Rewrites `docs/strategies.md` from the registries: `cargo xtask docs`.

use crawl_tests::{documents, registry_page};
use std::{fs, io};

fn main() -> io::Result<()> {
    let page = registry_page::render(&crawl_claims::figure::catalogue());
    fs::write(documents::root().join(registry_page::PATH), page)?;
    println!("{}", registry_page::PATH);
    Ok(())
}
