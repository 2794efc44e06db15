//! Test data: fixtures in the repository, and optional real data outside of it.
//!
//! A test that needs real data tests nothing else, so that it either runs or counts as skipped.
//! Test files of other packages include this file by path; it uses the standard library only.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Environment variable: the file that lists skipped tests, as lines `package::test: reason`.
///
/// `cargo xtask test` sets it and counts the lines.
pub const SKIPPED: &str = "CRAWLSCOPE_SKIPPED";

/// The path of a file in `tests/fixtures/`.
#[allow(dead_code, reason = "not every file that includes this one reads fixtures")]
pub fn fixture(name: &str) -> PathBuf {
    repository().join("tests").join("fixtures").join(name)
}

/// The folder of real data: `CRAWLSCOPE_DATA`, else `../shared/data` beside the repository.
pub fn real_folder() -> PathBuf {
    let beside = || repository().join("..").join("shared").join("data");
    env::var_os("CRAWLSCOPE_DATA").map_or_else(beside, PathBuf::from)
}

/// Paths of real data files; if one is missing, records the test as skipped and returns `None`.
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

/// Records that a test was skipped.
fn skip(test: &str, why: &str) {
    // Tests of two packages may have the same name.
    let test = format!("{}::{test}", env!("CARGO_PKG_NAME"));
    println!("skipped: {test}: {why}");
    if let Some(file) = env::var_os(SKIPPED) {
        let file = OpenOptions::new().create(true).append(true).open(file);
        // One write per line: tests run in parallel.
        let noted = file.and_then(|mut file| file.write_all(format!("{test}: {why}\n").as_bytes()));
        noted.expect("a skipped test must be counted");
    }
}

/// The root of the repository: the nearest folder with a lock file.
fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let top = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    top.unwrap_or(package)
}
