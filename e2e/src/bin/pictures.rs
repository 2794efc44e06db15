//! Takes the pictures of the README; `cargo xtask pictures` runs it.

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    crawl_e2e::pictures::take(&folder)
}
