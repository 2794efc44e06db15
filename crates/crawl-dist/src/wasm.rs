//! Optimising wasm with binaryen's `wasm-opt`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::names;

/// What crawls is made fast, everything else small.
const FAST: &str = "crawl-worker_bg.wasm";

/// What the compiler uses without being asked (Rust 1.95), so that the optimiser may use it too.
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

/// What it had better not do: values kept in locals instead of being worked out again make a program
/// smaller, but not once it is compressed.
const SKIPPED: &str = "--skip-pass=local-cse";
/// Nor does it help there to move functions into their only callers.
const APART: &str = "--one-caller-inline-max-function-size=20";

/// Optimises programs, and keeps what it made so that the same program is not optimised twice: it
/// takes half a minute.
pub struct Optimiser {
    wasm_opt: PathBuf,
    kept: PathBuf,
}

impl Optimiser {
    /// With binaryen's program, and a folder to keep results in.
    pub fn new(wasm_opt: &Path, kept: &Path) -> Result<Self> {
        fs::create_dir_all(kept).with_context(|| format!("cannot make {}", kept.display()))?;
        Ok(Self { wasm_opt: wasm_opt.to_path_buf(), kept: kept.to_path_buf() })
    }

    /// A program, optimised.
    pub fn optimise(&self, name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let (level, flags) = match name {
            FAST => ("-O3", &[SKIPPED][..]),
            // A second time finds what the first has laid bare.
            _ => ("-Oz", &[SKIPPED, APART, "-Oz"][..]),
        };
        let mut digest = blake3::Hasher::new();
        for flag in flags {
            digest.update(flag.as_bytes());
        }
        let digest = names::short(&digest.update(bytes).finalize());
        let stem = name.trim_end_matches(".wasm").replace('/', "_");
        let result = self.kept.join(format!("{stem}{level}-{digest}.wasm"));
        if let Ok(kept) = fs::read(&result) {
            return Ok(kept);
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
        // Renamed when whole, so that what is kept is never half of it.
        fs::rename(&output, &result)
            .and_then(|()| fs::remove_file(&input))
            .and_then(|()| fs::read(&result))
            .with_context(|| format!("cannot keep {}", result.display()))
    }

    /// Drops what was kept of earlier versions of a program.
    fn forget(&self, stem: &str) -> Result<()> {
        for entry in fs::read_dir(&self.kept)? {
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

    /// A program that counts its calls and answers with the level it was told.
    fn pretended(folder: &Path) -> PathBuf {
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
        let optimiser = Optimiser::new(&pretended(&folder), &folder.join("kept")).unwrap();
        let calls = || fs::read_to_string(folder.join("calls")).unwrap().lines().count();
        let kept = || fs::read_dir(folder.join("kept")).unwrap().count();
        assert_eq!(optimiser.optimise(FAST, b"1").unwrap(), b"-O3");
        assert_eq!(optimiser.optimise("crawl-app_bg.wasm", b"1").unwrap(), b"-Oz");
        assert_eq!((calls(), kept()), (2, 2));
        assert_eq!(optimiser.optimise(FAST, b"1").unwrap(), b"-O3");
        assert_eq!((calls(), kept()), (2, 2));
        optimiser.optimise(FAST, b"2").unwrap();
        assert_eq!((calls(), kept()), (3, 2));
        fs::remove_dir_all(folder).unwrap();
    }
}
