//! Optimises wasm with binaryen's `wasm-opt`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::names;

/// What crawls is made fast, everything else small.
const FAST: [&str; 2] = ["crawl-reports_bg.wasm", "crawl-worker_bg.wasm"];

/// wasm features that Rust 1.95 enables by default.
const FEATURES: [&str; 8] = [
    "bulk-memory",
    "bulk-memory-opt",
    "multivalue",
    "mutable-globals",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
    "simd",
];

/// A pass to skip: keeping values in locals makes a program smaller, but not once compressed.
const SKIPPED: &str = "--skip-pass=local-cse";
/// Inlining functions with one caller does not help either.
const APART: &str = "--one-caller-inline-max-function-size=20";

/// Optimises programs, and caches the results, because it takes half a minute.
pub struct Optimiser {
    wasm_opt: PathBuf,
    cache: PathBuf,
}

impl Optimiser {
    /// Creates one with the path of `wasm-opt` and a cache folder.
    pub fn new(wasm_opt: &Path, cache: &Path) -> Result<Self> {
        fs::create_dir_all(cache).with_context(|| format!("cannot create {}", cache.display()))?;
        Ok(Self { wasm_opt: wasm_opt.to_path_buf(), cache: cache.to_path_buf() })
    }

    /// Optimises a program.
    pub fn optimise(&self, name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let (level, flags) = match FAST.contains(&name) {
            true => ("-O3", &[SKIPPED][..]),
            // A second time finds what the first has laid bare.
            false => ("-Oz", &[SKIPPED, APART, "-Oz"][..]),
        };
        let mut digest = blake3::Hasher::new();
        for flag in flags {
            digest.update(flag.as_bytes());
        }
        let digest = names::short(&digest.update(bytes).finalize());
        let stem = name.trim_end_matches(".wasm").replace('/', "_");
        let result = self.cache.join(format!("{stem}{level}-{digest}.wasm"));
        if let Ok(cached) = fs::read(&result) {
            return Ok(cached);
        }
        self.forget(&stem)?;
        let (input, output) = (result.with_extension("in"), result.with_extension("out"));
        fs::write(&input, bytes).with_context(|| format!("cannot write {}", input.display()))?;
        let mut command = Command::new(&self.wasm_opt);
        command.arg(level).args(flags).args(FEATURES.map(|feature| format!("--enable-{feature}")));
        let status = command.arg(&input).arg("-o").arg(&output).status();
        let program = self.wasm_opt.display();
        let status = status.with_context(|| format!("cannot start {program}"))?;
        if !status.success() {
            bail!("{program} failed on {name} ({status})");
        }
        // Renamed when complete, so that the cache never holds partial files.
        fs::rename(&output, &result)
            .and_then(|()| fs::remove_file(&input))
            .and_then(|()| fs::read(&result))
            .with_context(|| format!("cannot write {}", result.display()))
    }

    /// Removes cached results of earlier versions of a program.
    fn forget(&self, stem: &str) -> Result<()> {
        for entry in fs::read_dir(&self.cache)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.strip_prefix(stem).is_some_and(|rest| rest.starts_with("-O")) {
                fs::remove_file(&path)
                    .with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::folder::testing;
    use std::os::unix::fs::PermissionsExt;

    /// A fake `wasm-opt` that counts its calls and writes the level it was given.
    fn fake_program(folder: &Path) -> PathBuf {
        let program = folder.join("wasm-opt");
        let script = "#!/bin/sh\nlevel=$1\nwhile [ \"$1\" != -o ]; do shift; done\n\
                      echo call >> \"$(dirname \"$0\")/calls\"\nprintf %s \"$level\" > \"$2\"\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    #[test]
    fn a_program_is_optimised_once_and_an_older_one_is_forgotten() {
        let folder = testing::temporary("wasm");
        let optimiser = Optimiser::new(&fake_program(&folder), &folder.join("cache")).unwrap();
        let calls = || fs::read_to_string(folder.join("calls")).unwrap().lines().count();
        let kept = || fs::read_dir(folder.join("cache")).unwrap().count();
        assert_eq!(optimiser.optimise(FAST[1], b"1").unwrap(), b"-O3");
        assert_eq!(optimiser.optimise("crawl-app_bg.wasm", b"1").unwrap(), b"-Oz");
        assert_eq!((calls(), kept()), (2, 2));
        assert_eq!(optimiser.optimise(FAST[1], b"1").unwrap(), b"-O3");
        assert_eq!((calls(), kept()), (2, 2));
        optimiser.optimise(FAST[1], b"2").unwrap();
        assert_eq!((calls(), kept()), (3, 2));
        fs::remove_dir_all(folder).unwrap();
    }
}
