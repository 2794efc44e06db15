//! Recomputes and rewrites the golden files: `cargo xtask golden`.

use crawl_tests::golden::Kind;
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for kind in Kind::ALL {
        fs::write(folder.join(kind.file()), kind.computed())?;
        println!("{}", kind.file());
    }
    fs::write(folder.join("links.txt"), crawl_tests::links::computed()?)?;
    println!("links.txt");
    Ok(())
}
