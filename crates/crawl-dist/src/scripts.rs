//! Minifies scripts and styles with esbuild.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::names;

/// A minifier of scripts and styles.
pub struct Minifier {
    esbuild: PathBuf,
}

impl Minifier {
    /// Creates one for the esbuild program at this path.
    pub fn new(esbuild: &Path) -> Self {
        Self { esbuild: esbuild.to_owned() }
    }

    /// Minifies a script or style; `None` for other files and for the service worker, whose list is filled
    /// in later.
    pub fn minify(&self, name: &str, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
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
        let mut input = child.stdin.take().context("no pipe to esbuild")?;
        // In a thread, because the output pipe may fill up while the input is written.
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

    /// A fake esbuild that prints its loader and its input, and fails on `bad`.
    fn fake_program(folder: &Path) -> PathBuf {
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
        let minifier = Minifier::new(&fake_program(&folder));
        let minify = |name: &str| minifier.minify(name, b"a b").unwrap();
        assert_eq!(minify("app.js").unwrap(), b"--loader=js a b");
        assert_eq!(minify("styles/app.css").unwrap(), b"--loader=css a b");
        for name in ["index.html", "service-worker.js", "app.wasm", "icon.svg"] {
            assert_eq!(minify(name), None, "{name}");
        }
        let error = minifier.minify("app.js", b"bad").unwrap_err().to_string();
        assert!(error.contains("failed on app.js"), "{error}");
        let nowhere = Minifier::new(Path::new("/nowhere/esbuild"));
        let error = nowhere.minify("app.js", b"").unwrap_err().to_string();
        assert_eq!(error, "cannot start /nowhere/esbuild");
        fs::remove_dir_all(folder).unwrap();
    }
}
