//! Files that tests read: fixtures of the repository, and real data that stands beside it on some
//! machines.
//!
//! A test that needs real data does nothing else, so that it either runs or is counted as skipped.
//! Test files of other packages include this one by its path; it uses the standard library alone.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Names the file that skipped tests are noted in, a line `package::test: reason` each; `cargo xtask test`
/// sets it and counts the lines.
pub const SKIPPED: &str = "CRAWLSCOPE_SKIPPED";

/// A file of `tests/fixtures/`, made for tests.
#[allow(dead_code, reason = "not every file that includes this one reads fixtures")]
pub fn fixture(name: &str) -> PathBuf {
    repository().join("tests").join("fixtures").join(name)
}

/// The folder of real data: `CRAWLSCOPE_DATA`, else `../shared/data` beside the repository.
pub fn real_folder() -> PathBuf {
    let beside = || repository().join("..").join("shared").join("data");
    env::var_os("CRAWLSCOPE_DATA").map_or_else(beside, PathBuf::from)
}

/// Files of real data; nothing where one is missing, after noting that the test was skipped.
pub fn real<const N: usize>(test: &str, names: [&str; N]) -> Option<[PathBuf; N]> {
    let files = names.map(|name| real_folder().join(name));
    match files.iter().zip(names).find(|(file, _)| !file.is_file()) {
        None => Some(files),
        Some((_, missing)) => {
            skip(test, &format!("{missing} not present"));
            None
        }
    }
}

/// Notes that a test was skipped.
fn skip(test: &str, why: &str) {
    // Tests of two packages may have one name.
    let test = format!("{}::{test}", env!("CARGO_PKG_NAME"));
    println!("skipped: {test}: {why}");
    if let Some(file) = env::var_os(SKIPPED) {
        let file = OpenOptions::new().create(true).append(true).open(file);
        // One write a line: tests run at the same time.
        let noted = file.and_then(|mut file| file.write_all(format!("{test}: {why}\n").as_bytes()));
        noted.expect("a skipped test must be counted");
    }
}

/// The top of the repository: the nearest folder with a lock file.
fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let top = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    top.unwrap_or(package)
}
