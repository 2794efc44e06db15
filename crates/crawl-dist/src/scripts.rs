//! Making scripts and styles small with esbuild: short names, no comments, no blanks.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::names;

/// Shortens scripts and styles.
pub struct Shortener {
    esbuild: PathBuf,
}

impl Shortener {
    /// With esbuild's program.
    pub fn new(esbuild: &Path) -> Self {
        Self { esbuild: esbuild.to_owned() }
    }

    /// A file in short, where it is a script or a style; the service worker is left as it is, because
    /// its list is filled in later.
    pub fn shorten(&self, name: &str, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
        let Some((_, kind @ ("js" | "css"))) = name.rsplit_once('.') else { return Ok(None) };
        if names::FIXED.contains(&name) {
            return Ok(None);
        }
        let mut command = Command::new(&self.esbuild);
        command.args([
            "--minify",
            "--charset=utf8",
            "--legal-comments=none",
            "--log-level=warning",
        ]);
        command.arg(format!("--loader={kind}"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let program = self.esbuild.display();
        let mut child = child.with_context(|| format!("cannot start {program}"))?;
        let mut input = child.stdin.take().context("its input is ours")?;
        // On a thread of its own, because what is written back may fill the other pipe meanwhile.
        let written = std::thread::scope(|scope| {
            let writer = scope.spawn(move || input.write_all(bytes));
            let output = child.wait_with_output();
            (writer.join(), output)
        });
        let output = written.1.with_context(|| format!("cannot read from {program}"))?;
        if !output.status.success() || !matches!(written.0, Ok(Ok(()))) {
            bail!("{program} failed on {name} ({})", output.status);
        }
        Ok(Some(output.stdout))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::folder::testing;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// A program that answers with the kind it was told and what it was given, and fails on `bad`.
    fn pretended(folder: &Path) -> PathBuf {
        let program = folder.join("esbuild");
        let script = "#!/bin/sh\nfor last; do :; done\ngiven=$(cat)\n\
                      [ \"$given\" != bad ] && printf '%s %s' \"$last\" \"$given\"\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    #[test]
    fn scripts_and_styles_are_shortened_and_others_are_not() {
        let folder = testing::temporary("scripts");
        let shortener = Shortener::new(&pretended(&folder));
        let shorten = |name: &str| shortener.shorten(name, b"a b").unwrap();
        assert_eq!(shorten("app.js").unwrap(), b"--loader=js a b");
        assert_eq!(shorten("styles/app.css").unwrap(), b"--loader=css a b");
        for name in ["index.html", "service-worker.js", "app.wasm", "icon.svg"] {
            assert_eq!(shorten(name), None, "{name}");
        }
        let error = shortener.shorten("app.js", b"bad").unwrap_err().to_string();
        assert!(error.contains("failed on app.js"), "{error}");
        let nowhere = Shortener::new(Path::new("/nowhere/esbuild"));
        let error = nowhere.shorten("app.js", b"").unwrap_err().to_string();
        assert_eq!(error, "cannot start /nowhere/esbuild");
        fs::remove_dir_all(folder).unwrap();
    }
}
